//! Attributes that stand where they mean nothing.

use runtime::*;

#[derive(Record)]
#[field(name = "Case")]
struct First {
    #[record(name = "Value")]
    value: String,
}

#[derive(Clone, Copy, Picklist)]
#[code("A")]
enum Second {
    #[picklist(crate = runtime)]
    A,
}

fn main() {}
