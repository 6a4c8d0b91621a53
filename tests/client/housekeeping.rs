//! A service inside one's own program sees to itself, as long as there is one.

use crate::watched_server::{City, city, new_key};
use runtime::embed::Embedded;
use runtime::service::files::{FileSettings, FileStorage};
use runtime::service::manage::{AuditAction, ExportOptions};
use runtime::service::{
    About, FileParts, Incident, Parts, RetentionSettings, Schedule, Service, Settings,
};
use runtime::store::catalog::ApiKey;
use runtime::store::jobs::JobState;
use runtime::store::records::PageLimit;
use runtime::store::retention::DeletionBound;
use runtime::store::sqlite::{SqliteFolder, SqliteOptions};
use runtime::value::Day;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tests::clock::ManualClock;
use tests::engine::{self, Opened};

/// A pace at which a test can wait for the next turn.
const SOON: Schedule = Schedule {
    flush_pause: Duration::from_millis(5),
    clean_first: Duration::from_millis(5),
    clean_pause: Duration::from_millis(5),
    count_pause: Duration::from_millis(5),
};

/// As [`Embedded::open`], without files, at a pace of one's own.
async fn open(folder: &Path, schedule: Option<Schedule>) -> Embedded {
    let opened = engine::open(folder).await;
    let service = Service::open(Parts {
        index: Some(opened.index(folder).await),
        schedule,
        ..Parts::new(opened.store)
    });
    let service = service.await.expect("a service");
    Embedded::within(service, "Acme").await.expect("a tenant")
}

/// A key that was used once.
async fn used_key(embedded: &Embedded) -> ApiKey {
    embedded
        .register::<City>("Places", "Cities")
        .await
        .expect("it fits");
    let made = new_key(embedded, "reader").await;
    let areas = embedded.client_of(&made.secret).areas().collect().await;
    assert_eq!(areas.expect("areas").len(), 1);
    ApiKey::clone(&made.noun)
}

fn is_use_written(embedded: &Embedded, key: &ApiKey) -> bool {
    let catalog = embedded.service().store().catalog();
    catalog.api_keys[&key.id].last_used_at.get().is_some()
}

#[tokio::test]
async fn times_of_use_are_written_by_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let embedded = open(folder.path(), Some(SOON)).await;
    let key = used_key(&embedded).await;
    while !is_use_written(&embedded, &key) {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    embedded.close().await.expect("closed");
}

#[tokio::test]
async fn closing_writes_what_no_turn_has_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let embedded = open(folder.path(), None).await;
    let key = used_key(&embedded).await;
    assert!(!is_use_written(&embedded, &key));
    embedded.clone().close().await.expect("closed");
    assert!(is_use_written(&embedded, &key));
    embedded.close().await.expect("closed once more");
}

#[cfg_attr(on_a_database, ignore = "a database is held by nobody")]
#[tokio::test]
async fn a_service_that_is_dropped_lets_go_of_its_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let embedded = open(folder.path(), Some(Schedule::default())).await;
    let cities = embedded.register::<City>("Places", "Cities").await;
    let cities = cities.expect("it fits");
    cities.create(&city("Riga")).await.expect("created");
    drop((embedded, cities));
    // the indexer ends by itself, and holds the store until then
    let again = async {
        while let Err(error) = SqliteFolder::open(folder.path(), SqliteOptions::default()) {
            assert!(
                matches!(error, runtime::store::StoreError::InUse(_)),
                "{error}"
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(30), again).await;
    waited.expect("the folder is free");
}

#[tokio::test]
async fn days_are_counted_by_themselves_and_once_more_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let embedded = open(folder.path(), Some(SOON)).await;
    let cities = embedded.register::<City>("Places", "Cities").await;
    let cities = cities.expect("it fits");
    cities.create(&city("Riga")).await.expect("created");
    let service = embedded.service().clone();
    let today = || async {
        let first = Day::of(service.now()).minus(1);
        let days = service.store().daily_counts(vec![1], first).await;
        let days = days.expect("the store is read");
        days.last().map_or(0, |day| day.counts.records)
    };
    while today().await != 1 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    embedded.clone().close().await.expect("closed");
    // no turn comes any more
    cities.create(&city("Oslo")).await.expect("created");
    assert_eq!(today().await, 1);
    embedded.close().await.expect("closed once more");
    assert_eq!(today().await, 2);
}

/// For how long a service keeps what it keeps in these stories.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
const DAY_SECONDS: i64 = 24 * 3600;

/// A service with files, jobs and a time for which things are kept, whose clock is a test's, and which sees to itself soon.
struct Aging {
    embedded: Embedded,
    clock: Arc<ManualClock>,
    opened: Opened,
    _folder: tempfile::TempDir,
}

