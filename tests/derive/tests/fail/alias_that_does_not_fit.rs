//! A type that only the compiler knows and that cannot hold the data type.

use runtime::*;

type Count = i64;

#[derive(Record)]
struct Case {
    #[field(type = "string")]
    value: Option<Count>,
}

fn main() {}
