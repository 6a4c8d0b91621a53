//! What uploads left behind that broke off, or that a crash ended: contents without a file, and halves of
//! contents. Only what lies where this store's own files lie is touched: others may share the bucket.

use super::links::is_file_id;
use super::{FileBackend, stored};
use crate::Service;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore as _, ObjectStoreExt as _};
use std::future::poll_fn;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use store::StoreError;
use wire::Timestamp;

/// How long a content may wait for its file at least, whatever the grace of files is: longer than any
/// upload takes.
const WAIT_SECONDS: i64 = 3600;

impl Service {
    /// Removes what is left; how many there were.
    pub(super) async fn clean_leftovers(&self, backend: &FileBackend) -> Result<usize, StoreError> {
        let wait = backend.settings.grace_seconds.max(WAIT_SECONDS);
        let before = self.now().plus_seconds(-wait);
        let mut cleaned = 0;
        let mut objects = backend.storage.objects.list(None);
        while let Some(object) = poll_fn(|context| objects.as_mut().poll_next(context)).await {
            let object = object.map_err(stored)?;
            if object.last_modified.timestamp_millis() >= before.millis() {
                continue;
            }
            let Some(id) = self.own_id(&object.location) else {
                continue;
            };
            if backend.files.file(&id).await?.is_none() {
                gone(backend.storage.objects.delete(&object.location).await)?;
                cleaned += 1;
            }
        }
        if let Some(folder) = &backend.storage.folder {
            let catalog = self.store().catalog();
            let folders: Vec<PathBuf> = catalog.datasets.keys().map(|id| folder.join(id)).collect();
            let removed = tokio::task::spawn_blocking(move || remove_halves(&folders, before));
            cleaned += removed.await.map_err(std::io::Error::other)??;
        }
        Ok(cleaned)
    }

    /// The id of the file whose content is here, if it is one of this store's datasets.
    fn own_id(&self, location: &ObjectPath) -> Option<String> {
        let parts: Vec<_> = location.parts().collect();
        let [dataset, id] = parts.as_slice() else {
            return None;
        };
        let catalog = self.store().catalog();
        let is_own = catalog.datasets.contains_key(dataset.as_ref()) && is_file_id(id.as_ref());
        is_own.then(|| id.as_ref().to_owned())
    }
}

/// Removes contents that were never finished, which the object store hides.
fn remove_halves(folders: &[PathBuf], before: Timestamp) -> std::io::Result<usize> {
    let before = UNIX_EPOCH + Duration::from_millis(u64::try_from(before.millis()).unwrap_or(0));
    let mut removed = 0;
    for folder in folders {
        let entries = match std::fs::read_dir(folder) {
            Ok(entries) => entries,
            // most datasets have no files
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            if !is_half(Path::new(&entry.file_name())) {
                continue;
            }
            match remove_old(&entry, before) {
                Ok(is_removed) => removed += usize::from(is_removed),
                // another server of the folder was faster
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
    }
    Ok(removed)
}

/// Removes a file that was written before a moment; whether it was.
fn remove_old(entry: &std::fs::DirEntry, before: SystemTime) -> std::io::Result<bool> {
    let is_old = entry.metadata()?.modified()? < before;
    if is_old {
        std::fs::remove_file(entry.path())?;
    }
    Ok(is_old)
}

/// Whether a name is that of an unfinished content: the file's id, `#` and a number.
fn is_half(name: &Path) -> bool {
    let parts = name.to_str().and_then(|name| name.split_once('#'));
    parts.is_some_and(|(id, number)| {
        is_file_id(id) && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// What was gone already is gone.
pub(super) fn gone(deleted: Result<(), object_store::Error>) -> Result<(), StoreError> {
    match deleted {
        Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
        Err(error) => Err(stored(error)),
    }
}
