//! Imports that are interrupted in the middle: tried again, taken over by another server meanwhile, or stopped until the next
//! start.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, give_ada};
use crate::held_jobs::at_work;
use crate::jobs::{counts, ended, exported, import, past, thing};
use crate::undo;
use runtime::service::{Clock as _, Service, Settings};
use runtime::store::jobs::{JobChoice, JobLease};
use runtime::value::Timestamp;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::clock::SeededEntropy;
use tests::log::{lines_with, listen};
use tests::trick_store::TrickStore;

/// Rows of the file that can be stored: of more than two batches.
const ROWS: usize = 1500;

/// A server on which nobody works on jobs yet.
fn idle() -> AdminServer {
    let server = AdminServer::start();
    server.use_job_files();
    server
}

/// Another server on the same store and the same files of jobs.
fn another(server: &AdminServer) -> Arc<Service> {
    let (store, clock) = (server.opened.store.clone(), server.clock.clone());
    let entropy = Arc::new(SeededEntropy::default());
    let service = Service::new(store, clock, entropy, Settings::default());
    let service = server.tokio.block_on(service).expect("a service");
    service.use_job_files(server.folder.path().join("jobs"));
    Arc::new(service)
}

/// Works a job off here and now.
fn run(server: &AdminServer, service: &Arc<Service>, id: &str) -> Value {
    let done = server.tokio.block_on(service.run_job(id));
    done.expect("a job");
    server.get(&format!("/jobs/{id}"))
}

/// Sends a file of which one row can't be stored, behind two batches, since a row of the first one has its key.
fn sent(server: &AdminServer, dataset: &str, query: &str) -> String {
    let mut file = String::from("Code,Name\n");
    for row in 0..ROWS {
        if row == ROWS - 100 {
            file.push_str("7,again\n");
        }
        writeln!(file, "{row},n").expect("a text takes it");
    }
    let made = import(server, &server.root, dataset, query, &file);
    made.is(201).text("jobId")
}

/// A server at work whose store fails a job as often as it comes to the first row that can't be stored, until it is let go.
struct HeldUp {
    store: Arc<TrickStore>,
    service: Arc<Service>,
}

impl HeldUp {
    /// One that has come so far with a job.
    fn at(server: &AdminServer, id: &str) -> Self {
        let store = TrickStore::new(server.opened.store.clone());
        store.fail_rejects(true);
        let service = at_work(server, &store);
        hears(id, "interrupted, and tried again");
        HeldUp { store, service }
    }

    /// Nothing fails any more.
    fn let_go(&self) {
        self.store.fail_rejects(false);
    }

    /// It works on no job any more.
    fn stop(&self, server: &AdminServer) {
        server.tokio.block_on(self.service.stop_jobs());
    }
}

