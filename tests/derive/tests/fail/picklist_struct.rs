//! A picklist that is a struct.

use runtime::*;

#[derive(Clone, Copy, Picklist)]
struct Case;

fn main() {}
