//! A validation rule that does not exist.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(rules("alphanumeric", "lowercase"))]
    value: String,
}

fn main() {}
