//! A repair that was tried is done as it was shown: once, and only on the values that it was tried on.

use crate::admin_server::AdminServer;
use crate::browser::field;
use crate::jobs::{ended, imported, server, thing};
use crate::repairs::{cells, repaired};
use crate::undo::{sent, undone};
use serde_json::{Value, json};

/// Puts `X` before each name.
fn marked() -> Value {
    json!({"field": "Name", "action": {"regex": {"pattern": "^", "with": "X"}}})
}

fn with(mut options: Value, name: &str, value: Value) -> Value {
    options[name] = value;
    options
}

/// A dataset of two, and the dry run of a repair of both.
fn tried(server: &AdminServer) -> (String, String) {
    let [_, _, dataset] = server.places(&thing());
    imported(server, &dataset, "", "Code,Name,Size\n1,one,1\n2,two,2\n");
    let job = repaired(server, &dataset, with(marked(), "dryRun", json!(true)));
    let trial = job["jobId"].as_str().expect("an id").to_owned();
    (dataset, trial)
}

/// Asks for the repair that was tried; the status, and the id of the job or why there is none.
fn asked(server: &AdminServer, dataset: &str, options: Value) -> (u16, String) {
    let line = format!("POST /datasets/{dataset}/repairs");
    let answer = server.root(&line, Some(options));
    let told = if answer.status == 201 {
        answer.text("jobId")
    } else {
        answer.body.clone()
    };
    (answer.status, told)
}

#[test]
fn what_was_tried_is_done_once_however_often_it_is_asked_for() {
    let server = server();
    let (dataset, trial) = tried(&server);
    let options = with(marked(), "trial", json!(trial));
    let (status, done) = asked(&server, &dataset, options.clone());
    assert_eq!(status, 201, "{done}");
    // while it waits or is under way, and when it has ended
    for _ in 0..2 {
        let (status, told) = asked(&server, &dataset, options.clone());
        assert_eq!(status, 409);
        assert!(told.contains(&done), "{told}");
        assert_eq!(ended(&server, &done)["state"], "done");
    }
    let changed = "Code,Name,Size\n1,Xone,1\n2,Xtwo,2\n";
    assert_eq!(cells(&server, &dataset), changed);
    assert_eq!(
        server.get(&format!("/jobs/{done}"))["repairOptions"],
        options
    );
}

#[test]
fn what_was_tried_on_other_values_is_not_done() {
    let server = server();
    let (dataset, trial) = tried(&server);
    let options = with(marked(), "trial", json!(trial));
    let line = json!({"create": {"Code": "3", "Name": "three"}});
    let (_, made) = sent(&server, &dataset, &[line]);
    let (status, told) = asked(&server, &dataset, options);
    assert_eq!(status, 409);
    assert!(
        told.contains("records or the schema changed since"),
        "{told}"
    );
    // tried anew it is, where only other fields were written since
    let again = repaired(&server, &dataset, with(marked(), "dryRun", json!(true)));
    let line = json!({"update": {"_dataObjectId": made[0], "_version": 0, "Size": 4}});
    sent(&server, &dataset, &[line]);
    let options = with(marked(), "trial", again["jobId"].clone());
    let (status, done) = asked(&server, &dataset, options);
    assert_eq!(status, 201, "{done}");
    assert_eq!(ended(&server, &done)["revisionResult"]["changed"], 3);
}

#[test]
fn what_would_fill_in_a_record_that_was_made_since_is_not_done() {
    let server = server();
    let (dataset, _) = tried(&server);
    let set = |value: Value| json!({"field": "Name", "action": {"set": value}});
    let tried = |action: &Value| {
        let options = with(action.clone(), "dryRun", json!(true));
        let job = repaired(&server, &dataset, options);
        with(action.clone(), "trial", job["jobId"].clone())
    };
    let (filling, clearing) = (tried(&set(json!("X"))), tried(&set(json!(null))));
    let lines = ["3", "4"].map(|code| json!({"create": {"Code": code}}));
    let (_, made) = sent(&server, &dataset, &lines);
    let (status, told) = asked(&server, &dataset, filling);
    assert_eq!(status, 409, "{told}");
    // they have nothing that could be cleared
    let (status, done) = asked(&server, &dataset, clearing);
    assert_eq!(status, 201, "{done}");
    assert_eq!(ended(&server, &done)["revisionResult"]["changed"], 2);
    // nor are those that come back
    let lines: Vec<Value> = made
        .iter()
        .map(|id| json!({"delete": {"_dataObjectId": id}}))
        .collect();
    let (deletion, _) = sent(&server, &dataset, &lines);
    let filling = tried(&set(json!("Y")));
    undone(&server, &deletion);
    let (status, told) = asked(&server, &dataset, filling);
    assert_eq!(status, 409, "{told}");
}

