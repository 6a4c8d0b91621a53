//! The file of a schema is not there, or is no schema.

use runtime::Record;

#[derive(Record)]
#[record(schema = "../schemas/nowhere.json")]
struct Nowhere {}

#[derive(Record)]
#[record(schema = "schema_file_that_is_none.rs")]
struct Source {}

#[derive(Record)]
#[record(schema = 3)]
struct Number {}

fn main() {}
