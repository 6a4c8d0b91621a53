//! A stored record as it is shown: under the schema version in force, whichever it was written with. One of an earlier version
//! has each value that is one of its type by now in that type's form; its primary key is what it is known by, and stays.

use super::rekey::{errors_as_named, merge_hidden, rekey, rename_errors};
use crate::{DatasetPermit, Refusal, Service};
use engine::validate::{Checked, Rejected, RejectionCode};
use schema::json::{Value, parse};
use std::borrow::Cow;
use store::catalog::{Dataset, SchemaEntry, SchemaVersion};
use store::records::StoredRecord;
use store::{RottenRow, StoreError};

/// A record under the schema version in force.
pub(crate) struct Current<'r> {
    /// The values of the active fields, by name.
    pub(crate) body: Cow<'r, str>,
    /// The values of all other fields, by `fieldId`.
    pub(crate) hidden: Option<Cow<'r, str>>,
    /// `_errors`; `None` when it is clean.
    pub(crate) errors: Option<Cow<'r, str>>,
    /// Whether a value is in another form than it is stored in.
    pub(crate) is_restated: bool,
}

/// A record under the schema version in force.
///
/// # Errors
/// [`StoreError::Overtaken`] for one that was written under a newer version than the entry knows.
pub(crate) fn current<'r>(
    entry: &SchemaEntry,
    record: &'r StoredRecord,
) -> Result<Current<'r>, Refusal> {
    if record.schema_version == entry.current().number {
        return Ok(Current {
            body: Cow::Borrowed(&record.body),
            hidden: record.hidden.as_deref().map(Cow::Borrowed),
            errors: record.errors.as_deref().map(Cow::Borrowed),
            is_restated: false,
        });
    }
    let written = written(entry, record)?;
    let (body, hidden) = (&record.body, record.hidden.as_deref());
    let moved = rekey(written, entry.current(), body, hidden)?;
    let restated = restated(entry.current(), &moved.body)?;
    let errors = match &record.errors {
        Some(errors) => rename_errors(written, entry.current(), errors)?,
        None => None,
    };
    Ok(Current {
        is_restated: moved.is_reformatted || restated != moved.body,
        body: Cow::Owned(restated),
        hidden: moved.hidden.map(Cow::Owned),
        errors: errors.map(Cow::Owned),
    })
}

/// The values of a record, each in the form of its type if it is one of it. What that asks of codes and files is the
/// judgement's, and changes no form but that of a link. A value that is too long for the primary key that its field came to
/// be, while no record lived, is no damage: what a deleted record or a past one has stays as it is stored.
fn restated(version: &SchemaVersion, body: &str) -> Result<String, StoreError> {
    match version.checker.merge(body, b"{}", None) {
        Ok(merged) => Ok(merged.checked.into_normal_form()),
        Err(why) if has_long_key(&why) => Ok(body.to_owned()),
        Err(why) => Err(StoreError::Damaged(format!("a stored record: {why}"))),
    }
}

/// Whether nothing is wrong but the length of the primary key.
fn has_long_key(why: &Rejected) -> bool {
    let mut items = why.items().iter();
    items.all(|item| item.code == RejectionCode::PrimaryKeyTooLong)
}

/// The version of its schema that a record was written with.
fn written<'e>(
    entry: &'e SchemaEntry,
    record: &StoredRecord,
) -> Result<&'e SchemaVersion, StoreError> {
    if record.schema_version > entry.current().number {
        // whoever wrote it knew a newer catalog
        return Err(StoreError::Overtaken);
    }
    let found = entry.version(record.schema_version).ok_or_else(|| {
        StoreError::Damaged(format!(
            "the schema {} has no version {}",
            entry.id, record.schema_version
        ))
    });
    found.map(|version| &**version)
}

/// Whether a judgement finds the faults that a record is shown with: those that are stored, under the names of now. Under
/// those of then another field may be meant.
pub(crate) fn has_errors_of(checked: &Checked, record: &StoredRecord, shown: Option<&str>) -> bool {
    let errors = (!checked.is_clean()).then(|| checked.errors_json());
    // faults of fields that are not active any more are not shown, but counted until they are gone
    let is_counted = record.errors.is_some();
    errors.as_deref() == shown && is_counted == errors.is_some()
}

/// `_errors` of a record as they are shown now, each field under the name that a draft of the schema gives it; those of
/// fields that the draft switches off or has not stay.
///
/// # Errors
/// As [`current`].
pub(crate) fn errors_before(
    entry: &SchemaEntry,
    draft: &SchemaEntry,
    record: &StoredRecord,
) -> Result<Option<String>, Refusal> {
    let Some(errors) = &record.errors else {
        return Ok(None);
    };
    let written = written(entry, record)?;
    let shown = if written.number == entry.current().number {
        Some(errors.clone())
    } else {
        rename_errors(written, entry.current(), errors)?
    };
    let renamed = shown.map(|errors| errors_as_named(entry.current(), draft.current(), &errors));
    Ok(renamed.transpose()?)
}

