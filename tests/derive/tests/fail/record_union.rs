//! A record that is a union.

use runtime::*;

#[derive(Record)]
union Case {
    value: u8,
}

fn main() {}
