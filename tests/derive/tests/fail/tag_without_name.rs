//! Tags that lack half of what they are.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(tag(id = "t1"), tag(name = "Tag", colour = "red"))]
    value: String,
}

fn main() {}
