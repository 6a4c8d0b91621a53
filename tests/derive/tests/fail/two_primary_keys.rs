//! Two fields are the primary key.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(primary_key)]
    first: String,
    second: String,
    #[field(primary_key)]
    third: String,
}

fn main() {}
