//! A command that imports a file while a record of the dataset is purged: the rows that it left out are nowhere any more.

use crate::jobs::{cities, key};
use crate::support::{Server, TIMEOUT, fieldstone, json, text, write_company};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::process::Output;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Rows of the file: so many that the import is seen midway.
const ROWS: u32 = 20_000;

/// What an import printed while a record was purged, and its job; it leaves no file of rows behind.
fn purged_meanwhile(more: &[&str]) -> (Output, Value) {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    // every second one has no name, and can't be stored
    let mut lines = "Name,People\n".to_owned();
    for row in 0..ROWS {
        let name = if row % 2 == 0 {
            format!("K{row}")
        } else {
            String::new()
        };
        writeln!(lines, "{name},{row}").expect("a text takes it");
    }
    fs::write(folder.join("new.csv"), lines).expect("written");
    let key = key(folder);
    let server = Server::start(folder, &[]);
    let [area, schema, dataset] = cities(&server, &key);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let made = server.send("POST", &key, &records, r#"{"Name": "Vineta"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let made = made.json();
    let id = made["_dataObjectId"].as_str().expect("an id");
    let deleted = server.send("DELETE", &key, &format!("{records}/{id}"), "");
    assert!(deleted.status < 300, "{}", deleted.body);

    let mut import = fieldstone(folder);
    import.args(["--data", "data", "import", "new.csv", "--into"]);
    import.args(["Places/City/Cities", "--rejects", "rejects.csv"]);
    let import = import.args(more).begin();
    let began = Instant::now();
    let jobs = || server.get(&key, "/admin/api/v1/jobs").json()["items"][0].clone();
    let is_midway = || {
        let job = jobs();
        job["state"] == "running" && job["progress"]["rows"].as_u64() > Some(0)
    };
    while !is_midway() {
        assert!(began.elapsed() < TIMEOUT, "no rows");
        thread::sleep(Duration::from_millis(5));
    }
    let purge = format!("/admin/api/v1/datasets/{dataset}/deleted-records/{id}");
    let purged = server.send("DELETE", &key, &purge, "");
    assert_eq!(purged.status, 204, "{}", purged.body);

    let output = import.output();
    assert!(!folder.join("rejects.csv").exists(), "not one of nothing");
    let job = jobs();
    assert_eq!(job["isPurged"], true, "{job}");
    assert_eq!(job["importResult"]["rejected"], ROWS / 2, "{job}");
    server.stop();
    (output, job)
}

#[test]
fn rows_that_an_import_left_out_are_told_to_be_gone_where_a_record_was_purged_meanwhile() {
    let (output, job) = purged_meanwhile(&[]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("purged while the file was imported"),
        "{told}"
    );
    assert!(told.contains("10000 of them"), "{told}");
    let line = job["log"].to_string();
    assert!(
        line.contains("was purged while this ran") && !line.contains("ask for it again"),
        "what it stored is stored: {line}"
    );
}

#[test]
fn rows_that_a_dry_run_would_have_left_out_are_asked_for_again_where_a_record_was_purged_meanwhile()
{
    let (output, job) = purged_meanwhile(&["--dry-run"]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(
        told.contains("purged while the file was tried") && told.contains("try it again"),
        "{told}"
    );
    assert!(!told.contains("is stored"), "nothing is: {told}");
    let line = job["log"].to_string();
    assert!(line.contains("ask for it again"), "{line}");
    let printed = text(&output.stdout);
    assert!(
        printed.contains("10000 left out: key_missing")
            && printed.contains("is not kept: a record of the dataset was purged"),
        "{printed}"
    );
    assert!(
        !printed.contains(" more"),
        "of none there are no more: {printed}"
    );
}
