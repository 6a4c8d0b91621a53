//! A job whose store fails it again and again: it is given up when it gets no further, and goes on as long as it does.

use crate::admin_server::AdminServer;
use crate::held_jobs::at_work_as;
use crate::jobs::{counts, ended, import, thing};
use runtime::service::{JobSettings, Settings};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;
use tests::log::{lines_with, listen};
use tests::trick_store::TrickStore;

/// Rows that can be stored: of four batches.
const ROWS: usize = 2_000;

/// The end of an import that is worked on by such a store, and tried again so often without getting further; and how often it was
/// tried again in all.
fn worked_off(
    server: &AdminServer,
    store: &Arc<TrickStore>,
    retries_max: u32,
    (query, file): (&str, &str),
) -> (Value, usize) {
    let [_, _, dataset] = server.places(&thing());
    let made = import(server, &server.root, &dataset, query, file);
    let id = made.is(201).text("jobId");
    let jobs = JobSettings {
        retries_max,
        retry_pause: Duration::ZERO,
        ..JobSettings::default()
    };
    let settings = Settings {
        jobs,
        ..Settings::default()
    };
    let service = at_work_as(server, store, settings);
    let job = ended(server, &id);
    server.tokio.block_on(service.stop_jobs());
    let lines = lines_with(&id).into_iter();
    let retries = lines.filter(|line| line.contains("interrupted, and tried again"));
    (job, retries.count())
}

fn rows() -> String {
    let mut file = String::from("Code,Name\n");
    for row in 0..ROWS {
        writeln!(file, "{row},n").expect("a text takes it");
    }
    file
}

/// A server on which nobody works on jobs, and a store with tricks before its own.
fn idle() -> (AdminServer, Arc<TrickStore>) {
    listen();
    let server = AdminServer::start();
    server.use_job_files();
    let store = TrickStore::new(server.opened.store.clone());
    (server, store)
}

#[test]
fn a_job_that_gets_no_further_is_given_up_after_so_many_tries() {
    // what is only tried begins anew each time, so no try gets further
    for (query, retries) in [("", 1 + 2), ("?dryRun=true", 2)] {
        let (server, store) = idle();
        store.fail_rejects(true);
        // the last row can't be stored, behind batches that can be
        let file = rows() + "7,again\n";
        let (job, tried_again) = worked_off(&server, &store, 2, (query, &file));
        assert_eq!(job["state"], "failed", "{job}");
        let why = job["failure"].as_str().expect("a reason");
        assert!(why.starts_with("the store failed"), "{why}");
        assert_eq!(tried_again, retries, "{query}: {job}");
    }
}

#[test]
fn a_job_that_gets_further_with_each_try_is_not_given_up() {
    let (server, store) = idle();
    store.fail_every_second();
    let (job, tried_again) = worked_off(&server, &store, 1, ("", &rows()));
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(counts(&job), json!({"rows": ROWS, "created": ROWS}));
    assert!(tried_again > 1, "{tried_again}");
}
