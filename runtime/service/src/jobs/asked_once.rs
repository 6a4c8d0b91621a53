//! A form that asks for a job is answered with one job, however often it comes: pressed again while the first press is under
//! way, sent anew by a browser, by way of another server. The form brings a mark that its page has by chance. The job's id is
//! computed of the mark, of who sends it, of the kind of job and of all that it asks for, the content of a file, too; so the
//! store itself takes no second one. What was filled in otherwise is another job: one may go back to a form.

use super::folder::{JobFolder, Part};
use super::shown::document;
use crate::{Caller, DatasetPermit, Permit as _, Refusal, Service, ids};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use store::StoreError;
use store::jobs::{Job, JobKind};
use wire::manage::JobView;

/// The mark of a form with a file, and what came of the file.
pub(super) struct MarkedFile {
    mark: String,
    content: Sha256,
}

impl MarkedFile {
    /// Of a form with this mark, whose file begins; none without a mark.
    pub(super) fn begin(mark: &str) -> Option<Self> {
        (!mark.is_empty()).then(|| MarkedFile {
            mark: mark.to_owned(),
            content: Sha256::new(),
        })
    }

    /// Takes the next piece.
    pub(super) fn take(&mut self, piece: &[u8]) {
        self.content.update(piece);
    }

    /// The id of the job that imports the file.
    pub(super) fn id_of(self, job: &Job) -> String {
        let of = (&*job.maker.id, &*job.dataset, job.kind);
        let asked = job.options.to_string();
        ids::id_of_form(of, (&self.mark, &asked), &self.content.finalize())
    }
}

/// The id of the job that a form without a file asks for by these options; none without a mark.
pub(super) fn id_by_form(
    permit: &DatasetPermit,
    (kind, mark): (JobKind, &str),
    options: &impl Serialize,
) -> Result<Option<String>, StoreError> {
    if mark.is_empty() {
        return Ok(None);
    }
    let of = (permit.caller().id(), &*permit.dataset().id, kind);
    let asked = document(options)?.to_string();
    Ok(Some(ids::id_of_form(of, (mark, &asked), &[])))
}

/// The job that a form asks for.
#[derive(Clone, Debug)]
pub struct FormJob {
    /// The job.
    pub job: JobView,
    /// Whether the form came before and made it then: whatever became of it since, nothing was made now.
    pub is_repeat: bool,
}

impl Service {
    /// The job that a form made when it came before, as it is shown to who sends it.
    pub(super) async fn job_of_form(
        &self,
        by: &Caller,
        id: &str,
    ) -> Result<Option<FormJob>, Refusal> {
        let Some(made) = self.store().job(id).await? else {
            return Ok(None);
        };
        let job = self.job_view_of(&self.newest(by)?, &made).await?;
        Ok(Some(FormJob {
            job,
            is_repeat: true,
        }))
    }

    /// Puts in a job with the file that `put` gives it, which was sent by the name `own`. A form with a mark takes its turn: where it
    /// came twice at once, one of both finds the job there with its file, or that there is neither.
    pub(super) async fn add_with_input(
        &self,
        by: &Caller,
        folder: &JobFolder,
        (job, own): (Job, &str),
        put: impl Fn() -> Result<(), Refusal> + Send,
    ) -> Result<FormJob, Refusal> {
        let id = job.id.clone();
        let is_of_form = id != own;
        // a twin that is refused at the same moment would take the file back
        let _turn = if is_of_form {
            Some(self.form_turns.take(ids::hash(&id)).await)
        } else {
            None
        };
        if is_of_form && let Some(made) = self.job_of_form(by, &id).await? {
            return Ok(made);
        }
        put()?;
        let added = self.add_once(by, job).await;
        if added.is_err() {
            self.forget_input(folder, (&id, own)).await;
        } else if is_of_form
            && added.as_ref().is_ok_and(|made| !made.is_repeat)
            && folder.lacks_input(&id)
        {
            // a twin that was refused by another server of this folder took it back
            put()?;
        }
        added
    }

    /// Removes what was sent for a job that was not put in after all. What has the id of a form is taken back first: where that
    /// came twice at once, the other one may be about to put it in. What stays behind a failure, a later cleaning removes.
    async fn forget_input(&self, folder: &JobFolder, (id, own): (&str, &str)) {
        // a store that did not answer may have put it in
        if !self.has_no_job(id).await {
            return;
        }
        if id == own {
            let _ = folder.remove(id, Part::Input);
            return;
        }
        if folder.take_back(id, own).is_err() {
            return;
        }
        if !self.has_no_job(id).await {
            let _ = folder.keep_for_form(own, id);
        }
        let _ = folder.remove(own, Part::Upload);
    }

    /// Whether it is known that there is no such job.
    async fn has_no_job(&self, id: &str) -> bool {
        matches!(self.store().job(id).await, Ok(None))
    }

    /// Puts in a job; where it is there already, because its form came twice at once, that is the answer.
    pub(super) async fn add_once(&self, by: &Caller, job: Job) -> Result<FormJob, Refusal> {
        let id = job.id.clone();
        match self.add_job(job).await {
            Err(refusal) => self.job_of_form(by, &id).await?.ok_or(refusal),
            Ok(job) => Ok(FormJob {
                job,
                is_repeat: false,
            }),
        }
    }
}
