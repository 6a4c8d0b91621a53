//! Jobs are asked for here: what the caller may do and what is said of the work is judged first, then what is sent is
//! taken (`import_upload.rs`), and only then there is a job.

use super::asked_once::{FormJob, id_by_form};
use super::folder::{JobFolder, Part};
use super::import_upload::ImportUpload;
use super::repair_tried::done_already;
use super::selection::places_of;
use super::shown::document;
use super::{options, repair, undo};
use crate::personal::{Look, personal_names};
use crate::repair::Repair;
use crate::search::is_personal;
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service, ids};
use std::sync::atomic::Ordering;
use store::StoreError;
use store::catalog::{Kind, Verb};
use store::jobs::{AddVerdict, Job, JobFilter, JobKind, JobState};
use store::records::PageLimit;
use tracing::Instrument as _;
use wire::RawJson;
use wire::manage::{
    ExportOptions, ImportOptions, JobProgress, JobView, RepairOptions, UndoOptions,
};

/// When to come back to a service that has no place for files of jobs.
const RETRY_SECONDS: u64 = 60;

/// What is at hand of a file that is being sent.
const PIECE_BYTES: usize = 16 << 10;

impl Service {
    /// Gives the service a folder for files of jobs, which is made when the first one is; the first call counts.
    pub fn use_job_files(&self, folder: std::path::PathBuf) {
        // a second place would leave the first one's files behind
        let _ = self.job_folder.set(JobFolder::new(folder));
    }

