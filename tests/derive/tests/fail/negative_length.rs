//! A length below zero.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = -1)]
    value: String,
}

fn main() {}
