//! Applications that stop midway: by which code they say why, and that what was done until then is counted.

use crate::support::{Server, TIMEOUT, elsewhere, json, process, text};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
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

/// More records than are written before a signal comes.
const MANY: usize = 30_000;

/// What an application says that is told to stop while it writes records.
#[cfg(unix)]
fn stopped(folder: &Path) -> Output {
    let log = folder.join("data/fieldstone.db-wal");
    let length = || log.metadata().map_or(0, |log| log.len());
    let before = length();
    let mut command = process(folder);
    command.args(["--data", "data", "apply", "m.yaml", "--format", "json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let began = Instant::now();
    while length() < before + (2 << 20) {
        let has_ended = child.try_wait().expect("a child").is_some();
        assert!(!has_ended && began.elapsed() < TIMEOUT, "it is not midway");
        std::thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-s", "TERM", &id]).status();
    assert!(sent.expect("kill runs").success());
    child.wait_with_output().expect("it ends")
}

#[cfg(unix)]
#[test]
fn an_application_that_is_told_to_stop_tells_what_it_did_and_the_next_goes_on_from_there() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write(path, MANY);
    let output = stopped(path);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    let words = "stopped before its end; what was written stays (of a dry run, nothing is)";
    assert!(told.contains(words), "{told}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["failureCode"], "failed", "{report:#}");
    let names: Vec<_> = report["steps"].as_array().expect("steps").iter().collect();
    assert!(names.iter().any(|step| step["name"] == "D"), "{report:#}");
    let created = report["records"][0]["created"].as_u64().expect("a number");
    assert!(created > 0 && created < MANY as u64, "{created}");
    let report = json(path, &["apply", "m.yaml"]);
    assert_eq!(report["records"][0]["unchanged"], created, "{report:#}");
    assert_eq!(report["records"][0]["created"], MANY as u64 - created);
}

#[cfg(unix)]
#[test]
fn an_application_of_a_server_that_is_told_to_stop_tells_how_far_it_was() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write(path, MANY);
    let server = Server::start_process(path, &[]);
    let output = stopped(path);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let told = text(&output.stderr);
    for words in [
        "stopped before its end, and the server with it",
        "all.ndjson: ",
        "what was written stays (of a dry run, nothing is)",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["error"]["code"], "failed", "{report:#}");
    assert_eq!(server.get("", "/readyz").status, 200);
    server.stop();
}
