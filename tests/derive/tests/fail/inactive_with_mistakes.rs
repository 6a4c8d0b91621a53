//! The settings of an inactive field are judged too.

use runtime::*;

#[derive(Record)]
#[record(inactive(
    at = 0,
    name = "Old",
    picklist,
    code("A"),
    code("A"),
    code(""),
    code(description = "none"),
    min = 3
))]
struct Case {
    #[field(at = 3, code("A"))]
    value: String,
}

fn main() {}
