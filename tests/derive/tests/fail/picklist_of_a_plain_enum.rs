//! A static picklist whose enum has no codes.

use runtime::*;

#[derive(Clone, Copy)]
enum Kind {
    A,
}

#[derive(Record)]
struct Case {
    #[field(picklist)]
    kind: Option<Kind>,
}

fn main() {}
