//! The expansion under every lint that a strict crate turns on.

#![deny(warnings)]
#![deny(
    future_incompatible,
    let_underscore,
    missing_docs,
    nonstandard_style,
    rust_2018_idioms,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unreachable_pub,
    unsafe_code,
    unused,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences
)]

use runtime::{Change, Patch, Picklist, Record};

/// A name for a number.
pub(crate) type Count = i64;

/// A city.
#[derive(Clone, PartialEq, Record)]
#[record(patch)]
pub(crate) struct City {
    /// Its number, which is not the version that a patch is based on.
    pub(crate) version: i64,
    /// What it is called.
    #[field(primary_key)]
    pub(crate) name: String,
    /// How many live there.
    #[field(type = "integer")]
    pub(crate) people: Option<Count>,
    /// What it is.
    #[field(picklist)]
    pub(crate) kind: Kind,
}

/// What a city is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Picklist)]
pub(crate) enum Kind {
    /// Large.
    Large,
    /// Small.
    Small,
}

/// Nothing at all.
#[derive(Record)]
#[record(patch)]
pub(crate) struct Nothing {}

/// Nothing at all, in other words.
#[derive(Record)]
pub(crate) struct Unit;

/// A picklist without codes.
#[derive(Clone, Copy, Picklist)]
pub(crate) enum Never {}

fn main() {
    /// A record inside a function.
    #[derive(Record)]
    struct Inside {
        /// Never there.
        #[field(picklist)]
        never: Option<Never>,
    }

    let city = City::from_json(br#"{"version": 1, "name": "A", "people": 1, "kind": "Large"}"#);
    assert!(city.is_ok_and(|city| city.kind == Kind::Large && city.people == Some(1)));
    let patch = CityPatch {
        based_on_version: 3,
        version: 7.into(),
        people: Change::Cleared,
        ..CityPatch::default()
    };
    assert!(patch.to_json() == r#"{"_version":3,"version":7,"people":null}"#);
    assert!(NothingPatch::default().is_empty());
    assert!(Kind::from_code("Small") == Some(Kind::Small));
    assert!(Inside::from_json(b"{}").is_ok_and(|inside| inside.never.is_none()));
    assert!(Nothing::from_json(b"{}").is_ok() && Unit::from_json(b"{}").is_ok());
    assert!(matches!(Unit.to_json().as_str(), "{}") && Nothing {}.validate().is_clean());
}
