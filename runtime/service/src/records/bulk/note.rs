//! A request of many writes, remembered as a job that has ended, so that it can be undone as a job can. Nobody works on
//! it: its writes are the request's own. It is noted together with the first of them, as cut off, and told anew when all
//! of them are done; where whoever asked goes away meanwhile, it stays what it was.

use crate::{DatasetPermit, Refusal, Service};
use store::jobs::{Job, JobKind, JobState};
use store::{StoreError, StoreFuture};
use wire::RawJson;
use wire::manage::BulkResult;

/// What is remembered of a request.
pub(super) struct BulkNote<'s> {
    service: &'s Service,
    job: Job,
    /// The first note, on its way to the disk.
    begun: Option<StoreFuture<'s, ()>>,
}

impl<'s> BulkNote<'s> {
    /// One that is not noted yet.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn new(service: &'s Service, permit: &DatasetPermit) -> Result<Self, Refusal> {
        let options = RawJson::null();
        let job = service.new_job(permit, JobKind::Bulk, options).await?;
        Ok(BulkNote {
            service,
            job,
            begun: None,
        })
    }

    /// The id that the writes of the request carry.
    pub(super) fn id(&self) -> &str {
        &self.job.id
    }

    /// Notes it, before the first write; it is committed with that one.
    pub(super) fn begin(&mut self) {
        if self.begun.is_none() {
            self.job.started_at = Some(self.job.made_at);
            self.job.ended_at = Some(self.job.made_at);
            self.job.state = JobState::Cancelled;
            self.begun = Some(self.service.store().note_job(self.job.clone()));
        }
    }

    /// Tells what came of it, and its id, where it was noted at all and wrote anything.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn end(self, result: &BulkResult) -> Result<Option<String>, StoreError> {
        let BulkNote {
            service,
            mut job,
            begun,
        } = self;
        let Some(begun) = begun else {
            return Ok(None);
        };
        begun.await?;
        if result.created + result.updated + result.deleted == 0 {
            service.store().drop_noted_job(&job.id).await?;
            return Ok(None);
        }
        job.state = JobState::Done;
        job.ended_at = Some(service.now());
        job.progress.rows = result.created + result.updated + result.deleted + result.refused;
        let told = RawJson::of(result).map_err(|source| StoreError::Document {
            what: "a job".to_owned(),
            source,
        })?;
        job.result = Some(told);
        let id = job.id.clone();
        service.store().note_job(job).await?;
        Ok(Some(id))
    }
}
