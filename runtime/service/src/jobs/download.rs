//! What came of a job, downloaded by who asked for it and by nobody else, administrators neither: it holds records as
//! whoever asked might see them.

use crate::personal::{Look, personal_names};
use crate::{Caller, Refusal, Reservation, Service};
use bytes::Bytes;
use std::collections::{HashMap, VecDeque};
use store::StoreError;
use store::catalog::{Kind, SchemaEntry, Verb};
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
    /// The parts that are still to be read, and how much of each.
    parts: VecDeque<(tokio::fs::File, u64)>,
    /// What a piece takes of memory.
    _room: Reservation,
}

impl JobDownload {
    /// The next piece; `None` behind the last.
    ///
    /// # Errors
    /// The disk's, also when the file is shorter than it was.
    pub async fn next(&mut self) -> std::io::Result<Option<Bytes>> {
        let Some((file, left)) = self.parts.front_mut() else {
            return Ok(None);
        };
        let length = usize::try_from(*left).map_or(PIECE_BYTES, |left| left.min(PIECE_BYTES));
        let mut piece = vec![0; length];
        let count = file.read(&mut piece).await?;
        if count == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        piece.truncate(count);
        *left -= count as u64;
        if *left == 0 {
            self.parts.pop_front();
        }
        Ok(Some(piece.into()))
    }
}

/// Whether a file may have personal values: those that its maker saw when it was made, and those that nobody was kept from then.
/// Of a schema that is not known any more, each may.
fn may_have_personal(entry: Option<&SchemaEntry>, job: &JobView, file: JobFile) -> bool {
    let (kind, made) = match file {
        JobFile::Export => (JobKind::Export, job.export_result.as_ref()),
        JobFile::Rejects => (JobKind::Import, None),
    };
    if job.kind != kind {
        // it has no such file
        return false;
    }
    let Some(entry) = entry else {
        return true;
    };
    let was_seen = file == JobFile::Export && made.is_none_or(|made| made.may_have_personal_data);
    was_seen && !personal_names(entry).is_empty() || has_become_personal(entry, job)
}

/// Whether a field that a job may have taken for one that is not personal is personal in the last version that has it.
fn has_become_personal(entry: &SchemaEntry, job: &JobView) -> bool {
    let begun = job.schema_version.unwrap_or(0);
    let named = job.export_options.as_ref().map(|it| &it.fields);
    let named = named.filter(|names| !names.is_empty());
    let versions = entry.versions.iter();
    let since = versions.filter(|version| version.number >= begun);
    let mut fields: HashMap<&str, (bool, bool)> = HashMap::new();
    for field in since.flat_map(|version| &version.schema.fields) {
        let (was_shown, is_personal) = fields.entry(&field.id).or_default();
        let is_named = named.is_none_or(|names| names.contains(&field.name));
        *was_shown |= is_named && field.active && !field.is_pii();
        *is_personal = field.is_pii();
    }
    let mut fields = fields.into_values();
    fields.any(|(was_shown, is_personal)| was_shown && is_personal)
}

impl Service {
    /// Asks for what one has to be allowed for a file of a job that one sees: to have asked for the job, and to see what may be in
    /// the file.
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
        }
        let entry = caller.catalog().schemas.get(&job.schema_id);
        let entry = entry.map(AsRef::as_ref);
        if !caller.sees_personal() && may_have_personal(entry, job, file) {
            let text = match file {
                JobFile::Export => {
                    "the file may have personal values, which its maker may not see any more; export anew"
                }
                JobFile::Rejects => {
                    "the file may have values of a field that became personal since, which its maker may not see"
                }
            };
            return Err(Refusal::Forbidden(text.into()));
        }
        Ok(())
    }

    /// A file of a job that the caller asked for. For exported records it must still have the right to view them; that it may
    /// have personal values, the trail tells before.
    ///
    /// # Errors
    /// No such job or file, another's job, missing rights.
    pub async fn download_job_file(
        &self,
        by: &Caller,
        id: &str,
        file: JobFile,
    ) -> Result<JobDownload, Refusal> {
        let room = self.memory().reserve(by.owner(), PIECE_BYTES)?;
        let caller = self.newest(by)?;
        let job = self.visible_job(&caller, id).await?;
        let view = self.job_view(&job)?;
        self.require_download(&caller, &view, file)?;
        let no_file = || {
            Refusal::NotFound(
                "the job has no such file: it has not ended, made none, or the file was removed since"
                    .into(),
            )
        };
        let row = job.files.iter().find(|row| row.file == file);
        let row = row.ok_or_else(no_file)?;
        let folder = self.job_folder.get().ok_or_else(no_file)?;
        let mut parts = VecDeque::new();
        // all of them at once: what is read to its end is not removed meanwhile
        for part in &row.parts {
            let path = folder.made_path(id, file, &part.holder);
            let opened = match tokio::fs::File::open(path).await {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(no_file()),
                opened => opened.map_err(StoreError::from)?,
            };
            parts.push_back((opened, part.bytes));
        }
        if let Some(entry) = caller.catalog().schemas.get(&job.schema)
            && may_have_personal(Some(&**entry), &view, file)
        {
            let look = Look::past(entry, (Kind::Dataset, &job.dataset));
            self.tell_look(&caller, look).await?;
        }
        Ok(JobDownload {
            name: row.name.clone(),
            bytes: row.bytes,
            parts,
            _room: room,
        })
    }
}
