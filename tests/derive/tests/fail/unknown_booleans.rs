//! Words for a boolean that do not exist.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(booleans = "yes/no")]
    value: bool,
}

fn main() {}
