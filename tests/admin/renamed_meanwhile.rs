//! Jobs during which a schema gives the names of fields to others: a repair goes on in the field that was meant, and what
//! names fields to choose records or columns ends rather than mean another one.

use crate::admin_server::AdminServer;
use crate::held_jobs::begun;
use crate::jobs::{ended, import};
use crate::repairs::cells;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Records of more than two pages.
const ROWS: usize = 600;

/// A server on which nobody works on jobs, with records whose name is `n` and whose note is `o`.
struct Swapped {
    server: AdminServer,
    schema: String,
    dataset: String,
}

/// A schema with a key and two texts, which are called so.
fn document([name, note]: [&str; 2]) -> Value {
    let field = |id: &str, name: &str, is_key: bool| {
        json!({"fieldId": id, "name": name, "active": true, "dataType": "string",
            "isPrimaryKey": is_key, "isSortKey": false, "isRequired": is_key})
    };
    let fields = [
        field("f-code", "Code", true),
        field("f-name", name, false),
        field("f-note", note, false),
    ];
    json!({"name": "Thing", "fields": fields})
}

impl Swapped {
    fn start() -> Self {
        let server = AdminServer::start();
        server.use_job_files();
        let [_, schema, dataset] = server.places(&document(["Name", "Note"]));
        let mut file = String::from("Code,Name,Note\n");
        for row in 0..ROWS {
            writeln!(file, "{row},n,o").expect("a text takes it");
        }
        let made = import(&server, &server.root, &dataset, "", &file).is(201);
        let id = made.text("jobId");
        let done = server.service.run_job(&id);
        server.tokio.block_on(done).expect("a job");
        Swapped {
            server,
            schema,
            dataset,
        }
    }

    /// Gives the two texts these names.
    fn call(&self, names: [&str; 2]) {
        let line = format!("PUT /schemas/{}", self.schema);
        let body = json!({"document": document(names)});
        self.server.root(&line, Some(body)).is(200);
    }

    fn ask(&self, what: &str, options: Value) -> String {
        let path = format!("/datasets/{}/{what}", self.dataset);
        self.server.make(&path, options).text("jobId")
    }

    /// Works a job off, and gives the two texts other names when its first step is about to be committed.
    fn call_midway(&self, id: &str, names: [&str; 2]) -> Value {
        let (service, store) = begun(&self.server);
        self.call(names);
        store.let_steps_go();
        let job = ended(&self.server, id);
        self.server.tokio.block_on(service.stop_jobs());
        job
    }

    /// Works a job off by the server itself.
    fn finish(&self, id: &str) -> Value {
        let done = self.server.service.run_job(id);
        self.server.tokio.block_on(done).expect("a job");
        self.server.get(&format!("/jobs/{id}"))
    }

    /// Works off what is left to do, and tells all records.
    fn cells(&self) -> String {
        self.server.start_jobs();
        cells(&self.server, &self.dataset)
    }
}

/// All records as CSV, with these texts.
fn all(names: &str, texts: &str) -> String {
    let mut file = format!("Code,{names}\n");
    for row in 0..ROWS {
        writeln!(file, "{row},{texts}").expect("a text takes it");
    }
    file
}

/// That a job failed, and says that the schema changed.
#[track_caller]
fn tells_of_the_schema(job: &Value) {
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().expect("why");
    assert!(
        failure.starts_with("the schema changed meanwhile"),
        "{failure}"
    );
}

#[test]
fn a_repair_goes_on_in_its_field_when_two_fields_exchange_their_names() {
    let swapped = Swapped::start();
    let options = json!({"field": "Note", "action": {"set": "mended"}});
    let id = swapped.ask("repairs", options);
    let job = swapped.call_midway(&id, ["Note", "Name"]);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["revisionResult"]["changed"], ROWS, "{job}");
    assert_eq!(swapped.cells(), all("Note,Name", "n,mended"));
}

#[test]
fn a_repair_goes_on_in_its_field_when_that_gets_another_name_before_it_begins() {
    let swapped = Swapped::start();
    let options = json!({"field": "Note", "action": {"set": "mended"}});
    let id = swapped.ask("repairs", options);
    swapped.call(["Name", "Remark"]);
    let job = swapped.finish(&id);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(swapped.cells(), all("Name,Remark", "n,mended"));
}

#[test]
fn a_repair_whose_field_is_switched_off_meanwhile_says_that_the_schema_changed() {
    let swapped = Swapped::start();
    let id = swapped.ask("repairs", json!({"field": "Note", "action": "trim"}));
    let mut without = document(["Name", "Note"]);
    without["fields"][2]["active"] = json!(false);
    let line = format!("PUT /schemas/{}", swapped.schema);
    let body = json!({"document": without});
    swapped.server.root(&line, Some(body)).is(200);
    tells_of_the_schema(&swapped.finish(&id));
}

#[test]
fn a_query_whose_names_mean_other_fields_by_now_chooses_nothing_more() {
    let swapped = Swapped::start();
    let repair = json!({"field": "Code", "action": {"replace": {"text": "9", "with": "nine"}},
        "query": "Note:o"});
    let repair = swapped.ask("repairs", repair);
    let export = json!({"format": "csv", "query": "Note:o"});
    let export = swapped.ask("exports", export);
    let columns = swapped.ask("exports", json!({"format": "csv", "fields": ["Note"]}));
    // what names no field finds the same
    let words = swapped.ask("exports", json!({"format": "csv", "query": "o"}));
    swapped.call(["Note", "Name"]);
    for id in [&repair, &export, &columns] {
        tells_of_the_schema(&swapped.finish(id));
    }
    let job = swapped.finish(&words);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["exportResult"]["records"], ROWS, "{job}");
    assert_eq!(swapped.cells(), all("Note,Name", "n,o"));
}
