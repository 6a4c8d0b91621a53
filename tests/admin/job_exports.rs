//! Exports that are stopped midway: a file that grows in pieces goes on behind the last one, one with an index at its end
//! begins anew, and where the schema changes meanwhile, all of the file is of the newest.

use crate::admin_server::AdminServer;
use crate::held_jobs::begun;
use crate::jobs::{counts, ended, import, thing};
use flate2::read::MultiGzDecoder;
use runtime::schema::{DataType, Field, Schema};
use runtime::tabular::{self, Options, Reader, Records};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::future::poll_fn;
use std::io::{Cursor, Read as _};
use std::path::PathBuf;
use std::pin::pin;
use std::task::Poll;

/// Records of some pages and, with texts of this length, of more than one piece of a file.
const ROWS: usize = 1000;
const NAME_LENGTH: usize = 8_000;

/// A server on which nobody works on jobs, with a dataset of many bytes.
struct Export {
    server: AdminServer,
    schema: String,
    dataset: String,
}

impl Export {
    fn start() -> Self {
        let server = AdminServer::start();
        server.use_job_files();
        let mut document = thing();
        // nobody looks for the words of such texts
        document["fields"][1]["isSearched"] = false.into();
        let [_, schema, dataset] = server.places(&document);
        let mut file = String::from("Code,Name,Size\n");
        for row in 0..ROWS {
            let name = format!("n{row:09}").repeat(NAME_LENGTH / 10);
            writeln!(file, "{row},{name},{row}").expect("a text takes it");
        }
        let made = import(&server, &server.root, &dataset, "", &file).is(201);
        let export = Export {
            server,
            schema,
            dataset,
        };
        let job = export.finish(&made.text("jobId"));
        assert_eq!(counts(&job), json!({"rows": ROWS, "created": ROWS}));
        export
    }

    /// Asks for an export.
    fn ask(&self, options: &Value) -> String {
        let path = format!("/datasets/{}/exports", self.dataset);
        self.server.make(&path, options.clone()).text("jobId")
    }

    /// Works a job off here and now, from where it came to.
    fn finish(&self, id: &str) -> Value {
        let done = self.server.tokio.block_on(self.server.service.run_job(id));
        done.expect("a job");
        let job = self.server.get(&format!("/jobs/{id}"));
        assert_eq!(job["state"], "done", "{job}");
        job
    }

    /// Asks for an export that is stopped when a part of it is done.
    fn stopped_midway(&self, options: &Value) -> String {
        let id = self.ask(options);
        let (service, store) = begun(&self.server);
        self.server.tokio.block_on(async {
            let mut stopping = pin!(service.stop_jobs());
            let stopped = poll_fn(|context| Poll::Ready(stopping.as_mut().poll(context)));
            assert!(stopped.await.is_pending(), "it waits for the step");
            // behind it, the work finds that it is to stop
            store.let_steps_go();
            stopping.await;
        });
        let job = self.server.get(&format!("/jobs/{id}"));
        assert_eq!(job["state"], "running", "{options}: {job}");
        let rows = job["progress"]["rows"].as_u64().expect("rows");
        assert!((1..ROWS as u64).contains(&rows), "it is midway: {job}");
        id
    }

    fn path(&self, id: &str) -> PathBuf {
        self.server.folder.path().join(format!("jobs/{id}.export"))
    }

    fn bytes(&self, id: &str) -> Vec<u8> {
        fs::read(self.path(id)).expect("the file")
    }

    /// Gives a field another name.
    fn rename(&self, name: &str) {
        let mut document = thing();
        document["fields"][1]["isSearched"] = false.into();
        document["fields"][1]["name"] = name.into();
        let line = format!("PUT /schemas/{}", self.schema);
        let body = json!({"document": document});
        self.server.root(&line, Some(body)).is(200);
    }
}

/// The records of an Excel file, which has the time of its making in it.
fn records_of_sheet(file: Vec<u8>) -> Vec<String> {
    let fields = [
        ("Code", DataType::String),
        ("Name", DataType::String),
        ("Size", DataType::Integer),
    ];
    let schema = Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: fields
            .map(|(name, kind)| Field::new(name, name, kind))
            .into(),
        ..Schema::default()
    };
    let reader = Reader::open(Cursor::new(file), Options::default()).expect("a sheet");
    let records = Records::new(&schema, reader, tabular::Settings::default());
    let records = records.expect("its columns").map(|row| {
        let record = row.expect("a row").record.expect("a record");
        record.normal_form().to_owned()
    });
    records.collect()
}

#[test]
fn a_file_in_pieces_that_are_packed_goes_on_behind_the_last_one_after_a_stop() {
    let export = Export::start();
    for options in [
        json!({"format": "csv", "packing": "gzip"}),
        json!({"format": "ndjson", "packing": "zstd"}),
    ] {
        let whole = export.ask(&options);
        export.finish(&whole);
        let whole = export.bytes(&whole);
        let id = export.stopped_midway(&options);
        let mut begun = export.bytes(&id);
        assert!(!begun.is_empty(), "{options}");
        // what is written stays as it is, so this is still there at the end
        let (first, mark) = (begun[0], !begun[0]);
        begun[0] = mark;
        fs::write(export.path(&id), &begun).expect("written");
        let job = export.finish(&id);
        assert_eq!(job["exportResult"]["records"], ROWS, "{job}");
        let mut found = export.bytes(&id);
        assert_eq!(found[0], mark, "{options}: it does not begin anew");
        found[0] = first;
        assert!(found == whole, "{options}: as without a stop");
    }
}

#[test]
fn a_file_with_an_index_at_its_end_begins_anew_after_a_stop() {
    let export = Export::start();
    for format in ["xlsx", "parquet"] {
        let options = json!({"format": format});
        let whole = export.ask(&options);
        export.finish(&whole);
        let whole = export.bytes(&whole);
        let id = export.stopped_midway(&options);
        fs::write(export.path(&id), "what was begun").expect("written");
        let job = export.finish(&id);
        assert_eq!(job["exportResult"]["records"], ROWS, "{job}");
        let found = export.bytes(&id);
        if format == "xlsx" {
            let found = records_of_sheet(found);
            assert_eq!(found.len(), ROWS);
            assert!(found == records_of_sheet(whole), "as without a stop");
        } else {
            assert!(found == whole, "{format}: as without a stop");
        }
    }
}

#[test]
fn an_export_during_which_a_field_gets_another_name_has_that_name_throughout() {
    let export = Export::start();
    let id = export.stopped_midway(&json!({"format": "ndjson", "packing": "none"}));
    export.rename("Label");
    export.finish(&id);
    let text = String::from_utf8(export.bytes(&id)).expect("text");
    assert_eq!(text.lines().count(), ROWS);
    assert!(text.lines().all(|line| line.contains("\"Label\":")));
    // and once more, while it is written
    let id = export.ask(&json!({"format": "csv", "packing": "gzip"}));
    let (service, store) = begun(&export.server);
    export.rename("Title");
    store.let_steps_go();
    let job = ended(&export.server, &id);
    export.server.tokio.block_on(service.stop_jobs());
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["exportResult"]["records"], ROWS, "{job}");
    let mut text = String::new();
    let file = export.bytes(&id);
    let mut unpacked = MultiGzDecoder::new(&*file);
    unpacked.read_to_string(&mut text).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), ROWS + 1);
    assert_eq!(lines[0], "Code,Title,Size");
    assert!(lines[1].starts_with("0,n000000000"), "from the beginning");
}
