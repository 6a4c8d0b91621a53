//! The changes of a dataset, followed by a handle: over HTTP and in process alike.

use crate::watched_server::{City, WatchedServer, city};
use runtime::Stored;
use runtime::client::{Cause, Change, ChangeAction, Dataset};
use std::time::Duration;

/// Longer than it takes until somebody who follows waits, on a machine that does much else.
const UNTIL_IT_WAITS: Duration = Duration::from_millis(2500);

fn name(change: &Change<Stored<City>>) -> String {
    let record = change.record.clone().expect("a record").record;
    record.clean().expect("a clean one").name
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_come_as_they_are_made_and_go_on_behind_any_of_them() {
    let server = WatchedServer::start().await;
    let over_http = server.cities().await;
    let inside = server.embedded.register::<City>("Places", "Cities").await;
    for cities in [over_http, inside.expect("it fits")] {
        story(&cities).await;
    }
}

async fn story(cities: &Dataset<City>) {
    let mut changes = cities.changes(Some("latest"));
    // it is asked for where to begin before anything is made
    let waited = tokio::time::timeout(UNTIL_IT_WAITS, changes.next()).await;
    assert!(waited.is_err(), "nothing has changed");
    let made = cities.create(&city("Riga")).await.expect("created");
    let mut other = city("Riga");
    other.population = None;
    cities.update(&made.id, 0, &other).await.expect("changed");
    cities.delete(&made.id).await.expect("deleted");
    let mut told = Vec::new();
    for meant in [
        ChangeAction::Create,
        ChangeAction::Update,
        ChangeAction::Delete,
    ] {
        let change = changes.next().await.expect("a change");
        assert_eq!((&change.action, &change.id), (&meant, &made.id));
        assert_eq!(name(&change), "Riga");
        told.push(change);
    }
    assert_eq!(
        told.iter().map(|it| it.version).collect::<Vec<_>>(),
        [0, 1, 1]
    );
    let mut again = cities.changes(Some(&told[0].position));
    let next = again.next().await.expect("a change");
    assert_eq!(next.position, told[1].position);
    let mut first = cities.changes(None);
    let first = first.next().await.expect("a change");
    assert_eq!(first.action, ChangeAction::Create);
    let wrong = cities.changes(Some("nonsense")).next().await;
    assert_eq!(wrong.expect_err("no position").cause(), Some(Cause::Other));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_little_patience_waits_for_a_change_all_the_same() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let builder = server.builder().timeout(UNTIL_IT_WAITS);
    let client = builder.attempts(1).build().expect("a client");
    let impatient = client.dataset_at::<City>(cities.path().clone());
    let mut changes = impatient.changes(Some("latest"));
    let write = async {
        tokio::time::sleep(2 * UNTIL_IT_WAITS).await;
        cities.create(&city("Riga")).await.expect("created")
    };
    let (change, made) = tokio::join!(changes.next(), write);
    assert_eq!(change.expect("a change").id, made.id);
}
