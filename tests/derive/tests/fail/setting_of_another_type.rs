//! Settings that mean nothing for the data type.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 1, date_format = "YYYYMMDD", booleans = "Y/N", max_width = 3)]
    value: bool,
}

fn main() {}
