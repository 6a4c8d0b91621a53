//! A bound says its Rust type.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 3_i64)]
    value: i64,
}

fn main() {}
