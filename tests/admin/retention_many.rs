//! Many records of a dataset that go by their age at once. docs/interface.md, "Retention".

use crate::jobs::{server, thing};
use crate::retention::{Aging, DAY};
use crate::undo::sent;
use runtime::service::Service;
use serde_json::json;
use std::sync::Arc;
use tests::clock::SeededEntropy;
use tests::trick_store::TrickStore;

/// More than are looked at, and purged, at a time.
const MANY: usize = 450;

#[test]
fn jobs_are_emptied_once_a_dataset_however_many_of_its_records_are_old() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let made: Vec<_> = (0..MANY)
        .map(|number| json!({"create": {"Code": number.to_string()}}))
        .collect();
    let (_, ids) = sent(&server, &dataset, &made);
    let lines: Vec<_> = ids
        .iter()
        .map(|id| json!({"delete": {"_dataObjectId": id}}))
        .collect();
    sent(&server, &dataset, &lines);
    let store = TrickStore::new(server.opened.store.clone());
    let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
    let settings = Aging::settings(false);
    let service = Service::new(store.clone(), clock, Arc::new(entropy), settings);
    let service = server.tokio.block_on(service).expect("a service");
    let remove_old = || {
        let removed = server.tokio.block_on(service.remove_old(service.now()));
        removed.expect("nothing fails").deleted
    };
    assert_eq!(remove_old(), 0);
    assert_eq!(store.marked(), 0);
    server.clock.forward(31 * DAY);
    assert_eq!(remove_old(), MANY);
    assert_eq!(store.marked(), 1);
    server.is_sound();
}
