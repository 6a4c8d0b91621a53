//! The data folder, or a database with a folder beside it, opened: which store, which storage of files and which settings its service gets. What
//! becomes of the parts, the service knows.

use crate::backup;
use crate::file_options::FileOptions;
use crate::freshness::fresh;
use crate::private_files;
use crate::settings::Common;
use crate::webhook_options::WebhookOptions;
use anyhow::{Context as _, bail};
use axum::Router;
use postgres::{PostgresOptions, PostgresStore};
use service::files::{FileSettings, FileStorage};
use service::{FileParts, JOBS_FOLDER, Parts, Service, Settings};
use sqlite::{SqliteFolder, SqliteOptions, SqliteSearch, SqliteStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::search::SearchIndex;
use store::{Records as _, StoreError};

/// Where the store is.
enum Engine {
    /// In the data folder.
    Folder(Arc<SqliteStore>),
    /// In a database.
    Database(Arc<PostgresStore>),
}

/// An open data folder, or a database with the folder beside it.
pub(crate) struct Deployment {
    store: Engine,
    service: Arc<Service>,
    storage: Option<FileStorage>,
    secret_file: PathBuf,
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
            store: Engine::Folder(store),
            service,
            storage: None,
            secret_file: signing_secret_file,
        })
    }

    /// Opens a database for one command, which is over before there is anything to see to.
    pub(crate) async fn database_for_command(
        address: &str,
        common: &Common,
        settings: Settings,
    ) -> Result<Self, StoreError> {
        let store = Arc::new(PostgresStore::open(address, PostgresOptions::default()).await?);
        let files = FileParts {
            files: store.clone(),
            storage: FileStorage::in_data_folder(&common.data)?,
            settings: FileSettings::default(),
        };
        let service = Service::open(Parts {
            settings,
            files: Some(files),
            signing_secret_file: common.signing_secret_file_of_database(),
            job_folder: Some(common.data.join(JOBS_FOLDER)),
            schedule: None,
            ..Parts::new(store.clone())
        });
        Ok(Deployment {
            store: Engine::Database(store),
            service: service.await?,
            storage: None,
            secret_file: common.signing_secret_file(),
        })
    }

    /// Opens a database to serve it. The search index is this server's own, in its data folder: it follows the change log,
    /// whichever server wrote.
    async fn database_for_server(
        address: &str,
        common: &Common,
        settings: Settings,
        (file_options, webhooks): (&FileOptions, &WebhookOptions),
    ) -> anyhow::Result<Self> {
        let folder = &common.data;
        let bucket = file_options.storage.bucket().await?;
        let store = PostgresStore::open(address, PostgresOptions::default());
        let store = store.await.context("can't open the database")?;
        let store = Arc::new(store);
        if bucket.is_none() {
            tracing::warn!(
                folder = %folder.display(),
                "uploaded files are kept in this server's data folder: other servers on the database do not have them; give --s3-bucket, or a folder that all share"
            );
        }
        // it makes the folder
        let storage = match bucket {
            Some(storage) => storage,
            None => FileStorage::in_data_folder(folder)?,
        };
        private_files::warn_if_open(folder);
        std::fs::create_dir_all(folder)?;
        let files = FileParts {
            files: store.clone(),
            storage: storage.clone(),
            settings: file_options.settings(),
        };
        let service = Service::open(Parts {
            settings,
            files: Some(files),
            index: Some(Arc::new(SqliteSearch::open_alone(folder)?)),
            webhooks: Some(webhooks.parts(store.clone())?),
            signing_secret_file: common.signing_secret_file_of_database(),
            job_folder: Some(folder.join(JOBS_FOLDER)),
            ..Parts::new(store.clone())
        });
        Ok(Deployment {
            store: Engine::Database(store),
            service: service.await?,
            storage: Some(storage),
            secret_file: common.signing_secret_file(),
        })
    }

    /// Opens a folder, or the database that was named, to serve it.
    pub(crate) async fn for_server(
        common: &Common,
        options: SqliteOptions,
        settings: Settings,
        (file_options, webhooks): (&FileOptions, &WebhookOptions),
    ) -> anyhow::Result<Self> {
        if let Some(address) = &common.database {
            let options = (file_options, webhooks);
            return Self::database_for_server(address, common, settings, options).await;
        }
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
            webhooks: Some(webhooks.parts(store.clone())?),
            signing_secret_file: Some(signing_secret_file.clone()),
            job_folder: Some(folder.join(JOBS_FOLDER)),
            ..Parts::new(store.clone())
        });
        let service = service.await?;
        private_files::warn_if_readable(&signing_secret_file);
        Ok(Deployment {
            store: Engine::Folder(store),
            service,
            storage,
            secret_file: signing_secret_file,
        })
    }

    /// A router of the service, so that each request sees what is committed by then, also by other servers.
    pub(crate) fn fresh(&self, router: Router) -> Router {
        match &self.store {
            Engine::Folder(_) => router,
            Engine::Database(store) => fresh(router, store.clone()),
        }
    }

    /// What backups are made of. It is to be gone before the store is closed.
    pub(crate) fn backup_source(&self) -> backup::Source {
        backup::Source {
            storage: self.storage.clone(),
            secret_file: self.secret_file.clone(),
            store: match &self.store {
                Engine::Folder(store) => backup::Store::Open(store.clone(), self.service.clone()),
                Engine::Database(_) => backup::Store::InDatabase,
            },
        }
    }

    /// Whether the folder is only read.
    pub(crate) fn is_read_only(&self) -> bool {
        match &self.store {
            Engine::Folder(store) => store.is_read_only(),
            Engine::Database(_) => false,
        }
    }

    /// The service.
    pub(crate) fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Writes what is still to be written and closes the store.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.service.close().await?;
        drop(self.service);
        if let Engine::Folder(store) = self.store {
            let Some(store) = Arc::into_inner(store) else {
                bail!("something still holds the store, so it was not closed clean");
            };
            store.close();
        }
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
