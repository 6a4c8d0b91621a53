//! Values of the wrong kind.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(name = 3, primary_key = "yes", max_size = "10", tag = "x")]
    value: String,
}

fn main() {}
