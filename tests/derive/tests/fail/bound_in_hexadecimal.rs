//! A bound is not in decimal.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 0x1F)]
    value: i64,
}

fn main() {}
