//! Jobs that change records, by a server that is killed again and again: each record is changed once, and back once.

use crate::jobs::{cities, company, ended};
use crate::support::{Server, TIMEOUT, json, process, succeed};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Records that each job changes.
const ROWS: u32 = 4_000;
/// Records that an upsert makes beside.
const MORE: u32 = 500;
/// Moments at which the server is killed, in milliseconds after a job is seen at work, and then after each start.
const KILLS: [u64; 3] = [10, 250, 60];

const LINES: &str = "application/x-ndjson";

/// A file with so many records.
fn lines(rows: u32, people: impl Fn(u32) -> u32) -> String {
    (0..rows).fold(String::new(), |mut lines, row| {
        let people = people(row);
        writeln!(lines, "{{\"Name\":\"K{row}\",\"People\":{people}}}").expect("a text");
        lines
    })
}

struct Story<'f> {
    folder: &'f Path,
    server: Option<Server>,
    key: String,
    place: [String; 3],
}

impl Story<'_> {
    fn server(&self) -> &Server {
        self.server.as_ref().expect("it runs")
    }

    /// Asks for a job; its id.
    fn asked(&self, path: &str, kind: &str, body: &str) -> String {
        let kind = format!("Content-Type: {kind}");
        let made = self.server().send_as("POST", &self.key, path, &kind, body);
        assert_eq!(made.status, 201, "{}", made.body);
        made.json()["jobId"].as_str().expect("an id").to_owned()
    }

    /// Asks for a job and kills the server again and again until it is done; a kill is to meet it at work.
    fn done(&mut self, path: &str, kind: &str, body: &str) -> Value {
        let id = self.asked(path, kind, body);
        let path = format!("/admin/api/v1/jobs/{id}");
        // looked at again and again, since it may be short
        let began = Instant::now();
        while self.server().get(&self.key, &path).json()["state"] == "queued" {
            assert!(began.elapsed() < TIMEOUT, "it does not begin");
            thread::sleep(Duration::from_millis(1));
        }
        for (kill, pause) in KILLS.into_iter().enumerate() {
            thread::sleep(Duration::from_millis(pause));
            // the process is killed without a word
            drop(self.server.take());
            if kill == 0 {
                // whoever begins it anew finds it left in the middle; what a log has of that may be lost by the next kill
                let left = json(self.folder, &["jobs", "show", &id]);
                assert_eq!(
                    left["state"], "running",
                    "it was over before a kill: it needs more rows: {left}"
                );
            }
            self.server = Some(Server::start_process(self.folder, &[]));
        }
        let job = ended(self.server(), &self.key, &path);
        assert_eq!(job["state"], "done", "{job}");
        job
    }

    fn imported(&mut self, mode: &str, rows: u32, people: impl Fn(u32) -> u32) -> Value {
        let path = self.imports(mode);
        self.done(&path, LINES, &lines(rows, people))
    }

    /// Has records made without a kill.
    fn made(&self) {
        let id = self.asked(&self.imports("create"), LINES, &lines(ROWS, |row| row));
        let path = format!("/admin/api/v1/jobs/{id}");
        let job = ended(self.server(), &self.key, &path);
        assert_eq!(job["importResult"]["created"], ROWS, "{job}");
    }

    fn imports(&self, mode: &str) -> String {
        let dataset = &self.place[2];
        format!("/admin/api/v1/datasets/{dataset}/imports?mode={mode}")
    }

    /// Checks that an export has each record once, as it is.
    fn exported(&mut self, rows: u32) {
        let exports = format!("/admin/api/v1/datasets/{}/exports", self.place[2]);
        let job = self.done(&exports, "application/json", "{}");
        let id = job["jobId"].as_str().expect("an id");
        let path = format!("/admin/api/v1/jobs/{id}/export");
        let made = self.server().get(&self.key, &path);
        assert_eq!(made.status, 200, "{}", made.body);
        let mut told = Vec::new();
        for line in made.body.lines() {
            let record: Value = serde_json::from_str(line).expect("JSON");
            let name = record["Name"].as_str().expect("a key");
            if let Some(Ok(number)) = name.strip_prefix('K').map(str::parse::<u32>) {
                told.push((number, record["People"].clone()));
            }
        }
        told.sort_by_key(|(number, _)| *number);
        let there = self.records().into_iter();
        let there: Vec<_> = there
            .map(|(number, (_, people))| (number, people))
            .collect();
        assert_eq!(told.len(), rows as usize);
        assert_eq!(told, there);
    }

    /// Version and value of each record that the story is about.
    fn records(&self) -> BTreeMap<u32, (u64, Value)> {
        let items = self.items().into_iter().map(|(number, item)| {
            let version = item["_version"].as_u64().expect("a version");
            (number, (version, item["People"].clone()))
        });
        items.collect()
    }

    /// The same records as they are shown.
    fn items(&self) -> BTreeMap<u32, Value> {
        let [area, schema, dataset] = &self.place;
        let path = format!(
            "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects?pageSize=1000"
        );
        let (mut found, mut next) = (BTreeMap::new(), String::new());
        loop {
            let page = self
                .server()
                .get(&self.key, &format!("{path}{next}"))
                .json();
            for item in page["items"].as_array().expect("a page") {
                let name = item["Name"].as_str().expect("a key");
                let number = name.strip_prefix('K').and_then(|it| it.parse().ok());
                if let Some(number) = number {
                    found.insert(number, item.clone());
                }
            }
            match page["nextPageKey"].as_str() {
                Some(key) => next = format!("&pageKey={key}"),
                None => return found,
            }
        }
    }

    #[track_caller]
    fn check(&self, rows: u32, state: impl Fn(u32) -> (u64, u32)) {
        let found = self.records();
        assert_eq!(found.len(), rows as usize);
        for (row, (version, people)) in found {
            let (expected, value) = state(row);
            assert_eq!((version, people), (expected, Value::from(value)), "K{row}");
        }
    }
}

