//! A time format that does not exist.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(time_format = "HH")]
    value: NaiveTime,
}

fn main() {}
