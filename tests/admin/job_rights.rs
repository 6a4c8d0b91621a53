//! Rights that go while a job is under way: it does no more, and what it wrote stays. Where they go afterwards, it shows no
//! record any more.

use crate::admin_server::AdminServer;
use crate::browser::Browser;
use crate::jobs::{ended, import, imported, made_files, server, thing};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Waits until a job has done some of its work.
fn begun(server: &AdminServer, id: &str) {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let job = server.get(&format!("/jobs/{id}"));
        if job["progress"]["rows"].as_u64() > Some(0) {
            return;
        }
        assert!(Instant::now() < patience, "{job}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Why a job failed.
fn failure_of(job: &Value) -> &str {
    assert_eq!(job["state"], "failed", "{job}");
    job["failure"].as_str().expect("the reason")
}

#[test]
fn rights_that_go_while_a_job_is_under_way_end_it_and_what_it_did_stays() {
    const ROWS: u64 = 6_000;
    let server = server();
    let [area, schema, dataset] = server.places(&thing());
    let member = server.role("MEMBER");
    let rows: Vec<_> = (0..ROWS).map(|row| format!("{row},one\n")).collect();
    let file = format!("Code,Name\n{}", rows.concat());
    let (id, key) = server.key("loader", &[&member], &[&area]);
    let made = import(&server, &key, &dataset, "", &file).is(201);
    begun(&server, &made.text("jobId"));
    server.root(&format!("DELETE /api-keys/{id}"), None).is(204);
    let job = ended(&server, &made.text("jobId"));
    assert!(failure_of(&job).contains("revoked"), "{job}");
    let created = job["importResult"]["created"].as_u64().expect("a count");
    assert!((1..ROWS).contains(&created), "{job}");
    let datasets = format!("/schemas/{schema}/datasets");
    let there = || server.get(&datasets)["items"][0]["recordCount"].clone();
    assert_eq!(there(), json!(created));
    imported(&server, &dataset, "?mode=upsert", &file);
    assert_eq!(there(), json!(ROWS));
    // another one may only look from now on
    let (id, key) = server.key("mender", &[&member], &[&area]);
    let line = format!("POST /datasets/{dataset}/repairs");
    let set = json!({"field": "Name", "action": {"set": "two"}});
    let made = server.ask(&key, &line, Some(set)).is(201);
    begun(&server, &made.text("jobId"));
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let looks = json!({"name": "mender", "active": true, "roles": [member], "grants": grants});
    let line = format!("PUT /api-keys/{id}");
    server.root(&line, Some(looks)).is(200);
    let job = ended(&server, &made.text("jobId"));
    assert!(
        failure_of(&job).contains("may not do this any more"),
        "{job}"
    );
    let changed = job["revisionResult"]["changed"].as_u64().expect("a count");
    assert!((1..ROWS).contains(&changed), "{job}");
    // and what it did is taken back as one, by who may
    let line = format!("POST /jobs/{}/undo", made.text("jobId"));
    let undo = ended(&server, &server.root(&line, None).is(201).text("jobId"));
    assert_eq!(undo["undoResult"]["reverted"], changed, "{undo}");
}

#[test]
fn rights_that_go_while_an_export_is_under_way_end_it_and_leave_no_file() {
    const ROWS: u64 = 4_000;
    let server = server();
    let [area, _, dataset] = server.places(&thing());
    // of several pieces, each of which takes its time to be packed
    let name = "long".repeat(1_250);
    let rows: Vec<_> = (0..ROWS).map(|row| format!("{row},{name}\n")).collect();
    let file = format!("Code,Name\n{}", rows.concat());
    imported(&server, &dataset, "", &file);
    let member = server.role("MEMBER");
    let (id, key) = server.key("reader", &[&member], &[&area]);
    let line = format!("POST /datasets/{dataset}/exports");
    let asked = json!({"format": "ndjson", "packing": "gzip"});
    let made = server.ask(&key, &line, Some(asked)).is(201);
    let made = made.text("jobId");
    begun(&server, &made);
    let may = |grants: Value| {
        let own = json!({"name": "reader", "active": true, "roles": [member], "grants": grants});
        let line = format!("PUT /api-keys/{id}");
        server.root(&line, Some(own)).is(200);
    };
    may(json!([]));
    let job = ended(&server, &made);
    assert!(
        failure_of(&job).contains("`reader`, who asked for it, may not do this any more"),
        "{job}"
    );
    let written = job["progress"]["rows"].as_u64().expect("a count");
    assert!((1..ROWS).contains(&written), "it was midway: {job}");
    // also with its rights again, there is nothing to take
    may(json!([{"area": area, "verbs": ["view"]}]));
    assert_eq!(job["files"], json!([]));
    let line = format!("GET /jobs/{made}/export");
    server.ask(&key, &line, None).is(404);
    // it goes behind the end
    let patience = Instant::now() + Duration::from_secs(60);
    while !made_files(&server, &made, "").is_empty() {
        assert!(Instant::now() < patience, "half a file stays");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_job_shows_nothing_of_records_that_one_may_not_view_any_more() {
    let server = server();
    let mut document = thing();
    document["fields"][1]["max"] = json!(8);
    let [area, _, dataset] = server.places(&document);
    imported(&server, &dataset, "", "Code,Name\n1,kept one\n2,kept two\n");
    let member = server.role("MEMBER");
    let (id, key) = server.key("mender", &[&member], &[&area]);
    let line = format!("POST /datasets/{dataset}/repairs");
    let longer = json!({"replace": {"text": "kept", "with": "withheld"}});
    let jobs = [("Name", longer), ("Code", json!({"set": null}))].map(|(field, action)| {
        let options = json!({"field": field, "dryRun": true, "action": action});
        let made = server.ask(&key, &line, Some(options)).is(201);
        assert_eq!(ended(&server, &made.text("jobId"))["state"], "done");
        made.text("jobId")
    });
    let told = |by: &str| {
        let lines = jobs.each_ref().map(|job| format!("GET /jobs/{job}"));
        lines.map(|line| server.ask(by, &line, None).is(200).json()["revisionResult"].clone())
    };
    let shows = |by: &str| {
        let [changed, left] = told(by);
        assert_eq!(changed["samples"][0]["before"], "kept one", "{changed}");
        let faulty = changed["faults"][0]["samples"].as_array();
        assert_eq!(faulty.map(Vec::len), Some(2), "{changed}");
        let left_records = left["leftRecords"].as_array();
        assert_eq!(left_records.map(Vec::len), Some(2), "{left}");
    };
    let hides = |by: &str| {
        let [changed, left] = told(by);
        assert_eq!(changed["samples"], json!([]), "{changed}");
        assert_eq!(changed["faults"][0]["samples"], json!([]), "{changed}");
        assert_eq!(left["leftRecords"], json!([]), "{left}");
        assert_eq!((&changed["changed"], &left["left"]), (&json!(2), &json!(2)));
        let all = server.ask(by, "GET /jobs", None).is(200);
        assert!(!all.body.contains("kept one"), "{}", all.body);
    };
    let may = |roles: &[&str], grants: Value| {
        let own = json!({"name": "mender", "active": true, "roles": roles, "grants": grants});
        let line = format!("PUT /api-keys/{id}");
        server.root(&line, Some(own)).is(200);
    };
    let views = json!([{"area": area, "verbs": ["view"]}]);
    shows(&key);
    may(&[&member], json!([]));
    hides(&key);
    may(&[], views.clone());
    hides(&key);
    may(&[&member], views);
    shows(&key);
    // of what is deleted nobody views records, administrators neither
    let ada = Browser::signed_in(&server);
    let page = || ada.get(&format!("/app/jobs/{}", jobs[0])).is(200).body;
    assert!(page().contains("kept one"));
    let delete = format!("DELETE /datasets/{dataset}");
    server.root(&delete, None).is(204);
    hides(&key);
    hides(&server.root);
    assert!(!page().contains("kept one"));
}

#[test]
fn a_job_tells_no_record_that_nobody_views_any_more_and_nobody_else_of_what_was_sent() {
    let server = server();
    let mut document = thing();
    document["fields"][0]["dataType"] = json!("integer");
    document["fields"][0]["max"] = json!(100);
    let [area, schema, dataset] = server.places(&document);
    // two keys that get one form by the next version
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
    ];
    let text = ["1e3", "1000.0"].map(|key| format!(r#"{{"create":{{"Code":{key}}}}}"#));
    server.send(&line, &headers, Some(&text.join("\n"))).is(200);
    document["fields"][0]["max"] = json!(10_000);
    let line = format!("PUT /schemas/{schema}");
    let body = json!({"document": document});
    server.root(&line, Some(body)).is(200);
    let jobs = server.get("/jobs");
    let mut jobs = jobs["items"].as_array().expect("jobs").iter();
    let judged = jobs.find(|job| job["kind"] == "revalidate");
    let judged = judged.expect("one")["jobId"].as_str().expect("an id");
    assert_eq!(ended(&server, judged)["state"], "done");
    let (_, key) = server.key("loader", &[&server.role("MEMBER")], &[&area]);
    let file = "Code,Name,Secret\n,one,two\n";
    let sent = import(&server, &key, &dataset, "", file).is(201);
    let sent = sent.text("jobId");
    assert_eq!(ended(&server, &sent)["state"], "done");
    let job = |by: &str, id: &str| {
        let line = format!("GET /jobs/{id}");
        server.ask(by, &line, None).is(200).json()
    };
    let count = |value: &Value| value.as_array().map_or(0, Vec::len);
    let of_file = |by: &str| {
        let result = &job(by, &sent)["importResult"];
        let (unused, found) = (&result["unusedColumns"], &result["found"]);
        let samples = &result["rejections"][0]["samples"];
        assert_eq!(result["rejected"], 1, "{result}");
        [samples, unused, &found["columns"]].map(count)
    };
    assert_eq!(count(&job(&server.root, judged)["log"]), 1);
    assert_eq!([&*key, &*server.root].map(of_file), [[1, 1, 3]; 2]);
    let delete = format!("DELETE /datasets/{dataset}");
    server.root(&delete, None).is(204);
    assert_eq!(count(&job(&server.root, judged)["log"]), 0);
    assert_eq!([&*key, &*server.root].map(of_file), [[1, 1, 3], [0; 3]]);
}
