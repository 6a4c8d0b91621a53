//! The primary key has several values.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(primary_key)]
    value: Vec<String>,
}

fn main() {}
