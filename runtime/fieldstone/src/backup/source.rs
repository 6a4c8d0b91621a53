//! What a backup is made of: a copy of the database that was looked at whole, the signing secrets, and the contents of
//! the files that the copy knows. Contents are held meanwhile, so that none goes that the copy refers to.

use super::archive::Archive;
use super::{DATABASE, FILES, SECRETS};
use crate::moving;
use crate::pieces::{PieceWriter, Pieces};
use crate::signing_secrets;
use anyhow::Context as _;
use hyper::body::Bytes;
use manifest::failure::{Failure, FailureCode};
use postgres::{ContentsHold, PostgresOptions, PostgresTransfer};
use service::Service;
use service::files::{ContentProblem, FileStorage, HeldFiles};
use sqlite::{SqliteStore, StoreCopy};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use store::files::StoredFile;
use tokio::runtime::Handle;
use wire::Timestamp;

/// The lease of the server that makes backups for all of a database.
const LEASE_NAME: &str = "backups";
/// How many files are read from the copy at a time.
const FILES_AT_A_TIME: usize = 1000;

/// A store that can be backed up.
#[derive(Clone)]
pub(crate) struct Source {
    /// Where its contents are; `None` for nowhere.
    pub(crate) storage: Option<FileStorage>,
    /// Its signing secrets.
    pub(crate) secret_file: PathBuf,
    /// Its database.
    pub(crate) store: Store,
}

/// A database that can be copied.
#[derive(Clone)]
pub(crate) enum Store {
    /// One that this process has open.
    Open(Arc<SqliteStore>, Arc<Service>),
    /// That of a folder that nobody has open, and where copies have room.
    Closed(PathBuf, Option<PathBuf>),
    /// One that a database has: its backup is a data folder with all that was there at a moment. `Service` where this process
    /// serves it.
    InDatabase(DatabasePlace, Option<Arc<Service>>),
}

/// A database, and where copies of its store have room.
#[derive(Clone, Debug)]
pub(crate) struct DatabasePlace {
    pub(crate) address: String,
    pub(crate) options: PostgresOptions,
    pub(crate) room: Option<PathBuf>,
}

impl DatabasePlace {
    /// Its store, to be copied.
    async fn open(&self) -> anyhow::Result<PostgresTransfer> {
        let shown = postgres::shown(&self.address);
        let opened = PostgresTransfer::open(&self.address, &self.options).await;
        let transfer = opened.with_context(|| format!("can't open {shown}"))?;
        transfer.require_whole().await?;
        Ok(transfer)
    }

    /// All that its store has at this moment, whoever writes meanwhile.
    async fn copy(&self, transfer: &PostgresTransfer) -> anyhow::Result<StoreCopy> {
        let copy = moving::snapshot(transfer, self.room.as_deref()).await;
        transfer.release().await;
        copy.with_context(|| format!("can't copy {}", postgres::shown(&self.address)))
    }
}

/// Contents of files that stay as long as this is there: those of the server that makes a backup, and those of all servers of
/// its database.
type Held = (Option<HeldFiles>, Option<ContentsHold>);

impl Source {
    /// Tells the service, which its figures ask, of a backup that has all that was there at a moment.
    pub(super) fn note_backup(&self, begun_at: Timestamp) {
        if let Store::Open(_, service) | Store::InDatabase(_, Some(service)) = &self.store {
            service.note_backup(begun_at);
        }
    }

