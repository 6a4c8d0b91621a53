//! The dynamic door and the typed ones, held against each other on random schemas and bodies, and on
//! every conformance case. Which verdict is the right one is for the conformance cases to say.

mod bodies;
mod canonical;
mod conformance;
mod differences;
mod doors;
mod lookups;
mod samples;
mod schemas;
mod texts;
mod typed_samples;
mod values;

use random::{Door, Read};
use runtime::schema::{json, Origin, Schema};
use runtime::validate::{Checked, Checker, Lookups, Rejected};
use runtime::FromJsonError;

/// The schema of a door, read from its document.
fn source(door: &Door) -> Schema {
    Schema::read(door.document, Origin::Elsewhere)
        .unwrap_or_else(|problems| panic!("{}: {problems}", door.name))
        .schema
}

/// How the doors judged a body, when they agree.
enum Agreed {
    Rejected,
    Faulty,
    Clean,
}

/// Compares a typed reading with the dynamic one.
fn compare(
    dynamic: &Result<Checked, Rejected>,
    typed: &Result<Read, FromJsonError>,
) -> Result<Agreed, String> {
    let differ = |what: &str, one: &str, other: &str| {
        Err(format!("{what}\n  dynamic {one}\n  typed   {other}"))
    };
    match (dynamic, typed) {
        (Err(one), Err(FromJsonError::Rejected(other))) if one == other => Ok(Agreed::Rejected),
        (Err(one), Err(other)) => differ("the rejection", &one.to_string(), &other.to_string()),
        (Err(one), Ok(read)) => differ("the verdict", &one.to_string(), &read.json),
        (Ok(one), Err(FromJsonError::Rejected(other))) => {
            differ("the verdict", one.normal_form(), &other.to_string())
        }
        (Ok(one), Err(FromJsonError::Faulty(other))) => {
            if one.errors_json() != other.errors_json() || one.faults() != other.faults() {
                differ("the errors", &one.errors_json(), &other.errors_json())
            } else if one.normal_form() != other.normal_form() {
                differ("the normal form", one.normal_form(), other.normal_form())
            } else if one.primary_key() != other.primary_key() {
                differ("the primary key of", one.normal_form(), other.normal_form())
            } else {
                Ok(Agreed::Faulty)
            }
        }
        (Ok(one), Ok(read)) => {
            if !one.is_clean() {
                differ("the verdict", &one.errors_json(), &read.json)
            } else if one.normal_form() != read.json {
                differ("the normal form", one.normal_form(), &read.json)
            } else if one.primary_key() != read.primary_key.as_deref() {
                differ("the primary key of", one.normal_form(), &read.json)
            } else if !read.alone.is_clean() {
                differ(
                    "validate() of",
                    one.normal_form(),
                    &read.alone.errors_json(),
                )
            } else {
                Ok(Agreed::Clean)
            }
        }
    }
}

/// A normal form, judged again, is itself, with the same errors and the same key.
fn is_fixed_point(
    checker: &Checker,
    checked: &Checked,
    lookups: Option<&dyn Lookups>,
) -> Result<(), String> {
    let again = checker
        .check_with(checked.normal_form().as_bytes(), lookups)
        .map_err(|rejected| format!("the normal form is refused: {rejected}"))?;
    let parts = |checked: &Checked| {
        let key = checked.primary_key().map(str::to_owned);
        (checked.normal_form().to_owned(), checked.errors_json(), key)
    };
    if parts(&again) == parts(checked) {
        return Ok(());
    }
    let (one, other) = (parts(checked), parts(&again));
    Err(format!(
        "the normal form is no fixed point\n  first {one:?}\n  again {other:?}"
    ))
}
