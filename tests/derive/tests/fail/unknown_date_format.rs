//! A date format that does not exist.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(date_format = "YYYY-MM-DD")]
    value: NaiveDate,
}

fn main() {}
