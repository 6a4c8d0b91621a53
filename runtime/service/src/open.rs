//! A whole service, from its parts to its end: clock, chance, store, files, index and housekeeping are put
//! together here, once for all who run one, and come to an end in the order that loses nothing. What the
//! parts are made of (which database, which folder) is for their owner to say.

use crate::chores::{Schedule, tasks};
use crate::files::{FileSettings, FileStorage};
use crate::housekeeping::Housekeeping;
use crate::signing::{SecretPlace, SigningSecretFile};
use crate::webhooks::WebhookParts;
use crate::{Clock, Entropy, Service, Settings, Store, SystemClock, SystemEntropy};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use store::StoreError;
use store::files::Files;
use store::search::SearchIndex;
use tracing::Instrument as _;

/// What a service is made of.
pub struct Parts {
    /// Catalog and records.
    pub store: Arc<dyn Store>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Chance.
    pub entropy: Arc<dyn Entropy>,
    /// What can be set.
    pub settings: Settings,
    /// Where files are; without, there are none.
    pub files: Option<FileParts>,
    /// The index that searches look into; without, nothing can be searched.
    pub index: Option<Arc<dyn SearchIndex>>,
    /// The file of signing secrets, made where there is none; without, the store keeps them.
    pub signing_secret_file: Option<PathBuf>,
    /// What webhooks need to be at work; without, they wait.
    pub webhooks: Option<WebhookParts>,
    /// The folder for files of jobs, made when the first one is; without, there are no imports and exports.
    pub job_folder: Option<PathBuf>,
    /// How often the service sees to itself; without, never: for one that ends at once, and with it the jobs that it makes.
    pub schedule: Option<Schedule>,
}

impl Parts {
    /// Those of a service on a store that sees to itself, with the machine's clock and chance, and as yet
    /// without files and search.
    pub fn new(store: Arc<dyn Store>) -> Self {
        Parts {
            store,
            clock: Arc::new(SystemClock),
            entropy: Arc::new(SystemEntropy),
            settings: Settings::default(),
            files: None,
            index: None,
            signing_secret_file: None,
            webhooks: None,
            job_folder: None,
            schedule: Some(Schedule::default()),
        }
    }
}

impl std::fmt::Debug for Parts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parts")
            .field("settings", &self.settings)
            .field("schedule", &self.schedule)
            .finish_non_exhaustive()
    }
}

/// Where the files of a service are.
pub struct FileParts {
    /// What is known of them.
    pub files: Arc<dyn Files>,
    /// Their contents.
    pub storage: FileStorage,
    /// What can be set.
    pub settings: FileSettings,
}

impl std::fmt::Debug for FileParts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileParts")
            .field("storage", &self.storage)
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// A service made of parts, its tasks at work. Needs a tokio runtime around it. Its owner ends it with
    /// [`close`](Self::close).
    ///
    /// # Errors
    /// When the store fails.
    pub async fn open(parts: Parts) -> Result<Arc<Self>, StoreError> {
        async move {
            let Parts {
                store,
                clock,
                entropy,
                settings,
                files,
                index,
                signing_secret_file,
                webhooks,
                job_folder,
                schedule,
            } = parts;
            let place = match signing_secret_file {
                Some(path) => SecretPlace::File(SigningSecretFile::new(path)),
                None if schedule.is_some() => SecretPlace::Store,
                // it is soon gone: a secret that it made would be that of no server
                None => SecretPlace::StoreOfServers,
            };
            let service = Self::with_secrets_in(store, clock, entropy, settings, place);
            let service = Arc::new(service.await?);
            if let Some(FileParts {
                files,
                storage,
                settings,
            }) = files
            {
                service.use_files(files, storage, settings);
            }
            if let Some(index) = index {
                service.start_search(index, service.settings().search_time_max);
            }
            if let Some(webhooks) = webhooks.filter(|_| !service.store().is_read_only()) {
                service.use_webhooks(webhooks);
            }
            if let Some(folder) = job_folder {
                service.use_job_files(folder);
            }
            if let Some(schedule) = schedule {
                service.settle_left_purges().await;
                if !service.store().is_read_only() {
                    service.start_jobs();
                }
                let tasks = Housekeeping::start(tasks(&service, schedule));
                // a service that was made just now has no other
                let _ = service.housekeeping.set(tasks);
            } else {
                service.is_of_command.store(true, Ordering::Relaxed);
                service.end_jobs_of_killed_commands().await;
            }
            Ok(service)
        }
        .instrument(tracing::debug_span!("service.open"))
        .await
    }

    /// Ends the tasks, those that wait for the store first, and writes what is still to be written. The store
    /// itself is closed by its owner, when every handle on the service is dropped. May be called more than
    /// once.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn close(&self) -> Result<(), StoreError> {
        async {
            self.end_waiting();
            self.stop_webhooks().await;
            self.stop_jobs().await;
            if let Some(housekeeping) = self.housekeeping.get() {
                housekeeping.stop().await;
                if let Some(now) = self.now_for_ages().await? {
                    self.keep_daily_counts(now).await?;
                }
            }
            self.let_go_of_leases().await;
            self.stop_search().await;
            self.remove_ended().await?;
            self.flush_all_incidents().await?;
            self.flush_last_used().await
        }
        .instrument(tracing::debug_span!("service.close"))
        .await
    }
}
