//! The files of jobs: what was sent to be imported, what could not be stored, what was exported. They lie in one folder,
//! for this user alone, under the job's id; what is made, also under the name of who holds the job, which nobody else writes
//! to (`growing_file.rs`). What is in them is not looked at here.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use store::folders::make_folder;
use store::jobs::{Job, JobFileRow};
use wire::manage::JobFile;

/// The folder of a data folder that files of jobs are in.
pub const JOBS_FOLDER: &str = "jobs";

/// For how long a job whose file is not here is left to others before it is looked for once more, and whether somebody cancels
/// it.
const LEFT_FOR: Duration = Duration::from_secs(60);

/// Which of a job's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// What is being sent.
    Upload,
    /// What was sent.
    Input,
    /// What its maker may download.
    Made(JobFile),
}

impl Part {
    /// All of them.
    pub(super) const ALL: [Self; 4] = [
        Part::Upload,
        Part::Input,
        Part::Made(JobFile::Export),
        Part::Made(JobFile::Rejects),
    ];

    fn ending(self) -> &'static str {
        match self {
            Part::Upload => "upload",
            Part::Input => "input",
            Part::Made(JobFile::Export) => "export",
            Part::Made(JobFile::Rejects) => "rejects",
        }
    }
}

/// Where files of jobs are. The folder is made when the first one is.
#[derive(Debug)]
pub(crate) struct JobFolder {
    folder: PathBuf,
    /// Jobs whose files are being sent, and their tenants.
    uploads: Mutex<HashMap<String, String>>,
    /// Jobs whose files are not here, and since when that is known.
    left: Mutex<HashMap<String, Instant>>,
}

/// The place of a file that is being sent, among those that a tenant may have.
#[derive(Debug)]
pub(super) struct UploadPlace<'f> {
    folder: &'f JobFolder,
    job: String,
}

impl Drop for UploadPlace<'_> {
    fn drop(&mut self) {
        self.folder.uploads.lock().remove(&self.job);
    }
}

impl JobFolder {
    pub(crate) fn new(folder: PathBuf) -> Self {
        JobFolder {
            folder,
            uploads: Mutex::default(),
            left: Mutex::default(),
        }
    }

    /// Leaves a job whose file is not here to who has it, for a while.
    pub(super) fn leave(&self, job: &str) {
        self.left.lock().insert(job.to_owned(), Instant::now());
    }

    /// The jobs that are left to others now.
    pub(super) fn left(&self) -> Vec<String> {
        let mut left = self.left.lock();
        left.retain(|_, since| since.elapsed() < LEFT_FOR);
        left.keys().cloned().collect()
    }

