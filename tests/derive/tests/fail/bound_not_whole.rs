//! A bound of a whole number has a fraction.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(max = 1.5)]
    value: i64,
}

fn main() {}
