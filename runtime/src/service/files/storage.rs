//! Where the content of files is kept: a folder, or S3-compatible storage. Each content is one object,
//! written once.

use crate::store::StoreError;
use crate::store::files::StoredFile;
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use std::path::Path;
use std::sync::Arc;

/// A place for the content of files.
#[derive(Clone, Debug)]
pub struct FileStorage {
    pub(super) objects: Arc<dyn ObjectStore>,
}

impl FileStorage {
    /// A folder, made if it is not there. What is written is synced to disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn folder(folder: &Path) -> Result<Self, StoreError> {
        std::fs::create_dir_all(folder)?;
        let objects = LocalFileSystem::new_with_prefix(folder).map_err(super::stored)?;
        let objects = objects.with_fsync(true).with_automatic_cleanup(true);
        Ok(FileStorage {
            objects: Arc::new(objects),
        })
    }

    /// A bucket of S3-compatible storage, and the prefix of all objects in it (may be empty). The options
    /// are named as in the AWS environment, without regard to case: `aws_bucket`, `aws_endpoint`,
    /// `aws_region`, `aws_access_key_id`, `aws_secret_access_key`, `aws_allow_http` …
    ///
    /// # Errors
    /// When an option is unknown or something is missing.
    #[cfg(feature = "s3")]
    pub fn s3<'o>(
        options: impl IntoIterator<Item = (&'o str, &'o str)>,
        prefix: &str,
    ) -> Result<Self, StoreError> {
        // the connections' library has no provider of its own; one that is set already is as good
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = object_store::aws::AmazonS3Builder::new();
        for (name, value) in options {
            let key = name.to_ascii_lowercase().parse().map_err(super::stored)?;
            builder = builder.with_config(key, value);
        }
        let objects: Arc<dyn ObjectStore> = Arc::new(builder.build().map_err(super::stored)?);
        Ok(match prefix {
            "" => FileStorage { objects },
            prefix => {
                let objects = object_store::prefix::PrefixStore::new(objects, prefix);
                FileStorage::of(Arc::new(objects))
            }
        })
    }

    /// Any object store, for those who embed the service.
    pub fn of(objects: Arc<dyn ObjectStore>) -> Self {
        FileStorage { objects }
    }

    /// Where a file's content is.
    pub(super) fn path(file: &StoredFile) -> ObjectPath {
        Self::path_of(&file.dataset, &file.id)
    }

    pub(super) fn path_of(dataset: &str, id: &str) -> ObjectPath {
        ObjectPath::from_iter([dataset, id])
    }
}
