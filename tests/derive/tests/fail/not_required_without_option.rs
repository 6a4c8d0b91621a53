//! What is always there is not required.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(required = false)]
    value: String,
}

fn main() {}
