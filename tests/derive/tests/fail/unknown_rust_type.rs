//! A Rust type that is no field at all.

use runtime::*;

struct Colour;

#[derive(Record)]
struct Case {
    first: Colour,
    second: (i64, &'static str),
    #[field(type = "string")]
    third: Colour,
}

fn main() {}
