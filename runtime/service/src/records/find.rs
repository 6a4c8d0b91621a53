//! One record of a dataset, by its key or its id, and how many there are.

use crate::{DatasetPermit, Refusal, Service};
use engine::validate::PRIMARY_KEY_BYTES_MAX;
use store::records::{Counts, RecordId, StoredRecord};

impl Service {
    /// The record with a primary key; `None` when there is none, whatever the reason.
    ///
    /// # Errors
    /// The store's.
    pub async fn record_by_key(
        &self,
        permit: &DatasetPermit,
        key: &str,
    ) -> Result<Option<String>, Refusal> {
        self.retry(
            permit,
            |permit| async move { self.look_up(&permit, key).await },
        )
        .await
    }

    async fn look_up(&self, permit: &DatasetPermit, key: &str) -> Result<Option<String>, Refusal> {
        let key = key.trim();
        let has_key = permit.schema().current().schema.primary_key().is_some();
        if key.is_empty() || key.len() > PRIMARY_KEY_BYTES_MAX || !has_key {
            return Ok(None);
        }
        let Some(record) = self.store.by_key(permit.dataset().number, key).await? else {
            return Ok(None);
        };
        let mut json = String::with_capacity(record.body.len() + 96);
        self.write_record(&mut json, permit, &record)?;
        Ok(Some(json))
    }

    /// The record of a public id; `None` when there is none, whatever the reason.
    ///
    /// # Errors
    /// The store's.
    pub async fn record_by_id(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<String>, Refusal> {
        let judged = self.retry(permit, |permit| async move {
            let Some(record) = self.find(&permit, id).await? else {
                return Ok(None);
            };
            let mut json = String::with_capacity(record.body.len() + 96);
            self.write_record(&mut json, &permit, &record)?;
            Ok(Some(json))
        });
        judged.await
    }

    /// How many records a dataset has, and how many of them have faults.
    ///
    /// # Errors
    /// The store's.
    pub async fn record_counts(&self, permit: &DatasetPermit) -> Result<Counts, Refusal> {
        Ok(self.store.counts(permit.dataset().number).await?)
    }

    /// The live record that a public id names in the permit's dataset.
    pub(super) async fn find(
        &self,
        permit: &DatasetPermit,
        id: &str,
    ) -> Result<Option<StoredRecord>, Refusal> {
        let dataset = permit.dataset();
        let named = self
            .ids
            .record_of(id)
            .filter(|id| id.place.dataset == dataset.number);
        let Some(RecordId { place, nonce }) = named else {
            return Ok(None);
        };
        let record = self.store.get(place).await?;
        Ok(record.filter(|record| record.id.nonce == nonce && !record.deleted))
    }
}
