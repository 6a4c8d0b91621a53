//! Jobs of commands that wait until the search index is there: they are held meanwhile, and can be cancelled.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, thing};
use crate::undo::sent;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// An export by a query whose index is not there before someone says so.
struct Waiting {
    server: AdminServer,
    id: String,
    is_said: Arc<AtomicBool>,
    work: JoinHandle<()>,
}

impl Waiting {
    /// Begins it; the index comes to be there, or is not to be had.
    fn start(is_there: bool) -> Self {
        let server = AdminServer::start();
        server.use_job_files();
        let [_, _, dataset] = server.places(&thing());
        sent(&server, &dataset, &[json!({"create": {"Code": "1"}})]);
        let path = format!("/datasets/{dataset}/exports");
        let made = server.make(&path, json!({"query": "*", "format": "csv"}));
        let id = made.text("jobId");
        let is_said = Arc::new(AtomicBool::new(false));
        let (service, own, said) = (server.service.clone(), id.clone(), is_said.clone());
        let work = server.tokio.spawn(async move {
            let index = async move {
                while !said.load(Ordering::Relaxed) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                is_there
            };
            let done = service.run_job_behind(&own, index).await;
            done.expect("a store");
        });
        let waiting = Waiting {
            server,
            id,
            is_said,
            work,
        };
        let patience = Instant::now() + Duration::from_secs(60);
        // nobody else can take it from here on
        while waiting.state() != "running" {
            assert!(Instant::now() < patience, "it is not taken");
            std::thread::sleep(Duration::from_millis(5));
        }
        waiting
    }

    fn state(&self) -> Value {
        self.server.get(&format!("/jobs/{}", self.id))["state"].clone()
    }

    /// How it ended.
    fn ended(self) -> Value {
        let job = ended(&self.server, &self.id);
        self.server.tokio.block_on(self.work).expect("no panic");
        job
    }
}

#[test]
fn a_job_that_waits_for_its_index_is_held_and_done_once_that_is_there() {
    let waiting = Waiting::start(true);
    waiting.is_said.store(true, Ordering::Relaxed);
    assert_eq!(waiting.ended()["state"], "done");
}

#[test]
fn a_job_whose_index_is_not_to_be_had_fails_and_says_why() {
    let waiting = Waiting::start(false);
    waiting.is_said.store(true, Ordering::Relaxed);
    let job = waiting.ended();
    assert_eq!(job["state"], "failed", "{job}");
    let why = job["failure"].as_str().expect("why");
    assert!(why.contains("can't be brought up to date"), "{why}");
}

#[test]
fn a_job_that_waits_for_its_index_is_cancelled_while_it_waits() {
    let waiting = Waiting::start(true);
    let line = format!("POST /jobs/{}/cancel", waiting.id);
    waiting.server.root(&line, None).is(200);
    assert_eq!(waiting.ended()["state"], "cancelled");
}
