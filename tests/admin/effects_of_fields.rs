//! What a change tells that takes a field away, brings one back or names it anew: what is wrong with its values now counts
//! as before, whatever the change shows of them.

use crate::admin_server::AdminServer;
use crate::jobs::{ended, imported, server, thing};
use serde_json::{Value, json};

/// The document with a change of its last field, the size.
fn with_size(change: impl FnOnce(&mut Value)) -> Value {
    let mut document = thing();
    change(&mut document["fields"][2]);
    document
}

/// What a change would make of a dataset, as the request and as the job tell it: faulty before and after, and the faults.
fn told(server: &AdminServer, [schema, dataset]: [&str; 2], document: &Value) -> Value {
    let change = json!({"document": document});
    let asked = format!("POST /schemas/{schema}/effects");
    let at_once = server.root(&asked, Some(change.clone())).is(200).json();
    let made = server.make(&format!("/datasets/{dataset}/effects"), change);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    let short = |all: &Value| {
        let faults = all["faults"].as_array().expect("faults").iter();
        let faults = faults.map(|it| {
            let parts = ["field", "rule", "come", "gone"];
            parts.map(|name| it[name].clone())
        });
        json!([
            all["faultyBefore"],
            all["faultyAfter"],
            faults.collect::<Vec<_>>()
        ])
    };
    let by_job = short(&job["revisionResult"]);
    assert_eq!(short(&at_once), by_job, "{document}");
    by_job
}

#[test]
fn faults_of_a_field_that_a_change_takes_away_go_and_of_one_that_it_names_anew_stay() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Size\n1,x\n2,2\n3,y\n");
    let of = [schema.as_str(), dataset.as_str()];
    let gone = json!([2, 0, [["Size", "integer", 0, 2]]]);
    let off = with_size(|size| size["active"] = json!(false));
    assert_eq!(told(&server, of, &off), gone);
    let off_and_renamed = with_size(|size| {
        size["active"] = json!(false);
        size["name"] = json!("Weight");
    });
    assert_eq!(told(&server, of, &off_and_renamed), gone);
    let mut without = thing();
    let fields = without["fields"].as_array_mut().expect("fields");
    fields.pop();
    assert_eq!(told(&server, of, &without), gone);
    let renamed = with_size(|size| size["name"] = json!("Weight"));
    assert_eq!(told(&server, of, &renamed), json!([2, 2, []]));
    let renamed_text = with_size(|size| {
        size["name"] = json!("Weight");
        size["dataType"] = json!("string");
    });
    // the number among them is no text
    let by_its_new_name = json!([
        2,
        1,
        [["Weight", "integer", 0, 2], ["Weight", "string", 1, 0]]
    ]);
    assert_eq!(told(&server, of, &renamed_text), by_its_new_name);
}

#[test]
fn a_field_that_a_change_brings_back_has_no_faults_before_it() {
    let server = server();
    let [_, schema, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Size\n1,x\n2,2\n3,y\n");
    let of = [schema.as_str(), dataset.as_str()];
    let off = json!({"document": with_size(|size| size["active"] = json!(false))});
    let change = format!("PUT /schemas/{schema}");
    server.root(&change, Some(off)).is(200);
    let jobs = server.get("/jobs");
    let mut jobs = jobs["items"].as_array().expect("jobs").iter();
    let judged = jobs.find(|job| job["kind"] == "revalidate");
    let judged = judged.expect("it is judged anew")["jobId"].as_str();
    ended(&server, judged.expect("an id"));
    let come = json!([0, 2, [["Size", "integer", 2, 0]]]);
    assert_eq!(told(&server, of, &thing()), come);
    // the records are as the change finds them: the truth of it
    let on = json!({"document": thing()});
    server.root(&change, Some(on)).is(200);
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs").iter();
    for job in jobs.filter(|job| job["kind"] == "revalidate") {
        ended(&server, job["jobId"].as_str().expect("an id"));
    }
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    assert_eq!(faults["erroredRecordsCount"], 2, "{faults}");
}
