//! The mark that every commit leaves: how many there have been, and whether the store was closed in order. It comes into
//! the database's own file with what the write-ahead log holds. So whoever finds a database and a log can tell whether
//! one goes on from the other: SQLite takes a log that is missing, or another's, for one that ends there. It reads files
//! before anything opens them to write, and changes none.
//!
//! | the database's own file says | and the log | then |
//! | - | - | - |
//! | closed | is missing or empty | nothing is lost |
//! | closed | has commits of another program alone | nothing is lost: it began when all before it was over |
//! | in use | is missing or empty | what only the log had is lost |
//! | commit `n` | has the commits from `first` to `last` | it goes on if `first <= n + 1` and `n <= last`, and both are of one store |
//!
//! A new log begins only when all of the old one is in the database, so its first commit follows the database's; and the
//! log is on disk before anything of it comes into the database, so its last one is never older.
//!
//! A file is read page by page, and may be read just while a log comes into it. So the last commit of a log is a *seal*
//! (`seal.rs`): it comes over by itself, when all before it has. A database that was read before has an older mark than
//! the next log needs. A seal stands on the database's first page, too, which is read before all others; the commit
//! behind it says that there was one.

mod log;

use super::access::ReadAccess;
use super::opened_files::beside;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension};
use std::path::Path;
use store::StoreError;

/// What a mark begins with, so that it is found in a page without knowing SQLite's rows.
const MAGIC: [u8; 16] = [
    0x5f, 0x1d, 0x9c, 0x42, 0xa7, 0xe0, 0x4b, 0x3e, 0x8c, 0x6a, 0xd2, 0x0f, 0x71, 0xb8, 0x93, 0xe5,
];
/// Bytes of a mark: the magic, which store it is, a number, whether it is closed. One more says whether the commit follows
/// a seal; the mark of a new store lacks it.
const LENGTH: usize = MAGIC.len() + 8 + 9;

/// As much of a commit's number as stands on the first page, among what SQLite keeps there for programs.
const SEAL_BITS: u64 = 0x7fff_ffff;
const SEAL: &str = "PRAGMA application_id";

const READ: &str = "SELECT mark FROM commit_mark WHERE id = 1";
const PUT: &str = "UPDATE commit_mark SET mark = ?1 WHERE id = 1";
const PAGE: &str = "SELECT rootpage FROM sqlite_schema WHERE name = 'commit_mark'";

/// One mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CommitMark {
    /// Which store it is: no other has this, by chance.
    pub(super) store: [u8; 8],
    /// How many commits there have been.
    pub(super) number: u64,
    /// Whether the last of them closed the store.
    pub(super) is_closed: bool,
    /// Whether the one before it was a seal, all of which is in the database.
    pub(super) follows_seal: bool,
    /// The first salt of the log that it ends, if it is a seal.
    pub(super) ended_log: Option<u32>,
}

impl CommitMark {
    /// The mark of a store.
    pub(super) fn of(connection: &Connection) -> Result<Self, Failure> {
        let bytes: Vec<u8> = connection.query_row(READ, [], |row| row.get(0))?;
        let mark = CommitMark::read(&bytes);
        Ok(mark.ok_or_else(|| {
            StoreError::Damaged("the mark of the last commit can't be read".to_owned())
        })?)
    }

    /// The mark of the next commit.
    pub(super) fn next(self, is_closed: bool) -> Self {
        CommitMark {
            number: self.number + 1,
            is_closed,
            follows_seal: false,
            ended_log: None,
            ..self
        }
    }

    /// The mark of a copy, which needs no log and goes on for itself.
    pub(super) fn of_copy(self, copy: &Connection) -> Result<Self, Failure> {
        let store = copy.query_row("SELECT randomblob(8)", [], |row| row.get(0))?;
        Ok(CommitMark {
            store,
            ..self.next(true)
        })
    }

    /// Writes it within the transaction under way.
    pub(super) fn write(self, connection: &Connection) -> Result<(), Failure> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&self.store);
        bytes.extend_from_slice(&self.number.to_be_bytes());
        bytes.push(u8::from(self.is_closed));
        bytes.push(u8::from(self.follows_seal));
        if let Some(salt) = self.ended_log {
            bytes.extend_from_slice(&salt.to_be_bytes());
        }
        connection.prepare_cached(PUT)?.execute([bytes])?;
        Ok(())
    }

    /// Writes the mark of a seal within the transaction under way, on the first page, too.
    pub(super) fn write_seal(mut self, connection: &Connection) -> Result<(), Failure> {
        let database = connection.path().map(Path::new);
        self.ended_log = database.and_then(|database| log::salt(&beside(database, "-wal")));
        connection.pragma_update(
            None,
            "application_id",
            (self.number & SEAL_BITS).cast_signed(),
        )?;
        self.write(connection)
    }

    /// Whether it is the one of the seal that a database has on its first page.
    fn is_seal(self, on_first_page: u64) -> bool {
        self.number & SEAL_BITS == on_first_page
    }

    /// Whether a database lacks the seal that comes before this commit, by what its first page says.
    fn lacks_seal(self, on_first_page: u64) -> bool {
        let needed = self.number.wrapping_sub(1) & SEAL_BITS;
        // a newer one has it, and numbers begin anew
        let ahead = on_first_page.wrapping_sub(needed) & SEAL_BITS;
        self.follows_seal && ahead > SEAL_BITS / 2
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let rest = bytes.strip_prefix(&MAGIC)?;
        let (store, rest) = rest.split_first_chunk()?;
        let (number, rest) = rest.split_first_chunk()?;
        Some(CommitMark {
            store: *store,
            number: u64::from_be_bytes(*number),
            is_closed: *rest.first()? == 1,
            follows_seal: rest.get(1) == Some(&1),
            ended_log: rest
                .get(2..)
                .and_then(|rest| rest.first_chunk())
                .map(|salt| u32::from_be_bytes(*salt)),
        })
    }

    /// The mark in a page of its table: the page has one row, whose last bytes it is.
    fn in_page(page: &[u8]) -> Option<Self> {
        let mut begins = 0..=page.len().checked_sub(LENGTH)?;
        begins.find_map(|begin| CommitMark::read(&page[begin..]))
    }
}

