//! Exports that are stopped midway: a file that grows in pieces goes on behind the last one, one with an index at its end
//! begins anew, and where the schema changes meanwhile, all of the file is of the newest.

use crate::admin_server::AdminServer;
use crate::held_jobs::begun;
use crate::jobs::{counts, ended, import, made_files, thing};
use flate2::read::MultiGzDecoder;
use runtime::schema::{DataType, Field, Schema};
use runtime::service::manage::JobFile;
use runtime::store::jobs::{Job, JobChoice, JobLease, JobStep, JobUpdate, StepVerdict};
use runtime::tabular::{self, Options, Reader, Records};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::future::poll_fn;
use std::io::{Cursor, Read as _};
use std::path::PathBuf;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, SystemTime};

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

    /// The parts of a file that there are.
    fn paths(&self, id: &str) -> Vec<PathBuf> {
        made_files(&self.server, id, ".export")
    }

    /// The part of who had the job, where that is one.
    fn path(&self, id: &str) -> PathBuf {
        let mut paths = self.paths(id);
        assert_eq!(paths.len(), 1, "{paths:?}");
        paths.remove(0)
    }

    /// What is downloaded.
    fn bytes(&self, id: &str) -> Vec<u8> {
        let service = &self.server.service;
        let by = service.authenticate(&self.server.root).expect("a caller");
        self.server.tokio.block_on(async {
            let download = service.download_job_file(&by, id, JobFile::Export).await;
            let (mut download, mut bytes) = (download.expect("a file"), Vec::<u8>::new());
            while let Some(piece) = download.next().await.expect("a piece") {
                bytes.extend_from_slice(&piece);
            }
            assert_eq!(bytes.len() as u64, download.bytes);
            bytes
        })
    }

    /// Does a step of a job that nobody has, as another server does, and gives the job back.
    fn step_of_another(&self, id: &str, step: impl FnOnce(Job) -> JobUpdate) {
        let (service, store) = (&self.server.service, self.server.service.store());
        let at = service.now();
        let lease = JobLease {
            holder: "another".to_owned(),
            until: at.plus_seconds(60),
        };
        let taken = store.take_job(JobChoice::One(id.to_owned()), lease, at);
        let taken = self.server.tokio.block_on(taken).expect("a store");
        let update = step(taken.expect("nobody has it"));
        let done = store.step_job(JobStep {
            id: id.to_owned(),
            holder: "another".to_owned(),
            at,
            until: at,
            writes: Vec::new(),
            update: Some(update),
            log: Vec::new(),
            is_elsewhere: false,
            end: None,
        });
        let done = self.server.tokio.block_on(done).expect("a store");
        assert_eq!(done, StepVerdict::Done(Vec::new()));
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
        let path = export.path(&id);
        let mut begun = fs::read(&path).expect("the file");
        assert!(!begun.is_empty(), "{options}");
        // what is written stays as it is, so this is still there at the end
        let (first, mark) = (begun[0], !begun[0]);
        begun[0] = mark;
        fs::write(&path, &begun).expect("written");
        let job = export.finish(&id);
        assert_eq!(job["exportResult"]["records"], ROWS, "{job}");
        let mut found = export.bytes(&id);
        assert_eq!(found[0], mark, "{options}: it does not begin anew");
        found[0] = first;
        assert!(found == whole, "{options}: as without a stop");
        assert_eq!(export.paths(&id).len(), 2, "each wrote a part of its own");
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
        assert_eq!(export.paths(&id).len(), 1, "what was begun is gone");
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
fn an_export_of_which_what_was_written_is_gone_is_written_anew_be_it_to_its_last_row() {
    let export = Export::start();
    for format in ["ndjson", "xlsx"] {
        let id = export.stopped_midway(&json!({"format": format}));
        if format == "xlsx" {
            export.step_of_another(&id, |job| {
                let mut cursor = job.cursor.expect("it is midway");
                cursor["is_whole"] = true.into();
                cursor["bytes"] = 100.into();
                cursor["parts"] = json!([{"holder": "another", "bytes": 100}]);
                JobUpdate {
                    cursor: Some(cursor),
                    progress: job.progress,
                    result: job.result,
                }
            });
        }
        // no backup has it
        for path in export.paths(&id) {
            fs::remove_file(path).expect("it is there");
        }
        let job = export.finish(&id);
        assert_eq!(job["exportResult"]["records"], ROWS, "{job}");
        let found = export.bytes(&id);
        let count = match format {
            "xlsx" => records_of_sheet(found).len(),
            _ => String::from_utf8(found).expect("text").lines().count(),
        };
        assert_eq!(count, ROWS, "{format}");
    }
}

#[test]
fn an_export_in_a_data_folder_that_is_away_makes_none_and_may_go_on_later() {
    let server = AdminServer::start();
    let away = server.folder.path().join("away");
    server.service.use_job_files(away.join("jobs"));
    let [_, _, dataset] = server.places(&thing());
    let exports = format!("/datasets/{dataset}/exports");
    for format in ["ndjson", "xlsx"] {
        let made = server.make(&exports, json!({"format": format}));
        let id = made.text("jobId");
        let done = server.tokio.block_on(server.service.run_job(&id));
        done.expect("a job");
        // who waits for it is told at once what a server tries again
        let job = server.get(&format!("/jobs/{id}"));
        let why = job["failure"].as_str().expect("why");
        assert!(why.contains("can't be opened"), "{why}");
        let cleaned = server.tokio.block_on(server.service.clean_jobs());
        cleaned.expect("it cleans");
        assert!(!away.exists());
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

#[test]
fn what_someone_wrote_who_lost_the_job_is_removed_when_it_ends_or_in_time() {
    let export = Export::start();
    let id = export.stopped_midway(&json!({"format": "ndjson"}));
    let beside = |holder: &str| {
        let path = export.server.folder.path();
        let path = path.join(format!("jobs/{id}.{holder}.export"));
        fs::write(&path, "what nobody reads").expect("written");
        path
    };
    let lost = beside("lost");
    export.finish(&id);
    assert!(!lost.exists(), "with the end");
    let told = export.bytes(&id);
    // one that goes on behind the end
    let woken = beside("woken");
    let clean = || {
        let cleaned = export.server.service.clean_jobs();
        export.server.tokio.block_on(cleaned).expect("it cleans");
    };
    clean();
    assert!(woken.exists(), "it may be at work yet");
    let two_days_ago = SystemTime::now() - Duration::from_secs(2 * 24 * 3600);
    for path in export.paths(&id) {
        let file = fs::File::options().write(true).open(path).expect("a file");
        file.set_modified(two_days_ago).expect("it takes a time");
    }
    clean();
    assert!(!woken.exists());
    assert!(export.bytes(&id) == told, "what the job tells of stays");
}