impl Aging {
    async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = engine::open(folder.path()).await;
        let clock = Arc::new(ManualClock::default());
        let storage = FileStorage::in_data_folder(folder.path()).expect("a folder for files");
        let service = Service::open(Parts {
            clock: clock.clone(),
            files: Some(FileParts {
                files: opened.files.clone(),
                storage,
                settings: FileSettings::default(),
            }),
            index: Some(opened.index(folder.path()).await),
            job_folder: Some(folder.path().join("jobs")),
            settings: Settings {
                retention: RetentionSettings {
                    changes: Some(KEPT),
                    trail: Some(KEPT),
                    deleted: Some(KEPT),
                    only_backed_up: false,
                },
                ..Settings::default()
            },
            schedule: Some(SOON),
            ..Parts::new(opened.store.clone())
        });
        let service = service.await.expect("a service");
        Aging {
            embedded: Embedded::within(service, "Acme").await.expect("a tenant"),
            clock,
            opened,
            _folder: folder,
        }
    }

    /// What the newest entries of the trail tell, newest first.
    async fn trail(&self) -> Vec<AuditAction> {
        let tenant = self.embedded.caller().expect("a caller");
        let tenant = tenant.tenant();
        let store = self.embedded.service().store();
        let entries = store.audit(tenant, None, PageLimit::of(100)).await;
        let entries = entries.expect("the store is read").into_iter();
        entries.map(|(_, entry)| entry.action).collect()
    }
}

/// Waits until something has come about.
async fn until(what: &str, is_so: impl AsyncFn() -> bool) {
    let coming = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(Duration::from_secs(60), coming).await;
    assert!(waited.is_ok(), "{what}: nothing comes of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_older_than_it_is_kept_goes_by_itself() {
    let aging = Aging::start().await;
    let cities = aging.embedded.register::<City>("Places", "Cities").await;
    let cities = cities.expect("it fits");
    cities.create(&city("Riga")).await.expect("created");
    let gone = cities.create(&city("Oslo")).await.expect("created");
    cities.delete(&gone.id).await.expect("deleted");
    let service = aging.embedded.service().clone();
    let catalog = service.store().catalog();
    let dataset = catalog.datasets.values().next().expect("a dataset").number;
    let began = service.now();
    let deleted = || async {
        let later = service.now();
        let bound = DeletionBound {
            moment: later,
            believed: later,
            up_to: u64::MAX,
        };
        let found = service.store().deleted_before(bound, None, 100);
        found.await.expect("the store is read").records.len()
    };
    let changes = || async {
        let found = service.store().changes(dataset, 0, PageLimit::of(100));
        found.await.expect("the store is read").entries
    };
    assert_eq!((deleted().await, changes().await.len()), (1, 3));
    assert!(aging.trail().await.len() > 1);
    aging.clock.forward(31 * DAY_SECONDS);
    // what the log is told last, it keeps: the index goes on behind it
    cities.create(&city("Bergen")).await.expect("created");
    until("records that were deleted", async || deleted().await == 0).await;
    until("changes of records", async || {
        let left = changes().await;
        !left.is_empty() && left.iter().all(|entry| entry.at > began)
    })
    .await;
    until("the trail", async || aging.trail().await.len() == 1).await;
    assert_eq!(cities.list().collect().await.expect("records").len(), 2);
    aging.embedded.close().await.expect("closed");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_jobs_that_are_old_and_those_that_no_record_has_go_by_themselves() {
    let aging = Aging::start().await;
    let cities = aging.embedded.register::<City>("Places", "Cities").await;
    let cities = cities.expect("it fits");
    cities.create(&city("Riga")).await.expect("created");
    let unused = cities.upload("a.txt", "", "a text").await;
    let unused = unused.expect("uploaded").file_id;
    let service = aging.embedded.service().clone();
    let caller = aging.embedded.caller().expect("a caller");
    let dataset = &cities.path().dataset;
    let export = service.export_dataset(&caller, dataset, ExportOptions::default());
    let export = export.await.expect("a job").job_id;
    let job = || async {
        let job = service.store().job(&export).await;
        job.expect("the store is read").expect("a job")
    };
    until("the export", async || job().await.state == JobState::Done).await;
    assert_eq!(job().await.files.len(), 1);
    aging.clock.forward(8 * DAY_SECONDS);
    until("files of a job", async || job().await.files.is_empty()).await;
    // one that no record has is marked first, and goes an hour later
    until("a file without a record", async || {
        aging.clock.forward(3600);
        let file = aging.opened.files.file(&unused).await;
        file.expect("the store is read").is_none()
    })
    .await;
    aging.embedded.close().await.expect("closed");
}

#[tokio::test]
async fn what_was_refused_is_in_the_trail_by_itself_when_its_minute_is_over() {
    let aging = Aging::start().await;
    aging.embedded.service().note_incident(Incident {
        cause: AuditAction::SignInFailed,
        address: None,
        route: None,
        caller: None,
        about: About::Caller,
    });
    aging.clock.forward(60);
    until("what was refused", async || {
        aging.trail().await.first() == Some(&AuditAction::SignInFailed)
    })
    .await;
    aging.embedded.close().await.expect("closed");
}
