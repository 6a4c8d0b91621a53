//! A bound is a Rust number but no JSON number.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(min = 1.)]
    value: f64,
}

fn main() {}
