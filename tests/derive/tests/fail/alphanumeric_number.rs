//! A rule for texts on a number.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(alphanumeric)]
    value: i64,
}

fn main() {}
