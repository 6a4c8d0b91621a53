//! The program as its users run it: the real binary, real folders, real connections.

mod apply;
mod credentials;
mod door;
mod serve;
mod settings;
mod support;
