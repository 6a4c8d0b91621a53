//! Updates: a stored record and a change become one record, judged as a whole. What the change leaves
//! out stays, a primary key in the very form in which it is stored; `null` clears. Whether the version is the right one
//! is for the service to say.

use super::checked::Checked;
use super::checker::Checker;
use super::lookups::Lookups;
use super::read::{BodyKind, Reading, SystemProperty};
use super::reject::{Rejected, RejectionCode};

/// A merged record, and the system properties that the change named.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The whole record.
    pub checked: Checked,
    /// `_version`
    pub version: Option<SystemProperty>,
    /// `_dataObjectId`
    pub data_object_id: Option<SystemProperty>,
    /// Whether the change names the primary key's field.
    pub names_primary_key: bool,
}

/// Reads a change over a stored record and judges the whole.
pub(super) fn merge(
    checker: &Checker,
    stored: &str,
    change: &[u8],
    lookups: Option<&dyn Lookups>,
) -> Result<Merged, Rejected> {
    let mut reading = Reading::new(checker, change, lookups)?;
    reading.object(BodyKind::Change)?;
    reading.refuse()?;
    let names_primary_key = checker
        .primary_key_index()
        .is_some_and(|index| !reading.slots[index].is_absent());
    reading.sources.stored = stored;
    reading.keeps_key = true;
    let refused = |rejected: Rejected| {
        let offset = rejected.items().first().map_or(0, |item| item.offset);
        Rejected::one(RejectionCode::Stored, offset)
    };
    reading
        .object(BodyKind::Stored)
        .and_then(|()| reading.refuse())
        .map_err(refused)?;
    reading.finish()?;
    let system = std::mem::take(&mut reading.system);
    Ok(Merged {
        version: system.version,
        data_object_id: system.data_object_id,
        names_primary_key,
        checked: reading.into_checked(),
    })
}
