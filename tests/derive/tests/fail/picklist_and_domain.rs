//! A picklist whose codes are in two places.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(picklist, domain = "d1")]
    value: Kind,
}

#[derive(Clone, Copy, Picklist)]
enum Kind {
    A,
}

fn main() {}
