//! Settings of the struct that cannot be.

use runtime::*;

#[derive(Record)]
#[record(
    name = "Case",
    id = "",
    version = 1.5,
    crate = "runtime",
    primary_key,
    name = "Other"
)]
struct Case {
    value: String,
}

fn main() {}
