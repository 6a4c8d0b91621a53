//! What is wrong with records is what the schema of now says: for what they show, for what is counted, and for what
//! comes back from deletion.

use crate::admin_server::{AdminServer, names};
use crate::held_jobs::begun;
use crate::jobs::{ended, import, imported, server, thing};
use crate::restated::records;
use serde_json::{Value, json};

/// Changes a schema, and waits until its records were judged by that.
fn change(server: &AdminServer, schema: &str, document: &Value) {
    put(server, schema, document);
    all_ended(server);
}

pub(crate) fn put(server: &AdminServer, schema: &str, document: &Value) {
    let line = format!("PUT /schemas/{schema}");
    let body = json!({"document": document});
    server.root(&line, Some(body)).is(200);
}

fn all_ended(server: &AdminServer) {
    for id in names(&server.get("/jobs"), "jobId") {
        ended(server, &id);
    }
}

/// How many records are faulty: as the dataset counts, as a search finds, as their faults are counted.
fn faulty(server: &AdminServer, [area, schema, dataset]: &[String; 3]) -> [u64; 3] {
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let made = server.answers.lock().expect("no test panics here").len();
    let key =
        json!({"name": format!("k{made}"), "roles": [server.role("MEMBER")], "grants": grants});
    let key = server.make("/api-keys", key).text("key");
    let ask = |line: &str| {
        server
            .send(line, &[("Authorization", &*key)], None)
            .is(200)
            .json()
    };
    let listed = ask(&format!(
        "GET /v1/businessareas/{area}/schemas/{schema}/datasets"
    ));
    let query = "query=is:faulty";
    let found = ask(&format!(
        "GET /v1/dataobjects/search?{query}&dataSet=Europe"
    ));
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    let told = faults["faults"].as_array().expect("faults").iter();
    [
        listed["items"][0]["erroredRecordsCount"]
            .as_u64()
            .expect("a count"),
        found["total"].as_u64().expect("a count"),
        told.map(|fault| fault["recordCount"].as_u64().expect("a count"))
            .sum(),
    ]
}

#[test]
fn faults_of_a_field_that_is_switched_off_are_counted_no_more() {
    let server = server();
    let places = server.places(&thing());
    let [_, schema, dataset] = &places;
    imported(&server, dataset, "", "Code,Size\n1,1\n2,x\n3,y\n");
    assert_eq!(faulty(&server, &places), [2; 3]);
    let mut document = thing();
    document["fields"][2]["active"] = json!(false);
    change(&server, schema, &document);
    assert_eq!(faulty(&server, &places), [0; 3]);
    change(&server, schema, &thing());
    assert_eq!(
        faulty(&server, &places),
        [2; 3],
        "the values are there again"
    );
}

#[test]
fn a_deleted_record_is_judged_by_the_schema_of_now_when_it_comes_back() {
    let server = server();
    let places = server.places(&thing());
    let [_, schema, dataset] = &places;
    imported(&server, dataset, "", "Code,Size\n1,1\n2,20\n3,30\n");
    let query = "?mode=replace&deleteMissing=true";
    let job = imported(&server, dataset, query, "Code,Size\n1,1\n");
    let mut document = thing();
    document["fields"][2]["max"] = json!(15);
    change(&server, schema, &document);
    let deleted = server.get(&format!("/datasets/{dataset}/deleted-records"));
    let first = &names(&deleted, "dataObjectId")[0];
    let line = format!("POST /datasets/{dataset}/deleted-records/{first}/restore");
    server.root(&line, None).is(204);
    assert_eq!(faulty(&server, &places), [1; 3]);
    // and so is what an undoing brings back
    let id = job["jobId"].as_str().expect("an id");
    let undone = server.root(&format!("POST /jobs/{id}/undo"), None).is(201);
    let undone = ended(&server, &undone.text("jobId"));
    assert_eq!(undone["undoResult"]["restored"], 1, "{undone}");
    assert_eq!(faulty(&server, &places), [2; 3]);
}

/// What a data domain with these codes is asked for.
fn countries(codes: &[&str]) -> Value {
    let codes: Vec<_> = codes.iter().map(|code| json!({"code": code})).collect();
    json!({"name": "Countries", "codes": codes})
}

