//! Who wrote a record last, however often it was judged by something that changed since.

use crate::admin_server::names;
use crate::browser::written;
use crate::jobs::{ended, server, thing};
use runtime::service::catalog::{Resource, Verb};
use runtime::service::{Service, Settings};
use serde_json::json;
use std::sync::Arc;
use tests::clock::SeededEntropy;
use tests::trick_store::TrickStore;

#[test]
fn judgements_since_a_record_was_written_are_read_at_once() {
    let server = server();
    let [area, schema, dataset] = server.places(&thing());
    let record = written(&server, &dataset, &[json!({"Code": "1", "Size": 20})]).remove(0);
    // too large for each second schema
    for max in [15, 25, 15, 25, 15] {
        let mut document = thing();
        document["fields"][2]["max"] = json!(max);
        let line = format!("PUT /schemas/{schema}");
        server
            .root(&line, Some(json!({"document": document})))
            .is(200);
        for id in names(&server.get("/jobs"), "jobId") {
            ended(&server, &id);
        }
    }
    let history = server.get(&format!("/datasets/{dataset}/records/{record}/history"));
    let entries = history["items"].as_array().expect("entries").len();
    assert_eq!(entries, 6, "each judgement is one: {history}");
    let store = TrickStore::new(server.opened.store.clone());
    let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
    let service = Service::new(store.clone(), clock, Arc::new(entropy), Settings::default());
    let service = server.tokio.block_on(service).expect("a service");
    let caller = service.authenticate(&server.root).expect("a caller");
    let path = [&*area, &*schema, &*dataset];
    let permit = caller.permit_dataset(Resource::Records, Verb::View, path);
    let permit = permit.expect("it may");
    let author = service.last_author(&permit, &record);
    let author = server.tokio.block_on(author).expect("the store answers");
    let author = author.expect("an author");
    assert_eq!(author.actor.name, "root");
    assert_eq!(store.pasts(), 1, "one question for all of them");
}
