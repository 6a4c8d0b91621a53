//! A whole service, from its parts to its end: clock, chance, store, files, index and housekeeping are put
//! together here, once for all who run one, and come to an end in the order that loses nothing. What the
//! parts are made of (which database, which folder) is for their owner to say.

use crate::files::{FileSettings, FileStorage};
use crate::housekeeping::{Housekeeping, PeriodicTask, Turn};
use crate::signing::{SecretPlace, SigningSecretFile};
use crate::webhooks::WebhookParts;
use crate::{Clock, Entropy, Service, Settings, Store, SystemClock, SystemEntropy};
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;
use store::StoreError;
use store::files::Files;
use store::search::SearchIndex;
use tracing::Instrument as _;

/// For how much longer than its pause a server has a task for all that share its store: so long after a turn that did not
/// come, another one takes it over.
const LEASE_LONGER: Duration = Duration::from_secs(60);

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
    /// The file of signing secrets, made where there is none; without, the store keeps the one secret there is,
    /// which can't be rotated.
    pub signing_secret_file: Option<PathBuf>,
    /// What webhooks need to be at work; without, they wait.
    pub webhooks: Option<WebhookParts>,
    /// The folder for files of jobs, made when the first one is; without, there are no imports and exports.
    pub job_folder: Option<PathBuf>,
    /// How often the service sees to itself; without, never: for one that ends at once.
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

