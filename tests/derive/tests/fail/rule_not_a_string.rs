//! A validation rule without quotes.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(rules(alphanumeric))]
    value: String,
}

fn main() {}
