//! What may be missing is required.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(required)]
    value: Option<String>,
}

fn main() {}
