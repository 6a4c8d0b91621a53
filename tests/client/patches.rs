//! What a change sends: what differs, on the version it is based on.

use crate::watched_server::{CityPatch, WatchedServer, city};
use runtime::{Decimal, Patch};

// the story stands still while another one writes, and its server does not
#[tokio::test(flavor = "multi_thread")]
async fn a_change_sends_only_what_differs_and_nothing_when_nothing_does() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let made = cities.create(&city("Rome")).await.unwrap();
    assert_eq!(cities.change("Rome", |_| {}).await.unwrap(), Some(0));
    assert_eq!(server.statuses("PUT", "").len(), 0);
    assert_eq!(cities.change("Atlantis", |_| {}).await.unwrap(), None);

    // someone writes another field between reading and sending: both changes stay
    let mut first = true;
    let other = server.in_process(&cities);
    let id = made.id.clone();
    let changed = cities
        .raw()
        .change("Rome", |record| {
            if std::mem::take(&mut first) {
                let (other, id) = (other.clone(), id.clone());
                let write =
                    async move { other.update_json(&id, 0, r#"{"Twins": ["Paris"]}"#).await };
                // the closure is not async; the other writer is, in process
                std::thread::scope(|scope| {
                    let runtime = tokio::runtime::Builder::new_current_thread()
                        .enable_all()
                        .build()
                        .unwrap();
                    scope
                        .spawn(move || runtime.block_on(write).unwrap())
                        .join()
                        .unwrap();
                });
            } else {
                assert_eq!(record.version, 1, "it was read again");
            }
            Ok(Some(r#"{"Population": 7}"#.to_owned()))
        })
        .await
        .unwrap();
    assert_eq!(changed, Some(2));
    assert_eq!(server.statuses("PUT", ""), [400, 204]);
    let city = cities
        .get("Rome")
        .await
        .unwrap()
        .unwrap()
        .record
        .clean()
        .unwrap();
    assert_eq!(
        (city.population, city.twins),
        (Some(7), vec!["Paris".to_owned()])
    );
}

#[tokio::test]
async fn a_patch_sends_what_it_changes_on_the_version_that_it_is_based_on() {
    let server = WatchedServer::start().await;
    let cities = server.cities().await;
    let mut rome = city("Rome");
    rome.twins = vec!["Paris".to_owned()];
    let made = cities.create(&rome).await.unwrap();
    let mut after = rome.clone();
    (after.population, after.budget) = (None, Some(Decimal::new(125, 2)));
    let patch = CityPatch::diff(made.version, &rome, &after);
    assert_eq!(
        patch.to_json(),
        r#"{"_version":0,"Population":null,"Budget":1.25}"#
    );
    assert_eq!(cities.patch(&made.id, &patch).await.unwrap(), 1);
    let stored = cities.get("Rome").await.unwrap().unwrap();
    assert!(stored.record.clean().is_some_and(|record| record == after));
    // another write came first
    let refused = cities.patch(&made.id, &patch).await.unwrap_err();
    assert!(refused.is_version_conflict(), "{refused}");
    let nothing = CityPatch {
        version: 1,
        ..CityPatch::default()
    };
    assert_eq!(cities.patch(&made.id, &nothing).await.unwrap(), 1);
    assert_eq!(server.statuses("PUT", ""), [204, 400]);
}
