//! What goes by its age, and what keeps it: the index, webhooks and backups come first. docs/interface.md, "Retention".

use crate::admin_server::{AdminServer, city};
use crate::jobs::{ended, imported};
use crate::requests::Answer;
use runtime::service::{RetentionReport, RetentionSettings, Settings};
use runtime::value::Timestamp;
use serde_json::{Value, json};
use std::io::{ErrorKind, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

pub(crate) const DAY: i64 = 24 * 3600;
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// Longer than it takes until what is waited for comes.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Aging {
    pub(crate) server: AdminServer,
    pub(crate) schema: String,
    pub(crate) dataset: String,
    path: String,
    key: String,
}

impl Aging {
    pub(crate) fn start(only_backed_up: bool) -> Self {
        Self::of(AdminServer::with_settings(Self::settings(only_backed_up)))
    }

    pub(crate) fn settings(only_backed_up: bool) -> Settings {
        Settings {
            retention: RetentionSettings {
                changes: Some(KEPT),
                trail: Some(KEPT),
                deleted: Some(KEPT),
                only_backed_up,
            },
            ..Settings::default()
        }
    }

    pub(crate) fn of(server: AdminServer) -> Self {
        let [area, schema, dataset] = server.places(&city());
        let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
        let path = format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}");
        Aging {
            server,
            schema,
            dataset,
            path,
            key,
        }
    }

    fn ask(&self, line: &str, body: Option<Value>) -> Answer {
        let body = body.map(|body| body.to_string());
        let head = [("Authorization", self.key.as_str())];
        self.server.send(line, &head, body.as_deref())
    }

    pub(crate) fn create(&self, code: &str) -> String {
        let body = json!({"Code": code, "Mayor": "first"});
        let made = self.ask(&format!("POST {}/dataobjects", self.path), Some(body));
        made.is(201).text("_dataObjectId")
    }

    pub(crate) fn update(&self, id: &str, version: i64, mayor: &str) {
        let body = json!({"_version": version, "Mayor": mayor});
        let line = format!("PUT {}/dataobjects/{id}", self.path);
        self.ask(&line, Some(body)).is(204);
    }

    pub(crate) fn delete(&self, id: &str) {
        let line = format!("DELETE {}/dataobjects/{id}", self.path);
        self.ask(&line, None).is(204);
    }

    fn changes(&self, after: &str) -> Answer {
        self.ask(&format!("GET {}/changes{after}", self.path), None)
    }

    /// Removes what is old, once the index has all there is.
    pub(crate) fn remove_old(&self) -> RetentionReport {
        let service = &self.server.service;
        self.server.tokio.block_on(async {
            while service
                .search_state()
                .await
                .expect("an index")
                .is_none_or(|it| it.behind > 0)
            {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            service
                .remove_old(service.now())
                .await
                .expect("nothing fails")
        })
    }

    fn history(&self, id: &str) -> Vec<Value> {
        let line = format!("/datasets/{}/records/{id}/history", self.dataset);
        self.server.get(&line)["items"]
            .as_array()
            .expect("a page")
            .clone()
    }
}

#[test]
fn jobs_of_before_a_record_was_deleted_are_emptied_when_it_goes_by_its_age() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.start_jobs();
    let id = aging.create("A");
    let export = || {
        let path = format!("/datasets/{}/exports", aging.dataset);
        let id = server.make(&path, json!({})).text("jobId");
        assert_eq!(ended(server, &id)["files"][0]["file"], "export");
        id
    };
    let before = export();
    server.clock.forward(DAY);
    aging.delete(&id);
    server.clock.forward(2 * DAY);
    let behind = export();
    server.clock.forward(29 * DAY);
    assert_eq!(aging.remove_old().deleted, 1);
    let job = ended(server, &before);
    assert_eq!(
        (&job["isPurged"], &job["files"]),
        (&json!(true), &json!([]))
    );
    let job = ended(server, &behind);
    assert_eq!(job["isPurged"], json!(null), "{job}");
    assert_eq!(job["files"][0]["file"], "export");
}

