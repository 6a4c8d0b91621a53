//! The enum of a picklist does not have the codes of the document.

use runtime::{Picklist, Record};

#[derive(Record)]
#[record(schema = "../schemas/city.json")]
struct City {
    #[field(name = "Name", primary_key, sort_key, max = 60)]
    name: String,
    #[field(name = "Kind", picklist)]
    kind: Option<Kind>,
    #[field(name = "Population", min = 0)]
    population: Option<i64>,
    #[field(name = "Mayor", pii)]
    mayor: Option<String>,
}

#[derive(Clone, Copy, Picklist)]
enum Kind {
    A,
    C,
}

fn main() {}