/// A schema whose names are codes of a data domain.
fn of_codes(domain: &str) -> Value {
    let mut document = thing();
    document["fields"][1]["dataType"] = json!("picklist");
    document["fields"][1]["picklistType"] = json!("dynamic");
    document["fields"][1]["dataDomainId"] = json!(domain);
    document
}

#[test]
fn records_that_come_back_with_what_held_them_are_judged_by_the_codes_of_now() {
    let server = server();
    let domain = server.make("/domains", countries(&["DE", "FR"]));
    let domain = domain.text("dataDomainId");
    let recode = |codes: &[&str]| {
        let line = format!("PUT /domains/{domain}");
        server.root(&line, Some(countries(codes))).is(200);
        all_ended(&server);
    };
    let places = server.places(&of_codes(&domain));
    imported(&server, &places[2], "", "Code,Name\n1,DE\n2,FR\n");
    for (noun, id) in ["areas", "schemas", "datasets"].into_iter().zip(&places) {
        server.root(&format!("DELETE /{noun}/{id}"), None).is(204);
        recode(&["FR"]);
        let line = format!("POST /{noun}/{id}/restore");
        server.root(&line, None).is(200);
        all_ended(&server);
        assert_eq!(faulty(&server, &places), [1; 3], "{noun}");
        recode(&["DE", "FR"]);
        assert_eq!(faulty(&server, &places), [0; 3], "{noun}");
    }
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs");
    // what is deleted is not tried to be judged
    assert!(jobs.iter().all(|job| job["state"] == "done"), "{jobs:?}");
}

#[test]
fn rows_of_an_import_that_wait_while_others_are_stored_are_judged_by_the_codes_of_now() {
    // of a first batch none can be stored: its step writes no record that would tell of other codes
    const UNSTORED: usize = 512;
    let server = AdminServer::start();
    server.use_job_files();
    let run = |job: &str| {
        let done = server.service.run_job(job);
        server.tokio.block_on(done).expect("a job");
    };
    let domain = server.make("/domains", countries(&["DE", "FR"]));
    let domain = domain.text("dataDomainId");
    let places = server.places(&of_codes(&domain));
    let dataset = &places[2];
    let made = import(&server, &server.root, dataset, "", "Code,Name\n0,FR\n").is(201);
    run(&made.text("jobId"));
    let file = format!("Code,Name\n{}1,DE\n", ",FR\n".repeat(UNSTORED));
    let made = import(&server, &server.root, dataset, "", &file).is(201);
    let (service, store) = begun(&server);
    let line = format!("PUT /domains/{domain}");
    server.root(&line, Some(countries(&["FR"]))).is(200);
    let jobs = server.get("/jobs");
    let jobs = jobs["items"].as_array().expect("jobs").iter();
    let mut judgements = jobs.filter(|job| job["kind"] == "revalidate");
    let judgement = judgements.next().expect("one")["jobId"].as_str();
    run(judgement.expect("an id"));
    store.let_steps_go();
    let job = ended(&server, &made.text("jobId"));
    all_ended(&server);
    server.tokio.block_on(service.stop_jobs());
    let result = &job["importResult"];
    let counts = ["rejected", "created", "faulty"].map(|name| result[name].clone());
    assert_eq!(counts, [json!(UNSTORED), json!(1), json!(1)], "{job}");
    assert_eq!(faulty(&server, &places), [1; 3]);
}

#[test]
fn records_that_come_back_with_their_dataset_are_judged_by_the_schema_of_now() {
    let server = server();
    let places = server.places(&thing());
    let [_, schema, dataset] = &places;
    imported(&server, dataset, "", "Code,Size\n1,1\n2,20\n");
    server
        .root(&format!("DELETE /datasets/{dataset}"), None)
        .is(204);
    let mut document = thing();
    document["fields"][2]["max"] = json!(15);
    change(&server, schema, &document);
    let line = format!("POST /datasets/{dataset}/restore");
    server.root(&line, None).is(200);
    all_ended(&server);
    assert_eq!(faulty(&server, &places), [1; 3]);
}

