//! The program as its users run it: the real binary, real folders, real connections.

mod apply;
mod credentials;
mod serve;
mod settings;
mod support;
