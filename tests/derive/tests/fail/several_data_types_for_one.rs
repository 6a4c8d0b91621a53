//! Rust types that hold more than one data type.

use runtime::*;

#[derive(Record)]
struct Case {
    month: u8,
    picture: Option<FileRef>,
}

fn main() {}
