//! A service inside one's own program sees to itself, as long as there is one.

use crate::watched_server::{City, city, new_key};
use runtime::embed::Embedded;
use runtime::service::{Parts, Schedule, Service};
use runtime::store::catalog::ApiKey;
use runtime::store::sqlite::{SqliteFolder, SqliteOptions};
use runtime::value::Day;
use std::path::Path;
use std::time::Duration;
use tests::engine;

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
