//! Whether contents are still as they were uploaded: they are there, have their size, and, where they are read, their
//! checksum. It changes nothing.

use super::{FileStorage, stored};
use bytes::Bytes;
use object_store::ObjectStoreExt as _;
use sha2::{Digest as _, Sha256};
use std::future::poll_fn;
use std::pin::pin;
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
        let found = match self.objects.head(&Self::path(file)).await {
            Err(object_store::Error::NotFound { .. }) => return Ok(Some(ContentProblem::Missing)),
            found => found.map_err(stored)?.size,
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
        let content = self.objects.get(&Self::path(file)).await.map_err(stored)?;
        let mut pieces = pin!(content.into_stream());
        let mut hash = Sha256::new();
        while let Some(piece) =
            poll_fn(|context| futures_core::Stream::poll_next(pieces.as_mut(), context)).await
        {
            hash.update(&piece.map_err(stored)?);
        }
        let is_same = super::hex(&hash.finalize()) == file.sha256;
        Ok((!is_same).then_some(ContentProblem::Checksum))
    }
}
