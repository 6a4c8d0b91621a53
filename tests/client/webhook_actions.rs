//! All that can happen to a record, as the feed tells it, as a webhook sends it and as a handle reads it: one list.

use crate::watched_server::city;
use crate::webhook_receiver::told;
use crate::webhook_service::{Hooked, QUICK};
use runtime::client::ChangeAction::{Create, Delete, Purge, Restore, Update};
use runtime::client::DatasetPath;
use runtime::service::ChangesRequest;
use runtime::store::catalog::{Resource, Verb};
use serde_json::{Value, json};

/// What the feed tells behind a position, once there is something, or so many seconds are over.
async fn feed(hooked: &Hooked, after: &str, seconds: u32) -> Value {
    let (service, by) = hooked.operator();
    let DatasetPath {
        area,
        schema,
        dataset,
    } = hooked.cities.path();
    let permit = by.permit_dataset(Resource::Records, Verb::View, [area, schema, dataset]);
    let request = ChangesRequest {
        after: Some(after.to_owned()),
        size: None,
        wait: Some(seconds.to_string()),
    };
    let page = service.changes(&permit.expect("it may"), &request).await;
    serde_json::from_slice(&page.expect("a page")).expect("JSON")
}

fn next(page: &Value) -> String {
    page["next"].as_str().expect("a position").to_owned()
}

/// Does one thing to a record, of which there is one action more in the end.
async fn act(hooked: &Hooked, id: &str, step: &str) {
    let (service, by) = hooked.operator();
    let dataset = &*hooked.cities.path().dataset;
    match step {
        "change" => {
            let mut other = city("Riga");
            other.population = Some(2);
            let changed = hooked.cities.update(id, 0, &other).await;
            changed.expect("changed");
        }
        "bring the first version back" => {
            let back = service.restore_version(&by, dataset, id, "0", 1).await;
            back.expect("an update");
        }
        "delete" => {
            hooked.cities.delete(id).await.expect("deleted");
        }
        "bring the record back" => {
            let back = service.restore_record(&by, dataset, id).await;
            back.expect("restored");
        }
        "purge" => {
            let gone = service.purge_record(&by, dataset, id).await;
            gone.expect("purged");
        }
        other => panic!("{other}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_that_happens_to_a_record_is_told_by_the_feed_and_sent_by_a_webhook_alike() {
    let hooked = Hooked::start(QUICK).await;
    hooked.webhook().await;
    let mut position = next(&feed(&hooked, "latest", 0).await);
    let mut changes = hooked.cities.changes(Some(&position));
    let made = hooked.cities.create(&city("Riga")).await.expect("created");
    // a purge takes what was told before it along, so each is looked at before the next one
    let steps = [
        "change",
        "bring the first version back",
        "delete",
        "bring the record back",
        "delete",
        "purge",
    ];
    let (mut fed, mut read) = (Vec::new(), Vec::new());
    for step in [None].into_iter().chain(steps.map(Some)) {
        if let Some(step) = step {
            act(&hooked, &made.id, step).await;
        }
        let page = feed(&hooked, &position, 20).await;
        position = next(&page);
        fed.extend(page["items"].as_array().expect("items").clone());
        let change = changes.next().await.expect("a change");
        let version = change.record.map(|record| record.version);
        read.push((change.action, change.position, version));
        hooked.receiver.letters(fed.len()).await;
    }

    let letters = hooked.receiver.letters(fed.len()).await;
    let sent = letters.iter().flat_map(|(_, body)| {
        let body: Value = serde_json::from_str(body).expect("JSON");
        body["data"]["items"].as_array().expect("items").clone()
    });
    assert_eq!(sent.collect::<Vec<_>>(), fed);
    let meant = [
        "create Riga",
        "update Riga",
        "restore Riga",
        "delete Riga",
        "restore Riga",
        "delete Riga",
        "purge",
    ];
    assert_eq!(told(&letters), meant);
    let values = fed.iter().map(|item| item["record"]["Population"].clone());
    let values: Vec<_> = values.collect();
    let meant = [1, 2, 1, 1, 1, 1].map(|value| json!(value));
    assert_eq!(values, [&meant[..], &[Value::Null]].concat());

    let actions = [Create, Update, Restore, Delete, Restore, Delete, Purge];
    let meant = actions.into_iter().zip(&fed).map(|(action, item)| {
        let position = item["position"].as_str().expect("a text");
        let version = item["version"].as_u64();
        let version = version.filter(|_| !item["record"].is_null());
        (action, position.to_owned(), version)
    });
    assert_eq!(read, meant.collect::<Vec<_>>());
    hooked.close().await;
}
