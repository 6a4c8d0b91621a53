//! Jobs as they are shown: to who asked for them, and to administrators. Who asks for another's gets what who asks for
//! none gets. Where one shows personal values, the trail tells it before: what is masked for who may not see them
//! (`masked.rs`) is what the others are told to have seen.

use super::figures::count_end;
use super::folder::Part;
use super::masked::{forget_file, forget_records, masked};
use crate::memory_budget::PageRoom;
use crate::personal::Look;
use crate::{Caller, PageRequest, Refusal, Service};
use serde::Serialize;
use serde::de::{DeserializeOwned, IntoDeserializer};
use serde_json::Value;
use store::StoreError;
use store::catalog::{Kind, Verb};
use store::jobs::{Job, JobFilter, JobKind};
use wire::manage::{JobFileView, JobMaker, JobView};
use wire::{Page, RawJson, Timestamp};

/// What a job with its log and its samples takes of memory, about.
const JOB_BYTES: usize = 16 << 10;

/// A job as a caller sees it.
struct SeenJob<'s> {
    view: JobView,
    /// That it shows personal values, where it does.
    look: Option<Look<'s>>,
}

impl Service {
    /// The jobs that the caller asked for, or, for an administrator, all of the tenant, newest first; of a dataset, if
    /// one is named.
    ///
    /// # Errors
    /// [`Refusal::Unauthenticated`], a bad page key.
    pub async fn list_jobs(
        &self,
        by: &Caller,
        dataset: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<JobView>, Refusal> {
        let caller = self.newest(by)?;
        let (found, _room) = self.page_of_jobs(&caller, dataset, page).await?;
        let seen = found.items.iter().map(|job| self.seen_job(&caller, job));
        let seen: Vec<SeenJob<'_>> = seen.collect::<Result<_, _>>()?;
        let looks: Vec<_> = seen.iter().filter_map(|job| job.look).collect();
        self.tell_looks(&caller, &looks).await?;
        Ok(Page {
            items: seen.into_iter().map(|job| job.view).collect(),
            next_page_key: found.next_page_key,
        })
    }

    /// The same with every personal value masked, whoever asks: for lists that show none, so that nobody is told to have looked.
    ///
    /// # Errors
    /// As [`list_jobs`](Self::list_jobs).
    pub async fn glance_at_jobs(
        &self,
        by: &Caller,
        dataset: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<JobView>, Refusal> {
        let caller = self.newest(by)?;
        let (found, _room) = self.page_of_jobs(&caller, dataset, page).await?;
        let views = found.items.iter().map(|job| {
            let view = self.permitted_view(&caller, job);
            view.map(|view| masked_view(&caller, job, &view))
        });
        let items: Result<_, _> = views.collect();
        Ok(Page {
            items: items?,
            next_page_key: found.next_page_key,
        })
    }

    /// Jobs of a list as they are kept, and the room that they take.
    async fn page_of_jobs(
        &self,
        caller: &Caller,
        dataset: Option<&str>,
        page: &PageRequest,
    ) -> Result<(Page<Job>, PageRoom), Refusal> {
        let tenant = caller.tenant();
        let maker = (!caller.rights().is_administrator()).then(|| caller.id());
        let scope = format!("jobs {tenant} {maker:?} {dataset:?}");
        let size = self.page_size(page).map_err(Refusal::of_management)?;
        let before = self
            .page_position(&scope, page)
            .map_err(Refusal::of_management)?;
        let owner = caller.owner();
        let room = self
            .memory()
            .reserve_page(owner, self.settings.page_bytes)?;
        let filter = JobFilter { maker, dataset };
        let mut items = self.store().jobs(tenant, filter, before, size + 1).await?;
        let has_more = items.len() > size;
        items.truncate(size);
        let last = items.last().filter(|_| has_more).map(|job| job.number);
        let next_page_key = last.map(|last| self.ids.page_key(&scope, last));
        let found = Page {
            items,
            next_page_key,
        };
        Ok((found, room))
    }

    /// A job.
    ///
    /// # Errors
    /// No such job that the caller may see.
    pub async fn get_job(&self, by: &Caller, id: &str) -> Result<JobView, Refusal> {
        let _room = self.memory().reserve(by.owner(), JOB_BYTES)?;
        let caller = self.newest(by)?;
        let job = self.visible_job(&caller, id).await?;
        self.job_view_of(&caller, &job).await
    }

    /// Ends a job: at once where it waits, else behind the step that is under way. What it did stays.
    ///
    /// # Errors
    /// No such job that the caller may see.
    pub async fn cancel_job(&self, by: &Caller, id: &str) -> Result<JobView, Refusal> {
        let caller = self.newest(by)?;
        let before = self.visible_job(&caller, id).await?;
        let job = self.store().cancel_job(id, self.now()).await?;
        let job = job.ok_or_else(|| Refusal::no_such("job"))?;
        // one that nobody works on has to be taken to be ended
        self.wake_jobs();
        // nobody took it, so nobody else counts it or removes what was sent
        if job.state.has_ended() && !before.state.has_ended() {
            count_end(job.state);
            if let Some(folder) = self.job_folder.get() {
                // what can't be removed now, a later cleaning removes
                let _ = folder.remove(&job.id, Part::Input);
            }
        }
        self.job_view_of(&caller, &job).await
    }

    /// A job as it is shown to a caller, told in the trail before where it shows personal values.
    pub(super) async fn job_view_of(&self, caller: &Caller, job: &Job) -> Result<JobView, Refusal> {
        let SeenJob { view, look } = self.seen_job(caller, job)?;
        if let Some(look) = look {
            self.tell_look(caller, look).await?;
        }
        Ok(view)
    }

    /// A job as a caller sees it: with values masked that it does not see.
    fn seen_job<'s>(&self, caller: &'s Caller, job: &'s Job) -> Result<SeenJob<'s>, Refusal> {
        let view = self.permitted_view(caller, job)?;
        let masked = masked_view(caller, job, &view);
        let entry = caller.catalog().schemas.get(&job.schema);
        // of a schema that is not known any more nobody knows what is personal, nor can be told
        let Some(entry) = entry.filter(|_| caller.sees_personal()) else {
            return Ok(SeenJob {
                view: masked,
                look: None,
            });
        };
        let look = || Look::past(entry, (Kind::Dataset, &job.dataset));
        Ok(SeenJob {
            look: (view != masked).then(look),
            view,
        })
    }

    /// A job without records that the caller may not view.
    fn permitted_view(&self, caller: &Caller, job: &Job) -> Result<JobView, Refusal> {
        let mut view = self.job_view(job)?;
        // whoever asked for it may have had rights that are gone, and nobody views the records of what is deleted
        let permit = caller.permit_managed_records(&[Verb::View], &job.dataset);
        if permit.is_err() {
            forget_records(&mut view);
            // what one sent oneself one knows
            if !is_maker(job, caller) {
                forget_file(&mut view);
            }
        }
        Ok(view)
    }

    /// The job of an id, if the caller asked for it or is an administrator.
    pub(super) async fn visible_job(&self, caller: &Caller, id: &str) -> Result<Job, Refusal> {
        let job = self.store().job(id).await?;
        job.filter(|job| is_visible(job, caller))
            .ok_or_else(|| Refusal::no_such("job"))
    }

    /// A job as it is shown.
    pub(super) fn job_view(&self, job: &Job) -> Result<JobView, Refusal> {
        let job = job.clone();
        let (ended_at, is_dry_run) = (job.ended_at, job.is_tried());
        let names_field = job.options.member("field").is_some();
        let until = |at: Timestamp| {
            let kept = self.settings().jobs.files_kept.as_secs();
            at.plus_seconds(i64::try_from(kept).unwrap_or(i64::MAX))
        };
        let files = job.files.into_iter().map(|file| JobFileView {
            file: file.file,
            name: file.name,
            bytes: file.bytes,
            until: until(ended_at.unwrap_or(job.made_at)),
        });
        let is = |kind: JobKind| job.kind == kind;
        // a purge took them, but for what says that a repair was only tried
        let options = Some(&job.options).filter(|options| !options.is_null());
        let of_repair = options.filter(|_| names_field);
        let options_of = |kind: JobKind| options.filter(|_| is(kind));
        let result_of = |kind: JobKind| job.result.as_ref().filter(|_| is(kind));
        let makes_revisions =
            is(JobKind::Repair) || is(JobKind::Revalidate) || is(JobKind::Effects);
        Ok(JobView {
            job_id: job.id,
            kind: job.kind,
            state: job.state,
            is_cancelling: job.is_cancelling,
            data_set_id: job.dataset,
            schema_id: job.schema,
            schema_version: Some(job.schema_version).filter(|version| *version > 0),
            business_area_id: job.area,
            created_by: JobMaker {
                kind: job.maker.kind,
                id: job.maker.id,
                name: job.maker.name,
            },
            created_date: job.made_at,
            started_date: job.started_at,
            ended_date: job.ended_at,
            progress: job.progress,
            import_options: read_document(options_of(JobKind::Import))?,
            import_result: read_document(result_of(JobKind::Import))?,
            export_options: read_document(options_of(JobKind::Export))?,
            export_result: read_document(result_of(JobKind::Export))?,
            repair_options: read_document(of_repair.filter(|_| is(JobKind::Repair)))?,
            revision_result: read_document(job.result.as_ref().filter(|_| makes_revisions))?,
            is_dry_run,
            undo_options: read_document(options_of(JobKind::Undo))?,
            undo_result: read_document(result_of(JobKind::Undo))?,
            bulk_result: read_document(result_of(JobKind::Bulk))?,
            failure: job.failure,
            log: job.log,
            files: files.collect(),
            is_purged: job.is_emptied,
        })
    }
}

/// Whether the caller may see a job: one that it asked for, or, as an administrator, any of the tenant.
pub(super) fn is_visible(job: &Job, caller: &Caller) -> bool {
    job.tenant == caller.tenant() && (is_maker(job, caller) || caller.rights().is_administrator())
}

/// A job as the caller would see it who may not see personal values.
fn masked_view(caller: &Caller, job: &Job, view: &JobView) -> JobView {
    let entry = caller.catalog().schemas.get(&job.schema);
    masked(view, entry.map(AsRef::as_ref), is_maker(job, caller))
}

/// Whether the caller asked for a job.
pub(super) fn is_maker(job: &Job, caller: &Caller) -> bool {
    let actor = caller.actor();
    (job.maker.kind, &job.maker.id) == (actor.kind, &actor.id)
}

/// What a document of a job says, where there is one.
pub(super) fn read_document<'d, T: DeserializeOwned>(
    value: Option<impl IntoDeserializer<'d, serde_json::Error>>,
) -> Result<Option<T>, StoreError> {
    let read = value.map(|value| T::deserialize(value.into_deserializer()));
    let read = read.transpose();
    read.map_err(|source| StoreError::Document {
        what: "a job".to_owned(),
        source,
    })
}

/// Where a job goes on.
pub(super) fn cursor_document(value: &impl Serialize) -> Result<Value, StoreError> {
    serde_json::to_value(value).map_err(|source| StoreError::Document {
        what: "a job".to_owned(),
        source,
    })
}

/// What is kept of a job.
pub(super) fn document(value: &impl Serialize) -> Result<RawJson, StoreError> {
    RawJson::of(value).map_err(|source| StoreError::Document {
        what: "a job".to_owned(),
        source,
    })
}
