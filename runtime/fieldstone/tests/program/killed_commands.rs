//! Commands that have the data folder to themselves and are killed at work, or whose terminal is closed: their jobs end with
//! them, so that no later server writes what is older than what is there.

use crate::jobs::{cities, ended, key};
use crate::support::{Server, TIMEOUT, json, process, succeed, write_company};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::tempdir;

const INTO: &str = "Places/City/Cities";
/// Rows of a file: so many that a command is seen midway.
const ROWS: u32 = 20_000;
/// So long is the log of the store at least once some of them are written, and far from all.
const MIDWAY_BYTES: u64 = 1 << 20;
/// What every row of the first file says.
const OLD: u32 = 1;
/// And of the second.
const NEW: u32 = 2;

fn file(folder: &Path, name: &str, people: u32) {
    let mut lines = "Name,People\n".to_owned();
    for row in 0..ROWS {
        writeln!(lines, "K{row},{people}").expect("a text takes it");
    }
    fs::write(folder.join(name), lines).expect("written");
}

/// Begins a command on the data folder.
fn begin(folder: &Path, arguments: &[&str]) -> Child {
    let mut command = process(folder);
    command.args(["--data", "data"]).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("the program starts")
}

/// Waits until a command writes rows into the store, whose log grows by each of them.
fn midway(folder: &Path, child: &mut Child) {
    let log = folder.join("data/fieldstone.db-wal");
    let began = Instant::now();
    while log.metadata().map_or(0, |log| log.len()) < MIDWAY_BYTES {
        let has_ended = child.try_wait().expect("a child").is_some();
        assert!(!has_ended && began.elapsed() < TIMEOUT, "it is not midway");
        thread::sleep(Duration::from_millis(2));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-s", name, &id]).status();
    assert!(status.expect("kill runs").success());
}

/// Whether these stories run where a closed terminal is ignored, as behind `nohup`: their commands ignore it, too.
#[cfg(unix)]
fn ignores_hang_ups() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    ignored.is_none_or(|set| set & 1 == 1)
}

fn kill(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("a child");
}

/// Keys and values of the records that the files are about.
fn people(folder: &Path) -> Vec<Value> {
    let lines = succeed(folder, &["export", INTO]);
    let records = lines.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect("JSON");
        record
    });
    let is_meant = |it: &Value| {
        it["Name"]
            .as_str()
            .is_some_and(|name| name.starts_with('K'))
    };
    records
        .filter(is_meant)
        .map(|it| it["People"].clone())
        .collect()
}

const UPSERT: [&str; 6] = ["import", "old.csv", "--into", INTO, "--mode", "upsert"];

#[test]
fn an_import_that_was_killed_ends_with_its_command_and_overwrites_nothing_that_came_later() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    file(folder, "old.csv", OLD);
    file(folder, "new.csv", NEW);
    let mut old = begin(folder, &UPSERT);
    midway(folder, &mut old);
    kill(old);
    let jobs = json(folder, &["jobs", "list"]);
    assert_eq!(jobs[0]["state"], "failed", "{jobs}");
    let failure = jobs[0]["failure"].as_str().expect("a reason");
    assert!(failure.contains("was killed"), "{failure}");
    let id = jobs[0]["jobId"].as_str().expect("an id");
    let cancelled = json(folder, &["jobs", "cancel", id]);
    assert_eq!(cancelled["state"], "failed", "what ended stays ended");
    let newer = ["import", "new.csv", "--into", INTO, "--mode", "upsert"];
    let report = json(folder, &newer);
    assert_eq!(report["jobs"][0]["importResult"]["rows"], ROWS, "{report}");
    // a server looks for what is to be done at its start
    let server = Server::start_process(folder, &[]);
    let path = format!("/admin/api/v1/jobs/{id}");
    let job = ended(&server, &key(folder), &path);
    assert_eq!(job["state"], "failed", "{job}");
    server.stop();
    let found = people(folder);
    assert_eq!(found.len(), ROWS as usize);
    assert!(found.iter().all(|it| *it == NEW), "some are older");
}

#[cfg(unix)]
#[test]
fn a_terminal_that_is_closed_cancels_the_import_that_runs_in_it() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    file(folder, "old.csv", OLD);
    let mut child = begin(folder, &UPSERT);
    midway(folder, &mut child);
    signal(&child, "HUP");
    let status = child.wait().expect("a child");
    let (code, state) = if ignores_hang_ups() {
        (0, "done")
    } else {
        (1, "cancelled")
    };
    assert_eq!(status.code(), Some(code), "{status}");
    let jobs = json(folder, &["jobs", "list"]);
    assert_eq!(jobs[0]["state"], state, "{jobs}");
}

#[test]
fn a_job_of_a_server_that_was_killed_is_cancelled_without_one() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    let key = key(folder);
    let server = Server::start_process(folder, &[]);
    let imports = format!(
        "/admin/api/v1/datasets/{}/imports",
        cities(&server, &key)[2]
    );
    // of each name there is a second one, which can't be stored
    let mut lines = String::new();
    for row in 0..ROWS {
        writeln!(lines, "{{\"Name\":\"K{}\"}}", row / 2).expect("a text takes it");
    }
    let kind = "Content-Type: application/x-ndjson";
    let made = server.send_as("POST", &key, &imports, kind, &lines);
    assert_eq!(made.status, 201, "{}", made.body);
    let id = made.json()["jobId"].as_str().expect("an id").to_owned();
    let path = format!("/admin/api/v1/jobs/{id}");
    let began = Instant::now();
    while server.get(&key, &path).json()["progress"]["rows"] == 0 {
        assert!(began.elapsed() < TIMEOUT, "no rows");
        thread::sleep(Duration::from_millis(5));
    }
    drop(server);
    let job = json(folder, &["jobs", "show", &id]);
    assert_eq!(job["state"], "running", "the next server goes on: {job}");
    let cancelled = json(folder, &["jobs", "cancel", &id]);
    assert_eq!(cancelled["state"], "cancelled", "{cancelled}");
    assert_eq!(cancelled["files"][0]["file"], "rejects", "{cancelled}");
}
