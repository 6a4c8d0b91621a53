//! Extras that are no JSON, no object, or no schema.

use runtime::*;

#[derive(Record)]
#[record(extra = "{")]
struct First {
    #[field(extra = "[]")]
    one: String,
    #[field(extra = r#"{"a": 1, "a": 2}"#)]
    two: String,
    #[field(extra = true)]
    three: String,
}

#[derive(Record)]
struct Second {
    #[field(min = 3, extra = r#"{"min": 4}"#)]
    one: String,
    #[field(extra = r#"{"max": -1}"#)]
    two: String,
    #[field(extra = r#"{"dateFormat": "none", "isPII": 1}"#)]
    three: String,
}

fn main() {}
