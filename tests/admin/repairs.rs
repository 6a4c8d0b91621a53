//! Repairs of many records as jobs, tried and done; jobs that are undone as one; records judged anew when a schema or a
//! data domain changed.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, exported, imported, server, thing, thing_of_countries, working};
use runtime::service::{JobSettings, Quotas, Settings};
use serde_json::{Value, json};

/// Asks for a repair and waits until it has ended.
pub(crate) fn repaired(server: &AdminServer, dataset: &str, options: Value) -> Value {
    let made = server.make(&format!("/datasets/{dataset}/repairs"), options);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    job
}

/// Undoes a job and waits until that has ended; its counts.
fn undone(server: &AdminServer, job: &Value) -> Value {
    let id = job["jobId"].as_str().expect("an id");
    let made = server.root(&format!("POST /jobs/{id}/undo"), None).is(201);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    job
}

pub(crate) fn cells(server: &AdminServer, dataset: &str) -> String {
    exported(server, dataset, json!({"format": "csv"}))
}

/// How many records a dataset has, and how many are faulty, as the catalog tells.
fn counts(server: &AdminServer, dataset: &str) -> (Value, Value) {
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    let (all, errored) = (&faults["recordCount"], &faults["erroredRecordsCount"]);
    (all.clone(), errored.clone())
}

#[test]
fn a_repair_is_tried_done_and_undone() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let begin = "Code,Name,Size\n1,one,12 km\n2, two ,2\n3,three,7 km\n";
    imported(&server, &dataset, "", begin);
    assert_eq!(counts(&server, &dataset), (json!(3), json!(2)));
    let mut options = json!({"query": "fault:Size", "field": "Size", "dryRun": true,
        "action": {"regex": {"pattern": "^(\\d+) km$", "with": "$1"}}});
    let tried = repaired(&server, &dataset, options.clone());
    let result = &tried["revisionResult"];
    assert_eq!(
        (&result["records"], &result["changed"], &result["left"]),
        (&json!(2), &json!(2), &json!(0))
    );
    assert_eq!(
        (&result["faultyBefore"], &result["faultyAfter"]),
        (&json!(2), &json!(0))
    );
    let fault = &result["faults"][0];
    assert_eq!(
        (
            &fault["field"],
            &fault["rule"],
            &fault["gone"],
            &fault["come"]
        ),
        (&json!("Size"), &json!("integer"), &json!(2), &json!(0))
    );
    let sample = &result["samples"][0];
    assert_eq!(
        (&sample["before"], &sample["after"]),
        (&json!("12 km"), &json!(12))
    );
    assert_eq!(cells(&server, &dataset), begin, "it was only tried");
    options["dryRun"] = json!(false);
    let done = repaired(&server, &dataset, options);
    assert_eq!(done["revisionResult"], tried["revisionResult"]);
    let mended = "Code,Name,Size\n1,one,12\n2, two ,2\n3,three,7\n";
    assert_eq!(cells(&server, &dataset), mended);
    assert_eq!(counts(&server, &dataset), (json!(3), json!(0)));
    // its history names the job
    let id = sample["dataObjectId"].as_str().unwrap();
    let past = server.get(&format!("/datasets/{dataset}/records/{id}/history"));
    assert_eq!(past["items"][0]["actor"]["via"], "repair");
    assert_eq!(past["items"][0]["actor"]["jobId"], done["jobId"]);
    let back = undone(&server, &done);
    let result = &back["undoResult"];
    assert_eq!(
        (&result["records"], &result["reverted"], &result["left"]),
        (&json!(2), &json!(2), &json!(0))
    );
    assert_eq!(cells(&server, &dataset), begin);
    assert_eq!(counts(&server, &dataset), (json!(3), json!(2)));
    // an undoing is a job, and undone it is done again
    undone(&server, &back);
    assert_eq!(cells(&server, &dataset), mended);
}

#[test]
fn a_repair_tells_how_many_records_it_goes_through() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Size\n1,5\n2,7\n3,50\n");
    let of_all = json!({"field": "Size", "action": {"set": 9}, "dryRun": true});
    let mut of_some = of_all.clone();
    of_some["query"] = json!("Size:>6");
    for (options, count) in [(of_all, 3), (of_some, 2)] {
        let job = repaired(&server, &dataset, options);
        let told = ["rows", "rowsTotal"].map(|name| job["progress"][name].clone());
        assert_eq!(told, [json!(count), json!(count)], "{job}");
    }
}

#[test]
fn each_action_is_written_as_its_field_has_it() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(
        &server,
        &dataset,
        "",
        "Code,Name,Size\n1, D ,1\n2,F,\n3,St. Main,3\n",
    );
    for action in [
        json!("trim"),
        json!({"replace": {"text": "St.", "with": "Street"}}),
        json!({"map": {"D": "DE", "F": null}}),
    ] {
        repaired(
            &server,
            &dataset,
            json!({"field": "Name", "action": action}),
        );
    }
    let set = json!({"query": "Size:none", "field": "Size", "action": {"set": 9}});
    repaired(&server, &dataset, set);
    assert_eq!(
        cells(&server, &dataset),
        "Code,Name,Size\n1,DE,1\n2,,9\n3,Street Main,3\n"
    );
    // a key that another record has is left, and told
    let keys = json!({"field": "Code", "action": {"map": {"1": "2", "3": "4"}}});
    let job = repaired(&server, &dataset, keys);
    let result = &job["revisionResult"];
    assert_eq!(
        (&result["changed"], &result["left"]),
        (&json!(1), &json!(1))
    );
    assert!(cells(&server, &dataset).ends_with("4,Street Main,3\n"));
}

