//! Objects of a storage, written piece by piece: by names of their own, for who keeps something else there than contents of
//! files, and contents that come from another storage. What is in them is not looked at, and nothing else is overwritten.

use super::{ContentReader, FileStorage, stored};
use object_store::buffered::BufWriter;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore as _, ObjectStoreExt as _, PutMode, PutOptions, PutPayload};
use std::future::poll_fn;
use store::StoreError;
use store::files::StoredFile;
use tokio::io::AsyncWriteExt as _;

/// How much is held back before the storage gets a part; less than that is written in one go.
const PART_BYTES: usize = 8 << 20;

/// An object on its way. It is there when it was finished, and not before.
pub struct ObjectWriter {
    writer: BufWriter,
}

impl std::fmt::Debug for ObjectWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ObjectWriter").finish_non_exhaustive()
    }
}

impl ObjectWriter {
    /// Writes what comes next.
    ///
    /// # Errors
    /// The storage's.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.writer.write_all(bytes).await.map_err(stored)
    }

    /// Ends it: it is there then.
    ///
    /// # Errors
    /// The storage's.
    pub async fn finish(mut self) -> Result<(), StoreError> {
        self.writer.shutdown().await.map_err(stored)
    }

    /// Takes back what was written.
    pub async fn give_up(mut self) {
        // what is left of parts, the storage's own rules remove
        let _ = self.writer.abort().await;
    }
}

impl FileStorage {
    /// Begins an object. Who calls looks before whether there is one of this name.
    pub fn begin_object(&self, name: &str) -> ObjectWriter {
        self.begin(ObjectPath::from(name))
    }

    /// Begins the content of a file that is known already, as when it comes from another storage. One that is there is
    /// overwritten at the end.
    pub fn begin_content(&self, file: &StoredFile) -> ObjectWriter {
        self.begin(Self::path(file))
    }

    fn begin(&self, path: ObjectPath) -> ObjectWriter {
        ObjectWriter {
            writer: BufWriter::with_capacity(self.objects.clone(), path, PART_BYTES),
        }
    }

    /// Puts a small object where there is none of this name, which the storage itself sees to; whether it did.
    ///
    /// # Errors
    /// The storage's, which may know no such request.
    pub async fn put_new_object(&self, name: &str, content: String) -> Result<bool, StoreError> {
        let (path, payload) = (ObjectPath::from(name), PutPayload::from(content));
        let options = PutOptions::from(PutMode::Create);
        match self.objects.put_opts(&path, payload, options).await {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. }) => Ok(false),
            Err(error) => Err(stored(error)),
        }
    }

    /// An object, to be read; `None` where there is none of this name.
    ///
    /// # Errors
    /// The storage's.
    pub async fn object(&self, name: &str) -> Result<Option<ContentReader>, StoreError> {
        match self.objects.get(&ObjectPath::from(name)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            found => Ok(Some(ContentReader {
                pieces: found.map_err(stored)?.into_stream(),
            })),
        }
    }

    /// Whether there is an object of a name.
    ///
    /// # Errors
    /// The storage's.
    pub async fn has_object(&self, name: &str) -> Result<bool, StoreError> {
        match self.objects.head(&ObjectPath::from(name)).await {
            Err(object_store::Error::NotFound { .. }) => Ok(false),
            found => found.map(|_| true).map_err(stored),
        }
    }

    /// The names of all objects.
    ///
    /// # Errors
    /// The storage's.
    pub async fn object_names(&self) -> Result<Vec<String>, StoreError> {
        let mut names = Vec::new();
        let mut objects = self.objects.list(None);
        while let Some(object) = poll_fn(|context| objects.as_mut().poll_next(context)).await {
            names.push(object.map_err(stored)?.location.to_string());
        }
        Ok(names)
    }

    /// Removes an object.
    ///
    /// # Errors
    /// The storage's.
    pub async fn remove_object(&self, name: &str) -> Result<(), StoreError> {
        super::leftovers::gone(self.objects.delete(&ObjectPath::from(name)).await)
    }
}
