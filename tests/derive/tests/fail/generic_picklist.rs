//! An enum with a parameter.

use runtime::*;

#[derive(Clone, Copy, Picklist)]
enum Case<T> {
    A(T),
}

fn main() {}
