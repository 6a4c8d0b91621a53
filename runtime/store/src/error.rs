//! Why the store could not do its work. What a caller did wrong is a verdict, never one of these.

use crate::records::RecordId;
use thiserror::Error;

/// A row whose checksum is not that of its columns, or that does not follow its form, with the id as far as it can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RottenRow {
    /// A record.
    Record(RecordId),
    /// An entry of the change log.
    Entry {
        /// Its number.
        number: u64,
        /// The record it is about.
        id: RecordId,
    },
}

impl std::fmt::Display for RottenRow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (RottenRow::Record(id) | RottenRow::Entry { id, .. }) = self;
        if let RottenRow::Entry { number, .. } = self {
            write!(f, "entry {number} of the change log, of ")?;
        }
        let place = id.place;
        let (bits, dataset, sequence) = (place.bits(), place.dataset, place.sequence);
        write!(
            f,
            "the record at place {bits} (dataset {dataset}, sequence {sequence})"
        )
    }
}

/// What a database lacks for what it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Room on its disk.
    Room,
    /// Memory.
    Memory,
    /// A connection for one more session.
    Connections,
    /// Time: the statement, its wait for a lock, or its transaction was cut off.
    Time,
    /// Something else that its settings limit.
    Other,
}

impl std::fmt::Display for Lack {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Lack::Room => "room on its disk; make some there",
            Lack::Memory => {
                "memory; give it more, or servers fewer connections (`--database-connections`)"
            }
            Lack::Connections => {
                "connections; raise its `max_connections` (or the `CONNECTION LIMIT` of the database or the user), or give servers fewer (`--database-connections`)"
            }
            Lack::Time => {
                "time to end a statement: the `statement_timeout`, `lock_timeout` or `transaction_timeout` of its address cut that off, or somebody who cancelled it"
            }
            Lack::Other => "what its settings limit; the cause says what",
        })
    }
}