#[test]
fn an_import_is_taken_back_as_one_but_for_what_someone_wrote_since() {
    let server = server();
    let places = server.places(&thing());
    let dataset = &places[2];
    let begin = "Code,Name,Size\n1,one,1\n2,two,2\n3,three,3\n";
    imported(&server, dataset, "", begin);
    let job = imported(
        &server,
        dataset,
        "?mode=replace&deleteMissing=true",
        "Code,Name\n1,eins\n1,uno\n2,zwei\n4,vier\n5,five\n",
    );
    assert_eq!(
        cells(&server, dataset),
        "Code,Name,Size\n1,uno,\n2,zwei,\n4,vier,\n5,five,\n"
    );
    // someone changes two of them
    let query = "?mode=update";
    imported(&server, dataset, query, "Code,Name\n2,dos\n5,cinco\n");
    let back = undone(&server, &job);
    let result = &back["undoResult"];
    let told = ["records", "reverted", "deleted", "restored", "left"].map(|it| result[it].clone());
    assert_eq!(
        told,
        [json!(5), json!(1), json!(1), json!(1), json!(2)],
        "{result}"
    );
    assert_eq!(result["leftRecords"][0]["reason"], "someone wrote it since");
    assert_eq!(
        cells(&server, dataset),
        "Code,Name,Size\n1,one,1\n2,dos,\n3,three,3\n5,cinco,\n"
    );
}

#[test]
fn what_can_not_be_repaired_or_undone_is_refused_at_once() {
    let server = server();
    let [area, _, dataset] = server.places(&thing());
    let repairs = format!("POST /datasets/{dataset}/repairs");
    for (options, path) in [
        (json!({"field": "Nobody", "action": "trim"}), "$.field"),
        (
            json!({"field": "Name", "action": {"regex": {"pattern": "(", "with": ""}}}),
            "$.action.regex.pattern",
        ),
    ] {
        let refused = server.root(&repairs, Some(options)).is(400);
        assert_eq!(refused.problems(), [path]);
    }
    let trim = || json!({"field": "Name", "action": "trim"});
    let mut wrong = trim();
    wrong["query"] = json!("Nobody:1");
    server.root(&repairs, Some(wrong)).is(400);
    let reader = json!({"name": "reader", "roles": [server.role("MEMBER")],
        "grants": [{"area": area, "verbs": ["view"]}]});
    let reader = server.make("/api-keys", reader).text("key");
    server.ask(&reader, &repairs, Some(trim())).is(403);
    let export = server.make(&format!("/datasets/{dataset}/exports"), json!({}));
    let export = ended(&server, &export.text("jobId"));
    let id = export["jobId"].as_str().unwrap();
    server.root(&format!("POST /jobs/{id}/undo"), None).is(409);
    server
        .ask(&reader, &format!("POST /jobs/{id}/undo"), None)
        .is(404);
    server.root("POST /jobs/nobody/undo", None).is(404);
}

#[test]
fn a_job_that_wrote_nothing_is_not_undone() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\n1,one\n");
    let refused = |job: &Value| {
        let id = job["jobId"].as_str().expect("an id");
        let refused = server.root(&format!("POST /jobs/{id}/undo"), None).is(409);
        assert!(
            refused.body.contains("wrote no records"),
            "{}",
            refused.body
        );
    };
    let tried = json!({"field": "Name", "action": {"set": "x"}, "dryRun": true});
    let nothing = json!({"field": "Name", "action": "trim"});
    for options in [tried, nothing] {
        refused(&repaired(&server, &dataset, options));
    }
    for (query, file) in [
        ("?mode=update&dryRun=true", "Code,Name\n1,two\n"),
        ("?mode=update", "Code,Name\n1,one\n"),
        ("", "Code,Name\n1,again\n"),
    ] {
        refused(&imported(&server, &dataset, query, file));
    }
}

/// Waits until no job is queued or running, and gives the newest of a kind.
fn newest(server: &AdminServer, kind: &str) -> Value {
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs");
    let found = jobs.iter().find(|job| job["kind"] == kind);
    let found = found.unwrap_or_else(|| panic!("no {kind} in {jobs:?}"));
    ended(server, found["jobId"].as_str().expect("an id"))
}

