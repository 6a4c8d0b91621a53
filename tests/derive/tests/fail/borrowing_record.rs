//! A struct with a lifetime.

use runtime::*;

#[derive(Record)]
struct Case<'a> {
    value: &'a str,
}

fn main() {}