/// Why a database that is there takes no writes, or must not be written to: the cause of an [`StoreError::Unreachable`].
#[derive(Debug, Error)]
pub enum TakesNoWrites {
    /// It is to be read only.
    #[error("{advice}")]
    ReadOnly {
        /// What to do.
        advice: &'static str,
        /// How it says so.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Several of its hosts take writes.
    #[error("{0}")]
    SeveralPrimaries(String),
}

/// A failure of the store. After one, nothing of the work it answers was done, but after [`Unsettled`](Self::Unsettled).
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Another process has the data folder.
    #[error(
        "the data folder {0} is in use by another process; stop that first, or name another folder with --data"
    )]
    InUse(String),
    /// There is no store to read.
    #[error("the data folder {0} holds no store; make one with `fieldstone init`")]
    Missing(String),
    /// There are files of a store, and its database is gone or empty.
    #[error(
        "the data folder {folder} has {found}, so its store is lost or not there yet; mount the volume or restore the database, or begin an empty store there with `fieldstone serve --create` or `fieldstone init --create`"
    )]
    Lost {
        /// The data folder.
        folder: String,
        /// What is there and what is not.
        found: String,
    },
    /// The database in a data folder is a link to another place.
    #[error(
        "{0} is a link, and a store is one folder with its log and its lock; give the folder that the database is in with --data, or bring the database here, with what is beside it, while no server runs"
    )]
    Linked(String),
    /// The database in a data folder, or its log, is one file with another name, and is to be written or in use.
    #[error(
        "{0} has a second name (a hard link), by which another server could write it beside a log of its own, and one of them would lose what it wrote; remove the other name, or copy the whole folder while no server runs (`cp -a FOLDER COPY`, without -l) and use the copy: its lock, its index and its secrets may have second names, too"
    )]
    SecondName(String),
    /// The data folder, or the disk that it is on, can't be written.
    #[error(
        "the data folder {folder} can't be written; let this user write there, or look into the store with `fieldstone serve --read-only`"
    )]
    Unwritable {
        /// The data folder.
        folder: String,
        /// What failed.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A restore broke off before the database was in place.
    #[error(
        "a restore broke off in the data folder {folder}, or is under way; restore again, which takes away {found}, or remove it and begin an empty store"
    )]
    Unrestored {
        /// The data folder.
        folder: String,
        /// What the restore left.
        found: String,
    },
    /// A database was in use when it was copied, or when its machine lost power, and its write-ahead log is missing or
    /// another's: what was written last may be lost.
    #[error(
        "the database {database} {found}, so what was written last may be lost; bring back both files of one moment or restore a backup, or go on without with `fieldstone serve --without-log`"
    )]
    LogLost {
        /// The database's file.
        database: String,
        /// What is wrong.
        found: &'static str,
    },
    /// A file of the store was removed, replaced or moved while it was open: what is written there is in no
    /// store.
    #[error(
        "{0} is no longer the file that was opened, so nothing is written; put it back, or stop the service and start it again"
    )]
    Replaced(String),
    /// The store was opened to be read only.
    #[error("the store is open for reading only")]
    ReadOnly,
    /// The folder can't be written, and a log there holds writes that can't be read without.
    #[error(
        "{0} holds writes, and the folder can't be written, which reading them asks for; copy the folder to a disk that can be written and use the copy"
    )]
    UnreadLog(String),
    /// The store is to be read only, and is of an older version.
    #[error(
        "the store has version {found}, older than this program's {known}, and is to be read only; open it once without that, to bring it to this version"
    )]
    Older {
        /// Its version.
        found: i64,
        /// This program's.
        known: i64,
    },
    /// The store was written by a newer version.
    #[error(
        "the store has version {found}, newer than this program's {known}; use the version of the program that brought it there, or a later one"
    )]
    Newer {
        /// Its version.
        found: i64,
        /// The newest this program knows.
        known: i64,
    },
    /// A store was being moved here, and not all of it came.
    #[error(
        "{0} holds a part of a store that was moved there and is not whole; give the same `fieldstone move` again, and it goes on"
    )]
    HalfMoved(String),
    /// There is no room to try something on a copy.
    #[error(
        "this needs a copy of the store, and {folder} has {free} of the {needed} bytes that are to be free for it; make room there"
    )]
    NoRoomForCopy {
        /// Where it would be.
        folder: String,
        /// Bytes that are to be free.
        needed: u64,
        /// Bytes that are.
        free: u64,
    },
    /// The store is shutting down.
    #[error("the store is closed")]
    Closed,
    /// The work took longer than it may.
    #[error("the work took longer than it may, and was given up")]
    TimedOut,
    /// The work panicked; what it had begun was taken back.
    #[error("work inside the store panicked; it was taken back")]
    Panicked,
    /// Places are numbers of limited size, and the dataset's are used up.
    #[error("dataset number {dataset} has no place for another record; use another dataset")]
    NoPlace {
        /// The dataset's number.
        dataset: u32,
    },
    /// The tenant has as many records as it may have, on all servers together.
    #[error("the tenant may have {quota} records, and this would be more")]
    RecordsFull {
        /// How many it may have.
        quota: u64,
    },
    /// Whenever the request was judged, the catalog changed before it was written.
    #[error("the catalog changed each time the request was judged; it was given up")]
    Overtaken,
    /// Something stored can't be read.
    #[error("the store is damaged: {0}; run `fieldstone check`")]
    Damaged(String),
    /// The search index can't be read as it was written; it answers nothing until it was made anew.
    #[error("the search index is damaged")]
    IndexDamaged,
    /// The search index was emptied, to be made anew, since it was known to have what is looked for.
    #[error("the search index is being made anew")]
    IndexEmptied,
    /// The search index was made by another version of the program.
    #[error("the search index is of version {found}, and this program has version {meant}")]
    IndexVersion {
        /// The version of the index.
        found: i64,
        /// The one that this program makes.
        meant: i64,
    },
    /// The file of the search index is there, and what an index begins with is not in it.
    #[error(
        "the search index was begun and is not there: its disk failed or was full meanwhile, or the program ended"
    )]
    IndexUnmade,
    /// A stored row is not as it was written.
    #[error("{0} is not as it was written; run `fieldstone check` and restore a backup")]
    Rotten(RottenRow),
    /// A stored document can't be read, or a noun can't be written as one.
    #[error("the document of {what} does not follow its form; run `fieldstone check`")]
    Document {
        /// What it describes.
        what: String,
        /// Where it fails.
        source: serde_json::Error,
    },
    /// The address of a database, or what belongs to it, can't be read.
    #[error("the address of the database can't be read; write it as postgres://USER@HOST/NAME")]
    Address(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database can't be reached, or this server has no connection to spare; what was asked was not done, and can be asked again.
    #[error("the database can't be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database was reached and lets nobody in by this address and password; what was asked was not done.
    #[error("the database refuses the connection")]
    Refused(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database answers, and lacks something; what was asked was not done, and can be asked again.
    #[error("the database lacks {what}")]
    Lacking {
        /// What it lacks.
        what: Lack,
        /// How it says so.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The database took the work back for the sake of others, or did not know its end, however often it was tried; nothing of it was
    /// done, and it can be asked again.
    #[error("the database took the work back for the sake of others each time it was tried")]
    RolledBack(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database went away while work was committed, and stayed away: the work may have been done.
    #[error("the database can't be reached, and whether the work was done is not known")]
    Unsettled(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Another program holds the database's lock; nothing was done, and it can be asked again.
    #[error("another program has the store's database locked; end its transaction or close it")]
    Locked(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The database failed.
    #[error("the database failed")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// A file failed.
    #[error("a file of the store failed")]
    File(#[from] std::io::Error),
}

/// An error and everything beneath it.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}
