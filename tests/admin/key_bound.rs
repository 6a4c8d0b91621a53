//! The primary key of a schema is bound by records: a change of it is refused, what it would do is not told, and a deleted dataset
//! that alone has records is named.

use crate::jobs::{server, thing};
use crate::undo::sent;
use serde_json::{Value, json};

/// The change by which the key would be a number.
fn numbered() -> Value {
    let mut document = thing();
    document["fields"][0]["dataType"] = json!("integer");
    json!({"document": document})
}

#[test]
fn the_effects_of_another_key_are_refused_as_the_change_is() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    let ways = [
        format!("PUT /schemas/{schema}"),
        format!("POST /schemas/{schema}/effects"),
        format!("POST /datasets/{dataset}/effects"),
    ];
    let [change, effects, judged] = &ways;
    server.root(effects, Some(numbered())).is(200);
    server.root(judged, Some(numbered())).is(201);
    sent(&server, &dataset, &[json!({"create": {"Code": "1"}})]);
    let refused = server.root(change, Some(numbered())).is(409);
    let told = refused.text("message");
    assert!(told.contains("delete the records first"), "{told}");
    for way in &ways {
        let refused = server.root(way, Some(numbered())).is(409);
        assert_eq!(refused.text("message"), told, "{way}");
    }
}

#[test]
fn a_deleted_dataset_that_alone_keeps_a_key_as_it_is_is_named() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    let new = json!({"name": "Asia"});
    let other = server.make(&format!("/schemas/{schema}/datasets"), new);
    let other = other.text("dataSetId");
    let create = json!({"create": {"Code": "1"}});
    let fill = |dataset: &str| {
        let (_, mut ids) = sent(&server, dataset, std::slice::from_ref(&create));
        ids.remove(0)
    };
    let empty = |dataset: &str, id: &str| {
        let delete = json!({"delete": {"_dataObjectId": id}});
        sent(&server, dataset, &[delete]);
    };
    let (first, second) = (fill(&dataset), fill(&other));
    server
        .root(&format!("DELETE /datasets/{dataset}"), None)
        .is(204);
    let change = format!("PUT /schemas/{schema}");
    let refused = || {
        let refused = server.root(&change, Some(numbered())).is(409);
        refused.text("message")
    };
    let told = refused();
    assert!(
        !told.contains("Europe"),
        "the other one has records: {told}"
    );
    empty(&other, &second);
    let told = refused();
    assert!(told.contains(r#"the deleted dataset "Europe""#), "{told}");
    assert!(told.contains("restore it first"), "{told}");
    let restore = format!("POST /datasets/{dataset}/restore");
    server.root(&restore, None).is(200);
    empty(&dataset, &first);
    server.root(&change, Some(numbered())).is(200);
}
