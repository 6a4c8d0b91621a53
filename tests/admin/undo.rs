//! What a job wrote is taken back from its last write to its first, so that primary keys that went from record to record
//! are free again when their record comes to have them.

use crate::admin_server::AdminServer;
use crate::at_once::at_once;
use crate::jobs::{ended, past, sent_in_bulk, server, thing};
use serde_json::{Value, json};

/// Sends lines as one request of many writes, each of which is done: the job's id, if it is one, and each line's record.
pub(crate) fn sent(server: &AdminServer, dataset: &str, lines: &[Value]) -> (String, Vec<String>) {
    let answer = sent_in_bulk(server, dataset, lines);
    let told = answer.json();
    let mut ids = Vec::new();
    for verdict in told.as_array().expect("verdicts") {
        assert!(verdict["error"].is_null(), "{verdict}");
        ids.push(
            verdict["_dataObjectId"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        );
    }
    let job = answer.header("job-id").unwrap_or_default().to_owned();
    (job, ids)
}

/// Undoes a job to its end: how many records it came to, and how many of them were reverted, deleted, restored and left.
pub(crate) fn undone(server: &AdminServer, job: &str) -> (String, [u64; 5]) {
    let made = server.root(&format!("POST /jobs/{job}/undo"), None).is(201);
    let id = made.text("jobId");
    let job = ended(server, &id);
    assert_eq!(job["state"], "done", "{job}");
    let names = ["records", "reverted", "deleted", "restored", "left"];
    let counts = names.map(|name| job["undoResult"][name].as_u64().expect("a count"));
    (id, counts)
}

/// Key, size and version of each record, by the keys.
fn records(server: &AdminServer, [area, schema, dataset]: &[String; 3]) -> Vec<(String, u64, u64)> {
    let count = server.answers.lock().expect("no test panics here").len();
    let role = server.role("MEMBER");
    let (_, reader) = server.key(&format!("reader {count}"), &[&role], &[area]);
    let line =
        format!("GET /v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let page = server.send(&line, &[("Authorization", &*reader)], None);
    let page = page.is(200).json();
    let items = page["items"].as_array().expect("a page").iter();
    let mut found: Vec<_> = items
        .map(|it| {
            let number = |name: &str| it[name].as_u64().expect("a number");
            let code = it["Code"].as_str().expect("a key").to_owned();
            (code, number("Size"), number("_version"))
        })
        .collect();
    found.sort();
    found
}

/// A dataset with records of these keys, whose sizes count from 1; their ids.
fn filled(server: &AdminServer, keys: &[&str]) -> ([String; 3], Vec<String>) {
    let places = server.places(&thing());
    let lines: Vec<_> = (1..)
        .zip(keys)
        .map(|(size, key)| json!({"create": {"Code": key, "Size": size}}))
        .collect();
    let (_, ids) = sent(server, &places[2], &lines);
    (places, ids)
}

fn key_of(id: &str, version: u64, key: &str) -> Value {
    json!({"update": {"_dataObjectId": id, "_version": version, "Code": key}})
}

fn keys(found: &[(String, u64, u64)]) -> Vec<(&str, u64)> {
    let keys = found.iter().map(|(key, size, _)| (key.as_str(), *size));
    keys.collect()
}

#[test]
fn a_record_whose_key_the_job_gave_to_a_new_one_has_it_again() {
    let server = server();
    let (places, ids) = filled(&server, &["a", "b"]);
    let lines = [
        json!({"delete": {"_dataObjectId": ids[0]}}),
        json!({"create": {"Code": "a", "Size": 10}}),
        key_of(&ids[1], 0, "moved"),
        json!({"create": {"Code": "b", "Size": 20}}),
    ];
    let (job, _) = sent(&server, &places[2], &lines);
    let (undo, counts) = undone(&server, &job);
    assert_eq!(counts, [4, 1, 2, 1, 0]);
    assert_eq!(keys(&records(&server, &places)), [("a", 1), ("b", 2)]);
    // and what was undone is done again in the same way
    let (again, counts) = undone(&server, &undo);
    assert_eq!(counts, [4, 1, 1, 2, 0]);
    let done = [("a", 10), ("b", 20), ("moved", 2)];
    assert_eq!(keys(&records(&server, &places)), done);
    let (third, _) = undone(&server, &again);
    assert_eq!(keys(&records(&server, &places)), [("a", 1), ("b", 2)]);
    // who undoes the job itself finds that all is back
    assert_eq!(undone(&server, &job).1, [0, 0, 0, 0, 0]);
    assert_eq!(keys(&records(&server, &places)), [("a", 1), ("b", 2)]);
    // and once it is done again, takes it back as at first
    undone(&server, &third);
    assert_eq!(keys(&records(&server, &places)), done);
    assert_eq!(undone(&server, &job).1, [4, 1, 2, 1, 0]);
    assert_eq!(keys(&records(&server, &places)), [("a", 1), ("b", 2)]);
}

#[test]
fn a_job_whose_undoing_was_undone_is_undone_again_but_for_what_someone_else_wrote() {
    let server = server();
    let (places, ids) = filled(&server, &["a", "b"]);
    let lines = [
        key_of(&ids[0], 0, "between"),
        key_of(&ids[1], 0, "a"),
        key_of(&ids[0], 1, "b"),
    ];
    let (job, _) = sent(&server, &places[2], &lines);
    let swapped = [("a", 2), ("b", 1)];
    for _ in 0..2 {
        let (undo, counts) = undone(&server, &job);
        assert_eq!(counts, [2, 2, 0, 0, 0]);
        assert_eq!(keys(&records(&server, &places)), [("a", 1), ("b", 2)]);
        undone(&server, &undo);
        assert_eq!(keys(&records(&server, &places)), swapped);
    }
    let size = json!({"update": {"_dataObjectId": ids[1], "_version": 5, "Size": 7}});
    write(&server, &places[2], size);
    // the other one can't have its key again, which this one keeps
    assert_eq!(undone(&server, &job).1, [2, 0, 0, 0, 2]);
    assert_eq!(keys(&records(&server, &places)), [("a", 7), ("b", 1)]);
}

#[test]
fn keys_that_were_moved_along_a_chain_move_back() {
    let server = server();
    let (places, ids) = filled(&server, &["c0", "c1", "c2"]);
    let lines = [
        key_of(&ids[2], 0, "c3"),
        key_of(&ids[1], 0, "c2"),
        key_of(&ids[0], 0, "c1"),
    ];
    let (job, _) = sent(&server, &places[2], &lines);
    assert_eq!(undone(&server, &job).1, [3, 3, 0, 0, 0]);
    let back = [("c0", 1), ("c1", 2), ("c2", 3)];
    assert_eq!(keys(&records(&server, &places)), back);
}

#[test]
fn keys_that_changed_places_by_way_of_another_change_back_write_by_write() {
    let server = server();
    let (places, ids) = filled(&server, &["a", "b"]);
    let lines = [
        key_of(&ids[0], 0, "between"),
        key_of(&ids[1], 0, "a"),
        key_of(&ids[0], 1, "b"),
    ];
    let (job, _) = sent(&server, &places[2], &lines);
    assert_eq!(undone(&server, &job).1, [2, 2, 0, 0, 0]);
    let back = [("a".to_owned(), 1, 4), ("b".to_owned(), 2, 2)];
    assert_eq!(records(&server, &places), back);
    // its history has each write that was taken back
    assert_eq!(
        past(&server, &places[2], &ids[0]),
        ["restore", "restore", "update", "update", "create"]
    );
}

#[test]
fn a_record_that_was_changed_and_then_deleted_is_restored_as_it_was_before_both() {
    let server = server();
    let (places, ids) = filled(&server, &["a"]);
    let lines = [
        json!({"update": {"_dataObjectId": ids[0], "_version": 0, "Size": 9}}),
        json!({"delete": {"_dataObjectId": ids[0]}}),
        json!({"create": {"Code": "b", "Size": 2}}),
    ];
    let (job, _) = sent(&server, &places[2], &lines);
    assert_eq!(undone(&server, &job).1, [2, 0, 1, 1, 0]);
    assert_eq!(keys(&records(&server, &places)), [("a", 1)]);
}

#[test]
fn a_key_that_someone_else_gave_away_bars_its_own_record_and_no_other() {
    let server = server();
    let (places, ids) = filled(&server, &["a", "b", "c"]);
    let lines = [
        key_of(&ids[0], 0, "x"),
        key_of(&ids[1], 0, "between"),
        key_of(&ids[1], 1, "y"),
        key_of(&ids[2], 0, "z"),
    ];
    let (job, _) = sent(&server, &places[2], &lines);
    // one has the key of then, another one a key that only lay on the way
    let others = [
        json!({"create": {"Code": "a", "Size": 7}}),
        json!({"create": {"Code": "between", "Size": 8}}),
    ];
    sent(&server, &places[2], &others);
    let made = server.root(&format!("POST /jobs/{job}/undo"), None).is(201);
    let undo = ended(&server, &made.text("jobId"));
    let told = &undo["undoResult"];
    assert_eq!((&told["reverted"], &told["left"]), (&json!(2), &json!(1)));
    let left =
        json!([{"dataObjectId": ids[0], "reason": "another record has its primary key of then"}]);
    assert_eq!(told["leftRecords"], left);
    let now = [("a", 7), ("b", 2), ("between", 8), ("c", 3), ("x", 1)];
    assert_eq!(keys(&records(&server, &places)), now);
}

/// Writes one line as someone else would; its record.
fn write(server: &AdminServer, dataset: &str, line: Value) -> String {
    sent(server, dataset, &[line]).1.remove(0)
}

#[test]
fn a_record_that_was_written_twice_is_left_as_a_whole_where_its_key_of_then_is_taken() {
    let server = server();
    let (places, ids) = filled(&server, &["a"]);
    let dataset = &places[2];
    let lines = [
        key_of(&ids[0], 0, "x"),
        json!({"update": {"_dataObjectId": ids[0], "_version": 1, "Size": 3}}),
    ];
    let (job, _) = sent(&server, dataset, &lines);
    let other = write(
        &server,
        dataset,
        json!({"create": {"Code": "a", "Size": 7}}),
    );
    assert_eq!(undone(&server, &job).1, [1, 0, 0, 0, 1]);
    let now = [("a".to_owned(), 7, 0), ("x".to_owned(), 3, 2)];
    assert_eq!(records(&server, &places), now);
    // and once the key is free, it comes back as a whole
    write(&server, dataset, key_of(&other, 0, "other"));
    assert_eq!(undone(&server, &job).1, [1, 1, 0, 0, 0]);
    assert_eq!(keys(&records(&server, &places)), [("a", 1), ("other", 7)]);
}

/// A job that gave a record of the key `a` the key `x`, and deleted it.
fn deleted_under_another_key(server: &AdminServer) -> ([String; 3], String) {
    let (places, ids) = filled(server, &["a"]);
    let lines = [
        key_of(&ids[0], 0, "x"),
        json!({"delete": {"_dataObjectId": ids[0]}}),
    ];
    let (job, _) = sent(server, &places[2], &lines);
    (places, job)
}

#[test]
fn a_record_that_was_changed_and_then_deleted_stays_deleted_where_its_key_of_then_is_taken() {
    let server = server();
    let (places, job) = deleted_under_another_key(&server);
    let taken = json!({"create": {"Code": "a", "Size": 7}});
    write(&server, &places[2], taken);
    assert_eq!(undone(&server, &job).1, [1, 0, 0, 0, 1]);
    assert_eq!(keys(&records(&server, &places)), [("a", 7)]);
}

#[test]
fn a_deleted_record_whose_key_in_between_is_taken_comes_back_as_it_was_before() {
    let server = server();
    let (places, job) = deleted_under_another_key(&server);
    let taken = json!({"create": {"Code": "x", "Size": 7}});
    write(&server, &places[2], taken);
    let (undo, counts) = undone(&server, &job);
    assert_eq!(counts, [1, 0, 0, 1, 0]);
    let back = [("a".to_owned(), 1, 2), ("x".to_owned(), 7, 0)];
    assert_eq!(records(&server, &places), back);
    // and what was undone is done again
    assert_eq!(undone(&server, &undo).1, [1, 0, 1, 0, 0]);
    assert_eq!(keys(&records(&server, &places)), [("x", 7)]);
}

#[test]
fn a_record_is_left_as_a_whole_where_the_one_that_has_its_key_of_then_is_left_too() {
    let server = server();
    let (places, ids) = filled(&server, &["a", "b"]);
    let dataset = &places[2];
    let lines = [
        key_of(&ids[1], 0, "c"),
        key_of(&ids[0], 0, "b"),
        json!({"update": {"_dataObjectId": ids[1], "_version": 1, "Size": 9}}),
    ];
    let (job, _) = sent(&server, dataset, &lines);
    // the second one is to have the key of the first one again, which can't have its own
    write(
        &server,
        dataset,
        json!({"create": {"Code": "a", "Size": 7}}),
    );
    assert_eq!(undone(&server, &job).1, [2, 0, 0, 0, 2]);
    let now = [("a", 7), ("b", 1), ("c", 9)];
    assert_eq!(keys(&records(&server, &places)), now);
}

#[test]
fn records_that_were_written_by_turns_more_often_than_is_read_at_a_time_go_all_the_way_back() {
    let server = server();
    let (places, ids) = filled(&server, &["a", "b"]);
    let dataset = &places[2];
    let mut lines = Vec::new();
    for version in 0..300 {
        let size =
            |id: &str| json!({"update": {"_dataObjectId": id, "_version": version, "Size": 9}});
        lines.extend([size(&ids[0]), size(&ids[1])]);
    }
    let (job, _) = sent(&server, dataset, &lines);
    assert_eq!(undone(&server, &job).1, [2, 2, 0, 0, 0]);
    let back = [("a".to_owned(), 1, 600), ("b".to_owned(), 2, 600)];
    assert_eq!(records(&server, &places), back);
}

#[test]
fn no_second_undoing_begins_beside_one_that_has_not_ended() {
    // none of its jobs is worked off
    let server = AdminServer::start();
    server.use_job_files();
    let places = server.places(&thing());
    let lines = [
        json!({"create": {"Code": "a", "Size": 1}}),
        json!({"create": {"Code": "b", "Size": 2}}),
    ];
    let (job, _) = sent(&server, &places[2], &lines);
    let line = format!("POST /jobs/{job}/undo");
    let mut statuses = at_once(4, |_| server.root(&line, None).status);
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    // one that was cancelled leaves it to another
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("a page");
    let undoing = jobs.iter().find(|job| job["kind"] == "undo");
    let undoing = undoing.expect("an undoing")["jobId"].as_str();
    let cancel = format!("POST /jobs/{}/cancel", undoing.expect("an id"));
    server.root(&cancel, None).is(200);
    server.root(&line, None).is(201);
}
