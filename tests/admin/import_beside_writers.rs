//! Imports beside others who write the same records without a pause: every row is stored, and the import comes to its end.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, import, imported, server, thing};
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

fn rows(count: usize) -> String {
    let rows = (0..count).map(|it| format!("k{},from the file,{it}\n", it % 20));
    format!("Code,Name,Size\n{}", rows.collect::<Vec<_>>().concat())
}

#[test]
fn rows_whose_records_others_make_and_delete_are_stored() {
    let server = server();
    let [area, schema, dataset] = server.places(&thing());
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let by = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/json"),
    ];
    for mode in ["upsert", "replace"] {
        let file = rows(200);
        let job = beside(
            &server,
            (&dataset, &format!("?mode={mode}"), &file),
            |rng| {
                let body = json!({"Code": format!("k{}", rng.below(20))}).to_string();
                let made = server.send(&format!("POST {records}"), &by, Some(&body));
                if made.status == 201 {
                    let made = made.json();
                    let id = made["_dataObjectId"].as_str().expect("an id");
                    let gone = json!({"_version": made["_version"]}).to_string();
                    server.send(&format!("DELETE {records}/{id}"), &by, Some(&gone));
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
    let server = server();
    let [area, schema, dataset] = server.places(&thing());
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let by = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/json"),
    ];
    let rows: Vec<_> = (0..500).map(|it| format!("k{it},new,{it}\n")).collect();
    let file = format!("Code,Name,Size\n{}", rows.concat());
    imported(&server, &dataset, "", &file.replace("new", "old"));
    let job = beside(&server, (&dataset, "?mode=update", &file), |rng| {
        let found = server.send(
            &format!("GET {records}/by-pk/k{}", rng.below(500)),
            &by,
            None,
        );
        let mut record = found.json();
        record["Size"] = json!(rng.below(1_000_000));
        let id = record["_dataObjectId"].as_str().expect("an id").to_owned();
        server.send(
            &format!("PUT {records}/{id}"),
            &by,
            Some(&record.to_string()),
        );
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
