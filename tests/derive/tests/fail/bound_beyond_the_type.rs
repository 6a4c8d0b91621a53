//! Bounds widen what the type narrows.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(type = "date-month", min = 0, max = 13)]
    value: u8,
}

fn main() {}
