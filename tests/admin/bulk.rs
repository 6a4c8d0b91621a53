//! Many writes in one request: each line is judged as a request of its own, in its order, by the caller's rights.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, exported, server as server_with_jobs, thing};
use crate::requests::Answer;
use runtime::service::Settings;
use serde_json::{Value, json};

fn send(server: &AdminServer, by: &str, dataset: &str, lines: &str) -> Answer {
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let headers = [
        ("Authorization", by),
        ("Content-Type", "application/x-ndjson"),
        ("Accept", "application/x-ndjson"),
    ];
    server.send(&line, &headers, Some(lines))
}

/// The verdicts of lines that the administrator's key sends.
fn verdicts(server: &AdminServer, dataset: &str, lines: &[Value]) -> Vec<Value> {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    told(&send(server, &server.root, dataset, &lines.join("\n")).is(200))
}

fn told(answer: &Answer) -> Vec<Value> {
    let lines = answer.body.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a verdict"))
        .collect()
}

fn statuses(verdicts: &[Value]) -> Vec<u64> {
    let statuses = verdicts.iter().map(|it| it["status"].as_u64());
    statuses.map(Option::unwrap).collect()
}

/// The path of a dataset in the data interface.
fn path([area, schema, dataset]: &[String; 3]) -> String {
    format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}")
}

fn by_key(server: &AdminServer, places: &[String; 3], key: &str) -> Answer {
    let count = server.answers.lock().unwrap().len();
    let (_, reader) = server.key(
        &format!("reader {count}"),
        &[&server.role("MEMBER")],
        &[&places[0]],
    );
    let line = format!("GET {}/dataobjects/by-pk/{key}", path(places));
    server.send(&line, &[("Authorization", &reader)], None)
}

/// A member's key that may do this in an area.
fn key_that_may(server: &AdminServer, name: &str, area: &str, verbs: &[&str]) -> String {
    let grants = json!([{"area": area, "verbs": verbs}]);
    let body = json!({"name": name, "roles": [server.role("MEMBER")], "grants": grants});
    server.make("/api-keys", body).text("key")
}

#[test]
fn verdicts_are_an_array_for_who_does_not_ask_for_lines() {
    let server = AdminServer::start();
    let [_, _, dataset] = server.places(&thing());
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/octet-stream"),
    ];
    let ask = |lines: &str| server.send(&line, &headers, Some(lines)).is(200);
    assert_eq!(ask("\n").json(), json!([]));
    let made = ask("{\"create\":{\"Code\":\"1\"}}\n\n{\"create\":{\"Code\":\"1\"}}");
    assert_eq!(made.header("content-type"), Some("application/json"));
    let made = made.json();
    let lines: Vec<_> = made
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["line"])
        .collect();
    assert_eq!(lines, [1, 3]);
}