    /// Begins the import of a file into a dataset, which is sent piece by piece.
    ///
    /// # Errors
    /// Missing rights, no such dataset, options that contradict themselves, too many jobs that wait;
    /// [`Refusal::NotReady`] when the service has no place for files of jobs.
    pub async fn begin_import(
        &self,
        by: &Caller,
        dataset: &str,
        options: ImportOptions,
    ) -> Result<ImportUpload<'_>, Refusal> {
        let permit = self.permit_job(by, dataset, &options::verbs(&options))?;
        options::of_import(&options, &permit.schema().current().schema)
            .map_err(Refusal::of_management)?;
        let memory = self.memory().reserve(by.owner(), PIECE_BYTES)?;
        let job = self.new_import(&permit, &options).await?;
        let room = self.room_of(&job).await?;
        let folder = self.job_folder()?;
        let place = folder.upload_place(&job.tenant, &job.id, room);
        let place = place.ok_or_else(|| too_many(self.settings().jobs.waiting_max))?;
        let file = folder
            .create(&job.id, Part::Upload)
            .map_err(StoreError::from)?;
        Ok(ImportUpload::new(
            (self, by.clone()),
            (folder, file),
            job,
            (place, memory),
        ))
    }

    /// Makes a job that exports a dataset.
    ///
    /// # Errors
    /// Missing rights, no such dataset, options that contradict themselves, too many jobs that wait, no room for files;
    /// [`Refusal::NotReady`] when the service has no place for files of jobs.
    pub async fn export_dataset(
        &self,
        by: &Caller,
        dataset: &str,
        options: ExportOptions,
    ) -> Result<JobView, Refusal> {
        let made = self.export_dataset_once(by, dataset, options, "");
        Ok(made.await?.job)
    }

    /// The same for a form with a mark, once: when it comes again, the job that it made is the answer. Without a mark, each is a
    /// job of its own.
    ///
    /// # Errors
    /// As [`export_dataset`](Self::export_dataset).
    pub async fn export_dataset_once(
        &self,
        by: &Caller,
        dataset: &str,
        options: ExportOptions,
        mark: &str,
    ) -> Result<FormJob, Refusal> {
        let permit = self.permit_job(by, dataset, &[Verb::View])?;
        let own = id_by_form(&permit, (JobKind::Export, mark), &options)?;
        if let Some(id) = &own
            && let Some(made) = self.job_of_form(by, id).await?
        {
            return Ok(made);
        }
        let job = self.new_export(by, &permit, &options).await?;
        let id = own.unwrap_or_else(|| job.id.clone());
        self.add_once(by, Job { id, ..job }).await
    }

    /// An export that is asked for.
    async fn new_export(
        &self,
        by: &Caller,
        permit: &DatasetPermit,
        options: &ExportOptions,
    ) -> Result<Job, Refusal> {
        options::of_export(options, permit)?;
        let look = Look::past(permit.schema(), (Kind::Dataset, &permit.dataset().id));
        self.tell_look(permit.caller(), look).await?;
        let query = options.query.as_deref().filter(|it| !it.trim().is_empty());
        if let Some(query) = query {
            self.judge_query(by, &permit.dataset().id, query).await?;
        }
        if query.is_some() && !options.records.is_empty() {
            let text = "goes without `query`; leave one of them out";
            return Err(Refusal::invalid("$.records", text));
        }
        let named = places_of(self, permit, &options.records)?.len() as u64;
        self.job_folder()?;
        // a job that can't write a byte is not worth its wait
        self.require_job_room(&permit.dataset().tenant, 1).await?;
        let counts = self.store().counts(permit.dataset().number).await?;
        Ok(Job {
            progress: JobProgress {
                // how many a query finds, the job counts when it is begun
                rows_total: match (query, named) {
                    (Some(_), _) => None,
                    (None, 0) => Some(counts.records),
                    (None, named) => Some(named),
                },
                ..JobProgress::default()
            },
            ..self
                .new_job(permit, JobKind::Export, document(options)?)
                .await?
        })
    }

    /// Makes a job that repairs one field in records of a dataset, or tries to.
    ///
    /// # Errors
    /// Missing rights, no such dataset, a query or an action that can't be read, too many jobs that wait; a dry run that is none
    /// of these options, was done already or shows other values than there are now.
    pub async fn repair_records(
        &self,
        by: &Caller,
        dataset: &str,
        options: RepairOptions,
    ) -> Result<JobView, Refusal> {
        let permit = self.permit_job(by, dataset, &repair::VERBS)?;
        let repair = Repair::of(&options, &permit.schema().current().schema)?;
        let entry = permit.schema();
        if permit
            .caller()
            .masked_fields(entry)
            .contains(&*repair.field().name)
        {
            // what becomes of a value tells the value
            return Err(is_personal("$.field", &repair.field().name));
        }
        if personal_names(entry).contains(&*repair.field().name) {
            // the job shows values of it, from before and after
            let look = Look::past(entry, (Kind::Dataset, &permit.dataset().id));
            self.tell_look(permit.caller(), look).await?;
        }
        if let Some(query) = &options.query {
            if query.trim().is_empty() {
                // a text that was to be filled in and was not must not write to all records
                let text = "is blank; leave it out for all records, or ask for `*`";
                return Err(Refusal::invalid("$.query", text));
            }
            self.judge_query(by, dataset, query).await?;
        }
        let mut job = self
            .new_job(&permit, JobKind::Repair, document(&options)?)
            .await?;
        if let Some(trial) = &options.trial {
            job.id = self.judge_tried(&permit, &options, trial).await?;
        }
        self.add_job(job).await
    }

    /// Makes a job that takes back what another one wrote, which has ended.
    ///
    /// # Errors
    /// No such job that the caller may see, one that has not ended, wrote nothing or is being undone already, or whose changes
    /// are not kept any more;
    /// missing rights, too many jobs that wait.
    pub async fn undo_job(&self, by: &Caller, id: &str) -> Result<JobView, Refusal> {
        let undone = self.visible_job(&self.newest(by)?, id).await?;
        let permit = self.permit_job(by, &undone.dataset, undo::verbs(undone.kind))?;
        if self.job_view(&undone)?.has_written_nothing() {
            let text = "this job wrote no records, so there is nothing to undo";
            return Err(Refusal::Conflict(text.into()));
        }
        if !undone.state.has_ended() {
            let text = "the job has not ended; cancel it first, or wait";
            return Err(Refusal::Conflict(text.into()));
        }
        self.require_changes_of(&undone, &permit).await?;
        let options = UndoOptions { job_id: undone.id };
        let job = self.new_job(&permit, JobKind::Undo, document(&options)?);
        self.add_job(job.await?).await
    }

    /// Refuses a job whose changes may not be kept any more: what it wrote is known by them alone.
    async fn require_changes_of(&self, job: &Job, permit: &DatasetPermit) -> Result<(), Refusal> {
        let (dataset, after) = (permit.dataset().number, job.log_after);
        let kept = self.store().changes(dataset, after, PageLimit::of(1));
        if kept.await?.lost > after {
            let text =
                "changes since the job was asked for are not kept any more, so it can't be undone";
            return Err(Refusal::Conflict(text.into()));
        }
        Ok(())
    }

    /// Whether the caller may take back what jobs of this kind write to a dataset.
    pub fn may_undo(&self, by: &Caller, undone: JobKind, dataset: &str) -> bool {
        self.permit_job(by, dataset, undo::verbs(undone)).is_ok()
    }

    /// What the caller may do with the records of a dataset, by the newest catalog.
    pub(super) fn permit_job(
        &self,
        by: &Caller,
        dataset: &str,
        verbs: &[Verb],
    ) -> Result<DatasetPermit, Refusal> {
        if self.store().is_read_only() {
            return Err(StoreError::ReadOnly.into());
        }
        self.newest(by)?.permit_managed_records(verbs, dataset)
    }

    pub(super) fn job_folder(&self) -> Result<&JobFolder, Refusal> {
        self.job_folder.get().ok_or(Refusal::NotReady {
            seconds: RETRY_SECONDS,
        })
    }

    /// An import that is asked for: its columns and members go by the names that fields have now, whenever it begins.
    pub(super) async fn new_import(
        &self,
        permit: &DatasetPermit,
        options: &ImportOptions,
    ) -> Result<Job, Refusal> {
        self.new_job(permit, JobKind::Import, document(options)?)
            .await
    }

    pub(crate) async fn new_job(
        &self,
        permit: &DatasetPermit,
        kind: JobKind,
        options: RawJson,
    ) -> Result<Job, Refusal> {
        let dataset = permit.dataset();
        Ok(Job {
            number: 0,
            id: ids::new_id(self.now(), self.entropy()),
            tenant: dataset.tenant.clone(),
            area: dataset.area.clone(),
            schema: dataset.schema.clone(),
            dataset: dataset.id.clone(),
            kind,
            maker: permit.caller().actor().clone(),
            made_at: self.now(),
            log_after: self.store().log_head().await?,
            schema_version: permit.schema().current().number,
            started_at: None,
            tries: 0,
            ended_at: None,
            state: JobState::Queued,
            is_cancelling: false,
            options,
            cursor: None,
            progress: JobProgress::default(),
            result: None,
            failure: None,
            log: Vec::new(),
            files: Vec::new(),
            is_to_be_emptied: false,
            is_emptied: false,
            elsewhere_since: None,
            is_of_command: self.is_of_command.load(Ordering::Relaxed),
        })
    }

    /// How many more jobs of the tenant may wait, by its newest ones: what there is no room for is not to be sent in vain.
    async fn room_of(&self, job: &Job) -> Result<usize, Refusal> {
        let most = self.settings().jobs.waiting_max;
        let size = usize::try_from(most).unwrap_or(usize::MAX);
        let all = JobFilter::default();
        let newest = self.store().jobs(&job.tenant, all, None, size).await?;
        let waiting = newest.iter().filter(|job| job.state == JobState::Queued);
        Ok(size.saturating_sub(waiting.count()))
    }

    pub(super) async fn add_job(&self, job: Job) -> Result<JobView, Refusal> {
        let most = self.settings().jobs.waiting_max;
        let span = tracing::debug_span!("jobs.add", job.id, kind = job.kind.as_str());
        let (view, id) = (self.job_view(&job), job.id.clone());
        match self.store().add_job(job, most).instrument(span).await? {
            AddVerdict::Added => self.wake_jobs(),
            AddVerdict::Full => return Err(too_many(most)),
            AddVerdict::UndoneAlready => {
                let text = "the job is being undone already; wait for that, or cancel it";
                return Err(Refusal::Conflict(text.into()));
            }
            AddVerdict::ThereAlready => return Err(done_already(&id)),
        }
        view
    }
}

fn too_many(most: u32) -> Refusal {
    let text = format!(
        "the tenant has {most} jobs that wait or are being sent already; wait until one of them began, or cancel one"
    );
    Refusal::Conflict(text.into())
}