#[test]
fn what_is_older_than_it_is_kept_goes_and_those_who_come_from_before_are_told() {
    let aging = Aging::start(false);
    let first = aging.create("A");
    let early = aging.changes("").is(200).text("next");
    let gone = aging.create("B");
    aging.delete(&gone);
    assert_eq!(aging.remove_old(), RetentionReport::default());
    aging.server.clock.forward(31 * DAY);
    aging.update(&first, 0, "second");
    let report = aging.remove_old();
    assert_eq!((report.deleted, report.changes), (1, 1));
    assert!(report.trail > 3, "{report:?}");
    // the record that had been deleted, its past too; that it went is told
    let deleted = format!("/datasets/{}/deleted-records", aging.dataset);
    assert_eq!(aging.server.get(&deleted)["items"], json!([]));
    let told = aging.changes("").is(200).json();
    let actions: Vec<_> = told["items"]
        .as_array()
        .expect("changes")
        .iter()
        .map(|it| it["action"].as_str().expect("one"))
        .collect();
    assert_eq!(actions, ["update", "purge"]);
    // the newest that is gone was the one behind the position, so nothing was missed yet
    aging.changes(&format!("?after={early}")).is(200);
    // the history tells what it has, and an earlier version that it has it no more
    let history = aging.history(&first);
    assert_eq!(history.len(), 1);
    assert_eq!(history[0]["action"], "update");
    let version = format!("GET /datasets/{}/records/{first}/versions/0", aging.dataset);
    let answer = aging.server.root(&version, None).is(404);
    assert!(answer.body.contains("not kept any more"), "{}", answer.body);
    // the trail's newest entry is there
    let trail = aging.server.get("/audit");
    let items = trail["items"].as_array().expect("a page").iter();
    let kept = items.filter(|it| it["action"] != "view_personal_data");
    assert_eq!(kept.count(), 1);
    aging.server.clock.forward(31 * DAY);
    aging.create("C");
    assert_eq!(aging.remove_old().changes, 2);
    aging.changes(&format!("?after={early}")).is(410);
    aging.server.is_sound();
}

#[test]
fn a_job_whose_changes_are_not_kept_any_more_is_not_undone() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.start_jobs();
    let old = imported(server, &aging.dataset, "", "Code,Mayor\n1,a\n2,b\n");
    server.clock.forward(31 * DAY);
    let young = imported(server, &aging.dataset, "", "Code,Mayor\n3,c\n");
    assert_eq!(aging.remove_old().changes, 2);
    let undo = |job: &Value| {
        let id = job["jobId"].as_str().expect("an id");
        server.root(&format!("POST /jobs/{id}/undo"), None)
    };
    let refused = undo(&old).is(409);
    assert!(
        refused.body.contains("not kept any more"),
        "{}",
        refused.body
    );
    let undone = ended(server, &undo(&young).is(201).text("jobId"));
    assert_eq!(undone["undoResult"]["deleted"], 1, "{undone}");
}

/// Asks for events behind a position, and takes what comes until something has come and there is nothing more for a while, or it
/// has ended; whether it has.
fn listen(aging: &Aging, after: &str, something: &str, came: &mut String) -> (TcpStream, bool) {
    let mut stream = TcpStream::connect(aging.server.address).expect("it listens");
    let (path, key) = (&aging.path, &aging.key);
    let head = format!(
        "GET {path}/changes{after} HTTP/1.1\r\nHost: x\r\nAuthorization: {key}\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let has_ended = take(&mut stream, Some(something), came);
    (stream, has_ended)
}

/// Takes what comes until it has ended, or something has come, where it is named, and there is nothing more for a while; whether it
/// has ended.
fn take(stream: &mut TcpStream, something: Option<&str>, came: &mut String) -> bool {
    let pause = Duration::from_millis(500);
    stream.set_read_timeout(Some(pause)).expect("a limit");
    let mut part = [0; 4096];
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        match tests::read_some(stream, &mut part) {
            Ok(length) => {
                came.push_str(&String::from_utf8_lossy(&part[..length]));
                if length == 0 || came.ends_with("\r\n0\r\n\r\n") {
                    return true;
                }
            }
            // a machine that does much else is silent before
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if something.is_some_and(|it| came.contains(it)) {
                    return false;
                }
            }
            Err(_) => return false,
        }
    }
    false
}

