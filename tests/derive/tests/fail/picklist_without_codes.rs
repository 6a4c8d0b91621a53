//! A picklist that does not say where its codes are.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(type = "picklist")]
    value: String,
}

fn main() {}
