//! A data type that does not exist, and settings that cannot be judged without.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(type = "colour", min = "x")]
    value: String,
}

fn main() {}
