//! What a write needs beside what is judged of it: a service that takes writes, and room for a new record. Nothing is
//! written here.

use super::refused;
use crate::quota_rooms::HeldRoom;
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

    /// Takes room for a new record, to be held until it is stored. A primary key that is taken is told before a quota that
    /// is used up: then room would not help.
    pub(super) async fn require_room_for(
        &self,
        permit: &DatasetPermit,
        content: &NewContent,
    ) -> Result<HeldRoom, Refusal> {
        match self.require_record_room(&permit.dataset().tenant).await {
            Ok(held) => Ok(held),
            Err(refusal) => Err(self.unless_taken(permit, content, refusal).await?),
        }
    }

    /// Asks for room for one more record than those that came before it, where nothing is written.
    pub(super) async fn require_tried_room_for(
        &self,
        permit: &DatasetPermit,
        content: &NewContent,
        made_before: i64,
    ) -> Result<(), Refusal> {
        // more may go than come
        let wanted = u64::try_from(made_before + 1).unwrap_or(0);
        let tenant = &permit.dataset().tenant;
        match self.require_tried_room(tenant, wanted).await {
            Ok(()) => Ok(()),
            Err(refusal) => Err(self.unless_taken(permit, content, refusal).await?),
        }
    }

    /// What is told of a record without room: that its primary key is taken, where it is.
    async fn unless_taken(
        &self,
        permit: &DatasetPermit,
        content: &NewContent,
        refusal: Refusal,
    ) -> Result<Refusal, Refusal> {
        let dataset = permit.dataset();
        if matches!(refusal, Refusal::QuotaExceeded { .. })
            && let Some(key) = &content.primary_key
            && self.store.by_key(dataset.number, key).await?.is_some()
        {
            let version = permit.schema().current();
            return Ok(refused(WriteVerdict::DuplicateKey, version, 0));
        }
        Ok(refusal)
    }
}
