//! Applications that stop midway: by which code they say why, and that what was done until then is counted.

use crate::support::{Server, elsewhere, json, text};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use tempfile::tempdir;

/// A manifest with so many records.
fn write(folder: &Path, records: usize) {
    let manifest = "tenants: [{name: Acme, areas: [{name: A, schemas: [{document: {name: S, fields: [{name: K, dataType: string, isPrimaryKey: true}]}, datasets: [{name: D, records: [all.ndjson]}]}]}]}]";
    std::fs::write(folder.join("m.yaml"), manifest).expect("written");
    let lines = (0..records).fold(String::new(), |mut all, number| {
        let _ = writeln!(all, "{{\"K\": \"{number}\"}}");
        all
    });
    std::fs::write(folder.join("all.ndjson"), lines).expect("written");
}

/// What `apply --server` printed, by a key of an administrator that is made for it.
fn applied(folder: &Path, server: &Server) -> Value {
    let rights = [
        "--role",
        "ACCOUNT ADMINISTRATOR",
        "--area",
        "*",
        "--tenant",
        "Acme",
    ];
    let made = json(folder, &[&["key", "create", "ci"], &rights[..]].concat());
    let mut command = elsewhere(folder, server, made["secret"].as_str().expect("a key"));
    let apply = ["apply", "m.yaml", "--format", "json"];
    let output = command.args(apply).output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_quota_that_is_used_up_stops_an_application_and_is_its_code() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write(path, 0);
    let server = Server::start(path, &["--quota-records", "100"]);
    json(path, &["apply", "m.yaml"]);
    write(path, 3000);
    let report = applied(path, &server);
    assert_eq!(report["error"]["code"], "quota_exceeded", "{report:#}");
    assert_eq!(report["failureCode"], "quota_exceeded");
    let file = &report["records"][0];
    // those that were under way together with the last one are made as well
    assert!(file["created"].as_u64() >= Some(100), "{report:#}");
    assert_eq!(file["leftOut"], 0, "{report:#}");
}
