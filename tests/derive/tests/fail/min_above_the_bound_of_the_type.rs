//! The lower bound is above the one that the type has by itself.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 9007199254740993)]
    value: Decimal,
}

fn main() {}
