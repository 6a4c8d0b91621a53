//! A setting that does not exist.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(nmae = "Value")]
    value: String,
}

fn main() {}
