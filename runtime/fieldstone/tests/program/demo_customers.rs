//! The demo's many customers: a job imports them once the server answers, and never a second time.

use crate::support::{Server, TIMEOUT, word_after};
use serde_json::Value;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// A session of the demo's administrator.
fn signed_in(server: &Server, password: &str) -> String {
    let body = serde_json::json!({"username": "admin", "password": password, "token": true});
    let session = server.send("POST", "", "/admin/api/v1/sessions", &body.to_string());
    let session = session.json();
    session["token"].as_str().expect("a token").to_owned()
}

/// The jobs that there are.
fn jobs(server: &Server, session: &str) -> Vec<Value> {
    let jobs = server.get(session, "/admin/api/v1/jobs").json();
    jobs["items"].as_array().expect("jobs").clone()
}

#[test]
fn the_server_says_that_it_listens_before_the_customers_are_there() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--demo", "--demo-records", "200000"]);
    assert!(server.first_line.starts_with("listening on http://"));
    let message = server.wait_for_error("generator -- fetch http://");
    let session = signed_in(&server, word_after(&message, "user admin, password "));
    let began = Instant::now();
    loop {
        let jobs = jobs(&server, &session);
        let ended = jobs.iter().find(|job| !job["endedDate"].is_null());
        assert_eq!(ended, None, "a visitor comes too late to watch it");
        if jobs.iter().any(|job| job["state"] == "running") {
            break;
        }
        assert!(began.elapsed() < TIMEOUT, "{jobs:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
    // it goes on at the next start
    server.stop();
}

/// The jobs of the demo as its administrator sees them, once all have ended.
fn ended_jobs(server: &Server, session: &str) -> Value {
    let began = Instant::now();
    loop {
        let jobs = server.get(session, "/admin/api/v1/jobs").json();
        let items = jobs["items"].as_array().expect("jobs").clone();
        let has_ended = |job: &Value| !job["endedDate"].is_null();
        if !items.is_empty() && items.iter().all(has_ended) {
            return jobs;
        }
        assert!(began.elapsed() < TIMEOUT, "{jobs}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_demos_many_customers_are_imported_once_by_a_job_that_a_visitor_can_watch() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--demo", "--demo-records", "600"]);
    let message = server.wait_for_error("generator -- fetch http://");
    let password = word_after(&message, "user admin, password ").to_owned();
    let jobs = ended_jobs(&server, &signed_in(&server, &password));
    let job = &jobs["items"][0];
    assert_eq!(jobs["items"].as_array().map(Vec::len), Some(1), "{jobs}");
    assert_eq!(
        (&job["kind"], &job["state"]),
        (&"import".into(), &"done".into()),
        "{job}"
    );
    let result = &job["importResult"];
    assert_eq!(
        (&result["created"], &result["rejected"]),
        (&600.into(), &0.into()),
        "{job}"
    );
    assert_eq!(result["faulty"], 18, "by the verdict of the schema: {job}");
    server.stop();

    let server = Server::start(folder.path(), &["--demo", "--demo-records", "600"]);
    server.wait_for_error("generator -- fetch http://");
    let again = ended_jobs(&server, &signed_in(&server, &password));
    assert_eq!(again["items"].as_array().map(Vec::len), Some(1), "{again}");
}