/// What is wrong with a database and the log beside it, in words that follow its name; `None` for nothing, as far as
/// this can tell. What can't be read is told by who opens it.
pub(super) fn contradiction(database: &Path) -> Result<Option<&'static str>, Failure> {
    let Some(Alone { mark, page, seal }) = of_database_alone(database) else {
        return Ok(None);
    };
    let log = log::marks(&beside(database, "-wal"), page)?;
    Ok(match log {
        log::Found::Nothing if mark.is_closed => mark.lacks_seal(seal).then_some(TORN),
        log::Found::Nothing => {
            Some("was in use, and its write-ahead log (fieldstone.db-wal) is not there")
        }
        log::Found::NoLog => {
            Some("has a file fieldstone.db-wal beside it that is no write-ahead log")
        }
        // it began when all before it was over; the first of all has none before it, and commits of ours have marks
        log::Found::NoMark {
            restarts,
            salt,
            has_commit,
        } => {
            let is_over = if mark.is_closed {
                restarts == 0 || has_commit
            } else {
                mark.is_seal(seal) && mark.ended_log.is_none_or(|of| salt == of.wrapping_add(1))
            };
            let found = if has_commit { BEGUN } else { OF_ANOTHER_MOMENT };
            (!is_over).then_some(found)
        }
        log::Found::Damaged => Some(DAMAGED),
        log::Found::Overwritten => Some(
            "has a write-ahead log (fieldstone.db-wal) beside it that was read while the next one was written over it",
        ),
        log::Found::Marks { first, last } => {
            let is_own = first.store == mark.store && last.store == mark.store;
            let goes_on = is_own && first.number <= mark.number + 1 && mark.number <= last.number;
            if goes_on {
                first.lacks_seal(seal).then_some(TORN)
            } else {
                Some(OF_ANOTHER_MOMENT)
            }
        }
    })
}

/// What is wrong with a log whose last commits can't be read.
const DAMAGED: &str = "has a damaged write-ahead log (fieldstone.db-wal) beside it: commits behind the damage can't be read";

/// What is wrong with a database and a log that do not belong together.
const OF_ANOTHER_MOMENT: &str = "does not go on in the write-ahead log (fieldstone.db-wal) beside it, which is another's or of another moment";

/// What is wrong with a log that has no commit of ours beside a database that was in use.
const BEGUN: &str = "was in use, and the write-ahead log (fieldstone.db-wal) beside it was begun by another program, as litestream does";

/// What is wrong with a database of which one page is newer than another.
const TORN: &str =
    "was read while its write-ahead log came into it: pages are older than its last commit";

/// Refuses a database whose log is missing or another's.
pub(super) fn require_log(database: &Path) -> Result<(), Failure> {
    match contradiction(database)? {
        Some(found) => Err(StoreError::LogLost {
            database: database.display().to_string(),
            found,
        }
        .into()),
        None => Ok(()),
    }
}

/// Lets a database go on without the log that it should have: one that does not belong to it is put aside.
pub(super) fn accept_loss(database: &Path) -> Result<(), Failure> {
    let Some(found) = contradiction(database)? else {
        return Ok(());
    };
    let shown = database.display();
    tracing::warn!("{shown} {found}; as was asked for, it goes on without");
    let (log, aside) = (beside(database, "-wal"), beside(database, "-wal.aside"));
    if log.try_exists()? {
        std::fs::rename(&log, &aside)?;
        tracing::warn!("what lay there is kept as {}", aside.display());
    }
    Ok(())
}

/// What the database's own file says.
struct Alone {
    mark: CommitMark,
    /// The page that the mark stands on.
    page: u32,
    /// What its first page has of the last seal.
    seal: u64,
}

/// What the database's own file says; `None` where there is no mark that can be read.
fn of_database_alone(database: &Path) -> Option<Alone> {
    if !database.is_file() {
        return None;
    }
    let read = || -> Result<_, Failure> {
        let alone = ReadAccess::Immutable.connect(database)?;
        let page = alone.query_row(PAGE, [], |row| row.get(0)).optional()?;
        // a file that has no tables yet
        let Some(page) = page else {
            return Ok(None);
        };
        let seal: i64 = alone.query_row(SEAL, [], |row| row.get(0))?;
        Ok(Some(Alone {
            mark: CommitMark::of(&alone)?,
            page,
            seal: seal.cast_unsigned() & SEAL_BITS,
        }))
    };
    read().unwrap_or_else(|error| {
        tracing::debug!(%error, "the mark of the last commit can't be read");
        None
    })
}
