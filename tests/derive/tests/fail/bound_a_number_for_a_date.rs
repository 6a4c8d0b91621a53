//! A bound of a date is a number.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 2020)]
    value: NaiveDate,
}

fn main() {}
