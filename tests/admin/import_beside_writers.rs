//! Imports beside others who write the same records without a pause: every row is stored, and the import comes to its end.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, import, imported, server, thing};
use crate::requests::Answer;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use tests::ends::Ends;
use tests::seeded_rng::SeededRng;

/// Imports a file while three others write, each by a generator of its own; the job.
fn beside(
    server: &AdminServer,
    (dataset, query, file): (&str, &str, &str),
    write: impl Fn(&mut SeededRng) + Sync,
) -> Value {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _ends = Ends(&is_over);
        for seed in 0..3 {
            let (write, is_over) = (&write, &is_over);
            scope.spawn(move || {
                let mut rng = SeededRng(seed);
                while !is_over.load(Ordering::Relaxed) {
                    write(&mut rng);
                }
            });
        }
        let made = import(server, &server.root, dataset, query, file).is(201);
        ended(server, &made.text("jobId"))
    })
}

/// A server with a dataset of things: the dataset, and where its records are in the data interface.
fn with_things() -> (AdminServer, String, String) {
    let server = server();
    let [area, schema, dataset] = server.places(&thing());
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    (server, dataset, records)
}

fn sent(server: &AdminServer, line: &str, body: &Value) -> Answer {
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/json"),
    ];
    let body = (!body.is_null()).then(|| body.to_string());
    server.send(line, &headers, body.as_deref())
}

fn rows(count: usize) -> String {
    let rows = (0..count).map(|it| format!("k{},from the file,{it}\n", it % 20));
    format!("Code,Name,Size\n{}", rows.collect::<Vec<_>>().concat())
}

#[test]
fn rows_whose_records_others_make_and_delete_are_stored() {
    let (server, dataset, records) = with_things();
    let send = |line: &str, body: &Value| sent(&server, line, body);
    for mode in ["upsert", "replace"] {
        let file = rows(200);
        let job = beside(
            &server,
            (&dataset, &format!("?mode={mode}"), &file),
            |rng| {
                let body = json!({"Code": format!("k{}", rng.below(20))});
                let made = send(&format!("POST {records}"), &body);
                if made.status == 201 {
                    let made = made.json();
                    let id = made["_dataObjectId"].as_str().expect("an id");
                    let version = json!({"_version": made["_version"]});
                    send(&format!("DELETE {records}/{id}"), &version);
                }
            },
        );
        assert_eq!(job["state"], "done", "{mode}: {job}");
        assert_eq!(job["importResult"]["rejected"], 0, "{mode}: {job}");
    }
    server.is_sound();
}

#[test]
fn an_import_ends_while_others_change_its_records_at_full_speed() {
    let (server, dataset, records) = with_things();
    let send = |line: &str, body: &Value| sent(&server, line, body);
    let rows: Vec<_> = (0..500).map(|it| format!("k{it},new,{it}\n")).collect();
    let file = format!("Code,Name,Size\n{}", rows.concat());
    imported(&server, &dataset, "", &file.replace("new", "old"));
    let job = beside(&server, (&dataset, "?mode=update", &file), |rng| {
        let line = format!("GET {records}/by-pk/k{}", rng.below(500));
        let mut record = send(&line, &Value::Null).json();
        record["Size"] = json!(rng.below(1_000_000));
        let id = record["_dataObjectId"].as_str().expect("an id").to_owned();
        send(&format!("PUT {records}/{id}"), &record);
    });
    assert_eq!(job["state"], "done", "{job}");
    let result = &job["importResult"];
    assert_eq!(
        (&result["rows"], &result["rejected"]),
        (&json!(500), &json!(0)),
        "{job}"
    );
    server.is_sound();
}
