//! Files that are imported, as people and programs make them: without names, in another encoding, too large, broken off.

use crate::admin_server::{AdminServer, city};
use crate::jobs::{counts, ended, exported, import, imported, server, thing, working};
use runtime::service::manage::ImportOptions;
use runtime::service::{JobSettings, Refusal};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Write as _;
use std::time::{Duration, Instant};

/// Imports a file that is no text, with the options that a query has.
fn imported_bytes(server: &AdminServer, dataset: &str, query: &str, file: Vec<u8>) -> Value {
    let caller = server.service.authenticate(&server.root).expect("a caller");
    let mut options = ImportOptions::default();
    match query {
        "?header=false" => options.header = Some(false),
        "?header=true" => options.header = Some(true),
        _ => options.encoding = Some("windows-1252".to_owned()),
    }
    let made = server.tokio.block_on(async {
        let begun = server.service.begin_import(&caller, dataset, options);
        let mut upload = begun.await.expect("begun");
        upload.write(file.into()).await.expect("written");
        upload.finish().await.expect("a job")
    });
    ended(server, &made.job_id)
}

#[test]
fn a_file_without_a_column_for_any_field_makes_no_record() {
    let server = server();
    let field = |name: &str| {
        json!({"name": name, "active": true, "dataType": "string", "isPrimaryKey": false, "isSortKey": false,
            "isRequired": false})
    };
    let schema = json!({"name": "Note", "fields": [field("Text"), field("Author")]});
    let [_, _, dataset] = server.places(&schema);
    let file = "Texte;Autor\na;b\nc;d\n";
    let made = import(&server, &server.root, &dataset, "", file).is(201);
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().unwrap();
    assert!(failure.contains("no column"), "{failure}");
    // what is likely meant is proposed, as `map` takes it
    let proposed = "by likeness: Texte=Text, Autor=Author";
    assert!(failure.contains(proposed), "{failure}");
    // and what it was read as is told all the same
    let columns = &job["importResult"]["found"]["columns"];
    assert_eq!(*columns, json!([{"column": "Texte"}, {"column": "Autor"}]));
    let job = imported(&server, &dataset, "?map=Texte%3DText", file);
    assert_eq!(counts(&job), json!({"rows": 2, "created": 2}));
    let found = json!({
        "format": "csv", "encoding": "utf-8", "delimiter": ";", "quote": "\"", "header": true,
        "columns": [{"column": "Texte", "field": "Text"}, {"column": "Autor"}]
    });
    assert_eq!(job["importResult"]["found"], found);
    let job = imported(&server, &dataset, "", "{\"Text\":\"x\"}\n");
    let found = json!({"format": "ndjson", "encoding": "utf-8", "columns": []});
    assert_eq!(job["importResult"]["found"], found);
    // how it is packed is told by its first bytes; nothing of one that is not
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed
        .write_all("Text\nGröße\n".as_bytes())
        .expect("packed");
    let file = packed.finish().expect("packed");
    let job = imported_bytes(&server, &dataset, "", file);
    assert_eq!(job["importResult"]["found"]["packing"], "gzip", "{job}");
    // without names, a column behind the last field is told
    let job = imported(&server, &dataset, "?header=false", "a;b;c\n");
    let expected = json!([{"column": "3"}]);
    assert_eq!(job["importResult"]["unusedColumns"], expected);
}

#[test]
fn cells_in_apostrophes_are_found_and_rejected_rows_stand_in_them() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let file = "'Code';'Name'\n'1';'it''s; here'\n'';'\"none\"'\n";
    let job = imported(&server, &dataset, "", file);
    let found = &job["importResult"]["found"];
    assert_eq!(
        (&found["delimiter"], &found["quote"]),
        (&json!(";"), &json!("'"))
    );
    assert_eq!(
        counts(&job),
        json!({"rows": 2, "created": 1, "rejected": 1})
    );
    let path = format!("GET /jobs/{}/rejects", job["jobId"].as_str().unwrap());
    let rejects = server.root(&path, None).is(200).body;
    assert!(rejects.ends_with(";'';'\"none\"'\n"), "{rejects}");
    let mended = rejects.replace(";'';", ";'2';");
    let job = imported(&server, &dataset, "", &mended);
    assert_eq!(counts(&job), json!({"rows": 1, "created": 1}));
    // what is said holds
    let file = "'Code';'Name'\n'9';'x'\n";
    let query = "?quote=%22&map=%27Code%27%3DCode&map=%27Name%27%3DName";
    let job = imported(&server, &dataset, query, file);
    assert_eq!(job["importResult"]["found"]["quote"], "\"");
    let all = exported(&server, &dataset, json!({}));
    for value in ["it's; here", r#"\"none\""#, "'9'", "'x'"] {
        assert!(all.contains(value), "{value}: {all}");
    }
}

