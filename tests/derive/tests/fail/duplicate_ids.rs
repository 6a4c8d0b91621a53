//! Two fields have one id, and an inactive one the id that the name gives.

use runtime::*;

#[derive(Record)]
#[record(inactive(at = 2, name = "first", type = "string"))]
struct Case {
    first: String,
    #[field(id = "f1")]
    second: String,
    #[field(id = "f1")]
    third: String,
}

fn main() {}
