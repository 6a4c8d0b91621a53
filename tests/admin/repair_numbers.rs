//! Numbers of a repair keep the very characters of their tokens: what is written, what is shown, and what was asked for.

use crate::admin_server::AdminServer;
use crate::browser::field;
use crate::jobs::{ended, exported, imported, server};
use serde_json::json;

/// Asks for a repair by the text of its options, waits until it has ended, and gives the job's text.
fn repaired(server: &AdminServer, dataset: &str, options: &str) -> String {
    let line = format!("POST /admin/api/v1/datasets/{dataset}/repairs");
    let headers = [("Authorization", &*server.root)];
    let made = server.send(&line, &headers, Some(options)).is(201);
    let id = made.text("jobId");
    let job = ended(server, &id);
    assert_eq!(job["state"], "done", "{job}");
    server.root(&format!("GET /jobs/{id}"), None).is(200).body
}

#[test]
fn a_number_that_no_double_holds_is_written_and_shown_as_it_was_sent() {
    let server = server();
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-price", "Price", "currency", false),
    ];
    let [_, _, dataset] = server.places(&json!({"name": "Thing", "fields": fields}));
    imported(&server, &dataset, "", "Code,Price\n1,1\n");
    let mut before = "1".to_owned();
    for (token, by) in [
        ("80000000000000.07", "set"),
        ("900719925474099.13", "set"),
        ("7000000000000000.49", "map"),
        ("5.00000000000000000001", "map"),
    ] {
        let action = match by {
            "set" => format!(r#"{{"set":{token}}}"#),
            _ => format!(r#"{{"map":{{"{before}":{token}}}}}"#),
        };
        let options = format!(r#"{{"field":"Price","action":{action}}}"#);
        let job = repaired(&server, &dataset, &options);
        for told in [
            format!(r#""action":{action}"#),
            format!(r#""before":{before},"after":{token}"#),
        ] {
            assert!(job.contains(&told), "{told}: {job}");
        }
        let all = exported(&server, &dataset, json!({"format": "ndjson"}));
        assert!(all.contains(&format!(r#""Price":{token}"#)), "{all}");
        token.clone_into(&mut before);
    }
}

#[test]
fn a_missing_value_has_no_entry_in_a_list_and_the_text_null_may() {
    let server = server();
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-name", "Name", "string", false),
    ];
    let [_, _, dataset] = server.places(&json!({"name": "Thing", "fields": fields}));
    imported(&server, &dataset, "", "Code,Name\n1,null\n2,\n");
    let options = r#"{"field":"Name","action":{"map":{"null":"none"}}}"#;
    repaired(&server, &dataset, options);
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(all, "Code,Name\n1,none\n2,\n");
}
