//! The program as its users run it: the real binary, real folders, real connections.

mod apply;
mod connections;
mod credentials;
mod listeners;
#[cfg(target_os = "linux")]
mod memory;
mod reapply;
mod s3;
mod serve;
mod settings;
#[path = "../../../../tests/support/s3.rs"]
#[allow(dead_code, reason = "made for the stories of files too")]
mod storage;
mod support;