/// Waits until the log says this of a job.
pub(crate) fn hears(id: &str, words: &str) {
    let patience = Instant::now() + Duration::from_secs(60);
    while !lines_with(id).iter().any(|line| line.contains(words)) {
        assert!(Instant::now() < patience, "{words}: {:?}", lines_with(id));
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// How far a job is that is under way.
fn rows_of(server: &AdminServer, id: &str) -> u64 {
    let job = server.get(&format!("/jobs/{id}"));
    assert_eq!(job["state"], "running", "{job}");
    let rows = job["progress"]["rows"].as_u64().expect("rows");
    assert!((1..ROWS as u64).contains(&rows), "it is midway: {job}");
    rows
}

fn of_all() -> Value {
    json!({"rows": ROWS + 1, "created": ROWS, "rejected": 1})
}

#[test]
fn a_job_that_another_server_took_before_its_retry_is_let_go_and_no_row_is_done_twice() {
    listen();
    let server = idle();
    let [_, _, dataset] = server.places(&thing());
    let id = sent(&server, &dataset, "");
    let held_up = HeldUp::at(&server, &id);
    let rows = rows_of(&server, &id);
    // its lease runs out before it tries again, and another server is there
    let store = server.service.store();
    let is_taken = || {
        server.clock.forward(120);
        server.opened.pass(120);
        let now = server.service.now();
        let lease = JobLease {
            holder: "another server".to_owned(),
            until: now.plus_seconds(60),
        };
        let taken = store.take_job(JobChoice::One(id.clone()), lease, now);
        server.tokio.block_on(taken).expect("a store").is_some()
    };
    while !is_taken() {}
    hears(&id, "someone else has it");
    held_up.stop(&server);
    assert_eq!(rows_of(&server, &id), rows, "it is as it was taken");
    // where the other one is gone too, who takes it goes on behind what the first one did
    server.clock.forward(120);
    server.opened.pass(120);
    let job = run(&server, &another(&server), &id);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(counts(&job), of_all());
    let rejects = server.root(&format!("GET /jobs/{id}/rejects"), None);
    assert_eq!(rejects.is(200).body.lines().count(), 2);
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    assert_eq!(faults["recordCount"], ROWS, "{faults}");
}

#[test]
fn a_field_that_gets_another_name_in_the_middle_keeps_its_column_for_the_rest_of_the_file() {
    listen();
    let server = idle();
    let [_, schema, dataset] = server.places(&thing());
    let id = sent(&server, &dataset, "");
    let held_up = HeldUp::at(&server, &id);
    rows_of(&server, &id);
    let mut document = thing();
    document["fields"][1]["name"] = json!("Label");
    let line = format!("PUT /schemas/{schema}");
    let body = json!({"document": document});
    server.root(&line, Some(body)).is(200);
    held_up.let_go();
    let job = ended(&server, &id);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(counts(&job), of_all());
    held_up.stop(&server);
    server.start_jobs();
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    let mut lines = all.lines();
    assert_eq!(lines.next(), Some("Code,Label,Size"));
    assert!(lines.all(|line| line.ends_with(",n,")), "some lost it");
}

#[test]
fn a_dry_run_that_is_stopped_midway_counts_the_same_at_the_next_start() {
    listen();
    let server = idle();
    let [_, _, dataset] = server.places(&thing());
    let whole = sent(&server, &dataset, "?dryRun=true");
    let whole = run(&server, &server.service, &whole);
    assert_eq!(counts(&whole), of_all());
    let id = sent(&server, &dataset, "?dryRun=true");
    HeldUp::at(&server, &id).stop(&server);
    rows_of(&server, &id);
    // it begins anew, so it got no further; who stopped it did not end in the middle
    let stopped = server.tokio.block_on(server.service.store().job(&id));
    let stopped = stopped.expect("a store").expect("a job");
    let cursor = stopped.cursor.expect("by which names it goes");
    assert_eq!((&cursor["rows"], stopped.tries), (&json!(0), 0));
    let next = another(&server);
    let inside = server.tokio.enter();
    next.start_jobs();
    drop(inside);
    let job = ended(&server, &id);
    server.tokio.block_on(next.stop_jobs());
    assert_eq!(job["state"], "done", "{job}");
    for part in ["importResult", "progress"] {
        assert_eq!(job[part], whole[part], "{part}");
    }
    let rejects = |job: &Value| {
        let id = job["jobId"].as_str().expect("an id");
        let rejects = server.root(&format!("GET /jobs/{id}/rejects"), None);
        rejects.is(200).body
    };
    assert_eq!(rejects(&job), rejects(&whole));
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    assert_eq!(faults["recordCount"], 0, "nothing is stored: {faults}");
}

#[test]
fn the_page_of_a_job_under_way_tells_how_fast_it_is_and_how_long_it_takes_still() {
    listen();
    let server = idle();
    let [area, _, dataset] = server.places(&thing());
    give_ada(&server, &area);
    let id = sent(&server, &dataset, "");
    let ada = Browser::signed_in(&server);
    let page = |browser: &Browser| browser.get(&format!("/app/jobs/{id}")).is(200).body;
    let waiting = page(&ada);
    assert!(!waiting.contains(" rows a second"), "{waiting}");
    let held_up = HeldUp::at(&server, &id);
    server.clock.forward(10);
    let job = server.get(&format!("/jobs/{id}"));
    let started = job["startedDate"].as_str().expect("it started");
    let started: Timestamp = started.parse().expect("a moment");
    let millis = server.clock.now().millis() - started.millis();
    let seconds = u64::try_from(millis / 1000).expect("a while");
    let rows = rows_of(&server, &id);
    let told = page(&ada);
    // until the page is asked for, one more second may be over
    let rests = [seconds, seconds + 1].map(|seconds| {
        let beginning = format!("{} rows a second · ", rows / seconds);
        told.split_once(&beginning).map(|(_, rest)| rest)
    });
    let rest = rests.into_iter().flatten().next().expect(&told);
    let (seconds, _) = rest.split_once(" s left<").expect(&told);
    let seconds: u64 = seconds.parse().expect(&told);
    assert!((1..=20).contains(&seconds), "{told}");
    // and how much of the file is read
    let (_, pace) = told.split_once(r#"small pace">"#).expect(&told);
    let pace = pace.split('<').next().expect(&told);
    let part: Vec<_> = pace.split(" · ").take(2).collect();
    assert!(part[0].ends_with('%') && part[1].contains(" of "), "{pace}");
    let german = ada.in_german();
    let told = page(&german);
    // the clock has gone on meanwhile
    assert!(told.contains(" Zeilen in der Sekunde · noch "), "{told}");
    held_up.let_go();
    ended(&server, &id);
    assert!(!page(&german).contains(" in der Sekunde"), "it has ended");
    held_up.stop(&server);
}

/// Takes a job as a server does that ends in the middle of it, so many times.
fn end_in_the_middle(server: &AdminServer, id: &str, times: usize) {
    for _ in 0..times {
        let now = server.service.now();
        let lease = JobLease {
            holder: "one that ends".to_owned(),
            until: now.plus_seconds(60),
        };
        let store = server.service.store();
        let taken = store.take_job(JobChoice::One(id.to_owned()), lease, now);
        let taken = server.tokio.block_on(taken).expect("a store");
        assert!(taken.is_some(), "nobody has it");
        server.clock.forward(120);
        server.opened.pass(120);
    }
}

#[test]
fn a_job_that_ends_the_program_again_and_again_is_given_up_and_others_go_on() {
    let server = idle();
    let [_, _, dataset] = server.places(&thing());
    let (fatal, other) = (
        sent(&server, &dataset, "?dryRun=true"),
        sent(&server, &dataset, ""),
    );
    end_in_the_middle(&server, &fatal, 5);
    end_in_the_middle(&server, &other, 4);
    server.start_jobs();
    let job = ended(&server, &fatal);
    assert_eq!(job["state"], "failed", "{job}");
    let why = job["failure"].as_str().expect("a reason");
    assert!(why.starts_with("the program ended 5 times while"), "{why}");
    let job = ended(&server, &other);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(counts(&job), of_all());
    server.tokio.block_on(server.service.stop_jobs());
    // a command is told as well
    let fatal = sent(&server, &dataset, "?dryRun=true");
    end_in_the_middle(&server, &fatal, 5);
    assert_eq!(run(&server, &server.service, &fatal)["state"], "failed");
}

#[test]
fn what_someone_wrote_between_two_writes_of_a_job_outlives_its_undoing() {
    listen();
    let server = idle();
    let [_, _, dataset] = server.places(&thing());
    let write = |line: Value| undo::sent(&server, &dataset, &[line]).1;
    let record = write(json!({"create": {"Code": "7", "Name": "first", "Size": 1}}));
    // its record is in the first rows and in the last one, and the job is held up in between
    let mut file = String::from("Code,Name\n");
    for row in 0..ROWS {
        writeln!(file, "{row},n").expect("a text takes it");
    }
    file.push_str(",no key\n7,last\n");
    let made = import(&server, &server.root, &dataset, "?mode=upsert", &file);
    let id = made.is(201).text("jobId");
    HeldUp::at(&server, &id).stop(&server);
    write(json!({"upsert": {"Code": "7", "Size": 99}}));
    server.clock.forward(120);
    server.opened.pass(120);
    let next = another(&server);
    let job = run(&server, &next, &id);
    assert_eq!(job["state"], "done", "{job}");
    let all = json!({"rows": ROWS + 2, "created": ROWS - 1, "updated": 2, "rejected": 1});
    assert_eq!(counts(&job), all);

    let asked = server.root(&format!("POST /jobs/{id}/undo"), None);
    let job = run(&server, &next, &asked.is(201).text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    let told = &job["undoResult"];
    let counts = ["records", "deleted", "reverted", "left"].map(|name| told[name].as_u64());
    let made = ROWS as u64 - 1;
    assert_eq!(counts, [made + 1, made, 0, 1].map(Some));
    let reason = "someone wrote it between two writes of the job";
    let left = json!([{"dataObjectId": record[0], "reason": reason}]);
    assert_eq!(told["leftRecords"], left);
    assert_eq!(
        past(&server, &dataset, &record[0]),
        ["update", "update", "update", "create"]
    );
}
