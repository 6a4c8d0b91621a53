//! A field of one value holds several.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(multivalue = false)]
    value: Vec<String>,
}

fn main() {}
