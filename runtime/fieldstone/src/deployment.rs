//! The store of a deployment, opened: which store, which storage of files and which settings its service gets. What
//! becomes of the parts, the service knows.

use crate::backup::{self, DatabasePlace};
use crate::engine::Engine;
use crate::file_options::FileOptions;
use crate::owner;
use crate::private_files;
use crate::settings::Common;
use crate::webhook_options::WebhookOptions;
use anyhow::{Context as _, bail};
use postgres::PostgresStore;
use service::files::{FileSettings, FileStorage};
use service::{FileParts, JOBS_FOLDER, Parts, Service, Settings};
use sqlite::{Access, SqliteFolder, SqliteOptions, SqliteSearch, SqliteStore};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::StoreError;
use store::search::SearchIndex;
use wire::manage::{JobKind, JobView};

/// How often it is looked whether the search index has what there is.
const INDEX_PAUSE: Duration = Duration::from_millis(50);

/// An open deployment.
pub(crate) struct Deployment {
    folder: PathBuf,
    engine: Engine,
    service: Arc<Service>,
    storage: Option<FileStorage>,
    secret_file: PathBuf,
    /// Whether a command has started the index.
    is_index_started: AtomicBool,
}

/// What of a store the service gets.
struct StoreParts {
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
        owner::require_own(&common.data)?;
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
            is_index_started: AtomicBool::new(false),
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
        if options.access != Access::Read {
            owner::require_own(folder)?;
        }
        let bucket = file_options.storage.bucket(common.plain_links).await?;
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
        let StoreParts { engine, index } = opened;
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
            is_index_started: AtomicBool::new(false),
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

    /// Works a job off that a command asked for. One that finds its records by a query has the search index brought up to
    /// date first; where that can't be done, the job fails and says why. While one imports, the index follows, on a core that
    /// has nothing else to do, as far as it is until the command ends: what is left, the next server reads.
    ///
    /// # Errors
    /// Those of the job.
    pub(crate) async fn run_job(&self, job: &JobView) -> anyhow::Result<()> {
        let id = &job.job_id;
        if asks_by_query(job) {
            let index = async {
                let brought = self.bring_index_up().await;
                if let Err(error) = &brought {
                    tracing::error!(
                        cause = format!("{error:#}"),
                        "the search index can't be brought up to date"
                    );
                }
                brought.is_ok()
            };
            return Ok(Box::pin(self.service.run_job_behind(id, index)).await?);
        }
        // the servers of a database do it themselves
        if imports(job)
            && !self.is_in_database()
            && let Err(error) = self.start_index().await
        {
            let why = format!("{error:#}");
            // it does without, for the index can be made at any time
            tracing::warn!(why, "the search index can't follow");
        }
        Ok(self.service.run_job(id).await?)
    }

    /// Starts the search index, once for all that a command does.
    pub(crate) async fn start_index(&self) -> anyhow::Result<()> {
        if self.is_index_started.swap(true, Ordering::Relaxed) {
            return Ok(());
        }
        let index: Arc<dyn SearchIndex> = match &self.engine {
            Engine::Folder(_) => Arc::new(SqliteSearch::open(&self.folder)?),
            Engine::Database(store, _) => Arc::new(store.search().await?),
        };
        let time_max = self.service.settings().search_time_max;
        self.service.start_search(index, time_max);
        Ok(())
    }

    /// Starts the search index and waits until it has all that was written before, however long that takes: of a folder,
    /// nobody else feeds it.
    async fn bring_index_up(&self) -> anyhow::Result<()> {
        self.start_index().await?;
        let head = self.service.store().log_head().await?;
        while let Some(state) = self.service.search_state().await? {
            // what is there may be another store's, or of schemas as they were before: only the indexer knows
            if state.is_known && state.reading == 0 && state.applied >= head {
                break;
            }
            if state.is_read_only {
                // it stays as it is, and the job judges whether it is enough
                break;
            }
            if let Some(failure) = state.failure {
                bail!("{failure}");
            }
            tokio::time::sleep(INDEX_PAUSE).await;
        }
        Ok(())
    }

    /// Whether the store is only read.
    pub(crate) fn is_read_only(&self) -> bool {
        self.service.store().is_read_only()
    }

    /// Whether the store is in a database, and not in the data folder.
    pub(crate) fn is_in_database(&self) -> bool {
        matches!(self.engine, Engine::Database(..))
    }

    /// The store of a database, where it is in one.
    pub(crate) fn database(&self) -> Option<&Arc<PostgresStore>> {
        match &self.engine {
            Engine::Folder(_) => None,
            Engine::Database(store, _) => Some(store),
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
        self.engine.close()
    }
}

/// Whether a job finds its records by a query.
fn asks_by_query(job: &JobView) -> bool {
    let exports = job.export_options.as_ref().map(|it| &it.query);
    let query = exports.or(job.repair_options.as_ref().map(|it| &it.query));
    let query = query.and_then(Option::as_deref);
    query.is_some_and(|query| !query.trim().is_empty())
}

/// Whether a job writes what stands in a file.
fn imports(job: &JobView) -> bool {
    let is_tried = job.import_options.as_ref().is_some_and(|it| it.dry_run);
    job.kind == JobKind::Import && !is_tried
}

/// Opens the store of a data folder, and its index.
fn in_data_folder(folder: &Path, options: SqliteOptions) -> Result<StoreParts, StoreError> {
    // the store makes the folder, for this user alone
    let SqliteFolder { store, index } = SqliteFolder::open(folder, options)?;
    Ok(StoreParts {
        engine: Engine::Folder(store),
        index: index.map(|index| index as Arc<dyn SearchIndex>),
    })
}

/// Opens the store of a database, and its index.
async fn in_database(
    common: &Common,
    address: &str,
    has_bucket: bool,
) -> anyhow::Result<StoreParts> {
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
    Ok(StoreParts {
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

/// The place for files in a data folder; who only reads makes none, and may do without.
fn storage_in(folder: &Path, is_read_only: bool) -> Result<Option<FileStorage>, StoreError> {
    if !is_read_only {
        return FileStorage::in_data_folder(folder).map(Some);
    }
    let found = FileStorage::in_data_folder_as_it_is(folder);
    let storage = found.unwrap_or_else(|error| {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the folder of files can't be read"
        );
        None
    });
    if storage.is_none() {
        tracing::info!("there is no place for files, so none can be downloaded");
    }
    Ok(storage)
}
