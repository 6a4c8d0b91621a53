//! Changes of a record as a type: what becomes of each field. A patch is made of two records, of hand, or of nothing;
//! it is written as the body of an update, put on a record, or made one. docs/interface.md, "Writing records". It
//! judges nothing by itself.

use super::error::FromJsonError;
use super::open::Open;
use super::picklist::Picklist;
use super::record::{Record, ShownValue};
use crate::FieldError;
use crate::validate::{Checker, Rule};
use crate::value::Value;
use std::fmt;

/// What becomes of a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Change<T> {
    /// It stays as it is.
    #[default]
    Unchanged,
    /// It has no value any more.
    Cleared,
    /// It has this value.
    Set(T),
}

impl<T> From<T> for Change<T> {
    fn from(value: T) -> Self {
        Change::Set(value)
    }
}

/// What another place has of a field: none clears it.
impl<T> From<Option<T>> for Change<T> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Change::Cleared, Change::Set)
    }
}

impl From<&str> for Change<String> {
    fn from(text: &str) -> Self {
        Change::Set(text.to_owned())
    }
}

/// A code that the enum has, where others are kept too: what is written for a field of the enum holds for an open one.
impl<P: Picklist> From<P> for Change<Open<P>> {
    fn from(known: P) -> Self {
        Change::Set(Open::Known(known))
    }
}

/// Changes of a record, each field unchanged, cleared or set, with the version that they are based on. A record that
/// says `#[record(patch)]` has one, named after it: `CityPatch` of `City`.
pub trait Patch: Sized {
    /// What is changed.
    type Record: Record;

    /// The version of the record that the changes are based on.
    fn version(&self) -> u64;

    /// What becomes of each field, in the order of the struct.
    #[doc(hidden)]
    fn changes(&self) -> impl AsRef<[&dyn FieldChange]>;

    /// What makes `after` of `before`, which has this version.
    fn diff(version: u64, before: &Self::Record, after: &Self::Record) -> Self;

    /// Puts the changes on a record, unjudged: [`Record::validate`] tells what became of it.
    ///
    /// # Errors
    /// Required fields that would be cleared, which the type can't hold; nothing is changed then.
    fn apply(self, record: &mut Self::Record) -> Result<(), Vec<FieldError>>;

    /// Whether nothing changes.
    fn is_empty(&self) -> bool {
        let changes = self.changes();
        changes.as_ref().iter().all(|change| change.is_unchanged())
    }

    /// The body of an update: `_version`, the fields that are set in their formats, `null` for those that are cleared.
    fn to_json(&self) -> String {
        body(self, Checker::write_member)
    }

    /// The body of an update as a client sends it: dates and times in ISO 8601, as [`Record::to_sent_json`] writes them.
    fn to_sent_json(&self) -> String {
        body(self, Checker::write_sent_member)
    }

    /// The record that has what is set and nothing else, judged: a way to make records of many fields.
    ///
    /// # Errors
    /// All faults, required fields that are not set among them.
    fn build(&self) -> Result<Self::Record, FromJsonError> {
        let changes = self.changes();
        let values = changes.as_ref().iter().map(|change| change.value());
        Self::Record::from_json(Self::Record::CHECKER.write(values).as_bytes())
    }
}

/// The body of an update, each member written by `one`.
fn body<P: Patch>(patch: &P, one: impl Fn(&Checker, usize, &Value<'_>, &mut String)) -> String {
    let checker: &Checker = P::Record::CHECKER;
    let mut out = format!("{{\"_version\":{}", patch.version());
    let changes = patch.changes();
    for (index, change) in changes.as_ref().iter().enumerate() {
        if !change.is_unchanged() {
            out.push(',');
            one(checker, index, &change.value(), &mut out);
        }
    }
    out.push('}');
    out
}

/// What becomes of a field, whatever its type.
pub trait FieldChange {
    /// Whether it stays as it is.
    fn is_unchanged(&self) -> bool;

    /// What it is set to.
    fn value(&self) -> Value<'_>;
}

impl<T: super::field_value::FieldValue> FieldChange for Change<T> {
    fn is_unchanged(&self) -> bool {
        matches!(self, Change::Unchanged)
    }

    fn value(&self) -> Value<'_> {
        match self {
            Change::Set(value) => value.value(),
            Change::Unchanged | Change::Cleared => Value::Null,
        }
    }
}

