//! What a change of a schema would make faulty, asked before it is made: the records that there are, judged under the draft
//! as the job would judge them after the change. It writes nothing, and ends after a time; `effects_job.rs` takes as long as it
//! takes.

use super::revise::{self, Revised};
use crate::manage::SchemaContent;
use crate::pieces::Pieces;
use crate::records::{Current, current, lookups};
use crate::{Caller, DatasetPermit, Refusal, Service};
use std::borrow::Cow;
use std::time::Duration;
use store::StoreError;
use store::catalog::{SchemaEntry, Verb};
use store::records::{PageLimit, Shelf, StoredRecord};
use tokio::time::Instant;
use tracing::Instrument as _;
use wire::manage::{RevisionResult, SchemaEffects};

/// Records that are read at a time.
const PAGE: PageLimit = PageLimit {
    records: 500,
    bytes: 1 << 20,
};
/// How long records are judged.
const TIME_MAX: Duration = Duration::from_secs(10);

impl Service {
    /// What a change of a schema would make faulty.
    ///
    /// # Errors
    /// As the change itself; missing rights to view the records of one of its datasets.
    pub async fn schema_effects(
        &self,
        by: &Caller,
        id: &str,
        content: SchemaContent,
    ) -> Result<SchemaEffects, Refusal> {
        let span = tracing::debug_span!("schemas.effects", id);
        let told = async {
            let mut tries = self.tries();
            loop {
                // a record that was written under a newer version asks for a draft of that one
                match self.effects(by, id, content.clone()).await {
                    Err(Refusal::Store(StoreError::Overtaken)) => tries.another().await?,
                    told => return told,
                }
            }
        };
        told.instrument(span).await
    }

    async fn effects(
        &self,
        by: &Caller,
        id: &str,
        content: SchemaContent,
    ) -> Result<SchemaEffects, Refusal> {
        let draft = self.schemas().drafted(by, id, content).await?;
        let caller = self.newest(by)?;
        let datasets = caller.catalog().datasets.values();
        let own = datasets.filter(|dataset| dataset.schema == id && !dataset.deleted);
        let permits: Result<Vec<_>, _> = own
            .map(|dataset| caller.permit_managed_records(&[Verb::View], &dataset.id))
            .collect();
        let permits = permits?;
        let (mut result, mut record_count) = (RevisionResult::default(), 0);
        for permit in &permits {
            let counts = self.store().counts(permit.dataset().number).await?;
            record_count += counts.records;
        }
        let deadline = Instant::now() + TIME_MAX;
        for permit in &permits {
            self.judge_dataset(permit, &draft, deadline, &mut result)
                .await?;
        }
        Ok(SchemaEffects {
            record_count,
            judged_count: result.records,
            faulty_before: result.faulty_before,
            faulty_after: result.faulty_after,
            faults: result.faults,
        })
    }

    async fn judge_dataset(
        &self,
        permit: &DatasetPermit,
        draft: &SchemaEntry,
        deadline: Instant,
        result: &mut RevisionResult,
    ) -> Result<(), Refusal> {
        let (mut after, mut pieces) = (0, Pieces::default());
        while Instant::now() < deadline {
            let number = permit.dataset().number;
            let page = self.store().page(number, Shelf::Live, after, PAGE).await?;
            for record in &page.records {
                let revised = self.revised_by(permit, draft, record).await?;
                revise::count(result, &self.ids.record(record.id), &revised);
                pieces.made(record.bytes()).await;
            }
            match page.records.last() {
                Some(last) if page.behind.is_some() => after = last.id.place.sequence,
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// A record judged under a draft of its schema.
    pub(super) async fn revised_by(
        &self,
        permit: &DatasetPermit,
        draft: &SchemaEntry,
        record: &StoredRecord,
    ) -> Result<Revised, Refusal> {
        let Current { body, errors, .. } = current(draft, record)?;
        let files = self.known_files(permit, &[body.as_bytes()]).await?;
        let checker = &draft.current().checker;
        let merged = checker.merge(&body, b"{}", Some(&lookups(permit, &files)))?;
        Ok(Revised {
            checked: merged.checked,
            hidden: None,
            is_new: false,
            errors_before: errors.map(Cow::into_owned),
        })
    }
}