#[test]
fn every_line_has_its_verdict_and_a_bad_one_stops_no_other() {
    let server = AdminServer::start();
    let places = server.places(&thing());
    let dataset = &places[2];
    let made = verdicts(
        &server,
        dataset,
        &[
            json!({"create": {"Code": "1", "Name": "one"}}),
            json!({"create": {"Code": "1"}}),
            json!({"create": {"Code": "2", "Size": "x"}}),
            json!({"create": {"Name": "no key"}}),
            json!({"create": {"Code": "3", "Nmae": "x"}}),
            json!({"make": {"Code": "4"}}),
            json!({"update": {"Code": "4", "_version": 0}}),
            json!({"delete": {"_dataObjectId": "nobody"}}),
        ],
    );
    assert_eq!(
        statuses(&made),
        [201, 400, 201, 400, 400, 400, 400, 404],
        "{made:#?}"
    );
    let codes: Vec<_> = made.iter().map(|it| it["error"]["code"].as_str()).collect();
    let expected = [
        None,
        Some("DUPLICATE_PRIMARY_KEY"),
        None,
        Some("PRIMARY_KEY_REQUIRED"),
        Some("INVALID_REQUEST_BODY"),
        Some("INVALID_REQUEST_BODY"),
        Some("INVALID_REQUEST_BODY"),
        Some("DATA_OBJECT_NOT_FOUND"),
    ];
    assert_eq!(codes, expected);
    assert_eq!(made[0]["_errors"], json!([]));
    assert_eq!(made[2]["_errors"][0]["name"], "Size");
    let lines: Vec<_> = made.iter().map(|it| it["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 2, 3, 4, 5, 6, 7, 8]);
    let (one, two) = (&made[0]["_dataObjectId"], &made[2]["_dataObjectId"]);
    let changed = verdicts(
        &server,
        dataset,
        &[
            json!({"update": {"_dataObjectId": one, "_version": 0, "Name": "uno"}}),
            json!({"update": {"_dataObjectId": one, "_version": 0, "Name": "eins"}}),
            json!({"update": {"_dataObjectId": one, "_version": 1, "Size": 5}}),
            json!({"update": {"_dataObjectId": one, "Size": 6}}),
            json!({"delete": {"_dataObjectId": two, "_version": 7}}),
            json!({"delete": {"_dataObjectId": two, "_version": 0}}),
            json!({"delete": {"_dataObjectId": two}}),
            json!({"create": {"Code": "2", "Name": "again"}}),
        ],
    );
    assert_eq!(
        statuses(&changed),
        [200, 400, 200, 400, 400, 204, 404, 201],
        "{changed:#?}"
    );
    assert_eq!(changed[1]["error"]["code"], "DATA_OBJECT_VERSION_CONFLICT");
    let record = by_key(&server, &places, "1").is(200).json();
    assert_eq!(
        (&record["Name"], &record["Size"], &record["_version"]),
        (&json!("uno"), &json!(5), &json!(2))
    );
}

#[test]
fn upserts_of_one_key_follow_one_another() {
    let server = AdminServer::start();
    let places = server.places(&thing());
    let dataset = &places[2];
    let mut lines = vec![json!({"create": {"Code": "a", "Name": "kept"}})];
    for size in 0..10 {
        lines.push(json!({"upsert": {"Code": "a", "Size": size}}));
        lines.push(json!({"upsert": {"Code": "b", "Size": size}}));
    }
    let done = verdicts(&server, dataset, &lines);
    assert_eq!(done.iter().filter(|it| it["status"] == 201).count(), 2);
    assert_eq!(done.iter().filter(|it| it["status"] == 200).count(), 19);
    let record = by_key(&server, &places, "a").is(200).json();
    assert_eq!(
        (&record["Name"], &record["Size"], &record["_version"]),
        (&json!("kept"), &json!(9), &json!(10))
    );
    // a key that a line frees is free for the next one
    let id = &record["_dataObjectId"];
    let done = verdicts(
        &server,
        dataset,
        &[
            json!({"update": {"_dataObjectId": id, "_version": 10, "Code": "c"}}),
            json!({"upsert": {"Code": "a", "Size": 1}}),
            json!({"upsert": {"Code": "c", "Size": 2}}),
            json!({"delete": {"_dataObjectId": id}}),
            json!({"upsert": {"Code": "c", "Size": 3}}),
        ],
    );
    assert_eq!(statuses(&done), [200, 201, 200, 204, 201], "{done:#?}");
    assert_eq!(by_key(&server, &places, "c").is(200).json()["Size"], 3);
}

#[test]
fn each_line_asks_for_its_own_right() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&thing());
    let made = verdicts(&server, &dataset, &[json!({"create": {"Code": "1"}})]);
    let id = &made[0]["_dataObjectId"];
    let lines = [
        json!({"create": {"Code": "2"}}),
        json!({"update": {"_dataObjectId": id, "_version": 0, "Name": "x"}}),
        json!({"upsert": {"Code": "1", "Name": "y"}}),
        json!({"delete": {"_dataObjectId": id}}),
    ];
    let lines = lines.each_ref().map(Value::to_string).join("\n");
    let expected = [
        (vec!["add"], [201, 403, 403, 403]),
        (vec!["edit"], [403, 200, 403, 403]),
        (vec!["edit", "add"], [400, 400, 200, 403]),
        (vec!["delete"], [403, 403, 403, 204]),
    ];
    for (index, (verbs, expected)) in expected.into_iter().enumerate() {
        let key = key_that_may(&server, &format!("k{index}"), &area, &verbs);
        let done = told(&send(&server, &key, &dataset, &lines).is(200));
        assert_eq!(statuses(&done), expected, "{verbs:?}: {done:#?}");
    }
    let none = key_that_may(&server, "none", &area, &["view"]);
    send(&server, &none, &dataset, &lines).is(403);
    send(&server, &server.root, "nobody", &lines).is(404);
}

