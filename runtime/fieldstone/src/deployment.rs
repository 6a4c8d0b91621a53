//! The data folder, opened: which store, which storage of files and which settings its service gets. What
//! becomes of the parts, the service knows.

use crate::backup;
use crate::file_options::FileOptions;
use crate::private_files;
use crate::settings::Common;
use crate::webhook_options::WebhookOptions;
use anyhow::bail;
use service::files::{FileSettings, FileStorage};
use service::{FileParts, JOBS_FOLDER, Parts, Service, Settings};
use sqlite::{SqliteFolder, SqliteOptions, SqliteSearch, SqliteStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::search::SearchIndex;
use store::{Records as _, StoreError};

/// An open data folder.
pub(crate) struct Deployment {
    folder: PathBuf,
    store: Arc<SqliteStore>,
    service: Arc<Service>,
    storage: Option<FileStorage>,
    secret_file: PathBuf,
    /// Whether the index follows what a command writes.
    is_followed: AtomicBool,
}

impl Deployment {
    /// Opens a folder for one command, which is over before there is anything to see to.
    pub(crate) async fn for_command(
        folder: &Path,
        options: SqliteOptions,
        settings: Settings,
        signing_secret_file: PathBuf,
    ) -> Result<Self, StoreError> {
        let store = Arc::new(SqliteStore::open_with(folder, options)?);
        private_files::warn_if_open(folder);
        let files = FileParts {
            files: store.clone(),
            storage: FileStorage::in_data_folder(folder)?,
            settings: FileSettings::default(),
        };
        let service = Service::open(Parts {
            settings,
            files: Some(files),
            signing_secret_file: Some(signing_secret_file.clone()),
            job_folder: Some(folder.join(JOBS_FOLDER)),
            schedule: None,
            ..Parts::new(store.clone())
        });
        let service = service.await?;
        private_files::warn_if_readable(&signing_secret_file);
        Ok(Deployment {
            folder: folder.to_owned(),
            store,
            service,
            storage: None,
            secret_file: signing_secret_file,
            is_followed: AtomicBool::new(false),
        })
    }

    /// Opens a folder to serve it.
    pub(crate) async fn for_server(
        common: &Common,
        options: SqliteOptions,
        settings: Settings,
        (file_options, webhooks): (&FileOptions, &WebhookOptions),
    ) -> anyhow::Result<Self> {
        let folder = &common.data;
        let signing_secret_file = common.signing_secret_file();
        let bucket = file_options.storage.bucket().await?;
        // the store makes the folder, for this user alone
        let SqliteFolder { store, index } = SqliteFolder::open(folder, options)?;
        private_files::warn_if_open(folder);
        let storage = match bucket {
            Some(storage) => Some(storage),
            None => in_folder(folder, store.is_read_only())?,
        };
        let files = storage.clone().map(|storage| FileParts {
            files: store.clone(),
            storage,
            settings: file_options.settings(),
        });
        let service = Service::open(Parts {
            settings,
            files,
            index: index.map(|index| index as Arc<dyn SearchIndex>),
            webhooks: Some(webhooks.parts(&store)?),
            signing_secret_file: Some(signing_secret_file.clone()),
            job_folder: Some(folder.join(JOBS_FOLDER)),
            ..Parts::new(store.clone())
        });
        let service = service.await?;
        private_files::warn_if_readable(&signing_secret_file);
        Ok(Deployment {
            folder: folder.to_owned(),
            store,
            service,
            storage,
            secret_file: signing_secret_file,
            is_followed: AtomicBool::new(false),
        })
    }

    /// What backups are made of. It is to be gone before the store is closed.
    pub(crate) fn backup_source(&self) -> backup::Source {
        backup::Source {
            storage: self.storage.clone(),
            secret_file: self.secret_file.clone(),
            store: backup::Store::Open(self.store.clone(), self.service.clone()),
        }
    }

    /// Works an import off that a command asked for. The search index follows meanwhile, on a core that has nothing else to
    /// do, as far as it is until the command ends: what is left, the next server reads.
    ///
    /// # Errors
    /// Those of the job.
    pub(crate) async fn run_import(&self, id: &str) -> anyhow::Result<()> {
        // once, for all files of a command
        if !self.is_followed.swap(true, Ordering::Relaxed) {
            match SqliteSearch::open(&self.folder) {
                Ok(index) => self.start_search(index),
                // it can be made at any time
                Err(error) => tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the search index does not follow the import; the next server brings it up to date"
                ),
            }
        }
        Ok(self.service.run_job(id).await?)
    }

    fn start_search(&self, index: SqliteSearch) {
        let time_max = self.service.settings().search_time_max;
        self.service.start_search(Arc::new(index), time_max);
    }

    /// Whether the folder is only read.
    pub(crate) fn is_read_only(&self) -> bool {
        self.store.is_read_only()
    }

    /// The service.
    pub(crate) fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Writes what is still to be written and closes the store.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.service.close().await?;
        drop(self.service);
        let Some(store) = Arc::into_inner(self.store) else {
            bail!("something still holds the store, so it was not closed clean");
        };
        store.close();
        Ok(())
    }
}

/// The place for files in a data folder; none where there is no such folder and none can be made.
fn in_folder(folder: &Path, is_read_only: bool) -> Result<Option<FileStorage>, StoreError> {
    match FileStorage::in_data_folder(folder) {
        Err(error) if is_read_only => {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "there is no place for files"
            );
            Ok(None)
        }
        storage => storage.map(Some),
    }
}
