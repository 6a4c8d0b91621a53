//! Bodies of many small values, which take many times their bytes once they are read.

use crate::admin_server::{AdminServer, city};
use crate::requests::Answer;
use serde_json::{Value, json};

/// Sends JSON text, or lines of it, as the administrator's key.
fn sent(server: &AdminServer, path: &str, media_type: &str, body: &str) -> Answer {
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", media_type),
    ];
    server.send(&format!("POST /admin/api/v1{path}"), &headers, Some(body))
}

#[test]
fn a_body_whose_values_take_more_memory_than_a_caller_may_have_is_refused_before_it_is_read() {
    let server = AdminServer::start();
    let [.., dataset] = server.places(&city());
    let objects = r#"{"":0},"#.repeat(400_000) + "{}";
    let numbers = "0,".repeat(2_000_000) + "0";
    let apply = format!(r#"{{"apply":{{"manifests":[{objects}]}}}}"#);
    let line = format!("{{}}\n{{\"create\":{{\"Code\":[{numbers}]}}}}\n");
    let bulk = format!("/datasets/{dataset}/records/bulk");
    for (path, media_type, body) in [
        ("/operations", "application/json", &apply),
        (&*bulk, "application/x-ndjson", &line),
    ] {
        let answer = sent(&server, path, media_type, body).is(413);
        assert!(
            answer.body.contains(" values, and to read them"),
            "{answer:?}"
        );
    }
    // as many values in lines of their own are read one after the other
    let lines = "{}\n".repeat(5_000);
    sent(&server, &bulk, "application/x-ndjson", &lines).is(200);
}

#[test]
fn a_schema_of_many_fields_without_names_is_refused_at_once() {
    let server = AdminServer::start();
    // the time for it grew with the third power of their number: 2,000 took half a minute
    for fields in [vec![json!({}); 30_000], vec![json!({"name": "a"}); 10_000]] {
        let document: Value = json!({"document": {"name": "x", "fields": fields}});
        server.root("POST /schemas/trials", Some(document)).is(400);
    }
}
