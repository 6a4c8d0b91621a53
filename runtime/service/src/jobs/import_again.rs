//! The file of a dry run is imported without being sent again: it is kept as long as what jobs make is.

use super::asked_once::{FormJob, id_by_form};
use super::folder::{JobFolder, Part};
use super::import::require_whole;
use super::options;
use super::shown::{is_maker, read_document};
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service};
use store::StoreError;
use store::jobs::{Job, JobKind};
use wire::manage::{ImportOptions, JobProgress, JobView};

const NO_DRY_RUN: &str = "is no dry run of your own into this dataset that has ended; take its `jobId`, or send the file";
const NOT_KEPT: &str = "the file of the dry run is not kept any more; send it again";

impl Service {
    /// Imports the file of the dry run that the options name.
    ///
    /// # Errors
    /// Missing rights, no such dataset, options that contradict themselves, no such dry run of the caller's, too many jobs
    /// that wait, no room for files; [`Refusal::NotReady`] when the service has no place for files of jobs.
    pub async fn import_tried(
        &self,
        by: &Caller,
        dataset: &str,
        options: ImportOptions,
    ) -> Result<JobView, Refusal> {
        let made = self.import_tried_once(by, dataset, options, "");
        Ok(made.await?.job)
    }

    /// The same for a form with a mark, once: when it comes again, the job that it made is the answer. Without a mark, each is a
    /// job of its own.
    ///
    /// # Errors
    /// As [`import_tried`](Self::import_tried).
    pub async fn import_tried_once(
        &self,
        by: &Caller,
        dataset: &str,
        options: ImportOptions,
        mark: &str,
    ) -> Result<FormJob, Refusal> {
        let permit = self.permit_job(by, dataset, &options::verbs(&options))?;
        options::of_import(&options, &permit.schema().current().schema)
            .map_err(Refusal::of_management)?;
        let own = id_by_form(&permit, (JobKind::Import, mark), &options)?;
        if let Some(id) = &own
            && let Some(made) = self.job_of_form(by, id).await?
        {
            return Ok(made);
        }
        let no_dry_run = || Refusal::invalid("fileOf", NO_DRY_RUN);
        let named = options.file_of.as_deref().unwrap_or_default();
        let tried = self.store().job(named).await?;
        let is_callers = |job: &Job| {
            job.dataset == permit.dataset().id
                && is_maker(job, permit.caller())
                && is_dry_run(job)
                && job.state.has_ended()
        };
        let tried = tried.filter(is_callers).ok_or_else(no_dry_run)?;
        let said: Option<ImportOptions> = read_document(Some(&tried.options))?;
        let options = ImportOptions {
            file_name: options.file_name.or(said.and_then(|it| it.file_name)),
            ..options
        };
        let folder = self.job_folder()?;
        let job = self.new_import(&permit, &options).await?;
        self.require_file_of(&tried, &permit).await?;
        require_whole(options.clone(), folder.path(&tried.id, Part::Input)).await?;
        let not_kept = || Refusal::Conflict(NOT_KEPT.into());
        let upload = job.id.clone();
        let id = own.unwrap_or_else(|| upload.clone());
        let bytes = folder.input_bytes(&tried.id).map_err(StoreError::from)?;
        let bytes = bytes.ok_or_else(not_kept)?;
        if let Err(refusal) = self.require_job_room(&job.tenant, bytes).await {
            return self.job_of_form(by, &id).await?.ok_or(refusal);
        }
        let progress = JobProgress {
            bytes_total: Some(bytes),
            ..JobProgress::default()
        };
        let asked = Job {
            id: id.clone(),
            progress,
            ..job
        };
        let put = || -> Result<(), Refusal> {
            let shared = folder.share_input(&tried.id, &id, &upload);
            if shared.map_err(StoreError::from)? {
                Ok(())
            } else {
                Err(not_kept())
            }
        };
        let added = self.add_with_input(by, folder, (asked, &upload), put);
        added.await
    }

    /// Refuses a dry run whose file a purge took, or will take, that was done before the import is asked for: it would leave alone
    /// what the import has of that file. One that comes later finds the import itself.
    async fn require_file_of(&self, tried: &Job, permit: &DatasetPermit) -> Result<(), Refusal> {
        let dataset = Some(permit.dataset().number);
        let unsettled = self.store().unsettled_purges(dataset).await?;
        let will_go = unsettled.iter().any(|purge| tried.log_after < purge.number);
        // behind that: a purge that is settled by now has emptied it. The file may still be in the folder of this server, which
        // did not purge the record
        let tried = self.store().job(&tried.id).await?;
        if will_go || tried.is_none_or(|tried| tried.is_emptied) {
            return Err(Refusal::Conflict(NOT_KEPT.into()));
        }
        Ok(())
    }

    /// Whether the file of a dry run is still kept here, so that it can be imported without being sent again.
    #[must_use]
    pub fn has_tried_file(&self, job: &JobView) -> bool {
        let is_tried = job.import_options.as_ref().is_some_and(|it| it.dry_run);
        let is_kept = |folder: &JobFolder| folder.path(&job.job_id, Part::Input).exists();
        is_tried && !job.is_purged && self.job_folder.get().is_some_and(is_kept)
    }
}

/// Whether a job imports a file only to see what would come of it.
pub(super) fn is_dry_run(job: &Job) -> bool {
    let options: Result<Option<ImportOptions>, _> = read_document(Some(&job.options));
    let is_said = options.ok().flatten().is_some_and(|it| it.dry_run);
    job.kind == JobKind::Import && is_said
}
