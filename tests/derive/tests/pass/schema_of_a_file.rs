//! A struct that stands for a document takes from it what it does not say.

use runtime::{Picklist, Record};

#[derive(Clone, PartialEq, Record)]
#[record(schema = "../schemas/city.json")]
struct Town {
    #[field(name = "Name", primary_key, sort_key, max = "60")]
    name: String,
    #[field(name = "Kind", picklist)]
    kind: Option<Kind>,
    /// Counted once in ten years.
    #[field(name = "Population", min = 0)]
    population: Option<i64>,
    #[field(id = "f4", name = "Mayor", pii)]
    mayor: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Picklist)]
enum Kind {
    #[code("B")]
    Borough,
    #[code("A")]
    Abbey,
}

fn main() {
    let schema: &runtime::schema::Schema = Town::SCHEMA;
    assert_eq!((schema.id.as_str(), schema.name.as_str()), ("s1", "City"));
    assert_eq!(schema.version, Some(3));
    assert_eq!(schema.area_id.as_deref(), Some("a1"));
    let ids: Vec<_> = schema.fields.iter().map(|field| field.id.as_str()).collect();
    assert_eq!(ids, ["f1", "f2", "f3", "f4"]);
    assert_eq!(schema.fields[0].description.as_deref(), Some("As on the map."));
}
