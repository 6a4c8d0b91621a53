//! Whether contents are still as they were uploaded: they are there, have their size, and, where they are read, their
//! checksum. It changes nothing.

use super::{FileStorage, stored};
use bytes::Bytes;
use object_store::ObjectStoreExt as _;
use sha2::{Digest as _, Sha256};
use std::future::poll_fn;
use store::StoreError;
use store::files::StoredFile;

/// What is wrong with a content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ContentProblem {
    /// It is gone.
    #[error("its content is not there")]
    Missing,
    /// It was cut, or something was added.
    #[error("its content has {found} bytes, not {meant}")]
    Size {
        /// Bytes it had when it was uploaded.
        meant: u64,
        /// Bytes that are there.
        found: u64,
    },
    /// It is another.
    #[error("its content is not as it was uploaded: the checksum differs")]
    Checksum,
    /// Something else is there, as a pipe, from which nobody may ever read.
    #[error("its content is no file")]
    NoFile,
    /// It is there, and its folder or the disk does not let it be read.
    #[error("its content can't be read: {0}")]
    Unread(String),
}

/// A whole content, piece by piece.
pub struct ContentReader {
    pub(super) pieces: super::Contents,
}

impl std::fmt::Debug for ContentReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ContentReader").finish_non_exhaustive()
    }
}

impl ContentReader {
    /// The next piece; `None` after the last.
    ///
    /// # Errors
    /// The storage's.
    pub async fn next(&mut self) -> Result<Option<Bytes>, StoreError> {
        let next =
            poll_fn(|context| futures_core::Stream::poll_next(self.pieces.as_mut(), context));
        next.await.transpose().map_err(stored)
    }
}

impl FileStorage {
    /// Opens the content of a file, to copy it.
    ///
    /// # Errors
    /// The storage's.
    pub async fn content(&self, file: &StoredFile) -> Result<ContentReader, StoreError> {
        let content = self.objects.get(&Self::path(file)).await.map_err(stored)?;
        let pieces = content.into_stream();
        Ok(ContentReader { pieces })
    }

    /// What is wrong with the size of a file's content, if anything is. It asks for that alone.
    ///
    /// # Errors
    /// The storage's.
    pub async fn size_problem(
        &self,
        file: &StoredFile,
    ) -> Result<Option<ContentProblem>, StoreError> {
        if self.is_no_file(file).await {
            return Ok(Some(ContentProblem::NoFile));
        }
        let found = match self.objects.head(&Self::path(file)).await {
            Err(object_store::Error::NotFound { .. }) => return Ok(Some(ContentProblem::Missing)),
            Err(error) => return self.unread(stored(error)).map(Some),
            Ok(found) => found.size,
        };
        let meant = file.size;
        Ok((found != meant).then_some(ContentProblem::Size { meant, found }))
    }

    /// What is wrong with the content of a file, if anything is: its size, or what is read of it, which takes as long as a
    /// download.
    ///
    /// # Errors
    /// The storage's.
    pub async fn content_problem(
        &self,
        file: &StoredFile,
    ) -> Result<Option<ContentProblem>, StoreError> {
        let of_size = self.size_problem(file).await?;
        if of_size.is_some() {
            return Ok(of_size);
        }
        match self.checksum(file).await {
            Err(error) => self.unread(error).map(Some),
            Ok(found) => Ok((found != file.sha256).then_some(ContentProblem::Checksum)),
        }
    }

    /// SHA-256 of a file's content as it is read, in hex.
    async fn checksum(&self, file: &StoredFile) -> Result<String, StoreError> {
        let mut content = self.content(file).await?;
        let mut hash = Sha256::new();
        while let Some(piece) = content.next().await? {
            hash.update(&piece);
        }
        Ok(super::hex(&hash.finalize()))
    }

    /// What it is of one content that it can't be read. In a folder, the others are none the worse; a bucket that fails may
    /// not answer for any, and may later, so there it is an error still.
    ///
    /// # Errors
    /// The same, of a bucket.
    pub fn unread(&self, error: StoreError) -> Result<ContentProblem, StoreError> {
        match (&self.folder, error) {
            (Some(_), StoreError::File(error)) => Ok(ContentProblem::Unread(error.to_string())),
            (_, error) => Err(error),
        }
    }

    /// Whether something that is no file is where a content should be. It is not opened: that waits for who writes a pipe.
    async fn is_no_file(&self, file: &StoredFile) -> bool {
        let Some(folder) = &self.folder else {
            return false;
        };
        let found = tokio::fs::metadata(folder.join(&file.dataset).join(&file.id)).await;
        found.is_ok_and(|found| !found.is_file() && !found.is_dir())
    }
}
