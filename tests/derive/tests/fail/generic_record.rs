//! A struct with a type parameter.

use runtime::*;

#[derive(Record)]
struct Case<T> {
    value: T,
}

fn main() {}
