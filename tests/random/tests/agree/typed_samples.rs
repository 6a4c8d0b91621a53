//! Typed records that nobody wrote: as a strategy of `proptest`, and of a fuzzer's bytes.

use arbitrary::{Arbitrary, Unstructured};
use proptest::prelude::*;
use runtime::{sample, NaiveDate, Picklist, Record};

#[derive(Clone, PartialEq, Record)]
struct City {
    #[field(name = "Name", primary_key, max = 20)]
    name: String,
    #[field(name = "Founded", min = "1201-08-18")]
    founded: Option<NaiveDate>,
    #[field(name = "Kind", picklist)]
    kind: Kind,
    #[field(name = "Twins", alphanumeric)]
    twins: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Picklist)]
enum Kind {
    #[code("C")]
    Capital,
    #[code("T")]
    Town,
}

sample::arbitrary!(City);

proptest! {
    #[test]
    fn a_strategy_makes_clean_records_that_come_back(city in sample::records::<City>()) {
        prop_assert!(city.validate().is_clean());
        let again = City::from_json(city.to_json().as_bytes()).unwrap();
        prop_assert!(again == city);
    }

    #[test]
    fn any_bytes_make_a_clean_record(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let city = City::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        prop_assert!(city.validate().is_clean());
    }
}

#[test]
fn no_choice_is_the_plainest_record() {
    let city = City::arbitrary(&mut Unstructured::new(&[])).unwrap();
    assert!(city.name == "a" && city.kind == Kind::Capital && city.twins == ["a"]);
}
