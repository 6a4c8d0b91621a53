//! A static picklist that is a text.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(picklist)]
    value: String,
}

fn main() {}
