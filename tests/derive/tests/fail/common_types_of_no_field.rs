//! Types that are common, and none of a field.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(type = "integer")]
    count: u32,
    size: Option<usize>,
    #[field(type = "currency")]
    price: f32,
    name: &'static str,
    note: Box<str>,
    amounts: Vec<Box<Decimal>>,
}

fn main() {}