#[test]
fn another_value_is_seen_beside_a_number_that_no_double_holds() {
    let server = server();
    let (dataset, _) = tried(&server);
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
    ];
    let made = r#"{"create":{"Code":"3","Name":"three","Size":1e400}}"#;
    server.send(&line, &headers, Some(made)).is(200);
    let job = repaired(&server, &dataset, with(marked(), "dryRun", json!(true)));
    imported(&server, &dataset, "?mode=update", "Code,Name\n3,other\n");
    let options = with(marked(), "trial", job["jobId"].clone());
    let (status, told) = asked(&server, &dataset, options);
    assert_eq!(status, 409, "{told}");
}

#[test]
fn what_was_tried_under_another_version_of_the_schema_is_not_done() {
    let server = server();
    let [_, schema, dataset] = server.places(&named(["Name", "Note"]));
    imported(&server, &dataset, "", "Code,Name,Note\n1,one,first\n");
    let job = repaired(&server, &dataset, with(marked(), "dryRun", json!(true)));
    // the field that was tried is called otherwise, and another one as it was; no record is written
    let body = json!({"document": named(["Old name", "Name"])});
    let line = format!("PUT /schemas/{schema}");
    server.root(&line, Some(body)).is(200);
    let options = with(marked(), "trial", job["jobId"].clone());
    let (status, told) = asked(&server, &dataset, options);
    assert_eq!(status, 409, "{told}");
    assert!(told.contains("schema changed since"), "{told}");
}

/// A schema with a key and two texts, which are called so.
fn named([first, second]: [&str; 2]) -> Value {
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-first", first, "string", false),
        field("f-second", second, "string", false),
    ];
    json!({"name": "Thing", "fields": fields})
}

#[test]
fn what_was_tried_on_what_a_query_found_is_not_done_when_it_may_find_more() {
    let server = server();
    let (dataset, _) = tried(&server);
    let marked = with(marked(), "query", json!("Size:>1"));
    let tried = || {
        let job = repaired(
            &server,
            &dataset,
            with(marked.clone(), "dryRun", json!(true)),
        );
        assert_eq!(job["revisionResult"]["records"], 1, "{job}");
        with(marked.clone(), "trial", job["jobId"].clone())
    };
    let options = tried();
    // what the record has in the field stays, and it is found from now on
    let line = json!({"create": {"Code": "3", "Size": 1}});
    let (_, made) = sent(&server, &dataset, &[line]);
    let (status, told) = asked(&server, &dataset, options);
    assert_eq!(status, 409, "{told}");
    let options = tried();
    let line = json!({"update": {"_dataObjectId": made[0], "_version": 0, "Size": 9}});
    sent(&server, &dataset, &[line]);
    let (status, told) = asked(&server, &dataset, options);
    assert_eq!(status, 409, "{told}");
    // what is gone is not found more than before
    let line = json!({"update": {"_dataObjectId": made[0], "_version": 1, "Size": 1}});
    sent(&server, &dataset, &[line]);
    let options = tried();
    let line = json!({"delete": {"_dataObjectId": made[0]}});
    sent(&server, &dataset, &[line]);
    let (status, done) = asked(&server, &dataset, options);
    assert_eq!(status, 201, "{done}");
    assert_eq!(ended(&server, &done)["revisionResult"]["changed"], 1);
}

#[test]
fn what_is_no_dry_run_of_these_options_is_not_done() {
    let server = server();
    let (dataset, trial) = tried(&server);
    let other = json!({"field": "Name", "action": "trim", "trial": trial});
    let done = repaired(
        &server,
        &dataset,
        json!({"field": "Name", "action": "trim"}),
    );
    for (options, why) in [
        (other, "was tried with other options"),
        (
            with(marked(), "trial", done["jobId"].clone()),
            "is no dry run",
        ),
        (with(marked(), "trial", json!("none")), "is no dry run"),
        (
            with(with(marked(), "trial", json!(trial)), "dryRun", json!(true)),
            "goes without `dryRun`",
        ),
    ] {
        let (status, told) = asked(&server, &dataset, options);
        assert_eq!(status, 400, "{told}");
        assert!(told.contains("$.trial") && told.contains(why), "{told}");
    }
}
