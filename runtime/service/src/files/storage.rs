//! Where the content of files is kept: a folder, or S3-compatible storage. Each content is one object,
//! written once.

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use store::files::StoredFile;

/// How long a storage that fails is asked again: someone waits for the answer.
#[cfg(feature = "s3")]
const RETRY_TIME_MAX: Duration = Duration::from_secs(20);
/// How long a storage may take to show that it is there.
const PROBE_TIME_MAX: Duration = Duration::from_secs(5);

/// The folder of files in a data folder.
const FILES_FOLDER: &str = "files";

/// How the object store tells of an answer that blames who asked (status 4xx); for lists it has no error
/// of another kind.
const REFUSAL: &str = "non-2xx status code: 4";

/// Why a storage can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StorageProblem {
    /// It is there and says no: the credentials or the place are wrong, or lack a right.
    #[error("the storage refuses: {0}")]
    Refused(String),
    /// It does not answer as it should; it may later.
    #[error("the storage does not answer as it should: {0}")]
    Silent(String),
    /// It does not answer in time; it may later.
    #[error("the storage does not answer within {} seconds", PROBE_TIME_MAX.as_secs())]
    Late,
}

/// A place for the content of files.
#[derive(Clone, Debug)]
pub struct FileStorage {
    pub(super) objects: Arc<dyn ObjectStore>,
    /// The folder, where it is one.
    pub(super) folder: Option<Arc<Path>>,
}

impl FileStorage {
    /// A folder, made for this user alone if it is not there. What is written is synced to disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn folder(folder: &Path) -> Result<Self, StoreError> {
        store::folders::make_folder_of_store(folder)?;
        let objects = LocalFileSystem::new_with_prefix(folder).map_err(super::stored)?;
        let objects = objects.with_fsync(true).with_automatic_cleanup(true);
        Ok(FileStorage {
            folder: Some(folder.into()),
            ..FileStorage::of(Arc::new(objects))
        })
    }

    /// The folder `files` of a data folder: where they are unless something else was set.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn in_data_folder(data: &Path) -> Result<Self, StoreError> {
        Self::folder(&data.join(FILES_FOLDER))
    }

    /// The same where that folder is there, and `None` where it is not: for who only reads, and makes nothing.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn in_data_folder_as_it_is(data: &Path) -> Result<Option<Self>, StoreError> {
        let folder = data.join(FILES_FOLDER);
        folder.is_dir().then(|| Self::folder(&folder)).transpose()
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
        let retry = object_store::RetryConfig {
            retry_timeout: RETRY_TIME_MAX,
            ..object_store::RetryConfig::default()
        };
        // not every storage removes several objects by one request, and here they go one by one
        let builder = object_store::aws::AmazonS3Builder::new().with_disable_bulk_delete(true);
        let mut builder = builder.with_retry(retry);
        for (name, value) in options {
            let key = name.to_ascii_lowercase().parse().map_err(super::stored)?;
            builder = builder.with_config(key, value);
        }
        let objects: Arc<dyn ObjectStore> = Arc::new(builder.build().map_err(super::stored)?);
        Ok(match prefix {
            "" => FileStorage::of(objects),
            prefix => {
                let objects = object_store::prefix::PrefixStore::new(objects, prefix);
                FileStorage::of(Arc::new(objects))
            }
        })
    }

    /// Any object store, for those who embed the service.
    pub fn of(objects: Arc<dyn ObjectStore>) -> Self {
        FileStorage {
            objects,
            folder: None,
        }
    }

    /// Asks the storage for its first object, as the cleaning does: whether it can be used.
    ///
    /// # Errors
    /// When it can't.
    pub async fn probe(&self) -> Result<(), StorageProblem> {
        let mut objects = self.objects.list(None);
        let first = std::future::poll_fn(|context| objects.as_mut().poll_next(context));
        let Ok(first) = tokio::time::timeout(PROBE_TIME_MAX, first).await else {
            return Err(StorageProblem::Late);
        };
        let Some(Err(error)) = first else {
            return Ok(());
        };
        let text = root_of(&error);
        Err(if text.contains(REFUSAL) {
            StorageProblem::Refused(text)
        } else {
            StorageProblem::Silent(text)
        })
    }

    /// Where a file's content is.
    pub(super) fn path(file: &StoredFile) -> ObjectPath {
        Self::path_of(&file.dataset, &file.id)
    }

    pub(super) fn path_of(dataset: &str, id: &str) -> ObjectPath {
        ObjectPath::from_iter([dataset, id])
    }
}

/// What went wrong at the root. The object store's errors each repeat what is beneath them.
fn root_of(error: &(dyn std::error::Error + 'static)) -> String {
    let mut root = error;
    while let Some(source) = root.source() {
        root = source;
    }
    root.to_string()
}