    /// Tells the other servers of a database that this one makes backups, and of the newest.
    pub(super) async fn tell_backups(&self) {
        let Store::InDatabase(_, Some(service)) = &self.store else {
            return;
        };
        if let Err(error) = service.tell_backups().await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the other servers of the database are not told of the newest backup yet"
            );
        }
    }

    /// Whether this server makes the backups of its store for so long; no server does for longer than `longest`. One that
    /// nobody shares has no other.
    pub(super) async fn hold_backups(
        &self,
        time: Duration,
        longest: Duration,
    ) -> Result<bool, StoreError> {
        match &self.store {
            Store::InDatabase(_, Some(service)) => {
                service.hold_lease(LEASE_NAME, time, longest).await
            }
            Store::Open(..) | Store::Closed(..) | Store::InDatabase(_, None) => Ok(true),
        }
    }

    /// Leaves backups to any other server.
    pub(super) async fn let_go_of_backups(&self) {
        if let Store::InDatabase(_, Some(service)) = &self.store
            && let Err(error) = service.let_go_of_lease(LEASE_NAME).await
        {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "the other servers of the database wait a minute before they make a backup"
            );
        }
    }

    /// When the newest backup was begun that any server of a database told of; `None` for a folder, which has one server.
    pub(super) async fn newest_of_others(&self) -> Option<Timestamp> {
        let Store::InDatabase(_, Some(service)) = &self.store else {
            return None;
        };
        if let Some(current) = service.store().be_current()
            && let Err(error) = current.await
        {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "whether another server made a backup meanwhile is not known"
            );
        }
        service.last_backup()
    }

    /// A backup, as of now. It is read while it is made.
    pub(crate) async fn begin(&self) -> anyhow::Result<Pieces> {
        let (held, copy): (Held, StoreCopy) = match &self.store {
            Store::Open(store, service) => {
                let held = service.hold_files().await;
                ((Some(held), None), store.backup_copy().await?)
            }
            Store::Closed(folder, room) => {
                let (folder, room) = (folder.clone(), room.clone());
                let work = tokio::task::spawn_blocking(move || {
                    SqliteStore::backup_copy_of(&folder, room.as_deref())
                });
                ((None, None), work.await??)
            }
            Store::InDatabase(place, service) => {
                let here = match service {
                    Some(service) => Some(service.hold_files().await),
                    None => None,
                };
                let transfer = place.open().await?;
                let everywhere = transfer.hold_contents().await?;
                ((here, Some(everywhere)), place.copy(&transfer).await?)
            }
        };
        let copy = sound(copy).await?;
        let (copy, secrets) = with_secrets(copy, self.secret_file.clone()).await?;
        let backup = Backup {
            copy,
            secrets,
            storage: self.storage.clone(),
            threads: Handle::current(),
            _held: held,
        };
        Ok(Pieces::begin(move |out| backup.write(out)))
    }
}

/// A copy that was looked at: what can't be restored is no backup.
async fn sound(copy: StoreCopy) -> anyhow::Result<StoreCopy> {
    let (copy, found) = tokio::task::spawn_blocking(move || {
        let found = copy.check();
        (copy, found)
    })
    .await?;
    let found = found?;
    if found.is_empty() {
        return Ok(copy);
    }
    let count = found.len();
    Err(Failure {
        message: format!(
            "the store is not sound, so it was not backed up ({count} contradictions); run `fieldstone check`, and restore an earlier backup"
        ),
        causes: found.into_iter().take(1).collect(),
        code: FailureCode::Unsound,
    }
    .into())
}

/// Signing secrets for a backup.
struct BackupSecrets {
    /// Their file, if there is one that a server would begin with: with any other, none would begin that is restored.
    file: Option<Vec<u8>>,
    /// What is wrong with them.
    problem: Option<String>,
}

/// The secrets of the store that was copied, which are in this file, or in the store where the file has no name.
async fn with_secrets(
    copy: StoreCopy,
    file: PathBuf,
) -> anyhow::Result<(StoreCopy, BackupSecrets)> {
    let work = tokio::task::spawn_blocking(move || {
        let named = Some(&*file).filter(|file| !file.as_os_str().is_empty());
        let problem = signing_secrets::problem(named, &copy.catalog()?);
        let file = match problem {
            Some(_) => None,
            None => read_if_there(&file)?,
        };
        Ok((copy, BackupSecrets { file, problem }))
    });
    work.await?
}

fn read_if_there(path: &Path) -> anyhow::Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("can't read {}", path.display())),
    }
}

