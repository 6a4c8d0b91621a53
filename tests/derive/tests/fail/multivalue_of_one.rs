//! A field of several values holds one.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(multivalue)]
    value: String,
}

fn main() {}
