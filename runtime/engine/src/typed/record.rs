//! The trait every typed record has.

use super::error::FromJsonError;
use super::field_value::FieldValue;
use super::slots::Slots;
use crate::validate::rule::write_plain;
use crate::validate::{Checker, Lookups, Reading, Verdict};
use crate::value::Value;
use schema::Schema;
use std::fmt;
use std::sync::LazyLock;

/// A struct whose fields are those of a schema. Derive it: `#[derive(Record)]`.
pub trait Record: Sized + 'static {
    /// The schema this type came from, without provenance.
    const SCHEMA: &'static LazyLock<Schema>;

    /// The same schema, compiled for judging.
    #[doc(hidden)]
    const CHECKER: &'static LazyLock<Checker>;

    /// The struct of a clean reading, field by field in schema order.
    #[doc(hidden)]
    fn from_slots(slots: &mut Slots<'_>) -> Option<Self>;

    /// The fields' values, in schema order.
    #[doc(hidden)]
    fn values(&self) -> impl AsRef<[&dyn FieldValue]>;

    /// The schema-detail document of this type: code first. What the code does not know of the
    /// required properties (the area, the date of creation) is empty.
    fn schema() -> String {
        let mut schema = Schema::clone(Self::SCHEMA);
        schema.area_id.get_or_insert_default();
        schema.area_name.get_or_insert_default();
        schema.provenance.created_date.get_or_insert_default();
        schema.to_json()
    }

    /// Reads a record body, without look-ups: codes of dynamic domains and facts of files are not judged.
    ///
    /// # Errors
    /// All faults, or why the text is no record.
    fn from_json(json: &[u8]) -> Result<Self, FromJsonError> {
        Self::from_json_with(json, None)
    }

    /// Reads a record body.
    ///
    /// # Errors
    /// All faults, or why the text is no record.
    ///
    /// # Panics
    /// Never, for a derived type: the derive has made sure that each field's type holds its data type.
    fn from_json_with(json: &[u8], lookups: Option<&dyn Lookups>) -> Result<Self, FromJsonError> {
        let reading = Reading::of_body(Self::CHECKER, json, lookups)?;
        if reading.is_clean() {
            let record = Self::from_slots(&mut Slots::new(&reading));
            Ok(record.expect("the derive has compared each field's type with its data type"))
        } else {
            Err(FromJsonError::Faulty(Box::new(reading.into_checked())))
        }
    }

    /// The record as it is stored: every field in schema order, in its format, `null` for missing
    /// values. A value the field's format can't hold is written in ISO form.
    fn to_json(&self) -> String {
        let values = self.values();
        Self::CHECKER.write(values.as_ref().iter().map(|value| value.value()))
    }

    /// The record as a client sends it: as [`to_json`](Self::to_json) writes it, but dates and times in ISO 8601, which a
    /// service takes in whatever format its fields have by now (docs/rules.md, "Data types").
    fn to_sent_json(&self) -> String {
        let values = self.values();
        Self::CHECKER.write_sent(values.as_ref().iter().map(|value| value.value()))
    }

    /// Judges a record that was built by hand, without look-ups.
    ///
    /// It judges values. What is refused as a whole is no fault, and so not told: text that holds U+0000, a primary key of
    /// more than [`PRIMARY_KEY_BYTES_MAX`](crate::validate::PRIMARY_KEY_BYTES_MAX) bytes. The record's own body tells:
    /// `R::from_json(record.to_json().as_bytes())`. A record without a primary key is one, and a service makes none of it.
    fn validate(&self) -> Verdict {
        self.validate_with(None)
    }

    /// Judges a record that was built by hand, as [`validate`](Self::validate) does.
    fn validate_with(&self, lookups: Option<&dyn Lookups>) -> Verdict {
        let values = self.values();
        Self::CHECKER.judge_each(lookups, |index, rule, judge| {
            values.as_ref()[index].judge(rule, judge);
        })
    }

    /// The text of the primary key (docs/rules.md, "Primary keys"); `None` when there is none.
    fn primary_key(&self) -> Option<String> {
        let index = Self::CHECKER.primary_key_index()?;
        Self::CHECKER.primary_key_text(index, &self.values().as_ref()[index].value())
    }

    /// The value of a field, by its display name; `None` when the schema has no such active field.
    fn get(&self, name: &str) -> Option<Value<'_>> {
        let index = Self::CHECKER.index_of(name)?;
        // the array of references is a temporary; what it refers to is not
        value_at(self, index)
    }
}

fn value_at<R: Record>(record: &R, index: usize) -> Option<Value<'_>> {
    let values = record.values();
    let value: &dyn FieldValue = *values.as_ref().get(index)?;
    Some(value.value())
}

/// A value as JSON has it, for `Debug`.
pub(super) struct ShownValue<'v>(pub(super) Value<'v>);

impl fmt::Debug for ShownValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut json = String::new();
        write_plain(&self.0, &mut json);
        f.write_str(&json)
    }
}

/// Shows a record field by field, each value as JSON; those of fields that hold personally identifiable information stay
/// hidden.
///
/// # Errors
/// The formatter's.
pub fn debug<R: Record>(
    record: &R,
    name: &str,
    idents: &[&str],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let values = record.values();
    let mut shown = f.debug_struct(name);
    for ((ident, value), field) in idents.iter().zip(values.as_ref()).zip(R::CHECKER.fields()) {
        if field.is_pii() {
            shown.field(ident, &format_args!("<hidden>"));
        } else {
            shown.field(ident, &ShownValue(value.value()));
        }
    }
    shown.finish()
}
