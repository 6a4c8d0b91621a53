//! Types of random schemas and of the schemas of the conformance cases, each behind a [`Door`] that
//! tests can call without knowing the type. It judges nothing itself.

#![deny(warnings)]

pub mod chance;

use runtime::schema::Schema;
use runtime::validate::{Checker, Lookups, Verdict};
use runtime::{FromJsonError, Record};

/// The typed doors of one schema.
pub struct Door {
    /// What the schema is called in reports.
    pub name: &'static str,
    /// The schema-detail document.
    pub document: &'static str,
    /// The schema that the type carries.
    pub schema: fn() -> &'static Schema,
    /// The checker that the type carries.
    pub checker: fn() -> &'static Checker,
    /// `from_json_with` the first look-ups, and what the struct then says of itself; the second ones
    /// are for judging it again later.
    pub read: Reader,
    /// `serde_json::from_slice`, then `serde_json::to_string`.
    pub serde: fn(&[u8]) -> Result<String, serde_json::Error>,
}

/// Reads a body with the first look-ups, if any.
pub type Reader =
    fn(&[u8], Option<&dyn Lookups>, Option<&dyn Lookups>) -> Result<Read, FromJsonError>;

/// What a struct says of itself after it was read.
pub struct Read {
    /// `to_json`
    pub json: String,
    /// `primary_key`
    pub primary_key: Option<String>,
    /// `validate`
    pub alone: Verdict,
    /// `validate_with` the second look-ups.
    pub later: Verdict,
}

impl Door {
    const fn of<R>(name: &'static str, document: &'static str) -> Self
    where
        R: Record + serde::Serialize + serde::de::DeserializeOwned,
    {
        Door {
            name,
            document,
            schema: || R::SCHEMA,
            checker: || R::CHECKER,
            read: |body, lookups, later| {
                let record = R::from_json_with(body, lookups)?;
                Ok(Read {
                    json: record.to_json(),
                    primary_key: record.primary_key(),
                    alone: record.validate(),
                    later: record.validate_with(later),
                })
            },
            serde: |body| serde_json::to_string(&serde_json::from_slice::<R>(body)?),
        }
    }

    /// The door of this name.
    pub fn named<'a>(doors: &'a [Door], name: &str) -> Option<&'a Door> {
        doors.iter().find(|door| door.name == name)
    }
}

runtime::include_records!("random");
runtime::include_records!("conformance");
