//! The store of a deployment, opened: which store, which storage of files and which settings its service gets. What
//! becomes of the parts, the service knows.

use crate::backup::{self, DatabasePlace};
use crate::engine::Engine;
use crate::file_options::FileOptions;
use crate::private_files;
use crate::settings::Common;
use crate::webhook_options::WebhookOptions;
use anyhow::Context as _;
use postgres::PostgresStore;
use service::files::{FileSettings, FileStorage};
use service::{FileParts, JOBS_FOLDER, Parts, Service, Settings};
use sqlite::{SqliteFolder, SqliteOptions, SqliteSearch, SqliteStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::StoreError;
use store::search::SearchIndex;

/// An open deployment.
pub(crate) struct Deployment {
    folder: PathBuf,
    engine: Engine,
    service: Arc<Service>,
    storage: Option<FileStorage>,
    secret_file: PathBuf,
    /// Whether the index follows what a command writes.
    is_followed: AtomicBool,
}

/// What of a store the service gets.
struct Opened {
    engine: Engine,
    index: Option<Arc<dyn SearchIndex>>,
}

impl Deployment {
    /// Opens a folder for one command, which is over before there is anything to see to.
    pub(crate) async fn for_command(
        folder: &Path,
        options: SqliteOptions,
        settings: Settings,
        signing_secret_file: PathBuf,
    ) -> Result<Self, StoreError> {
        let engine = Engine::Folder(Arc::new(SqliteStore::open_with(folder, options)?));
        private_files::warn_if_open(folder);
        let deployment =
            Self::of_command(engine, folder, settings, Some(&signing_secret_file)).await?;
        private_files::warn_if_readable(&signing_secret_file);
        Ok(deployment)
    }

    /// Opens the store of a database for one command. Servers may be at work on it.
    pub(crate) async fn in_database(
        common: &Common,
        address: &str,
        settings: Settings,
    ) -> anyhow::Result<Self> {
        let (store, place) = open_database(common, address).await?;
        let engine = Engine::Database(store, place);
        let secret_file = common.signing_secret_file.as_deref();
        Ok(Self::of_command(engine, &common.data, settings, secret_file).await?)
    }

    async fn of_command(
        engine: Engine,
        folder: &Path,
        settings: Settings,
        secret_file: Option<&Path>,
    ) -> Result<Self, StoreError> {
        let files = FileParts {
            files: engine.files(),
            storage: FileStorage::in_data_folder(folder)?,
            settings: FileSettings::default(),
        };
        let service = Service::open(Parts {
            settings,
            files: Some(files),
            signing_secret_file: secret_file.map(Path::to_owned),
            job_folder: Some(folder.join(JOBS_FOLDER)),
            schedule: None,
            ..Parts::new(engine.store())
        });
        Ok(Deployment {
            folder: folder.to_owned(),
            service: service.await?,
            engine,
            storage: None,
            secret_file: secret_file.map(Path::to_owned).unwrap_or_default(),
            is_followed: AtomicBool::new(false),
        })
    }

    /// Opens a folder, or the store of a database, to serve it.
    pub(crate) async fn for_server(
        common: &Common,
        options: SqliteOptions,
        settings: Settings,
        (file_options, webhooks): (&FileOptions, &WebhookOptions),
    ) -> anyhow::Result<Self> {
        let folder = &common.data;
        let bucket = file_options.storage.bucket().await?;
        let (opened, secret_file) = match common.database.address() {
            Some(address) => {
                let opened = in_database(common, address, bucket.is_some()).await?;
                // without a file of their own, servers find their one secret in the database
                (opened, common.signing_secret_file.clone())
            }
            None => (
                in_data_folder(folder, options)?,
                Some(common.signing_secret_file()),
            ),
        };
        private_files::warn_if_open(folder);
        let Opened { engine, index } = opened;
        let storage = match bucket {
            Some(storage) => Some(storage),
            None => storage_in(folder, engine.store().is_read_only())?,
        };
        let files = storage.clone().map(|storage| FileParts {
            files: engine.files(),
            storage,
            settings: file_options.settings(),
        });
        let service = Service::open(Parts {
            settings,
            files,
            index,
            webhooks: Some(webhooks.parts(engine.deliveries())?),
            signing_secret_file: secret_file.clone(),
            job_folder: Some(folder.join(JOBS_FOLDER)),
            ..Parts::new(engine.store())
        });
        let service = service.await?;
        if let Some(secret_file) = &secret_file {
            private_files::warn_if_readable(secret_file);
        }
        Ok(Deployment {
            folder: folder.to_owned(),
            engine,
            service,
            storage,
            secret_file: secret_file.unwrap_or_default(),
            is_followed: AtomicBool::new(false),
        })
    }

    /// What backups are made of. It is to be gone before the store is closed.
    pub(crate) fn backup_source(&self) -> backup::Source {
        backup::Source {
            storage: self.storage.clone(),
            secret_file: self.secret_file.clone(),
            store: self.engine.backups(&self.service),
        }
    }

    /// Works an import off that a command asked for. The search index follows meanwhile, on a core that has nothing else to
    /// do, as far as it is until the command ends: what is left, the next server reads.
    ///
    /// # Errors
    /// Those of the job.
    pub(crate) async fn run_import(&self, id: &str) -> anyhow::Result<()> {
        // once, for all files of a command; the servers of a database do it themselves
        if !self.is_in_database() && !self.is_followed.swap(true, Ordering::Relaxed) {
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

    /// Whether the store is only read.
    pub(crate) fn is_read_only(&self) -> bool {
        self.service.store().is_read_only()
    }

    /// Whether the store is in a database, and not in the data folder.
    pub(crate) fn is_in_database(&self) -> bool {
        matches!(self.engine, Engine::Database(..))
    }

    /// The service.
    pub(crate) fn service(&self) -> &Arc<Service> {
        &self.service
    }

    /// Writes what is still to be written and closes the store.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        self.service.close().await?;
        drop(self.service);
        self.engine.close()
    }
}

/// Opens the store of a data folder, and its index.
fn in_data_folder(folder: &Path, options: SqliteOptions) -> Result<Opened, StoreError> {
    // the store makes the folder, for this user alone
    let SqliteFolder { store, index } = SqliteFolder::open(folder, options)?;
    Ok(Opened {
        engine: Engine::Folder(store),
        index: index.map(|index| index as Arc<dyn SearchIndex>),
    })
}

/// Opens the store of a database, and its index.
async fn in_database(common: &Common, address: &str, has_bucket: bool) -> anyhow::Result<Opened> {
    let (store, place) = open_database(common, address).await?;
    let folder = common.data.display();
    if has_bucket {
        tracing::info!(
            "files of imports and exports are in {folder}; where several servers share the database, have them share that folder, too"
        );
    } else {
        tracing::warn!(
            "uploaded files, and those of imports and exports, are in {folder} of this machine: where several servers share the database, have them share that folder, or give --s3-bucket"
        );
    }
    let index = Arc::new(store.search().await?);
    Ok(Opened {
        engine: Engine::Database(store, place),
        index: Some(index),
    })
}

/// The store of a database; the folder beside it is made where there is none, for this user alone.
async fn open_database(
    common: &Common,
    address: &str,
) -> anyhow::Result<(Arc<PostgresStore>, DatabasePlace)> {
    let options = common.database.options()?;
    let opened = PostgresStore::open(address, options.clone()).await;
    let store = opened.with_context(|| format!("can't open {}", postgres::shown(address)))?;
    let folder = &common.data;
    std::fs::create_dir_all(folder)
        .with_context(|| format!("can't make the folder {}", folder.display()))?;
    let place = DatabasePlace {
        address: address.to_owned(),
        options,
        room: Some(folder.clone()),
    };
    Ok((Arc::new(store), place))
}

/// The place for files in a data folder; none where there is no such folder and none can be made.
fn storage_in(folder: &Path, is_read_only: bool) -> Result<Option<FileStorage>, StoreError> {
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
