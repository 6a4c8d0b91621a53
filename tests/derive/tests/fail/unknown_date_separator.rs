//! A date separator that does not exist.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(date_separator = "_")]
    value: NaiveDate,
}

fn main() {}