    /// A place for one more file to be sent, where a tenant has fewer than so many; until it is dropped.
    pub(super) fn upload_place(
        &self,
        tenant: &str,
        job: &str,
        most: usize,
    ) -> Option<UploadPlace<'_>> {
        let mut uploads = self.uploads.lock();
        if uploads.values().filter(|it| *it == tenant).count() >= most {
            return None;
        }
        uploads.insert(job.to_owned(), tenant.to_owned());
        Some(UploadPlace {
            folder: self,
            job: job.to_owned(),
        })
    }

    /// Where a file of a job is, or would be. One that is being sent names its tenant: there is no job yet that would, and
    /// who else sees the folder counts it, too.
    pub(super) fn path(&self, job: &str, part: Part) -> PathBuf {
        let tenant = match part {
            Part::Upload => self.uploads.lock().get(job).cloned(),
            Part::Input | Part::Made(_) => None,
        };
        self.named(job, tenant.as_deref(), part)
    }

    /// Where the part of a file is that who holds a job by this name made of it, or would be.
    pub(super) fn made_path(&self, job: &str, file: JobFile, holder: &str) -> PathBuf {
        self.named(job, Some(holder), Part::Made(file))
    }

    fn named(&self, job: &str, of: Option<&str>, part: Part) -> PathBuf {
        let ending = part.ending();
        self.folder.join(match of {
            Some(of) => format!("{job}.{of}.{ending}"),
            None => format!("{job}.{ending}"),
        })
    }

    /// Whether all of the data is away: nothing is made in its place.
    fn is_away(&self) -> bool {
        let data = self.folder.parent().filter(|it| it.as_os_str() != "");
        data.is_some_and(|data| !data.is_dir())
    }

    /// What tells this folder from those of other servers, and is the same for all who see it: it stands beside the folder,
    /// and is made when it is first asked for. `None` where all of the data is away.
    pub(super) fn identity(&self, new: &str) -> io::Result<Option<String>> {
        let place = self.folder.with_extension("id");
        match std::fs::read_to_string(&place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            read => return read.map(Some),
        }
        if self.is_away() {
            return Ok(None);
        }
        make_folder(&self.folder)?;
        let draft = self.folder.with_extension(new);
        std::fs::write(&draft, new)?;
        let linked = std::fs::hard_link(&draft, &place);
        match linked {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            // not every disk can have one file by two names
            Err(_) => std::fs::copy(&draft, &place).map(|_| ())?,
            Ok(()) => {}
        }
        std::fs::remove_file(&draft)?;
        // another server may have been the first
        std::fs::read_to_string(&place).map(Some)
    }

    /// A new file, for this user alone.
    pub(super) fn create(&self, job: &str, part: Part) -> io::Result<File> {
        self.create_at(&self.path(job, part))
    }

    /// A new file for what who holds a job by this name makes of it.
    pub(super) fn create_made(&self, job: &str, file: JobFile, holder: &str) -> io::Result<File> {
        self.create_at(&self.made_path(job, file, holder))
    }

    fn create_at(&self, path: &Path) -> io::Result<File> {
        if self.is_away() {
            return Err(io::ErrorKind::NotFound.into());
        }
        make_folder(&self.folder)?;
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(path)
    }

    /// Makes a file that was sent whole, under this name, one of a job that is there, also after a loss of power.
    pub(super) fn keep_upload(&self, upload: &str, job: &str) -> io::Result<()> {
        let input = self.path(job, Part::Input);
        std::fs::rename(self.path(upload, Part::Upload), input)?;
        self.sync()
    }

    /// The bytes of what a job was sent; `None` where that is not there any more.
    pub(super) fn input_bytes(&self, job: &str) -> io::Result<Option<u64>> {
        match std::fs::metadata(self.path(job, Part::Input)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            found => Ok(Some(found?.len())),
        }
    }

    /// Makes names of files in the folder outlast a loss of power.
    pub(super) fn sync(&self) -> io::Result<()> {
        #[cfg(unix)]
        File::open(&self.folder)?.sync_all()?;
        Ok(())
    }

    /// Whether what a job was sent is not there.
    pub(super) fn lacks_input(&self, job: &str) -> bool {
        matches!(self.input_bytes(job), Ok(None))
    }

    /// Removes a file, if it is there.
    pub(super) fn remove(&self, job: &str, part: Part) -> io::Result<()> {
        remove(&self.path(job, part))
    }

    /// Removes what a job made and its maker may download, as far as it is still there.
    pub(super) fn remove_made(&self, job: &str, row: &JobFileRow) -> io::Result<()> {
        for part in &row.parts {
            remove(&self.made_path(job, row.file, &part.holder))?;
        }
        Ok(())
    }

    /// Removes the files that nobody needs any more, as far as they are still there.
    pub(super) fn remove_spent(&self, is_spent: impl Fn(&Found) -> bool) -> io::Result<()> {
        for found in self.found()? {
            if is_spent(&found) {
                found.remove()?;
            }
        }
        Ok(())
    }

    /// All files.
    pub(super) fn found(&self) -> io::Result<Vec<Found>> {
        let entries = match std::fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut found = Vec::new();
        for entry in entries {
            let path = entry?.path();
            let part = |ending: &str| Part::ALL.into_iter().find(|it| it.ending() == ending);
            let ending = path.extension().and_then(|it| it.to_str()).and_then(part);
            let stem = path.file_stem().and_then(|it| it.to_str());
            if let Some((stem, part)) = stem.zip(ending) {
                let (job, of) = match stem.split_once('.') {
                    Some((job, of)) => (job, Some(of.to_owned())),
                    None => (stem, None),
                };
                found.push(Found {
                    job: job.to_owned(),
                    part,
                    of,
                    path: path.clone(),
                });
            }
        }
        Ok(found)
    }
}

/// A file of the folder.
pub(super) struct Found {
    pub(super) job: String,
    pub(super) part: Part,
    /// Whose it is, where its name says so: the tenant's of one that is being sent; of one that was made, that of who held the
    /// job by this name.
    pub(super) of: Option<String>,
    pub(super) path: PathBuf,
}

impl Found {
    /// Whether its job tells of it, as a part of what its maker may download.
    pub(super) fn is_told_by(&self, job: &Job) -> bool {
        let rows = job.files.iter();
        let mut rows = rows.filter(|row| self.part == Part::Made(row.file));
        rows.any(|row| {
            let mut parts = row.parts.iter();
            parts.any(|part| Some(&part.holder) == self.of.as_ref())
        })
    }

    /// Removes it, if it is still there.
    pub(super) fn remove(&self) -> io::Result<()> {
        remove(&self.path)
    }
}

pub(super) fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A name that is safe for a file everywhere, of what people call something.
pub(super) fn plain_name(name: &str) -> String {
    const CHARS_MAX: usize = 60;
    let plain = |letter: char| {
        if letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.') {
            letter
        } else {
            '_'
        }
    };
    let name: String = name.chars().map(plain).take(CHARS_MAX).collect();
    let name = name.trim_matches(['.', '_']);
    if name.is_empty() { "records" } else { name }.to_owned()
}

/// The name of a file without what says how it is written and packed.
pub(super) fn stem(name: &str) -> &str {
    let name = Path::new(name)
        .file_name()
        .and_then(|it| it.to_str())
        .unwrap_or(name);
    let packed = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
    let name = packed.unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
