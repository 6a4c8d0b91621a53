//! Codes that are empty, no texts, or given twice.

use runtime::*;

#[derive(Clone, Copy, Picklist)]
#[picklist(name = "Case")]
enum Case {
    #[code("")]
    A,
    #[code(3)]
    B,
    #[code("c", "d", order = 1)]
    C,
    #[code("e", extra = "[1]")]
    E,
}

fn main() {}
