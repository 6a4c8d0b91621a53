//! A struct that is not what its document says: each difference stands at its field.

use runtime::Record;

#[derive(Record)]
#[record(schema = "../schemas/city.json", id = "s2", version = 2)]
struct City {
    #[field(name = "Name", primary_key, max = 40)]
    name: String,
    #[field(name = "Population")]
    population: i64,
    #[field(id = "f4", name = "Mayor's Name")]
    mayor: Option<String>,
    #[field(name = "Gates")]
    gates: Option<i64>,
}

fn main() {}
