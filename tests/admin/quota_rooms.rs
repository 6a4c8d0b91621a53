//! A quota of records is held to its last one by what writes many at once: by a request of many writes, by many of these
//! beside each other, by imports and undoings; and told by what is only tried.

use crate::admin_server::{AdminServer, city};
use crate::at_once::at_once;
use crate::jobs::{counts, ended, import, imported};
use crate::requests::{Answer, exchange};
use runtime::service::{Quotas, Settings};
use serde_json::{Value, json};

/// A server whose tenant may have so many records, and a dataset with some.
fn server(quota: u64, there: usize) -> (AdminServer, String) {
    let server = AdminServer::with_settings(Settings {
        quotas: Quotas {
            records: quota,
            ..Quotas::default()
        },
        ..Settings::default()
    });
    server.start_jobs();
    let [_, _, dataset] = server.places(&city());
    if there > 0 {
        imported(&server, &dataset, "", &rows("a", there));
    }
    (server, dataset)
}

/// A file of new records.
fn rows(prefix: &str, count: usize) -> String {
    let rows: Vec<_> = (0..count).map(|row| format!("{prefix}{row}\n")).collect();
    format!("Code\n{}", rows.concat())
}

/// Lines that make records.
fn creates(prefix: &str, count: usize) -> String {
    let line = |row| json!({"create": {"Code": format!("{prefix}{row}")}}).to_string();
    let lines: Vec<_> = (0..count).map(line).collect();
    lines.join("\n")
}

fn send(server: &AdminServer, dataset: &str, query: &str, lines: &str) -> Answer {
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk{query}");
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
    ];
    // many of them at the same time
    exchange(server.address, &line, &headers, Some(lines)).is(200)
}

/// How many lines were answered by a status.
fn with_status(answer: &Answer, status: u64) -> usize {
    let verdicts = answer.json();
    let verdicts = verdicts.as_array().expect("verdicts").iter();
    verdicts.filter(|it| it["status"] == status).count()
}

fn used(server: &AdminServer) -> Option<u64> {
    server.get("/tenant/quotas")["records"]["used"].as_u64()
}

#[test]
fn a_request_of_many_writes_and_its_trial_make_as_many_records_as_there_is_room_for() {
    let (server, dataset) = server(50, 26);
    let lines = creates("b", 30);
    for query in ["?dryRun=true", "?dryRun=true", ""] {
        let answer = send(&server, &dataset, query, &lines);
        let told = [201, 403].map(|status| with_status(&answer, status));
        assert_eq!(told, [24, 6], "{query} {}", answer.body);
    }
    assert_eq!(used(&server), Some(50));
    // a key that is taken is told before, by both
    for query in ["?dryRun=true", ""] {
        let answer = send(&server, &dataset, query, &creates("b", 1));
        assert_eq!(with_status(&answer, 400), 1, "{}", answer.body);
    }
    assert_eq!(used(&server), Some(50));
}

#[test]
fn what_a_line_deletes_makes_room_for_one_behind_it() {
    let (server, dataset) = server(2, 0);
    let made = send(&server, &dataset, "", &creates("a", 2)).json();
    let delete = json!({"delete": {"_dataObjectId": made[0]["_dataObjectId"]}});
    let lines = format!("{delete}\n{}", creates("b", 2));
    for query in ["?dryRun=true", ""] {
        let answer = send(&server, &dataset, query, &lines);
        let told = [201, 403].map(|status| with_status(&answer, status));
        assert_eq!(told, [1, 1], "{query} {}", answer.body);
    }
    assert_eq!(used(&server), Some(2));
}

#[test]
fn many_requests_beside_each_other_make_together_what_there_is_room_for() {
    let (server, dataset) = server(100, 70);
    let made = at_once(8, |number| {
        let answer = send(&server, &dataset, "", &creates(&format!("b{number}-"), 20));
        with_status(&answer, 201)
    });
    let made: usize = made.into_iter().sum();
    assert_eq!((made, used(&server)), (30, Some(100)));
}

/// An import that has no room for all of its rows.
fn full(server: &AdminServer, dataset: &str, query: &str, file: &str) -> Value {
    let made = import(server, &server.root, dataset, query, file).is(201);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().expect("a failure");
    assert!(failure.contains("may have 50 records"), "{failure}");
    job
}

#[test]
fn an_import_stores_the_rows_that_there_is_room_for_and_its_trial_counts_them() {
    let (server, dataset) = server(50, 26);
    let file = rows("b", 40);
    let stored = json!({"rows": 24, "created": 24});
    assert_eq!(
        counts(&full(&server, &dataset, "?dryRun=true", &file)),
        stored
    );
    assert_eq!(used(&server), Some(26));
    assert_eq!(counts(&full(&server, &dataset, "", &file)), stored);
    assert_eq!(used(&server), Some(50));
    // what is there already needs no room
    let same = imported(&server, &dataset, "?mode=upsert", &rows("a", 26));
    assert_eq!(counts(&same), json!({"rows": 26, "unchanged": 26}));
}

#[test]
fn rows_whose_primary_key_is_taken_are_told_as_such_where_there_is_no_room() {
    let (server, dataset) = server(50, 26);
    let file = format!("{}a0\na1\na2\nb24\n", rows("b", 24));
    let told = json!({"rows": 27, "created": 24, "rejected": 3});
    for query in ["?dryRun=true", ""] {
        let job = full(&server, &dataset, query, &file);
        assert_eq!(counts(&job), told, "{query}");
    }
    assert_eq!(used(&server), Some(50));
}

#[test]
fn an_undoing_brings_back_the_records_that_there_is_room_for() {
    let (server, dataset) = server(50, 26);
    let job = imported(&server, &dataset, "", &rows("b", 20));
    let undo = |job: &Value| {
        let id = job["jobId"].as_str().expect("an id");
        let made = server.root(&format!("POST /jobs/{id}/undo"), None).is(201);
        ended(&server, &made.text("jobId"))
    };
    let undone = undo(&job);
    assert_eq!(
        (&undone["state"], used(&server)),
        (&json!("done"), Some(26))
    );
    imported(&server, &dataset, "", &rows("c", 20));
    let again = undo(&undone);
    assert_eq!(again["state"], "failed", "{again}");
    let failure = again["failure"].as_str().expect("a failure");
    assert!(failure.contains("may have 50 records"), "{failure}");
    assert_eq!(used(&server), Some(50));
}