#[test]
fn an_import_that_deletes_what_is_missing_counts_no_row_twice_when_it_is_taken_up_again() {
    // as many as take their time, however late it is seen that they are under way
    const ROWS: usize = 12_000;
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Name\nold,gone\n");
    let mut file = String::from("Code,Name\n");
    for row in 0..ROWS {
        writeln!(file, "{row},n").expect("a text takes it");
    }
    let query = "?mode=replace&deleteMissing=true";
    let made = import(&server, &server.root, &dataset, query, &file).is(201);
    let id = made.text("jobId");
    let path = format!("/jobs/{id}");
    let patience = Instant::now() + Duration::from_secs(60);
    // behind the second batch, so that what was done is more than one
    while server.get(&path)["progress"]["rows"].as_u64() < Some(1000) {
        assert!(Instant::now() < patience);
        std::thread::sleep(Duration::from_millis(1));
    }
    server.tokio.block_on(server.service.stop_jobs());
    assert_eq!(
        server.get(&path)["state"],
        "running",
        "it was stopped midway"
    );
    let done = server.tokio.block_on(server.service.run_job(&id));
    done.expect("it goes on");
    let job = server.get(&path);
    assert_eq!(job["state"], "done", "{job}");
    let expected = json!({"rows": ROWS, "created": ROWS, "deleted": 1});
    assert_eq!(counts(&job), expected);
}

#[test]
fn rows_to_be_mended_are_sent_again_with_the_very_options_of_their_file() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    for (query, file) in [
        ("?header=false", "1,one\n,none\n"),
        ("?header=false", "2,two,2,more\n,none,5,more\n"),
        ("?encoding=windows-1252", "Code,Name\n3,three\n,n\u{f6}ne\n"),
    ] {
        let bytes: Vec<u8> = file.chars().map(|it| u8::try_from(it).unwrap()).collect();
        let job = imported_bytes(&server, &dataset, query, bytes);
        let expected = json!({"rows": 2, "created": 1, "rejected": 1});
        assert_eq!(counts(&job), expected, "{query}");
        let path = format!("GET /jobs/{}/rejects", job["jobId"].as_str().unwrap());
        let rejects = server.root(&path, None).is(200).body;
        // as it stands, it is left out again, and mended it is stored
        let again = imported(&server, &dataset, query, &rejects);
        assert_eq!(
            counts(&again),
            json!({"rows": 1, "rejected": 1}),
            "{rejects}"
        );
        let mended = rejects.replace("has no value\",,", "has no value\",m,");
        assert_ne!(mended, rejects);
        let done = imported(&server, &dataset, &format!("{query}&mode=upsert"), &mended);
        assert_eq!(done["importResult"]["rejected"], 0, "{mended}");
    }
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    let expected = "Code,Name,Size\n1,one,\nm,n\u{f6}ne,5\n2,two,2\n3,three,\n";
    assert_eq!(all, expected);
}

#[test]
fn files_that_are_being_sent_are_counted_as_jobs_that_wait() {
    let server = working(JobSettings {
        waiting_max: 2,
        ..JobSettings::default()
    });
    let [_, _, dataset] = server.places(&city());
    let caller = server.service.authenticate(&server.root).expect("a caller");
    let begin = || {
        let begun = server
            .service
            .begin_import(&caller, &dataset, ImportOptions::default());
        server.tokio.block_on(begun)
    };
    let (first, _second) = (begin().expect("begun"), begin().expect("begun"));
    assert!(matches!(begin(), Err(Refusal::Conflict(_))), "one too many");
    drop(first);
    begin().expect("room again");
}

