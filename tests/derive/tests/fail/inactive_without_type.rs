//! Inactive fields that leave out what a Rust type would tell.

use runtime::*;

#[derive(Record)]
#[record(
    inactive(at = 0, type = "string"),
    inactive(at = 1, name = "B"),
    inactive
)]
struct Case {
    value: String,
}

fn main() {}
