//! Codes that are known only at run time in an enum.

use runtime::*;

#[derive(Clone, Copy, Picklist)]
enum Kind {
    A,
}

#[derive(Record)]
struct Case {
    #[field(domain = "d1")]
    kind: Kind,
}

fn main() {}