/// One backup.
struct Backup {
    copy: StoreCopy,
    secrets: BackupSecrets,
    storage: Option<FileStorage>,
    threads: Handle,
    _held: Held,
}

impl Backup {
    fn write(&self, out: &mut PieceWriter) -> anyhow::Result<()> {
        let mut archive = Archive::new(out)?;
        let database = File::open(self.copy.database())?;
        archive.add(DATABASE, database.metadata()?.len(), database)?;
        if let Some(secrets) = &self.secrets.file {
            archive.add_bytes(SECRETS, secrets)?;
        }
        if let Some(problem) = &self.secrets.problem {
            archive.miss(problem.clone());
        }
        let mut after = String::new();
        loop {
            let files = self.copy.files(&after, FILES_AT_A_TIME)?;
            let Some(last) = files.last() else {
                break;
            };
            after.clone_from(&last.id);
            for file in &files {
                let problem = self.add_file(file, &mut archive);
                if let Some(problem) = problem.with_context(|| format!("the file {}", file.id))? {
                    archive.miss(format!("the file {}: {problem}", file.id));
                }
            }
        }
        archive.finish()
    }

    /// Adds the content of a file; what is wrong with it, if anything is.
    fn add_file(
        &self,
        file: &StoredFile,
        archive: &mut Archive<&mut PieceWriter>,
    ) -> anyhow::Result<Option<String>> {
        let Some(storage) = &self.storage else {
            return Ok(Some("its content is not there".to_owned()));
        };
        let looked = storage.size_problem(file);
        if let Some(problem) = self.threads.block_on(looked)? {
            return Ok(Some(problem.to_string()));
        }
        let mut reader = match self.threads.block_on(storage.content(file)) {
            Ok(reader) => reader,
            Err(error) => return Ok(Some(storage.unread(error)?.to_string())),
        };
        let next = || -> NextPiece {
            match self.threads.block_on(reader.next()) {
                Ok(piece) => Ok(Ok(piece)),
                Err(error) => storage.unread(error).map(Err),
            }
        };
        let mut content = ContentBytes {
            next,
            piece: Bytes::new(),
            problem: None,
        };
        let path = format!("{FILES}/{}/{}", file.dataset, file.id);
        let sum = archive.add(&path, file.size, &mut content)?;
        let differs = (sum != file.sha256).then_some(ContentProblem::Checksum);
        Ok(content.problem.or(differs).map(|it| it.to_string()))
    }
}

/// The next piece of a content, none after the last, or why the rest of it can't be read.
type NextPiece = Result<Result<Option<Bytes>, ContentProblem>, StoreError>;

/// A content, read by a thread that may wait.
struct ContentBytes<N> {
    next: N,
    piece: Bytes,
    /// Why the rest can't be read. Zeros stand for it: its length is told before it.
    problem: Option<ContentProblem>,
}

impl<N: FnMut() -> NextPiece> Read for ContentBytes<N> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() {
            if self.problem.is_some() {
                buffer.fill(0);
                return Ok(buffer.len());
            }
            match (self.next)().map_err(io::Error::other)? {
                Ok(Some(piece)) => self.piece = piece,
                Ok(None) => return Ok(0),
                Err(problem) => self.problem = Some(problem),
            }
        }
        let count = self.piece.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.piece.split_to(count));
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_stand_for_the_rest_of_a_content_that_can_not_be_read_and_it_is_told() {
        let unread = ContentProblem::Unread("a bad sector".to_owned());
        let mut steps = vec![Err(unread.clone()), Ok(Some(Bytes::from_static(b"he")))];
        let mut content = ContentBytes {
            next: || -> NextPiece { Ok(steps.pop().expect("nobody asks again")) },
            piece: Bytes::new(),
            problem: None,
        };
        let mut found = Vec::new();
        let read = content.by_ref().take(5).read_to_end(&mut found);
        assert_eq!((read.unwrap(), &found[..]), (5, &b"he\0\0\0"[..]));
        assert_eq!(content.problem, Some(unread));
    }
}
