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

#[derive(Clone, PartialEq, Record)]
struct Note {
    #[field(name = "Title", primary_key)]
    title: String,
    #[field(name = "Text")]
    text: Option<String>,
    #[field(name = "Tags")]
    tags: Vec<String>,
}

proptest! {
    /// What `validate` does not tell, as its documentation has it.
    #[test]
    fn what_validates_clean_is_read_again_but_for_nul_and_long_keys(
        title in "[\\x00a ]{0,4}|a{1020,1030}",
        text in prop::option::of("[\\x00a]{0,3}"),
        tags in prop::collection::vec("[\\x00a]{0,2}", 0..3),
    ) {
        let note = Note { title, text, tags };
        let read = Note::from_json(note.to_json().as_bytes());
        let mut texts = note.text.iter().chain(&note.tags).chain([&note.title]);
        let is_storable = texts.all(|text| !text.contains('\0')) && note.title.len() <= 1024;
        if note.validate().is_clean() {
            prop_assert_eq!(read.is_ok(), is_storable);
        } else {
            prop_assert!(read.is_err());
        }
    }
}

#[test]
fn no_choice_is_the_plainest_record() {
    let city = City::arbitrary(&mut Unstructured::new(&[])).unwrap();
    assert!(city.name == "a" && city.kind == Kind::Capital && city.twins == ["a"]);
}
