//! What a change of a schema or of a data domain would make faulty in one dataset, however large: its records judged under the
//! draft page by page, as `effects.rs` judges them. The draft is a file of the job. It writes no record, and begins anew
//! where the schema or a data domain changes meanwhile.

use super::context::{Halt, JobContext, Worked, sent_failed};
use super::effects::{Draft, Drafted, require_unmasked};
use super::folder::{JobFolder, Part};
use super::revalidate::{Cursor, judged_by};
use super::revise::{self, Planned, unless_overtaken};
use super::shown::{document, read_document};
use crate::manage::{DomainDraft, SchemaContent};
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service};
use serde_json::json;
use std::io::{self, Write as _};
use std::slice;
use store::StoreError;
use store::catalog::{Domain, SchemaEntry, Verb};
use store::jobs::{Job, JobKind};
use store::records::{PageLimit, Shelf};
use wire::manage::{JobProgress, JobView, RevisionResult};

/// Records that are read and judged at a time.
const PAGE: PageLimit = PageLimit {
    records: 1000,
    bytes: 1 << 20,
};

/// The draft, as its maker calls it, and what to do where it is not there.
const DRAFT: (&str, &str) = ("the change that it was asked about", "ask once more");

impl Service {
    /// Makes a job that tells what a change of a dataset's schema would make faulty in it.
    ///
    /// # Errors
    /// As the change itself, but for a name that is taken; missing rights to view the dataset's records, no such dataset, too
    /// many jobs that wait, no room for files; [`Refusal::NotReady`] when the service has no place for files of jobs.
    pub async fn dataset_effects(
        &self,
        by: &Caller,
        dataset: &str,
        content: SchemaContent,
    ) -> Result<JobView, Refusal> {
        self.judge_by_job(by, dataset, &Draft::Schema(content))
            .await
    }

    /// Makes a job that tells what a change of a data domain would make faulty in a dataset.
    ///
    /// # Errors
    /// As the change itself, but for a name that is taken; else as [`dataset_effects`](Self::dataset_effects).
    pub async fn dataset_domain_effects(
        &self,
        by: &Caller,
        dataset: &str,
        draft: DomainDraft,
    ) -> Result<JobView, Refusal> {
        self.judge_by_job(by, dataset, &Draft::Domain(draft)).await
    }

    async fn judge_by_job(
        &self,
        by: &Caller,
        dataset: &str,
        draft: &Draft,
    ) -> Result<JobView, Refusal> {
        let permit = self.permit_job(by, dataset, &[Verb::View])?;
        // what can't be made at all is told at once
        let drafted = self.drafted(by, draft.id(&permit), draft).await?;
        self.tell_draft(slice::from_ref(&permit), &drafted).await?;
        let folder = self.job_folder()?;
        let bytes = document(draft)?.to_string();
        let tenant = &permit.dataset().tenant;
        self.require_job_room(tenant, bytes.len() as u64).await?;
        let counts = self.store().counts(permit.dataset().number).await?;
        let job = Job {
            progress: JobProgress {
                rows_total: Some(counts.records),
                ..JobProgress::default()
            },
            ..self
                .new_job(&permit, JobKind::Effects, json!({}).into())
                .await?
        };
        let id = job.id.clone();
        keep(folder, &id, bytes.as_bytes()).map_err(StoreError::from)?;
        let added = self.add_job(job).await;
        if added.is_err() {
            // what stays behind a failure here, a later cleaning removes
            let _ = folder.remove(&id, Part::Input);
        }
        added
    }
}

fn keep(folder: &JobFolder, job: &str, bytes: &[u8]) -> io::Result<()> {
    let mut file = folder.create(job, Part::Upload)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let kept = written.and_then(|()| folder.keep_upload(job, job));
    if kept.is_err() {
        let _ = folder.remove(job, Part::Upload);
    }
    kept
}

pub(super) fn run(context: &JobContext) -> Worked {
    Worked::without_files(judge_all(context))
}

fn judge_all(context: &JobContext) -> Result<(), Halt> {
    let job = &context.job;
    let draft = draft_of(context)?;
    let mut cursor: Cursor = read_document(job.cursor.as_ref())?.unwrap_or_default();
    let mut result: RevisionResult = read_document(job.result.as_ref())?.unwrap_or_default();
    let mut drafted = None;
    while !cursor.is_whole {
        (cursor, result) = revise::step(context, &[Verb::View], |permit, _| {
            let drafted = drafted_under(context, permit, &draft, &mut drafted)?;
            let under = judged_by(permit, drafted.schema(permit));
            let (mut cursor, mut result) = cursor.judging_by(under, &result);
            let service = &context.service;
            let number = permit.dataset().number;
            let page = service
                .store()
                .page(number, Shelf::Live, cursor.after, PAGE);
            let page = context.wait(page)?;
            for record in &page.records {
                let judged = context.wait(service.revised_by(permit, drafted, record));
                let Some(revised) = unless_overtaken(judged)? else {
                    return Ok(None);
                };
                revise::count(&mut result, &service.ids.record(record.id), &revised);
            }
            cursor.pass(&page);
            Ok(Some(Planned {
                writes: Vec::new(),
                update: revise::update(context, &cursor, &result, result.records)?,
                log: Vec::new(),
                then: (cursor, result),
            }))
        })?;
    }
    Ok(())
}

/// The change, as it was sent.
fn draft_of(context: &JobContext) -> Result<Draft, Halt> {
    let lost = |why: String| Halt::Failed(format!("the change that it was asked about: {why}"));
    let path = context.folder()?.path(&context.job.id, Part::Input);
    let bytes = std::fs::read(path);
    let bytes = bytes.map_err(sent_failed(DRAFT, |error| lost(error.to_string())))?;
    serde_json::from_slice(&bytes).map_err(|error| lost(error.to_string()))
}

/// The schema or the domain as the change would make it of the version in force: made anew only where that is another one.
fn drafted_under<'d>(
    context: &JobContext,
    permit: &DatasetPermit,
    draft: &Draft,
    drafted: &'d mut Option<(i64, Drafted)>,
) -> Result<&'d Drafted, Halt> {
    let number = version_in_force(context, permit, draft)?;
    let known = drafted.take().filter(|(under, _)| *under == number);
    let known = if let Some(known) = known {
        known
    } else {
        let id = draft.id(permit);
        let made = context.service.drafted(permit.caller(), id, draft);
        (number, context.wait(made)?)
    };
    let (_, made) = drafted.insert(known);
    require_unmasked(permit, made).map_err(|refusal| context.not_permitted(refusal))?;
    Ok(made)
}

/// The version of what would change, which the job's maker may still change.
fn version_in_force(
    context: &JobContext,
    permit: &DatasetPermit,
    draft: &Draft,
) -> Result<i64, Halt> {
    let (sight, id) = (permit.caller().sight(), draft.id(permit));
    match draft {
        Draft::Schema(_) => {
            let found = sight.find::<SchemaEntry>(id, Verb::Edit);
            let found = found.map_err(|refusal| context.not_permitted(refusal))?;
            Ok(found.current().number)
        }
        Draft::Domain(_) => {
            let found = sight.find::<Domain>(id, Verb::Edit);
            let found = found.map_err(|refusal| match refusal {
                Refusal::NotFound(why) => Halt::Failed(format!("the data domain is gone: {why}")),
                refusal => context.not_permitted(refusal),
            })?;
            Ok(found.version)
        }
    }
}
