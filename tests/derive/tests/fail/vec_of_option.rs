//! Values that may be missing one by one.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(name = "Value")]
    value: Vec<Option<String>>,
}

fn main() {}
