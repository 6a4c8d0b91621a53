//! The primary key is a file.

use runtime::*;

#[derive(Record)]
struct Case {
    #[field(primary_key, type = "image")]
    value: FileRef,
}

fn main() {}
