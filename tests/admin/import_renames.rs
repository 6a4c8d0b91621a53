//! Imports during which fields get other names: columns and members stay for the fields that they were for when the import was
//! asked for.

use crate::admin_server::AdminServer;
use crate::jobs::{counts, import, thing};
use serde_json::{Value, json};

/// A server on which nobody works on jobs by itself, with a schema.
struct Story {
    server: AdminServer,
    schema: String,
    dataset: String,
}

impl Story {
    fn start() -> Self {
        let server = AdminServer::start();
        server.use_job_files();
        let [_, schema, dataset] = server.places(&thing());
        Story {
            server,
            schema,
            dataset,
        }
    }

    /// Another dataset of the schema.
    fn dataset(&self, name: &str) -> String {
        let path = format!("/schemas/{}/datasets", self.schema);
        self.server
            .make(&path, json!({"name": name}))
            .text("dataSetId")
    }

    /// Changes the field of names.
    fn change(&self, change: impl FnOnce(&mut Value)) {
        let mut document = thing();
        change(&mut document["fields"][1]);
        let line = format!("PUT /schemas/{}", self.schema);
        let body = json!({"document": document});
        self.server.root(&line, Some(body)).is(200);
    }

    fn ask(&self, dataset: &str, query: &str, file: &str) -> String {
        let made = import(&self.server, &self.server.root, dataset, query, file);
        made.is(201).text("jobId")
    }

    /// Works a job off here and now.
    fn finish(&self, id: &str) -> Value {
        let done = self.server.tokio.block_on(self.server.service.run_job(id));
        done.expect("a job");
        self.server.get(&format!("/jobs/{id}"))
    }

    fn exported(&self, dataset: &str) -> String {
        let path = format!("/datasets/{dataset}/exports");
        let id = self
            .server
            .make(&path, json!({"format": "csv"}))
            .text("jobId");
        assert_eq!(self.finish(&id)["state"], "done");
        let path = format!("GET /jobs/{id}/export");
        self.server.root(&path, None).is(200).body
    }
}

#[test]
fn a_field_that_gets_another_name_keeps_its_column_in_each_mode() {
    let story = Story::start();
    let csv = "Code,Name\n1,new\n2,two\n";
    let ndjson = "{\"Code\":\"1\",\"Name\":\"new\"}\n{\"Code\":\"2\",\"Name\":\"two\"}\n";
    for (mode, rows) in [
        ("create", "1,new,\n2,two,\n"),
        ("update", "1,new,\n"),
        ("upsert", "1,new,\n2,two,\n"),
        ("replace", "1,new,\n2,two,\n"),
    ] {
        for (kind, file, map) in [
            ("csv", csv.to_owned(), ""),
            ("ndjson", ndjson.to_owned(), ""),
            ("csv mapped", csv.replace("Name", "N"), "&map=N%3DName"),
            (
                "ndjson mapped",
                ndjson.replace("Name", "N"),
                "&map=N%3DName",
            ),
        ] {
            let case = format!("{mode} {kind}");
            let dataset = story.dataset(&case);
            if mode != "create" {
                let before = story.ask(&dataset, "", "Code,Name\n1,old\n");
                assert_eq!(story.finish(&before)["state"], "done", "{case}");
            }
            let id = story.ask(&dataset, &format!("?mode={mode}{map}"), &file);
            story.change(|field| field["name"] = json!("Label"));
            let job = story.finish(&id);
            assert_eq!(job["state"], "done", "{case}: {job}");
            let rejected = u64::from(mode == "update");
            assert_eq!(job["importResult"]["rejected"], rejected, "{case}: {job}");
            let expected = format!("Code,Label,Size\n{rows}");
            assert_eq!(story.exported(&dataset), expected, "{case}");
            story.change(|_| {});
        }
    }
}

#[test]
fn a_name_that_another_field_has_by_now_takes_nothing_of_the_file() {
    let story = Story::start();
    let exchanged = |document: &mut Value| {
        document["fields"][1]["name"] = json!("Size");
        document["fields"][2]["name"] = json!("Name");
    };
    for (kind, file) in [
        ("csv", "Code,Name,Size\n1,one,10\n"),
        ("json", r#"[{"Code":"1","Name":"one","Size":10}]"#),
    ] {
        let dataset = story.dataset(kind);
        let id = story.ask(&dataset, "", file);
        let mut document = thing();
        exchanged(&mut document);
        let line = format!("PUT /schemas/{}", story.schema);
        let body = json!({"document": document});
        story.server.root(&line, Some(body)).is(200);
        let job = story.finish(&id);
        assert_eq!(counts(&job), json!({"rows": 1, "created": 1}), "{kind}");
        assert_eq!(story.exported(&dataset), "Code,Size,Name\n1,one,10\n");
        story.change(|_| {});
    }
}

#[test]
fn a_field_that_is_gone_ends_the_import_that_has_a_column_for_it() {
    let story = Story::start();
    let id = story.ask(&story.dataset, "", "Code,Name\n1,one\n");
    let without = story.ask(&story.dataset, "", "Code,Size\n2,2\n");
    story.change(|field| field["active"] = json!(false));
    let job = story.finish(&id);
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().expect("a reason");
    let told = "the field \"Name\" is not in the schema any more; send the file anew";
    assert!(failure.ends_with(told), "{failure}");
    assert_eq!(story.finish(&without)["state"], "done");
    assert_eq!(story.exported(&story.dataset), "Code,Size\n2,2\n");
}
