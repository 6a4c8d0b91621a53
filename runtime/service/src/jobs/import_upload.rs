//! A file that is sent to be imported: it is written piece by piece as it comes, and only when it is whole there is a job. Who goes
//! away before leaves nothing behind.

use super::asked_once::{FormJob, MarkedFile};
use super::folder::{JobFolder, Part, UploadPlace};
use super::import::require_whole;
use super::shown::read_document;
use crate::{Caller, Refusal, Reservation, Service};
use bytes::Bytes;
use store::StoreError;
use store::jobs::Job;
use tokio::io::AsyncWriteExt as _;
use wire::manage::{ImportOptions, JobProgress, JobView};

/// A file that is being sent to be imported.
pub struct ImportUpload<'s> {
    service: &'s Service,
    by: Caller,
    folder: &'s JobFolder,
    /// None once it is whole.
    file: Option<tokio::fs::File>,
    job: Job,
    bytes: u64,
    /// Of a form that may come again.
    form: Option<MarkedFile>,
    /// One of those that the tenant has.
    _place: UploadPlace<'s>,
    /// What a piece takes of memory.
    _room: Reservation,
}

impl std::fmt::Debug for ImportUpload<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ImportUpload")
            .field("job", &self.job.id)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}

impl<'s> ImportUpload<'s> {
    /// One of which nothing has come yet.
    pub(super) fn new(
        (service, by): (&'s Service, Caller),
        (folder, file): (&'s JobFolder, std::fs::File),
        job: Job,
        (place, room): (UploadPlace<'s>, Reservation),
    ) -> Self {
        ImportUpload {
            service,
            by,
            folder,
            file: Some(tokio::fs::File::from_std(file)),
            job,
            bytes: 0,
            form: None,
            _place: place,
            _room: room,
        }
    }
}

impl ImportUpload<'_> {
    /// The same of a form with a mark, before anything was written: when the form comes again, with the same file, the job that
    /// it made is the answer. Without a mark, each is a job of its own.
    #[must_use]
    pub fn once(mut self, mark: &str) -> Self {
        self.form = MarkedFile::begin(mark);
        self
    }

    /// Takes the next piece. After an error the upload is to be dropped.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`], [`Refusal::QuotaExceeded`]; the disk's.
    pub async fn write(&mut self, piece: Bytes) -> Result<(), Refusal> {
        self.bytes += piece.len() as u64;
        let bytes_max = self.service.settings().jobs.upload_bytes_max;
        if self.bytes > bytes_max {
            return Err(Refusal::TooLarge { bytes_max });
        }
        let (service, tenant) = (self.service, &self.job.tenant);
        service.require_job_room(tenant, piece.len() as u64).await?;
        if let Some(form) = &mut self.form {
            form.take(&piece);
        }
        if let Some(file) = &mut self.file {
            file.write_all(&piece).await.map_err(StoreError::from)?;
        }
        Ok(())
    }

    /// Everything was sent: now there is a job, which waits.
    ///
    /// # Errors
    /// A file of rows that an import before could not store, where records are to be deleted that it does not have; too many
    /// jobs that wait; the disk's, the store's.
    pub async fn finish(self) -> Result<JobView, Refusal> {
        Ok(self.finish_form().await?.job)
    }

    /// The same of a form that may have come before.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub async fn finish_form(mut self) -> Result<FormJob, Refusal> {
        if let Some(mut file) = self.file.take() {
            file.flush().await.map_err(StoreError::from)?;
            file.sync_all().await.map_err(StoreError::from)?;
        }
        let (folder, upload) = (self.folder, &self.job.id);
        let said: Option<ImportOptions> = read_document(Some(&self.job.options))?;
        require_whole(said.unwrap_or_default(), folder.path(upload, Part::Upload)).await?;
        let id = match self.form.take() {
            Some(form) => form.id_of(&self.job),
            None => upload.clone(),
        };
        let job = Job {
            id: id.clone(),
            progress: JobProgress {
                bytes_total: Some(self.bytes),
                ..JobProgress::default()
            },
            ..self.job.clone()
        };
        let put = || -> Result<(), Refusal> {
            let kept = if id == *upload {
                folder.keep_upload(upload, &id)
            } else {
                folder.keep_for_form(upload, &id)
            };
            Ok(kept.map_err(StoreError::from)?)
        };
        let added = self
            .service
            .add_with_input(&self.by, folder, (job, upload), put);
        added.await
    }
}

impl Drop for ImportUpload<'_> {
    fn drop(&mut self) {
        // one that is whole is its job's under another name
        let _ = self.folder.remove(&self.job.id, Part::Upload);
    }
}
