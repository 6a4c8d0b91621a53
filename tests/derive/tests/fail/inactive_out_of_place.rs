//! Inactive fields that are nowhere, outside, or at one place.

use runtime::*;

#[derive(Record)]
#[record(
    inactive(name = "A", type = "string"),
    inactive(at = 9, name = "B", type = "string"),
    inactive(at = 1, name = "C", type = "string"),
    inactive(at = 1, name = "D", type = "string"),
    inactive(at = -1, name = "E", type = "string")
)]
struct Case {
    value: String,
}

fn main() {}
