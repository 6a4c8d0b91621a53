//! A bound of a number is a word.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = "few")]
    value: i64,
}

fn main() {}
