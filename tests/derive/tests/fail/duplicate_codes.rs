//! Two variants have one code.

use runtime::*;

#[derive(Clone, Copy, Picklist)]
enum Case {
    A,
    #[code("A")]
    B,
}

fn main() {}
