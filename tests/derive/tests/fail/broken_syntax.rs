//! Parts that cannot be read do not hide the parts behind them.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(name = , type == "string", ;, max = 'c', min = 9, name = "_x")]
    value: String,
    #[field(min = 1 max = 0)]
    other: i64,
}

fn main() {}