#[test]
fn records_that_were_deleted_with_their_dataset_while_their_judgement_waited_are_judged_when_they_come_back()
 {
    let server = AdminServer::start();
    server.use_job_files();
    let places = server.places(&thing());
    let [_, schema, dataset] = &places;
    let file = "Code,Size\n1,1\n2,20\n";
    let made = import(&server, &server.root, dataset, "", file).is(201);
    let id = made.text("jobId");
    let done = server.service.run_job(&id);
    server.tokio.block_on(done).expect("a job");
    let mut document = thing();
    document["fields"][2]["max"] = json!(15);
    put(&server, schema, &document);
    server
        .root(&format!("DELETE /datasets/{dataset}"), None)
        .is(204);
    server.start_jobs();
    all_ended(&server);
    let line = format!("POST /datasets/{dataset}/restore");
    server.root(&line, None).is(200);
    all_ended(&server);
    assert_eq!(faulty(&server, &places), [1; 3]);
}

/// A store with two records that were deleted: one is to come back by itself, the other by an undoing.
struct Deleted {
    server: AdminServer,
    places: [String; 3],
    job: String,
}

impl Deleted {
    /// Two records of a schema with these values, in place of which there is another one by now.
    fn start(document: &Value, values: &str) -> Self {
        let server = server();
        let places = server.places(document);
        let file = format!("Code,Name,Size\n1,{values}\n2,{values}\n");
        imported(&server, &places[2], "", &file);
        let query = "?mode=replace&deleteMissing=true";
        let job = imported(&server, &places[2], query, "Code\n3\n");
        let job = job["jobId"].as_str().expect("an id").to_owned();
        Deleted {
            server,
            places,
            job,
        }
    }

    /// Brings back the record of a key.
    fn restore(&self, key: &str) {
        let path = format!("/datasets/{}/deleted-records", self.places[2]);
        let deleted = self.server.get(&path);
        let deleted = deleted["items"].as_array().expect("a page");
        let own = deleted.iter().find(|it| it["values"]["Code"] == key);
        let id = own.expect("it is deleted")["dataObjectId"].as_str();
        let line = format!("POST {path}/{}/restore", id.expect("an id"));
        self.server.root(&line, None).is(204);
    }

    /// Brings back what the job deleted.
    fn undo(&self) {
        let line = format!("POST /jobs/{}/undo", self.job);
        let undone = self.server.root(&line, None).is(201);
        let undone = ended(&self.server, &undone.text("jobId"));
        assert_eq!(undone["undoResult"]["restored"], 1, "{undone}");
    }

    /// The name of the first field that is faulty, and the version, of the record of a key.
    fn shown(&self, key: &str) -> (Value, Value) {
        let records = records(&self.server, &self.places);
        let own = records.iter().find(|record| record["Code"] == key);
        let own = own.expect("it is there");
        (own["_errors"][0]["name"].clone(), own["_version"].clone())
    }
}

/// A schema with a key, and of two fields the names and types.
fn named(fields: [(&str, &str); 2]) -> Value {
    let mut document = thing();
    for (at, (name, kind)) in (1_usize..).zip(fields) {
        document["fields"][at]["name"] = json!(name);
        document["fields"][at]["dataType"] = json!(kind);
    }
    document
}

#[test]
fn a_record_comes_back_with_the_fault_of_the_field_that_has_the_name_by_now() {
    let first = named([("Name", "integer"), ("Size", "string")]);
    let deleted = Deleted::start(&first, "x,y");
    let (server, places) = (&deleted.server, &deleted.places);
    change(
        server,
        &places[1],
        &named([("Size", "string"), ("Name", "integer")]),
    );
    deleted.restore("1");
    assert_eq!(deleted.shown("1"), (json!("Name"), json!(2)));
    assert_eq!(faulty(server, places), [1; 3]);
    deleted.undo();
    assert_eq!(deleted.shown("2"), (json!("Name"), json!(2)));
    assert_eq!(faulty(server, places), [2; 3]);
}

#[test]
fn a_faulty_record_comes_back_as_it_was_where_its_field_only_has_another_name() {
    let first = named([("Name", "string"), ("Size", "integer")]);
    let deleted = Deleted::start(&first, "x,y");
    let (server, places) = (&deleted.server, &deleted.places);
    change(
        server,
        &places[1],
        &named([("Name", "string"), ("Extent", "integer")]),
    );
    deleted.restore("1");
    assert_eq!(deleted.shown("1"), (json!("Extent"), json!(1)));
    deleted.undo();
    assert_eq!(deleted.shown("2"), (json!("Extent"), json!(1)));
    assert_eq!(faulty(server, places), [2; 3]);
}