#[test]
fn records_are_judged_by_a_changed_schema_or_domain_without_anybody_writing_them() {
    let server = server();
    let (domain, mut document) = thing_of_countries(&server);
    let [_, schema, dataset] = server.places(&document);
    imported(
        &server,
        &dataset,
        "",
        "Code,Name,Size\n1,DE,1\n2,FR,20\n3,DE,30\n",
    );
    assert_eq!(counts(&server, &dataset), (json!(3), json!(0)));
    document["fields"][2]["max"] = json!(15);
    let changed = json!({"document": document});
    let asked = format!("POST /schemas/{schema}/effects");
    let effects = server.root(&asked, Some(changed.clone())).is(200).json();
    let told = ["recordCount", "judgedCount", "faultyBefore", "faultyAfter"];
    let told = told.map(|name| effects[name].as_u64().unwrap());
    assert_eq!(told, [3, 3, 0, 2], "{effects}");
    let fault = &effects["faults"][0];
    assert_eq!(
        (&fault["field"], &fault["rule"]),
        (&json!("Size"), &json!("max"))
    );
    assert_eq!(
        (&fault["come"], &fault["samples"].as_array().unwrap().len()),
        (&json!(2), &2)
    );
    assert_eq!(
        counts(&server, &dataset),
        (json!(3), json!(0)),
        "nothing was changed"
    );
    server
        .root(&format!("PUT /schemas/{schema}"), Some(changed))
        .is(200);
    let job = newest(&server, "revalidate");
    assert_eq!(job["state"], "done", "{job}");
    let result = &job["revisionResult"];
    assert_eq!(
        (&result["records"], &result["changed"]),
        (&json!(3), &json!(2))
    );
    assert_eq!(result["faults"][0]["rule"], "max");
    assert_eq!(result["faults"][0]["come"], 2);
    assert_eq!(
        job["progress"],
        json!({"rows": 3, "rowsTotal": 3, "bytes": 0})
    );
    assert_eq!(counts(&server, &dataset), (json!(3), json!(2)));
    let codes = json!({"name": "Countries", "codes": [{"code": "FR"}]});
    server
        .root(&format!("PUT /domains/{domain}"), Some(codes))
        .is(200);
    let job = newest(&server, "revalidate");
    assert_eq!(job["revisionResult"]["changed"], 2, "{job}");
    assert_eq!(counts(&server, &dataset), (json!(3), json!(3)));
    document["fields"][2]["max"] = json!(null);
    let changed = json!({"document": document});
    server
        .root(&format!("PUT /schemas/{schema}"), Some(changed))
        .is(200);
    newest(&server, "revalidate");
    assert_eq!(counts(&server, &dataset), (json!(3), json!(2)));
    // values and keys are as they were
    let expected = "Code,Name,Size\n1,DE,1\n2,FR,20\n3,DE,30\n";
    assert_eq!(cells(&server, &dataset), expected);
}

#[test]
fn records_stay_as_they_are_where_the_operator_wants_no_judgement() {
    let server = working(JobSettings {
        revalidates: false,
        ..JobSettings::default()
    });
    let mut document = thing();
    let [_, schema, dataset] = server.places(&document);
    imported(&server, &dataset, "", "Code,Size\n1,20\n");
    document["fields"][2]["max"] = json!(15);
    let changed = json!({"document": document});
    server
        .root(&format!("PUT /schemas/{schema}"), Some(changed))
        .is(200);
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs");
    assert!(jobs.iter().all(|job| job["kind"] == "import"), "{jobs:?}");
    assert_eq!(counts(&server, &dataset), (json!(1), json!(0)));
}

#[test]
fn no_more_jobs_wait_than_may_and_no_more_versions_are_judged_than_fit() {
    let server = AdminServer::with_settings(Settings {
        jobs: JobSettings {
            waiting_max: 0,
            ..JobSettings::default()
        },
        quotas: Quotas {
            schema_versions: 1,
            ..Quotas::default()
        },
        ..Settings::default()
    });
    let mut document = thing();
    let [_, schema, dataset] = server.places(&document);
    let trim = json!({"field": "Name", "action": "trim"});
    let repairs = format!("POST /datasets/{dataset}/repairs");
    server.root(&repairs, Some(trim)).is(409);
    document["fields"][2]["max"] = json!(15);
    let changed = json!({"document": document});
    let asked = format!("POST /schemas/{schema}/effects");
    let refused = server.root(&asked, Some(changed)).is(403);
    assert_eq!(refused.text("code"), "QUOTA_EXCEEDED");
}

#[test]
fn who_may_only_add_may_import_and_not_undo() {
    let server = server();
    let [area, _, dataset] = server.places(&thing());
    let writer = json!({"name": "writer", "roles": [server.role("MEMBER")],
        "grants": [{"area": area, "verbs": ["add"]}]});
    let writer = server.make("/api-keys", writer).text("key");
    let line = format!("POST /admin/api/v1/datasets/{dataset}/imports");
    let headers = [
        ("Authorization", writer.as_str()),
        ("Content-Type", "text/csv"),
    ];
    let made = server.send(&line, &headers, Some("Code\n1\n")).is(201);
    let id = made.text("jobId");
    ended(&server, &id);
    server
        .ask(&writer, &format!("POST /jobs/{id}/undo"), None)
        .is(403);
}