/// A story of a server with the company's cities.
fn begun(folder: &Path) -> Story<'_> {
    let key = company(folder);
    let server = Server::start_process(folder, &[]);
    let place = cities(&server, &key);
    Story {
        folder,
        server: Some(server),
        key,
        place,
    }
}

#[test]
fn imports_that_are_killed_again_and_again_change_each_record_once() {
    let folder = tempdir().expect("a folder");
    let mut story = begun(folder.path());
    story.imported("create", ROWS, |row| row);
    story.check(ROWS, |row| (0, row));
    let job = story.imported("update", ROWS, |row| row + 1);
    assert_eq!(job["importResult"]["updated"], ROWS, "{job}");
    story.check(ROWS, |row| (1, row + 1));
    let all = ROWS + MORE;
    let job = story.imported("upsert", all, |row| row + 2);
    assert_eq!(job["importResult"]["updated"], ROWS, "{job}");
    assert_eq!(job["importResult"]["created"], MORE, "{job}");
    let of_old = |row: u32, version: u64| if row < ROWS { version } else { version - 2 };
    story.check(all, |row| (of_old(row, 2), row + 2));
    let job = story.imported("replace", all, |row| row + 3);
    assert_eq!(job["importResult"]["updated"], all, "{job}");
    story.check(all, |row| (of_old(row, 3), row + 3));
    story.server.take().expect("it runs").stop();
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
}

#[test]
fn exports_repairs_and_undos_that_are_killed_again_and_again_meet_each_record_once() {
    let folder = tempdir().expect("a folder");
    let mut story = begun(folder.path());
    story.made();
    story.exported(ROWS);
    let repairs = format!("/admin/api/v1/datasets/{}/repairs", story.place[2]);
    let set = r#"{"field":"People","action":{"set":7}}"#;
    let job = story.done(&repairs, "application/json", set);
    assert!(job["revisionResult"]["changed"].as_u64() >= Some(u64::from(ROWS) - 1));
    // one had the value already
    let version = |row: u32, version: u64| if row == 7 { 0 } else { version };
    story.check(ROWS, |row| (version(row, 1), 7));
    let undo = format!(
        "/admin/api/v1/jobs/{}/undo",
        job["jobId"].as_str().expect("an id")
    );
    let back = story.done(&undo, "application/json", "");
    assert_eq!(back["undoResult"]["left"], 0, "{back}");
    story.check(ROWS, |row| (version(row, 2), row));
    story.server.take().expect("it runs").stop();
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
}

