//! Backups: one stream of everything that a store is made of, as of one commit, from which it can be begun elsewhere.
//! It is made while the store is served, and taken to where it is kept by who asked for it. When one is made, and
//! which are kept, `schedule` says; what the words in a store mean, nobody here knows.

mod archive;
mod bucket;
mod keeping;
mod names;
mod restoring;
mod room;
mod schedule;
mod source;
mod unpacked;

pub(crate) use archive::Contents;
pub(crate) use bucket::{bucket_of, from_bucket, object_of, to_bucket};
pub(crate) use keeping::{
    Incoming, KeptBackup, folder_of, refuse_what_is_there, require_empty, room_beside,
    room_elsewhere, room_for_folder, to_file, to_folder,
};
pub(crate) use restoring::restore;
pub(crate) use room::{Room, take_away_rooms};
pub(crate) use schedule::{Place, Schedule, keep};
pub(crate) use source::{DatabasePlace, Source, Store};
pub(crate) use unpacked::{Unpacked, is_backup};

/// Where a running server gives backups to the commands of its machine.
pub(crate) const PATH: &str = "/backup";
/// How the names of backups end that are one file.
pub(crate) const ENDING: &str = ".tar.zst";

/// The database in a backup.
const DATABASE: &str = "fieldstone.db";
/// The signing secrets in a backup.
const SECRETS: &str = "fieldstone.secret";
/// The folder of contents of files in a backup.
const FILES: &str = "files";
