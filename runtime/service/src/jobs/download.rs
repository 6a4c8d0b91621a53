//! What came of a job, downloaded by who asked for it and by nobody else, administrators neither: it holds records as
//! whoever asked might see them.

use super::folder::Part;
use crate::{Caller, Owner, Refusal, Reservation, Service};
use bytes::Bytes;
use store::StoreError;
use store::catalog::Verb;
use tokio::io::AsyncReadExt as _;
use wire::manage::{JobFile, JobKind, JobView};

/// Bytes that are read at a time.
const PIECE_BYTES: usize = 16 << 10;

/// A file of a job on its way out.
#[derive(Debug)]
pub struct JobDownload {
    /// A name for it.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
    file: tokio::fs::File,
    left: u64,
    /// What a piece takes of memory.
    _room: Reservation,
}

impl JobDownload {
    /// The next piece; `None` behind the last.
    ///
    /// # Errors
    /// The disk's, also when the file is shorter than it was.
    pub async fn next(&mut self) -> std::io::Result<Option<Bytes>> {
        if self.left == 0 {
            return Ok(None);
        }
        let length = usize::try_from(self.left).map_or(PIECE_BYTES, |left| left.min(PIECE_BYTES));
        let mut piece = vec![0; length];
        let count = self.file.read(&mut piece).await?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        piece.truncate(count);
        self.left -= count as u64;
        Ok(Some(piece.into()))
    }
}

impl Service {
    /// Asks for what one has to be allowed for a file of a job that one sees: to have asked for the job, and of exported records
    /// to see what may be in them.
    ///
    /// # Errors
    /// Another's job, missing rights.
    pub fn require_download(
        &self,
        by: &Caller,
        job: &JobView,
        file: JobFile,
    ) -> Result<(), Refusal> {
        let caller = self.newest(by)?;
        let (maker, actor) = (&job.created_by, caller.actor());
        if (maker.kind, &maker.id) != (actor.kind, &actor.id) {
            let text = "only who asked for a job may download what came of it";
            return Err(Refusal::Forbidden(text.into()));
        }
        if file == JobFile::Export {
            caller.permit_managed_records(&[Verb::View], &job.data_set_id)?;
            let made = job.export_result.as_ref();
            let entry = caller.catalog().schemas.get(&job.schema_id);
            let has_masked = entry.is_none_or(|it| !caller.ever_masked_fields(it).is_empty());
            let is_export = job.kind == JobKind::Export;
            if has_masked && is_export && made.is_none_or(|made| made.may_have_personal_data) {
                let text = "the file may have personal values, which its maker may not see any more; export anew";
                return Err(Refusal::Forbidden(text.into()));
            }
        }
        Ok(())
    }

    /// A file of a job that the caller asked for. For exported records it must still have the right to view them.
    ///
    /// # Errors
    /// No such job or file, another's job, missing rights.
    pub async fn download_job_file(
        &self,
        by: &Caller,
        id: &str,
        file: JobFile,
    ) -> Result<JobDownload, Refusal> {
        let room = self.memory().reserve(Owner::of(by.id()), PIECE_BYTES)?;
        let caller = self.newest(by)?;
        let job = self.visible_job(&caller, id).await?;
        self.require_download(&caller, &self.job_view(&job)?, file)?;
        let no_file = || {
            Refusal::NotFound(
                "the job has no such file: it has not ended, made none, or the file was removed since"
                    .into(),
            )
        };
        let row = job.files.iter().find(|row| row.file == file);
        let row = row.ok_or_else(no_file)?;
        let folder = self.job_folder.get().ok_or_else(no_file)?;
        let opened = tokio::fs::File::open(folder.path(id, Part::Made(file))).await;
        let opened = match opened {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(no_file()),
            opened => opened.map_err(StoreError::from)?,
        };
        Ok(JobDownload {
            name: row.name.clone(),
            bytes: row.bytes,
            file: opened,
            left: row.bytes,
            _room: room,
        })
    }
}
