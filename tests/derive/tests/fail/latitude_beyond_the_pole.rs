//! A bound of a latitude is no latitude.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(max = 90.5)]
    value: Latitude,
}

fn main() {}
