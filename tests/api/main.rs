//! The data interface over real HTTP: a real listener, a real store in a folder of its own. Every row of
//! `rows.tsv` names the test that holds it.

mod raw;
mod world;

mod access;
mod credentials;
mod smoke;
