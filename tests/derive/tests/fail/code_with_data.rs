//! Codes that carry data, or would.

use runtime::*;

#[derive(Clone, Copy, Picklist)]
enum Case {
    A(u8),
    B { value: u8 },
    C(),
    D,
}

fn main() {}
