//! Jobs of the museum that have files, for stories in which these do not come along.

use crate::museum::hall;
use crate::support::{Response, Server, TIMEOUT};
use serde_json::Value;
use std::time::{Duration, Instant};

/// So many that an import is under way for a while.
const ROWS: u32 = 60_000;

/// Waits until a job is so far; the job.
pub(crate) fn wait_for(
    (server, keeper, path): (&Server, &str, &str),
    is_so_far: impl Fn(&Value) -> bool,
) -> Value {
    let began = Instant::now();
    loop {
        let job = server.get(keeper, path).json();
        if is_so_far(&job) {
            return job;
        }
        assert!(began.elapsed() < TIMEOUT, "it does not go on: {job}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The path of a job that was asked for just now.
fn path_of(made: &Response) -> String {
    assert_eq!(made.status, 201, "{}", made.body);
    let made = made.json();
    let id = made["jobId"].as_str().expect("an id");
    format!("/admin/api/v1/jobs/{id}")
}

/// What management calls the museum's hall.
fn dataset(server: &Server, keeper: &str) -> String {
    let hall = hall(server, keeper);
    let (_, id) = hall.rsplit_once('/').expect("a dataset");
    format!("/admin/api/v1/datasets/{id}")
}

/// Asks for an export of the hall; the path of the job.
pub(crate) fn export(server: &Server, keeper: &str, options: &str) -> String {
    let exports = format!("{}/exports", dataset(server, keeper));
    path_of(&server.send("POST", keeper, &exports, options))
}

/// Sends rows to be imported into the hall; the path of the job.
pub(crate) fn import(server: &Server, keeper: &str, rows: impl Iterator<Item = String>) -> String {
    let lines: Vec<_> = rows.map(|no| format!("{{\"No\": \"{no}\"}}\n")).collect();
    let imports = format!("{}/imports", dataset(server, keeper));
    let kind = "Content-Type: application/x-ndjson";
    path_of(&server.send_as("POST", keeper, &imports, kind, &lines.concat()))
}

/// Leaves a job under way, as a server does that is killed.
pub(crate) fn leave_midway(server: Server, keeper: &str, path: &str) {
    let is_begun = |job: &Value| job["progress"]["rows"].as_u64().unwrap_or_default() > 0;
    let job = wait_for((&server, keeper, path), is_begun);
    assert_eq!(job["state"], "running", "{job}");
    // it is killed by that
    drop(server);
}

/// Puts in a record and exports the hall; the path of the job, whose file may be downloaded.
pub(crate) fn exported(server: &Server, keeper: &str) -> String {
    let records = format!("{}/dataobjects", hall(server, keeper));
    let made = server.send("POST", keeper, &records, r#"{"No": "1"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let path = export(server, keeper, "{}");
    let job = wait_for((server, keeper, &path), |job| job["state"] == "done");
    assert_eq!(job["files"][0]["file"], "export", "{job}");
    let file = server.get(keeper, &format!("{path}/export"));
    assert_eq!(file.status, 200, "{}", file.body);
    path
}

/// Asserts that a job tells of no file any more, as there is none.
pub(crate) fn assert_no_files(server: &Server, keeper: &str, path: &str) {
    let job = server.get(keeper, path).json();
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["files"], serde_json::json!([]), "{job}");
    assert_eq!(server.get(keeper, &format!("{path}/export")).status, 404);
}

/// Begins an import and leaves it under way, as a server does that is killed; the path of the job.
pub(crate) fn import_that_is_killed(server: Server, keeper: &str) -> String {
    let path = import(&server, keeper, (0..ROWS).map(|row| format!("K{row}")));
    leave_midway(server, keeper, &path);
    path
}
