//! Bounds of a date in no form that the field reads.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = "31.12.2020", max = "2020-02-30")]
    value: Option<NaiveDate>,
}

fn main() {}