#[test]
fn a_request_of_too_many_lines_or_bytes_or_another_type_does_nothing() {
    let server = AdminServer::with_settings(Settings {
        bulk_bytes_max: 1 << 20,
        ..Settings::default()
    });
    let places = server.places(&thing());
    let dataset = &places[2];
    let line = |number: usize| json!({"create": {"Code": number.to_string()}}).to_string();
    let many: Vec<_> = (0..10_001).map(line).collect();
    let refused = send(&server, &server.root, dataset, &many.join("\n")).is(400);
    assert!(refused.body.contains("10000 at most"), "{}", refused.body);
    let long = json!({"create": {"Code": "1", "Name": "x".repeat(1 << 20)}}).to_string();
    send(&server, &server.root, dataset, &long).is(413);
    let address = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let text = [
        ("Authorization", server.root.as_str()),
        ("Content-Type", "text/plain"),
    ];
    server.send(&address, &text, Some(&line(1))).is(415);
    by_key(&server, &places, "1").is(404);
    // 1,000 fit, with empty lines between
    let lines = many[..1000].join("\r\n\n");
    let done = told(&send(&server, &server.root, dataset, &lines).is(200));
    assert_eq!(done.len(), 1000);
    assert!(done.iter().all(|it| it["status"] == 201));
    assert_eq!(done[999]["line"], 1999);
}

#[test]
fn a_request_of_many_lines_is_written_though_it_has_more_than_a_mebibyte() {
    write_many(1_500, 800);
}

#[test]
#[ignore = "large data: the full lane runs it"]
fn a_request_as_large_as_its_lines_may_be_is_written() {
    write_many(10_000, 120);
}

/// Writes so many lines, with a name of so many bytes each.
fn write_many(count: usize, bytes: usize) {
    let server = AdminServer::start();
    let [_, _, dataset] = server.places(&thing());
    let name = "x".repeat(bytes);
    let line =
        |code: usize| json!({"create": {"Code": code.to_string(), "Name": name}}).to_string();
    let lines = (0..count).map(line).collect::<Vec<_>>().join("\n");
    assert!(lines.len() > 1 << 20);
    let done = told(&send(&server, &server.root, &dataset, &lines).is(200));
    assert_eq!(done.len(), count);
    assert!(done.iter().all(|it| it["status"] == 201));
}

#[test]
fn a_request_of_many_writes_is_undone_as_a_job_is() {
    let server = server_with_jobs();
    let [_, _, dataset] = server.places(&thing());
    let cells = || exported(&server, &dataset, json!({"format": "csv"}));
    let first: Vec<_> = ["1", "2", "3"]
        .map(|code| json!({"create": {"Code": code, "Name": format!("n{code}")}}).to_string())
        .into();
    let made = send(&server, &server.root, &dataset, &first.join("\n")).is(200);
    let ids: Vec<_> = told(&made)
        .iter()
        .map(|it| it["_dataObjectId"].clone())
        .collect();
    let before = cells();
    let lines = [
        json!({"update": {"_dataObjectId": ids[0], "_version": 0, "Name": "x"}}),
        json!({"upsert": {"Code": "1", "Size": 7}}),
        json!({"delete": {"_dataObjectId": ids[1]}}),
        json!({"create": {"Code": "4"}}),
        json!({"create": {"Code": "1"}}),
        json!({"upsert": {"Code": "3", "Name": "y"}}),
    ]
    .map(|line| line.to_string());
    let done = send(&server, &server.root, &dataset, &lines.join("\n")).is(200);
    let id = done.header("job-id").expect("an id").to_owned();
    let job = server.get(&format!("/jobs/{id}"));
    assert_eq!(
        (&job["kind"], &job["state"]),
        (&json!("bulk"), &json!("done"))
    );
    let expected = json!({"created": 1, "updated": 3, "deleted": 1, "refused": 1});
    assert_eq!(job["bulkResult"], expected);
    let changed = cells();
    assert_ne!(changed, before);

    // someone who writes meanwhile is left alone
    let alone = json!({"upsert": {"Code": "3", "Name": "mine"}}).to_string();
    let alone = send(&server, &server.root, &dataset, &alone).is(200);
    assert_eq!(
        alone.header("job-id"),
        None,
        "one line is undone as one record is"
    );
    let undone = server.root(&format!("POST /jobs/{id}/undo"), None).is(201);
    let undone = ended(&server, &undone.text("jobId"));
    assert_eq!(undone["state"], "done", "{undone}");
    assert_eq!(undone["undoResult"]["left"], 1, "{undone}");
    let mut now: Vec<_> = cells().lines().map(str::to_owned).collect();
    let mut expected: Vec<_> = before
        .replace("n3", "mine")
        .lines()
        .map(str::to_owned)
        .collect();
    now.sort();
    expected.sort();
    assert_eq!(now, expected);

    let refused = send(&server, &server.root, &dataset, "{}\n{\"create\":{}}").is(200);
    assert_eq!(refused.header("job-id"), None, "it wrote nothing");
    // nor does one that the store refuses, and nobody remembers it
    let jobs = server.get("/jobs");
    let taken = "{\"create\":{\"Code\":\"1\"}}\n{\"create\":{\"Code\":\"3\"}}";
    let refused = send(&server, &server.root, &dataset, taken).is(200);
    assert_eq!(refused.header("job-id"), None, "{}", refused.body);
    assert_eq!(server.get("/jobs"), jobs);
}

