//! A record that is an enum.

use runtime::*;

#[derive(Record)]
enum Case {
    A,
}

fn main() {}
