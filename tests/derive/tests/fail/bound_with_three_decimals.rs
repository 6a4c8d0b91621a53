//! A bound of money is no amount of money.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 1.234)]
    value: Decimal,
}

fn main() {}