#[test]
fn what_a_file_calls_its_columns_is_told_at_its_beginning_only() {
    let server = server();
    let [_, _, dataset] = server.places(&city());
    let long = "x".repeat(500_000);
    let job = imported(&server, &dataset, "", &format!("Code,{long}\n1,a\n"));
    let told = job["importResult"]["unusedColumns"][0]["column"].as_str();
    assert!(told.is_some_and(|told| told.chars().count() <= 101));
    let lines = format!("{{\"{long}\":1}}\n").repeat(6);
    let job = imported(&server, &dataset, "", &lines);
    assert_eq!(counts(&job), json!({"rows": 6, "rejected": 6}));
    assert!(job.to_string().len() < 4000, "{}", job.to_string().len());
}

#[test]
fn rows_that_cannot_be_stored_take_no_more_room_than_a_file_may_have() {
    let server = working(JobSettings {
        upload_bytes_max: 1000,
        ..JobSettings::default()
    });
    let [_, _, dataset] = server.places(&city());
    let file = format!("Code,Mayor\n{}", ",a\n".repeat(100));
    let made = import(&server, &server.root, &dataset, "", &file).is(201);
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(job["state"], "failed", "{job}");
    let failure = job["failure"].as_str().unwrap();
    assert!(failure.contains("more than 1000 bytes"), "{failure}");
}

#[test]
fn a_packed_file_unpacks_to_no_more_than_it_may() {
    let server = working(JobSettings {
        unpacked_times_max: 2,
        unpacked_bytes_min: 10_000,
        ..JobSettings::default()
    });
    let [_, _, dataset] = server.places(&thing());
    let packed = |rows: usize| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        let file = format!("Code\n{}", "same\n".repeat(rows));
        packed.write_all(file.as_bytes()).expect("it is packed");
        packed.finish().expect("it is packed")
    };
    let small = imported_bytes(&server, &dataset, "?header=true", packed(1900));
    assert_eq!(small["state"], "done", "{small}");
    let large = imported_bytes(&server, &dataset, "?header=true", packed(2100));
    assert_eq!(large["state"], "failed", "{large}");
    let failure = large["failure"].as_str().expect("a reason");
    let expected = "it unpacks to more than 10000 bytes; send it in parts";
    assert!(failure.contains(expected), "{failure}");
    // nothing of it was stored, for it was looked through first
    assert_eq!(large["importResult"], Value::Null, "{large}");
}

#[test]
fn what_was_sent_goes_with_a_job_that_is_cancelled_before_its_turn() {
    let server = working(JobSettings {
        workers: 0,
        ..JobSettings::default()
    });
    let [_, _, dataset] = server.places(&thing());
    let made = import(&server, &server.root, &dataset, "", "Code\n1\n").is(201);
    let id = made.text("jobId");
    let sent = || std::fs::read_dir(server.folder.path().join("jobs")).expect("a folder");
    assert_eq!(sent().count(), 1);
    let cancelled = server
        .root(&format!("POST /jobs/{id}/cancel"), None)
        .is(200);
    assert_eq!(cancelled.text("state"), "cancelled");
    assert_eq!(sent().count(), 0);
    // there is nothing to undo, and that is told as any other undoing
    let made = server.root(&format!("POST /jobs/{id}/undo"), None).is(201);
    let undo = made.text("jobId");
    let done = server.tokio.block_on(server.service.run_job(&undo));
    done.expect("a job");
    let job = ended(&server, &undo);
    assert_eq!(
        (&job["state"], &job["undoResult"]["records"]),
        (&json!("done"), &json!(0)),
        "{job}"
    );
}

#[test]
fn a_file_that_is_no_table_makes_no_record_and_its_job_tells_what_it_is() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    let packed = |file: &[u8]| {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(file).expect("packed");
        packed.finish().expect("packed")
    };
    let picture = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR";
    for (file, told) in [
        (picture.to_vec(), "it is a picture, and no table"),
        (packed(picture), "it is a picture, and no table"),
        (
            b"SQLite format 3\0\x10\0".to_vec(),
            "it is a SQLite database",
        ),
        (packed(&packed(b"1,one,7\n")), "it is packed twice"),
        (b"1,one,7\n2,\0\x01\x02,8\n".to_vec(), "it is no text"),
    ] {
        let job = imported_bytes(&server, &dataset, "?header=false", file);
        assert_eq!(job["state"], "failed", "{told}: {job}");
        let failure = job["failure"].as_str().expect("a reason");
        assert!(failure.contains(told), "{failure}");
    }
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(all, "Code,Name,Size\n");
}
