//! A Rust type that cannot hold the data type.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(type = "string")]
    value: i64,
}

fn main() {}
