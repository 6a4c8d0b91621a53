//! Two fields have one name.

use runtime::*;

#[derive(Record)]
struct Case {
    value: String,
    #[field(name = "value")]
    other: String,
}

fn main() {}
