//! The ground floor: what a record may contain.
//!
//! This package holds the one reader of schema-detail documents ([`Schema::read`]), the table of
//! the 22 data types ([`DataType`]), the date, time and boolean formats ([`mod@format`]), the
//! compiled bounds ([`Limits`]), the comparison of two schemas ([`mod@diff`]) and the check that reports every contradiction of a schema at once
//! ([`check()`]). The validation engine, the derive and the generator all stand on it.
//!
//! It never judges a record, knows no HTTP and no database, and depends on nothing, so that the
//! derive and a `build.rs` that use it stay light.
//!
//! ```
//! let document = r#"{
//!   "schemaId": "s1", "name": "City", "businessAreaId": "a1", "businessAreaName": "Places",
//!   "createdDate": "2026-01-01T00:00:00.000Z",
//!   "fields": [{"fieldId": "f1", "name": "Population", "active": true, "dataType": "integer",
//!     "isPrimaryKey": false, "isSortKey": false, "isRequired": true, "min": 9, "max": 1}]
//! }"#;
//! let problems = schema::Schema::read(document, schema::Origin::Elsewhere).unwrap_err();
//! assert_eq!(problems.items[0].path.to_string(), "$.fields[0].min");
//! ```

pub mod check;
pub mod diff;
#[cfg(feature = "export")]
pub mod export;
pub mod format;
pub mod json;

mod carry;
mod data_type;
mod limits;
mod model;
mod names;
mod number;
mod order;
mod plain_number;
mod properties;
mod read;
mod unknown_properties;
mod wording;
mod write;

pub use carry::carry_value;
pub use check::{Contradiction, Origin, Path, Problem, Problems, Severity, Step, check};
pub use data_type::{BoundKind, DataType, Facts, Setting};
pub use limits::{Bounds, LimitFault, Limits, Media, SAFE_INTEGER_MAX};
pub use model::{
    Bound, Classifier, Extra, Field, PicklistEntry, PicklistType, Provenance, RULE_ALPHANUMERIC,
    Schema, id_of,
};
pub use names::{is_unseen, unseen_in};
pub use number::{Hundredths, NotHundredths, NotWhole, Number};
pub use plain_number::PlainNumber;
pub use properties::{FIELD_PROPERTIES, SCHEMA_PROPERTIES};
pub use read::Document;
pub use unknown_properties::{UnknownProperty, unknown_properties};
pub use wording::{Wording, fill};