#[test]
fn lines_that_are_only_tried_have_the_verdicts_of_written_ones_and_write_nothing() {
    let server = AdminServer::start();
    let places = server.places(&thing());
    let dataset = &places[2];
    let made = verdicts(
        &server,
        dataset,
        &[
            json!({"create": {"Code": "A"}}),
            json!({"create": {"Code": "B"}}),
        ],
    );
    let id = |at: usize| made[at]["_dataObjectId"].clone();
    let lines = [
        json!({"create": {"Code": "C", "Size": "large"}}),
        json!({"create": {"Code": "C"}}),
        json!({"create": {"Code": "A"}}),
        json!({"update": {"_dataObjectId": id(0), "_version": 0, "Code": "D"}}),
        json!({"create": {"Code": "A"}}),
        json!({"update": {"_dataObjectId": id(1), "_version": 9, "Name": "b"}}),
        json!({"upsert": {"Code": "B", "Size": 3}}),
        json!({"delete": {"_dataObjectId": "nothing"}}),
    ];
    let text: Vec<_> = lines.iter().map(Value::to_string).collect();
    let try_them = |which: &str, body: &str| {
        let path = format!("/admin/api/v1/datasets/{dataset}/records/bulk?dryRun={which}");
        let headers = [
            ("Authorization", &*server.root),
            ("Content-Type", "application/x-ndjson"),
            ("Accept", "application/x-ndjson"),
        ];
        server.send(&format!("POST {path}"), &headers, Some(body))
    };
    let answer = try_them("true", &text.join("\n")).is(200);
    assert_eq!(answer.header("job-id"), None);
    let tried = told(&answer);
    by_key(&server, &places, "A").is(200);
    by_key(&server, &places, "C").is(404);
    let done = verdicts(&server, dataset, &lines);
    assert_eq!(statuses(&tried), statuses(&done));
    for (tried, done) in tried.iter().zip(&done) {
        assert_eq!(tried["_errors"], done["_errors"]);
        assert_eq!(tried["error"], done["error"]);
        assert_eq!(tried.get("_version"), None, "{tried}");
    }
    assert_eq!(tried[3]["_dataObjectId"], id(0));
    // what a line before it would write, only writing tells
    let twice = r#"{"upsert":{"Code":"Z"}}"#;
    let answer = told(&try_them("true", &format!("{twice}\n{twice}")).is(200));
    assert_eq!(statuses(&answer), [201, 400]);
    assert!(try_them("perhaps", twice).is(400).body.contains("dryRun"));
    for odd in ["true&dryrun=true", "true&dryRun=true", "false&mode=create"] {
        try_them(odd, twice).is(400);
    }
    by_key(&server, &places, "Z").is(404);
}

#[test]
fn a_parameter_that_is_not_known_writes_nothing_and_a_byte_order_mark_costs_no_line() {
    let server = AdminServer::start();
    let places = server.places(&thing());
    let dataset = &places[2];
    let line = r#"{"create":{"Code":"A"}}"#;
    let path = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk?dryrun=true");
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
    ];
    let told = server.send(&path, &headers, Some(line)).is(400).body;
    assert!(told.contains("`dryrun` is no parameter here"), "{told}");
    by_key(&server, &places, "A").is(404);
    let marked = format!("\u{feff}{line}\n");
    let answer = self::told(&send(&server, &server.root, dataset, &marked).is(200));
    assert_eq!(statuses(&answer), [201], "{answer:?}");
}
