//! The contract of what is known of uploaded files. There may be many, so they are rows of their own and
//! not nouns of the catalog. Their content is kept elsewhere; whether a record refers to them, the
//! records alone know.

use super::StoreFuture;
use serde::{Deserialize, Serialize};
use wire::Timestamp;

/// One uploaded file. It never changes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredFile {
    /// Its id.
    pub id: String,
    /// The id of the dataset it was uploaded to.
    pub dataset: String,
    /// The name it was uploaded under.
    pub name: String,
    /// The media type of its content, sniffed.
    pub media_type: String,
    /// Its size in bytes.
    pub size: u64,
    /// Its width in pixels, where it is an image that can be measured.
    pub width: Option<u64>,
    /// Its height in pixels, where it is an image that can be measured.
    pub height: Option<u64>,
    /// SHA-256 of its content, in hex.
    pub sha256: String,
    /// When it was uploaded.
    pub created_at: Timestamp,
}

/// A file and how it fares.
#[derive(Clone, Debug, PartialEq)]
pub struct FileRow {
    /// The file.
    pub file: StoredFile,
    /// Since when no record refers to it, as far as was seen.
    pub condemned_at: Option<Timestamp>,
}

/// How much the files of a tenant may be in all.
#[derive(Clone, Debug)]
pub struct FileRoom {
    /// Whose they are.
    pub tenant: String,
    /// The ids of all datasets of the tenant.
    pub datasets: Vec<String>,
    /// Bytes that all of them may have.
    pub bytes_max: u64,
}

/// The contract of a store of files.
pub trait Files: Send + Sync {
    /// Puts a new file in.
    fn put_file(&self, file: StoredFile) -> StoreFuture<'_, ()>;

    /// Keeps a file if its tenant has room for it, whichever servers keep files at the same moment; whether it had. A store
    /// that nobody shares asks nothing: who puts the file has looked.
    fn put_file_within(&self, file: StoredFile, room: FileRoom) -> StoreFuture<'_, bool> {
        let _ = room;
        let put = self.put_file(file);
        Box::pin(async move { put.await.map(|()| true) })
    }

    /// A file by its id.
    fn file(&self, id: &str) -> StoreFuture<'_, Option<FileRow>>;

    /// The same of several ids, in any order; nothing of those that are not there.
    fn files_of(&self, ids: Vec<String>) -> StoreFuture<'_, Vec<FileRow>>;

    /// The files of a dataset that were uploaded before a moment or are condemned, whenever they came: those of which is to be
    /// seen whether a record refers to them.
    fn doubtful_files(&self, dataset: &str, before: Timestamp) -> StoreFuture<'_, Vec<FileRow>>;

    /// The bytes of all files of these datasets together, in one look.
    fn file_bytes(&self, datasets: Vec<String>) -> StoreFuture<'_, u64>;

    /// Marks files of a dataset as referred to by no record; what another one's have of these ids stays as it is.
    fn condemn_files(&self, dataset: &str, ids: Vec<String>, at: Timestamp) -> StoreFuture<'_, ()>;

    /// Takes the mark back; whether the file is still there. A file that is can't be
    /// [removed](Self::remove_file) before it is condemned again.
    fn reprieve_file(&self, id: &str) -> StoreFuture<'_, bool>;

    /// Removes a file that was condemned before a moment; whether it was.
    fn remove_file(&self, id: &str, condemned_before: Timestamp) -> StoreFuture<'_, bool>;
}