#[test]
fn keys_that_moved_from_record_to_record_come_back_however_often_the_server_is_killed_meanwhile() {
    let folder = tempdir().expect("a folder");
    let mut story = begun(folder.path());
    story.made();
    let before = story.items();
    // each but the last two moves on by one key, from the last to the first, and of two the keys are exchanged
    let mut lines = Vec::new();
    let mut moved = |number: u32, version: u32, to: String| {
        let id = &before[&number]["_dataObjectId"];
        let change = serde_json::json!({"_dataObjectId": id, "_version": version, "Name": to});
        lines.push(serde_json::json!({"update": change}).to_string());
    };
    let [last, other] = [ROWS - 1, ROWS - 2];
    moved(last, 0, "between".to_owned());
    moved(other, 0, format!("K{last}"));
    moved(last, 1, format!("K{other}"));
    moved(ROWS - 3, 0, format!("K{ROWS}"));
    for row in (0..ROWS - 3).rev() {
        moved(row, 0, format!("K{}", row + 1));
    }
    let bulk = format!("/admin/api/v1/datasets/{}/records/bulk", story.place[2]);
    let kind = "Content-Type: application/x-ndjson";
    let done = story
        .server()
        .send_as("POST", &story.key, &bulk, kind, &lines.join("\n"));
    assert_eq!(done.status, 200, "{}", done.body);
    let jobs = story
        .server()
        .get(&story.key, "/admin/api/v1/jobs?pageSize=1");
    let job = jobs.json()["items"][0].clone();
    assert_eq!(job["bulkResult"]["updated"], ROWS + 1, "{job}");
    let id = job["jobId"].as_str().expect("an id");
    let undo = format!("/admin/api/v1/jobs/{id}/undo");
    let back = story.done(&undo, "application/json", "");
    let counts = ["records", "reverted", "left"].map(|name| &back["undoResult"][name]);
    assert_eq!(counts, [ROWS, ROWS, 0], "{back}");
    let mut expected = before;
    for (number, item) in &mut expected {
        let restores = if *number == last { 2 } else { 1 };
        item["_version"] = Value::from(2 * restores);
    }
    assert!(
        story.items() == expected,
        "each has its key again, by one restore for each write"
    );
    story.server.take().expect("it runs").stop();
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
}

/// Starts a server whose output nobody takes, so that it waits to say that it listens; once it works on a job, it ends, for
/// nobody will.
fn start_in_vain(folder: &Path) {
    let (reader, out) = std::io::pipe().expect("a pipe");
    let mut full = out.try_clone().expect("one more end");
    let filler = thread::spawn(move || while full.write_all(&[b'.'; 4096]).is_ok() {});
    let mut command = process(folder);
    command.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
    command.stdout(out).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let errors = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut lines = errors.lines().map_while(Result::ok);
    let (looking, looked) = mpsc::channel::<()>();
    let ender = thread::spawn(move || {
        // until it is seen at work, or long enough
        let _ = looked.recv_timeout(TIMEOUT);
        drop(reader);
    });
    let is_of_job = |line: &String| line.contains("begun") || line.contains("given up");
    let told = lines.find(is_of_job).expect("a job is taken");
    drop(looking);
    lines.for_each(drop);
    child.wait().expect("a child");
    ender.join().expect("no panic");
    filler.join().expect("no panic");
    assert!(told.contains("begun"), "{told}");
}

#[test]
fn a_job_is_not_given_up_because_the_program_ends_at_each_start_for_another_reason() {
    let folder = tempdir().expect("a folder");
    let mut story = begun(folder.path());
    // one that is only tried gets no further until it is done
    let path = story.imports("create&dryRun=true");
    let id = story.asked(&path, LINES, &lines(50_000, |_| 1));
    drop(story.server.take());
    // as often as a job may end the program, and once more
    for _ in 0..6 {
        start_in_vain(folder.path());
    }
    story.server = Some(Server::start_process(folder.path(), &[]));
    let job = ended(
        story.server(),
        &story.key,
        &format!("/admin/api/v1/jobs/{id}"),
    );
    assert_eq!(job["state"], "done", "{job}");
}
