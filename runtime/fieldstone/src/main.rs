//! The process around the program.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fieldstone::set_up_process();
    fieldstone::run(std::env::args_os(), fieldstone::Io::of_process())
}
