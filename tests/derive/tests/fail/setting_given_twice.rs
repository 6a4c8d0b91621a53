//! A setting stands twice.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(name = "A", required, name = "B")]
    value: String,
}

fn main() {}
