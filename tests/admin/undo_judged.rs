//! A job is undone behind what changed of schemas and data domains since: what that made of `_errors` is nobody's writing, and
//! values of fields that are not shown any more go back with the others.

use crate::admin_server::{AdminServer, city, names};
use crate::held_jobs::begun;
use crate::jobs::{ended, imported, server, thing};
use crate::judged_again::put;
use crate::repairs::{cells, repaired};
use crate::retention::{Aging, DAY};
use crate::undo::{sent, undone};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn all_done(server: &AdminServer) {
    for id in names(&server.get("/jobs"), "jobId") {
        let job = ended(server, &id);
        assert_eq!(job["state"], "done", "{job}");
    }
}

/// The schema with sizes up to 15.
fn small() -> Value {
    let mut document = thing();
    document["fields"][2]["max"] = json!(15);
    document
}

#[test]
fn a_judgement_since_keeps_no_record_from_going_back() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name,Size\n1,one,1\n");
    let file = "Code,Name,Size\n1,uno,20\n2,two,30\n";
    let job = imported(&server, &dataset, "?mode=upsert", file);
    put(&server, &schema, &small());
    all_done(&server);
    // and once more
    put(&server, &schema, &thing());
    all_done(&server);
    let (undo, counts) = undone(&server, job["jobId"].as_str().expect("an id"));
    assert_eq!(counts, [2, 1, 1, 0, 0]);
    assert_eq!(cells(&server, &dataset), "Code,Name,Size\n1,one,1\n");
    put(&server, &schema, &small());
    all_done(&server);
    assert_eq!(undone(&server, &undo).1, [2, 1, 0, 1, 0]);
    assert_eq!(by_name(&cells(&server, &dataset)), by_name(file));
}

#[test]
fn a_judgement_by_a_job_can_be_undone_by_itself() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Size\n1,1\n2,20\n");
    put(&server, &schema, &small());
    all_done(&server);
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs").iter();
    let mut judgements = jobs.filter(|job| job["kind"] == "revalidate");
    let id = judgements.next().expect("one")["jobId"].as_str();
    let (_, counts) = undone(&server, id.expect("an id"));
    assert_eq!(counts, [1, 1, 0, 0, 0]);
}

#[test]
fn a_judgement_whose_changes_are_not_kept_any_more_is_not_undone() {
    let aging = Aging::start(false);
    let server = &aging.server;
    server.start_jobs();
    aging.create("Old");
    let mut document = city();
    document["fields"][1]["dataType"] = json!("integer");
    put(server, &aging.schema, &document);
    all_done(server);
    let jobs = server.get("/jobs");
    let judgement = jobs["items"][0].clone();
    assert_eq!(judgement["kind"], "revalidate", "{jobs}");
    assert_eq!(judgement["revisionResult"]["changed"], 1, "{judgement}");
    server.clock.forward(31 * DAY);
    aging.create("A");
    assert_eq!(aging.remove_old().changes, 2);
    let id = judgement["jobId"].as_str().expect("an id");
    let refused = server.root(&format!("POST /jobs/{id}/undo"), None).is(409);
    assert!(
        refused.body.contains("not kept any more"),
        "{}",
        refused.body
    );
}

#[test]
fn a_judgement_while_a_job_is_undone_bars_no_record_that_it_wrote_twice() {
    let server = AdminServer::start();
    server.use_job_files();
    let [_, schema, dataset] = server.places(&thing());
    let record = json!({"create": {"Code": "a", "Size": 1}});
    let (_, ids) = sent(&server, &dataset, &[record]);
    let lines = [20, 30].into_iter().zip(0..).map(|(size, version)| {
        json!({"update": {"_dataObjectId": ids[0], "_version": version, "Size": size}})
    });
    let (job, _) = sent(&server, &dataset, &lines.collect::<Vec<_>>());
    let made = server.root(&format!("POST /jobs/{job}/undo"), None);
    let undo = made.is(201).text("jobId");
    let (service, store) = begun(&server);
    put(&server, &schema, &small());
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs").iter();
    let mut judgements = jobs.filter(|job| job["kind"] == "revalidate");
    let judgement = judgements.next().expect("one")["jobId"].clone();
    let done = server.service.run_job(judgement.as_str().expect("an id"));
    server.tokio.block_on(done).expect("a job");
    store.let_steps_go();
    let undone = ended(&server, &undo);
    all_done(&server);
    server.tokio.block_on(service.stop_jobs());
    let told = ["records", "reverted", "left"].map(|name| undone["undoResult"][name].clone());
    assert_eq!(told, [json!(1), json!(1), json!(0)], "{undone}");
}

/// The schema without its names: switched off, or not there at all.
fn nameless() -> [Value; 2] {
    let (mut inactive, mut gone) = (thing(), thing());
    inactive["fields"][1]["active"] = json!(false);
    let fields = gone["fields"].as_array_mut().expect("fields");
    fields.remove(1);
    [inactive, gone]
}

/// Rows of plain cells, wherever their columns stand: a field that comes back is the last one.
fn by_name(file: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = file.lines().map(|line| line.split(','));
    let head: Vec<&str> = lines.next().expect("a head").collect();
    lines
        .map(|row| head.iter().copied().zip(row).collect())
        .collect()
}

#[test]
fn a_repaired_value_goes_back_also_where_its_field_is_not_shown_any_more() {
    for hiding in nameless() {
        let server = server();
        let [_, schema, dataset] = server.places(&thing());
        let file = "Code,Name,Size\n1,one,1\n";
        imported(&server, &dataset, "", file);
        let options =
            json!({"field": "Name", "action": {"regex": {"pattern": "one", "with": "uno"}}});
        let job = repaired(&server, &dataset, options);
        put(&server, &schema, &hiding);
        all_done(&server);
        let (_, counts) = undone(&server, job["jobId"].as_str().expect("an id"));
        assert_eq!(counts, [1, 1, 0, 0, 0]);
        put(&server, &schema, &thing());
        all_done(&server);
        assert_eq!(by_name(&cells(&server, &dataset)), by_name(file));
    }
}

#[test]
fn shown_and_hidden_values_of_an_import_go_back_together() {
    for hiding in nameless() {
        let server = server();
        let [_, schema, dataset] = server.places(&thing());
        let file = "Code,Name,Size\n1,one,1\n2,,2\n";
        imported(&server, &dataset, "", file);
        let changed = "Code,Name,Size\n1,uno,10\n2,due,20\n";
        let job = imported(&server, &dataset, "?mode=update", changed);
        put(&server, &schema, &hiding);
        all_done(&server);
        let (undo, counts) = undone(&server, job["jobId"].as_str().expect("an id"));
        assert_eq!(counts, [2, 2, 0, 0, 0]);
        put(&server, &schema, &thing());
        all_done(&server);
        assert_eq!(by_name(&cells(&server, &dataset)), by_name(file));
        undone(&server, &undo);
        assert_eq!(by_name(&cells(&server, &dataset)), by_name(changed));
    }
}