/// The values that a record had once, as a change of what it is now: a primary key that it has still is left out, so that
/// it stays in the form in which it is stored.
///
/// # Errors
/// As [`current`].
pub(crate) fn back_to(
    entry: &SchemaEntry,
    past: &StoredRecord,
    now: &StoredRecord,
) -> Result<String, Refusal> {
    let (then, now) = (current(entry, past)?.body, current(entry, now)?.body);
    let change = match entry.current().schema.primary_key() {
        Some(key) => without_shared(&then, &now, &key.name)?,
        None => None,
    };
    Ok(change.unwrap_or_else(|| then.into_owned()))
}

/// The values that a record had once of fields that are not active now, by `fieldId`. Those of fields that were not active then
/// either, and of which nothing is noted, are as they are now.
///
/// # Errors
/// As [`current`].
pub(crate) fn hidden_back_to(
    entry: &SchemaEntry,
    past: &StoredRecord,
    now: &StoredRecord,
) -> Result<Option<String>, Refusal> {
    let version = written(entry, past)?;
    let is_unknown = |id: &str| {
        let mut shown = version.schema.active_fields();
        past.hidden.is_none() && !shown.any(|field| field.id == id)
    };
    let (then, now) = (current(entry, past)?.hidden, current(entry, now)?.hidden);
    Ok(merge_hidden(then.as_deref(), now.as_deref(), is_unknown)?)
}

/// An object without a member that another object has with the very same value; `None` where it has not.
fn without_shared(object: &str, other: &str, name: &str) -> Result<Option<String>, StoreError> {
    let damaged = |error| StoreError::Damaged(format!("a stored record: {error}"));
    let own = parse(object).map_err(damaged)?;
    let others = parse(other).map_err(damaged)?;
    let Some((value, theirs)) = own.get(name).zip(others.get(name)) else {
        return Ok(None);
    };
    let text = &object[value.start..value.end];
    let Value::Object(members) = &own.value else {
        return Ok(None);
    };
    if *text != other[theirs.start..theirs.end] || text == "null" {
        return Ok(None);
    }
    let mut rest = String::from("{");
    for member in members.iter().filter(|member| member.key != name) {
        if rest.len() > 1 {
            rest.push(',');
        }
        rest.push_str(&object[member.key_start..member.value.end]);
    }
    rest.push('}');
    Ok(Some(rest))
}

/// What is told of a record that does not have the form in which it was written.
fn unreadable(record: &StoredRecord) -> StoreError {
    let row = RottenRow::Record(record.id);
    StoreError::Damaged(format!("{row} has values that can't be read"))
}

impl Service {
    /// Refuses a record that somebody changed by hand so that it has not the form any more in which records are written: it
    /// would be shown as it is, or taken for empty. A store that compares checksums has looked already.
    pub(crate) fn require_form(&self, record: &StoredRecord) -> Result<(), StoreError> {
        if self.store.has_checksums() || record.has_form() {
            return Ok(());
        }
        Err(unreadable(record))
    }

    /// Appends `_errors` and the values of a record as members of an object that has others before them; a record of a
    /// newer version than the entry knows as the newest catalog has it.
    pub(crate) fn write_members(
        &self,
        out: &mut String,
        entry: &SchemaEntry,
        dataset: &Dataset,
        record: &StoredRecord,
    ) -> Result<(), Refusal> {
        if record.schema_version > entry.current().number
            && let Some(newest) = self.store.catalog().schemas.get(&entry.id)
        {
            return self.write_current(out, newest, dataset, record);
        }
        self.write_current(out, entry, dataset, record)
    }

    /// Appends a record as the interface shows it.
    pub(crate) fn write_record(
        &self,
        out: &mut String,
        permit: &DatasetPermit,
        record: &StoredRecord,
    ) -> Result<(), Refusal> {
        out.push_str("{\"_dataObjectId\":\"");
        out.push_str(&self.ids.record(record.id));
        out.push_str("\",\"_version\":");
        out.push_str(itoa::Buffer::new().format(record.version));
        self.write_current(out, permit.schema(), permit.dataset(), record)
    }

    fn write_current(
        &self,
        out: &mut String,
        entry: &SchemaEntry,
        dataset: &Dataset,
        record: &StoredRecord,
    ) -> Result<(), Refusal> {
        self.require_form(record)?;
        let Current { body, errors, .. } = current(entry, record)?;
        let body = self.linked(entry, dataset, body, errors.as_deref())?;
        let members = body.strip_prefix('{').ok_or_else(|| unreadable(record))?;
        out.push_str(",\"_errors\":");
        out.push_str(errors.as_deref().unwrap_or("[]"));
        if members != "}" {
            out.push(',');
        }
        out.push_str(members);
        Ok(())
    }
}
