//! Which record a row is of: that of the id which it says, where it says one, else that of its primary key. It writes nothing.

use super::Import;
use super::read_row::Reason;
use super::rows::Row;
use crate::DatasetPermit;
use crate::jobs::context::Halt;
use crate::records::key_in;
use engine::validate::Checked;
use store::records::StoredRecord;
use wire::manage::ImportMode;

/// Why the values that the record of a row's id would have can't be stored.
pub(super) enum Unfit {
    Keyless(Reason),
    /// The key is that of the record at this place.
    Taken(u64),
}

impl Import<'_> {
    /// The live record that a row is of; none where it may be a new one's. Or why it is of none.
    pub(super) fn meant(
        &self,
        permit: &DatasetPermit,
        row: &Row,
        checked: &Checked,
    ) -> Result<Result<Option<StoredRecord>, Reason>, Halt> {
        if let Some(id) = row.said_id() {
            let found = self.of_id(permit, id)?;
            return Ok(found.map(Some).ok_or_else(|| {
                let text = "no record of the dataset has its `_dataObjectId`; that of a new record is empty";
                reason("id_unknown", text.to_owned())
            }));
        }
        let has_key = permit.schema().current().schema.primary_key().is_some();
        let makes_none = self.options.mode == ImportMode::Update;
        if !has_key && (row.id.is_none() || makes_none) {
            let text = "the row has no `_dataObjectId`, and the schema no primary key to find its record by";
            return Ok(Err(reason("id_missing", text.to_owned())));
        }
        Ok(Ok(self.there(permit, checked)?))
    }

    /// Why a row makes no record that says that it is of one which is there: there would be two of it.
    pub(super) fn is_there_already(
        &self,
        permit: &DatasetPermit,
        row: &Row,
    ) -> Result<Option<Reason>, Halt> {
        let Some(id) = row.said_id() else {
            return Ok(None);
        };
        let found = self.of_id(permit, id)?;
        Ok(found.map(|_| {
            let text =
                "its `_dataObjectId` is that of a record that is there; use `update` to change it";
            reason("record_exists", text.to_owned())
        }))
    }

    /// What becomes of a row of an id whose record would have values that can't be stored: no primary key, or another's.
    pub(super) fn keyless_or_taken(
        &self,
        permit: &DatasetPermit,
        (row, whole): (&Row, &Checked),
        record: &StoredRecord,
    ) -> Result<Option<Unfit>, Halt> {
        if row.said_id().is_none() {
            return Ok(None);
        }
        if let Some(reason) = key_missing(permit, whole) {
            return Ok(Some(Unfit::Keyless(reason)));
        }
        if keeps_key(permit, record, whole) {
            return Ok(None);
        }
        let own = record.id.place.sequence;
        let owner = self.there(permit, whole)?.map(|it| it.id.place.sequence);
        Ok(owner.filter(|owner| *owner != own).map(Unfit::Taken))
    }

    fn of_id(&self, permit: &DatasetPermit, id: &str) -> Result<Option<StoredRecord>, Halt> {
        let service = &self.context.service;
        let own = service.ids.record_of(id);
        let dataset = permit.dataset().number;
        let Some(own) = own.filter(|own| own.place.dataset == dataset) else {
            return Ok(None);
        };
        let record = self.context.wait(service.store().get(own.place))?;
        Ok(record.filter(|it| it.id == own && !it.deleted))
    }
}

/// Whether a record would have the key that it has, as far as its values tell: nobody need be asked who has that.
fn keeps_key(permit: &DatasetPermit, record: &StoredRecord, whole: &Checked) -> bool {
    let schema = permit.schema();
    if schema.current().schema.primary_key().is_none() {
        return true;
    }
    let own = key_in(schema, record.schema_version, &record.body);
    own.as_deref() == whole.primary_key()
}

impl Row {
    /// The id that the row says; a spreadsheet may have left its mark before it.
    pub(super) fn said_id(&self) -> Option<&str> {
        let id = self.id.as_deref()?.trim();
        let id = id.strip_prefix('\'').unwrap_or(id);
        (!id.is_empty()).then_some(id)
    }

    /// Whether its record is found without a primary key.
    pub(super) fn is_of_id(&self, mode: ImportMode) -> bool {
        mode != ImportMode::Create && self.said_id().is_some()
    }
}

/// Why a row can't change its record of this version, where it says which version it changes. A row of a new record has nothing to
/// compare.
pub(super) fn version_conflict(row: &Row, version: Option<i64>) -> Option<Reason> {
    let said = row.version.as_deref()?.trim();
    let version = version.filter(|_| !said.is_empty())?;
    let Ok(said) = said.parse::<i64>() else {
        let text = "its `_version` is no whole number; take it from the record, or leave it empty";
        return Some(reason("version_invalid", text.to_owned()));
    };
    (said != version).then(|| {
        let text = format!(
            "the record was changed: its `_version` is not {said} any more; export it again, or import the rows whatever their version \
             (`ignoreVersion`)"
        );
        reason("version_conflict", text)
    })
}

/// Why values are no record's, where the schema has a primary key and they have none.
pub(super) fn key_missing(permit: &DatasetPermit, checked: &Checked) -> Option<Reason> {
    let field = permit.schema().current().schema.primary_key()?;
    let is_missing = checked.primary_key().is_none();
    is_missing.then(|| {
        let text = format!("the primary key {:?} has no value", field.name);
        reason("key_missing", text)
    })
}

pub(super) fn duplicate() -> Reason {
    let text = "another record of the dataset, or a row before, has its primary key";
    reason("duplicate_key", text.to_owned())
}

pub(super) fn reason(code: &str, message: String) -> Reason {
    Reason {
        code: code.to_owned(),
        message,
    }
}
