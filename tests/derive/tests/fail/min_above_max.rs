//! The lower bound is above the upper one.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 9, max = 1)]
    value: i64,
}

fn main() {}
