//! Attributes that say nothing.

use runtime::*;

#[derive(Record)]
#[record]
struct Case {
    #[field = "Value"]
    value: String,
}

fn main() {}
