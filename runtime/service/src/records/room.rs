//! What a write needs beside what is judged of it: a service that takes writes, and room for a new record. Nothing is
//! written here.

use super::refused;
use crate::{DatasetPermit, Refusal, Service};
use store::StoreError;
use store::records::{NewContent, WriteVerdict};

impl Service {
    /// Refuses writes to a service that only reads, whatever they are about.
    pub(super) fn require_writes(&self) -> Result<(), Refusal> {
        if self.store().is_read_only() {
            return Err(StoreError::ReadOnly.into());
        }
        Ok(())
    }

    /// Takes room for a new record. A primary key that is taken is told before a quota that is used up: then room would not
    /// help.
    pub(super) async fn require_room_for(
        &self,
        permit: &DatasetPermit,
        content: &NewContent,
    ) -> Result<(), Refusal> {
        let dataset = permit.dataset();
        let Err(refusal) = self.require_record_room(&dataset.tenant).await else {
            return Ok(());
        };
        if matches!(refusal, Refusal::QuotaExceeded { .. })
            && let Some(key) = &content.primary_key
            && self.store.by_key(dataset.number, key).await?.is_some()
        {
            let version = permit.schema().current();
            return Err(refused(WriteVerdict::DuplicateKey, version, 0));
        }
        Err(refusal)
    }
}
