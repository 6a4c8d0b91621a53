//! Names that are empty, too long or kept for the system.

use runtime::*;

#[derive(Record)]
#[record(name = "")]
struct Case {
    #[field(name = "")]
    first: String,
    #[field(
        name = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    )]
    second: String,
    _third: String,
    #[field(name = "_errors", id = "")]
    fourth: String,
}

fn main() {}
