//! What may be missing in two ways.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(name = "Value")]
    value: Option<Vec<String>>,
}

fn main() {}
