//! Records that nobody wrote: what a schema allows, at random or at its bounds, and for each rule of a field a record
//! that breaks it and no other. For tests, demonstrations and the first rows of an empty dataset.
//!
//! It judges nothing itself, and knows no chance but the one that it is handed: the same choices make the same records.
//!
//! ```
//! use sample::{At, Sampler, Seeded};
//! use schema::{Origin, Schema};
//!
//! let document = r#"{"schemaId": "s1", "name": "City", "businessAreaId": "a1", "businessAreaName": "Places",
//!   "createdDate": "2026-01-01T00:00:00.000Z", "fields": [
//!   {"fieldId": "f1", "name": "Name", "active": true, "dataType": "string", "isPrimaryKey": true,
//!    "isSortKey": false, "isRequired": true, "max": 3},
//!   {"fieldId": "f2", "name": "Founded", "active": true, "dataType": "date", "isPrimaryKey": false,
//!    "isSortKey": false, "isRequired": false, "min": "1201-08-18"}]}"#;
//! let schema = Schema::read(document, Origin::Elsewhere).unwrap().schema;
//! let sampler = Sampler::new(&schema).unwrap();
//! let lowest = sampler.record(At::Lowest, &mut Seeded::new(1));
//! assert_eq!(lowest, r#"{"Name":"a","Founded":"1201-08-18"}"#);
//! let broken = sampler.breaking();
//! let codes: Vec<_> = broken.iter().map(|one| (one.field.as_str(), one.rule)).collect();
//! assert!(codes.contains(&("Name", "max_length")) && codes.contains(&("Founded", "not_before")));
//! ```

mod at;
mod breaking;
mod chance;
mod sampler;
mod typed;
mod value;

pub use at::At;
pub use breaking::Breaking;
pub use chance::{Chance, Given, Seeded};
pub use sampler::{NoRecord, Sampler};
#[cfg(feature = "arbitrary")]
pub use typed::arbitrary_record;
#[cfg(feature = "proptest")]
pub use typed::records;

/// What the macro names.
#[cfg(feature = "arbitrary")]
#[doc(hidden)]
pub use ::arbitrary as __arbitrary;
