//! An alias that hides a `Vec` from the derive.

use runtime::*;

type Names = Vec<String>;

#[derive(Record)]
struct Person {
    #[field(type = "string")]
    names: Names,
}

fn main() {}