#[test]
fn who_listens_to_events_goes_on_beside_retention_and_who_comes_from_before_it_is_refused() {
    let aging = Aging::start(false);
    aging.create("A");
    let early = aging.changes("").is(200).text("next");
    aging.create("B");
    aging.create("Newest");
    let mut came = String::new();
    let behind = format!("?after={early}");
    let (mut listening, has_ended) = listen(&aging, &behind, r#""Code":"B""#, &mut came);
    assert!(!has_ended && came.contains(r#""Code":"B""#), "{came}");
    // what it heard goes, but the newest of the log, and what comes then is told: nothing was missed
    aging.server.clock.forward(31 * DAY);
    assert_eq!(aging.remove_old().changes, 2);
    aging.create("C");
    assert!(
        !take(&mut listening, Some(r#""Code":"C""#), &mut came),
        "{came}"
    );
    assert!(came.contains(r#""Code":"C""#), "{came}");
    let mut refused = String::new();
    listen(&aging, &behind, "not kept any more", &mut refused);
    assert!(refused.starts_with("HTTP/1.1 410 "), "{refused}");
    assert!(refused.contains("not kept any more"), "{refused}");
    // who begins at the beginning begins where what is kept does
    let mut begun = String::new();
    let (_, has_ended) = listen(&aging, "", r#""Code":"C""#, &mut begun);
    assert!(!has_ended && begun.contains(r#""Code":"C""#), "{begun}");
    assert!(!begun.contains(r#""Code":"B""#), "{begun}");
}

/// More than the system keeps of an answer that nobody takes.
const LONG: usize = 200_000;

#[test]
fn events_that_nobody_took_before_retention_end_and_who_asks_again_is_told() {
    let aging = Aging::start(false);
    aging.create("A");
    let mut stream = TcpStream::connect(aging.server.address).expect("it listens");
    let (path, key) = (&aging.path, &aging.key);
    let head = format!(
        "GET {path}/changes HTTP/1.1\r\nHost: x\r\nAuthorization: {key}\r\nAccept: text/event-stream\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    for number in 0..60 {
        let body = json!({"Code": format!("N{number}"), "Mayor": "m".repeat(LONG)});
        let made = aging.ask(&format!("POST {path}/dataobjects"), Some(body));
        made.is(201);
    }
    aging.server.clock.forward(31 * DAY);
    assert!(aging.remove_old().changes > 10);
    let mut came = String::new();
    assert!(
        take(&mut stream, None, &mut came),
        "it ends: {}",
        came.len()
    );
    let heard = came.matches("\nid: ").count();
    assert!(heard < 60, "{heard}");
    let last = came
        .rsplit("\nid: ")
        .next()
        .and_then(|it| it.lines().next());
    let last = last.expect("a position");
    aging.changes(&format!("?after={last}")).is(410);
}

#[test]
fn a_webhook_that_is_switched_on_keeps_what_it_has_still_to_bring() {
    let aging = Aging::start(false);
    aging.create("A");
    let hook = json!({"name": "W", "url": "https://example.org/hook", "datasets": [aging.dataset]});
    let hook = aging.server.make("/webhooks", hook).text("webhookId");
    for code in ["B", "C"] {
        aging.create(code);
    }
    aging.server.clock.forward(31 * DAY);
    aging.create("D");
    aging.create("E");
    assert_eq!(aging.remove_old().changes, 1);
    assert_eq!(aging.remove_old().changes, 0);
    let line = format!("POST /webhooks/{hook}/disable");
    aging.server.root(&line, None).is(200);
    assert_eq!(aging.remove_old().changes, 2);
}

#[test]
fn a_dataset_that_a_webhook_got_later_keeps_nothing_of_its_past() {
    let aging = Aging::start(false);
    let schema = aging.server.service.store().catalog().datasets[&aging.dataset]
        .schema
        .clone();
    let path = format!("/schemas/{schema}/datasets");
    let quiet = aging.server.make(&path, json!({"name": "Quiet"}));
    let mut hook = json!({"name": "W", "url": "https://example.org/hook", "datasets": [quiet.text("dataSetId")]});
    let id = aging
        .server
        .make("/webhooks", hook.clone())
        .text("webhookId");
    aging.create("A");
    aging.create("B");
    hook["datasets"] = json!([quiet.text("dataSetId"), aging.dataset]);
    let changed = aging
        .server
        .root(&format!("PUT /webhooks/{id}"), Some(hook));
    changed.is(200);
    aging.server.clock.forward(31 * DAY);
    aging.create("C");
    aging.create("D");
    assert_eq!(aging.remove_old().changes, 2);
    let letters = aging.server.get(&format!("/webhooks/{id}/dead-letters"));
    assert_eq!(letters["items"], json!([]));
}

#[test]
fn where_backups_are_made_nothing_goes_that_none_has() {
    let aging = Aging::start(true);
    aging.create("A");
    let now = || aging.server.service.now();
    let before = now();
    aging.server.clock.forward(31 * DAY);
    aging.create("B");
    aging.create("C");
    assert_eq!(aging.remove_old(), RetentionReport::default());
    aging
        .server
        .service
        .note_backup(Timestamp::from_millis(before.millis() - 1000 * DAY));
    assert_eq!(aging.remove_old(), RetentionReport::default());
    aging.server.service.note_backup(now());
    assert_eq!(aging.remove_old().changes, 1);
}