/// A field of a struct, which a change is made of and put on: a value, one or none, or several.
pub trait Changing {
    /// What it can be set to.
    type Value;

    /// Whether it can be without a value.
    const CLEARS: bool;

    /// What makes `after` of this one.
    fn change(&self, after: &Self) -> Change<Self::Value>;

    /// Puts a change on it; one that it can't hold leaves it as it is.
    fn put(&mut self, change: Change<Self::Value>);
}

impl<T: super::field_value::FieldType + Clone> Changing for T {
    type Value = T;
    const CLEARS: bool = false;

    fn change(&self, after: &T) -> Change<T> {
        if self.value() == after.value() {
            Change::Unchanged
        } else {
            Change::Set(after.clone())
        }
    }

    fn put(&mut self, change: Change<T>) {
        if let Change::Set(value) = change {
            *self = value;
        }
    }
}

impl<T: super::field_value::FieldType + Clone> Changing for Option<T> {
    type Value = T;
    const CLEARS: bool = true;

    fn change(&self, after: &Self) -> Change<T> {
        match (self, after) {
            (None, None) => Change::Unchanged,
            (Some(before), Some(after)) => before.change(after),
            (Some(_), None) => Change::Cleared,
            (None, Some(after)) => Change::Set(after.clone()),
        }
    }

    fn put(&mut self, change: Change<T>) {
        match change {
            Change::Unchanged => {}
            Change::Cleared => *self = None,
            Change::Set(value) => *self = Some(value),
        }
    }
}

impl<T: super::field_value::FieldType + Clone> Changing for Vec<T> {
    type Value = Vec<T>;
    const CLEARS: bool = true;

    fn change(&self, after: &Self) -> Change<Self> {
        let is_same = |(one, other): (&T, &T)| one.value() == other.value();
        if self.len() == after.len() && self.iter().zip(after).all(is_same) {
            Change::Unchanged
        } else if after.is_empty() {
            Change::Cleared
        } else {
            Change::Set(after.clone())
        }
    }

    fn put(&mut self, change: Change<Self>) {
        match change {
            Change::Unchanged => {}
            Change::Cleared => self.clear(),
            Change::Set(values) => *self = values,
        }
    }
}

/// Whether a change would clear a field that always has a value.
pub fn is_lost<F: Changing>(_: &F, change: &Change<F::Value>) -> bool {
    !F::CLEARS && matches!(change, Change::Cleared)
}

/// The entries of `_errors` for fields that would lose a value that they always have.
///
/// # Errors
/// When there are any.
pub fn refuse_lost<R: Record>(lost: &[bool]) -> Result<(), Vec<FieldError>> {
    let fields = R::CHECKER.fields().iter().zip(lost);
    let errors: Vec<_> = fields
        .filter(|(_, is_lost)| **is_lost)
        .map(|(field, _)| FieldError {
            name: field.name().to_owned(),
            errors: Rule::Required.to_string(),
        })
        .collect();
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}

/// Shows the fields that change, each value as JSON; those of fields that hold personally identifiable information stay
/// hidden.
///
/// # Errors
/// The formatter's.
pub fn debug_patch<P: Patch>(
    patch: &P,
    name: &str,
    idents: &[&str],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let checker: &Checker = P::Record::CHECKER;
    let changes = patch.changes();
    let mut shown = f.debug_struct(name);
    shown.field("version", &patch.version());
    for ((ident, change), field) in idents.iter().zip(changes.as_ref()).zip(checker.fields()) {
        if change.is_unchanged() {
            continue;
        }
        if field.is_pii() {
            shown.field(ident, &format_args!("<hidden>"));
        } else {
            shown.field(ident, &ShownValue(change.value()));
        }
    }
    shown.finish_non_exhaustive()
}
