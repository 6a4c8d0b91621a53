//! Structs that a `macro_rules!` writes: types and literals come in invisible groups.

#![deny(warnings)]

use runtime::Record;

macro_rules! one {
    ($name:ident, $label:literal, $ty:ty, $max:literal) => {
        #[derive(Record)]
        #[record(name = $label)]
        struct $name {
            #[field(name = $label, max = $max)]
            field: $ty,
        }
    };
}

one!(Number, "A number", Option<i64>, -3);
one!(Text, "A text", Vec<String>, 3);

fn main() {
    assert!(Number::from_json(br#"{"A number": -4}"#).is_ok_and(|number| number.field == Some(-4)));
    assert!(Number::from_json(br#"{"A number": 4}"#).is_err());
    assert!(Text::from_json(br#"{"A text": ["abc"]}"#).is_ok_and(|text| text.field == ["abc"]));
}
