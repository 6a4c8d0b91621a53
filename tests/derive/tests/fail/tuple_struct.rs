//! Fields without names.

use runtime::*;

#[derive(Record)]
struct Case(String, i64);

fn use_it(case: &Case) -> String {
    case.to_json()
}

fn main() {}
