//! A document that an editor began with a byte-order mark is one.

use runtime::Record;

#[derive(Clone, PartialEq, Record)]
#[record(schema = "../schemas/marked.json")]
struct Marked {
    #[field(name = "Name", primary_key, max = 60)]
    name: String,
}

fn main() {
    assert_eq!(Marked::SCHEMA.name, "Marked");
}