/// How often a service sees to itself.
#[derive(Clone, Copy, Debug)]
pub struct Schedule {
    /// How long after one writing of the times of use the next one is.
    pub flush_pause: Duration,
    /// How long after the start files that no record refers to are looked for: early enough that a service
    /// which is started every hour cleans, too.
    pub clean_first: Duration,
    /// How long after one cleaning of files the next one is.
    pub clean_pause: Duration,
    /// How long after one keeping of the day's counts the next one is: what is written at the end of a day and before
    /// the next one begins is counted as of the next.
    pub count_pause: Duration,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule {
            flush_pause: Duration::from_secs(5),
            clean_first: Duration::from_secs(5 * 60),
            clean_pause: Duration::from_secs(3 * 3600),
            count_pause: Duration::from_secs(5 * 60),
        }
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
            warn_of_same_names(&service);
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
                if !service.store().is_read_only() {
                    service.start_jobs();
                }
                let tasks = Housekeeping::start(tasks(&service, schedule));
                // a service that was made just now has no other
                let _ = service.housekeeping.set(tasks);
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
                self.keep_daily_counts().await?;
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

/// Tells of users of one tenant whose names are the same: they were made before names were compared so.
fn warn_of_same_names(service: &Service) {
    let catalog = service.store().catalog();
    for user in catalog.users.values() {
        let same = catalog.users_named(&user.tenant, &user.username);
        let ids: Vec<_> = same.iter().map(|user| user.id.as_str()).collect();
        if ids.len() > 1 && ids.iter().min() == Some(&user.id.as_str()) {
            tracing::warn!(
                tenant = user.tenant,
                users = ?ids,
                "the names of these users differ only in how they are written; rename all but one"
            );
        }
    }
}

/// Something that a service does again and again.
struct Chore {
    /// What the log calls it.
    name: &'static str,
    /// How long after the start the first turn is.
    first: Duration,
    /// How long after a turn the next one is.
    pause: Duration,
    /// Takes a turn.
    turn: fn(Arc<Service>) -> Turn,
}

/// What a service does by itself.
fn tasks(service: &Arc<Service>, schedule: Schedule) -> Vec<PeriodicTask> {
    let of_each = chores_of_each_server(schedule).into_iter().map(|chore| {
        let Chore {
            name,
            first,
            pause,
            turn,
        } = chore;
        PeriodicTask {
            name,
            first,
            pause,
            turn: turn_of(service, turn),
        }
    });
    let of_one = chores_of_one_server(service, schedule)
        .into_iter()
        .map(|(chore, lease)| {
            let Chore {
                name,
                first,
                pause,
                turn,
            } = chore;
            let held = pause.saturating_add(LEASE_LONGER);
            PeriodicTask {
                name,
                first,
                pause,
                turn: turn_of_one(service, (lease, held), turn),
            }
        });
    of_each.chain(of_one).collect()
}

/// What each server does: it is about what that server has in its memory, or in a folder of its own.
fn chores_of_each_server(schedule: Schedule) -> Vec<Chore> {
    vec![
        Chore {
            name: "noting times of use",
            first: schedule.flush_pause,
            pause: schedule.flush_pause,
            turn: |service| {
                Box::pin(async move {
                    service.remove_ended().await?;
                    service.flush_last_used().await
                })
            },
        },
        Chore {
            name: "writing what was refused",
            first: schedule.flush_pause,
            pause: schedule.flush_pause,
            turn: |service| Box::pin(async move { service.flush_incidents().await }),
        },
        Chore {
            name: "cleaning up behind jobs",
            first: schedule.clean_first,
            pause: schedule.clean_pause,
            turn: |service| Box::pin(async move { service.clean_jobs().await }),
        },
    ]
}

/// What one server at a time does for all that share the store, and the lease by which it does. Servers that are told
/// otherwise by their settings have leases of their own.
fn chores_of_one_server(service: &Service, schedule: Schedule) -> Vec<(Chore, String)> {
    let kept = service.settings().retention;
    let kept = [kept.changes, kept.trail, kept.deleted];
    let files = service.file_backend.get();
    let kept_seconds = files.map(|files| files.settings.grace_seconds);
    let chores = vec![
        (
            Chore {
                name: "forgetting tries that are back",
                first: schedule.clean_first,
                pause: schedule.flush_pause,
                turn: |service| {
                    Box::pin(async move {
                        let now = service.now();
                        service.store().forget_whole_allowances(now).await
                    })
                },
            },
            String::new(),
        ),
        (
            Chore {
                name: "removing what is older than it is kept",
                first: schedule.clean_first,
                pause: schedule.clean_pause,
                turn: |service| Box::pin(async move { service.remove_old().await.map(drop) }),
            },
            format!(" {kept:?}"),
        ),
        (
            Chore {
                name: "keeping the day's counts",
                first: schedule.clean_first,
                pause: schedule.count_pause,
                turn: |service| Box::pin(async move { service.keep_daily_counts().await }),
            },
            String::new(),
        ),
        (
            Chore {
                name: "cleaning up files",
                first: schedule.clean_first,
                pause: schedule.clean_pause,
                turn: clean_files,
            },
            format!(" {kept_seconds:?}"),
        ),
    ];
    let leases = |(chore, told): (Chore, String)| {
        let lease = format!("housekeeping {}{told}", chore.name);
        (chore, lease)
    };
    chores.into_iter().map(leases).collect()
}

fn clean_files(service: Arc<Service>) -> Turn {
    Box::pin(async move {
        let cleaned = service.clean_files().await?;
        tracing::debug!(?cleaned, "looked for files without a record");
        Ok(())
    })
}

/// A turn on a service that its task does not keep alive: between turns its owner may drop it.
fn turn_of(
    service: &Arc<Service>,
    turn: fn(Arc<Service>) -> Turn,
) -> Box<dyn Fn() -> Turn + Send + Sync> {
    let service: Weak<Service> = Arc::downgrade(service);
    Box::new(move || match service.upgrade() {
        Some(service) => turn(service),
        None => Box::pin(std::future::ready(Ok(()))),
    })
}

/// The same of a service that has a lease for so long, or none where another server has it.
fn turn_of_one(
    service: &Arc<Service>,
    (lease, held): (String, Duration),
    turn: fn(Arc<Service>) -> Turn,
) -> Box<dyn Fn() -> Turn + Send + Sync> {
    let service: Weak<Service> = Arc::downgrade(service);
    Box::new(move || {
        let (service, lease) = (service.upgrade(), lease.clone());
        Box::pin(async move {
            let Some(service) = service else {
                return Ok(());
            };
            if service.hold_lease(&lease, held).await? {
                turn(service).await?;
            }
            Ok(())
        })
    })
}
