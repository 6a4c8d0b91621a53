//! Imports and exports over HTTP: asked for, followed, taken; by whom, and within which limits. What an import does to records
//! that are there is in `import_modes.rs`.

use crate::admin_server::{AdminServer, city};
use crate::requests::Answer;
use runtime::service::{JobSettings, Settings};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A server whose jobs are worked off.
pub(crate) fn working(settings: JobSettings) -> AdminServer {
    let server = AdminServer::with_settings(Settings {
        jobs: settings,
        ..Settings::default()
    });
    server.start_jobs();
    server
}

pub(crate) fn server() -> AdminServer {
    working(JobSettings::default())
}

/// Sends a file to be imported.
pub(crate) fn import(
    server: &AdminServer,
    by: &str,
    dataset: &str,
    query: &str,
    file: &str,
) -> Answer {
    let line = format!("POST /admin/api/v1/datasets/{dataset}/imports{query}");
    let headers = [
        ("Authorization", by),
        ("Content-Type", "application/octet-stream"),
    ];
    server.send(&line, &headers, Some(file))
}

/// Sends lines as one request of many writes.
pub(crate) fn sent_in_bulk(server: &AdminServer, dataset: &str, lines: &[Value]) -> Answer {
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
    ];
    let answer = server.send(&line, &headers, Some(&lines.join("\n")));
    answer.is(200)
}

/// What was done to a record, the last first.
pub(crate) fn past(server: &AdminServer, dataset: &str, record: &str) -> Vec<String> {
    let past = server.get(&format!("/datasets/{dataset}/records/{record}/history"));
    let entries = past["items"].as_array().expect("a past").iter();
    let action = |it: &Value| it["action"].as_str().expect("an action").to_owned();
    entries.map(action).collect()
}

/// What a job made of a file, by how its name ends: a part for each who had the job and wrote on it.
pub(crate) fn made_files(server: &AdminServer, id: &str, ending: &str) -> Vec<PathBuf> {
    let found = std::fs::read_dir(server.folder.path().join("jobs"));
    let paths = found
        .expect("a folder")
        .map(|it| it.expect("a file").path());
    let is_of = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.starts_with(id) && name.ends_with(ending)
    };
    paths.filter(is_of).collect()
}

/// Waits until there are so many files of jobs: what is of no use any more goes behind the end of its job.
#[track_caller]
pub(crate) fn files_come_to(server: &AdminServer, count: usize) {
    let files = || {
        let found = std::fs::read_dir(server.folder.path().join("jobs"));
        found.expect("a folder").count()
    };
    let patience = Instant::now() + Duration::from_secs(60);
    while files() != count {
        assert!(Instant::now() < patience, "{} in place of {count}", files());
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until a job has ended.
pub(crate) fn ended(server: &AdminServer, id: &str) -> Value {
    let patience = Instant::now() + Duration::from_secs(60);
    loop {
        let job = server.get(&format!("/jobs/{id}"));
        if !matches!(job["state"].as_str(), Some("queued" | "running")) {
            return job;
        }
        assert!(Instant::now() < patience, "{job}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Imports a file as the administrator's key, to its end.
pub(crate) fn imported(server: &AdminServer, dataset: &str, query: &str, file: &str) -> Value {
    let made = import(server, &server.root, dataset, query, file).is(201);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    job
}

/// The counts of an import that are not 0.
pub(crate) fn counts(job: &Value) -> Value {
    let names = [
        "rows",
        "created",
        "updated",
        "unchanged",
        "deleted",
        "rejected",
        "faulty",
    ];
    let counts = names
        .into_iter()
        .filter(|name| job["importResult"][name] != 0)
        .map(|name| (name.to_owned(), job["importResult"][name].clone()));
    Value::Object(counts.collect())
}

/// The records of a dataset as an export has them.
pub(crate) fn exported(server: &AdminServer, dataset: &str, options: Value) -> String {
    let made = server.make(&format!("/datasets/{dataset}/exports"), options);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    let path = format!("GET /jobs/{}/export", made.text("jobId"));
    server.root(&path, None).is(200).body
}

#[test]
fn the_file_of_a_dry_run_is_imported_without_being_sent_again() {
    let server = server();
    let [_, schema, dataset] = server.places(&city());
    let tried = imported(
        &server,
        &dataset,
        "?dryRun=true&fileName=cities.csv",
        "Code;Mayor\n1;Ada\n2;Grace\n",
    );
    assert_eq!(counts(&tried), json!({"rows": 2, "created": 2}));
    assert_eq!(exported(&server, &dataset, json!({})), "");
    let file_of = format!("?fileOf={}", tried["jobId"].as_str().unwrap());
    let line = format!("POST /datasets/{dataset}/imports{file_of}");
    // as it is, and once more otherwise; the file stays
    let first = server.root(&line, None).is(201);
    let first = ended(&server, &first.text("jobId"));
    assert_eq!(counts(&first), json!({"rows": 2, "created": 2}));
    assert_eq!(first["importOptions"]["fileName"], "cities.csv");
    let again = server.root(&format!("{line}&mode=upsert&map=Mayor%3D"), None);
    let again = ended(&server, &again.is(201).text("jobId"));
    assert_eq!(counts(&again), json!({"rows": 2, "unchanged": 2}));
    // a file beside it would be lost; the file of no dry run, or of another dataset, is not taken
    let beside = import(&server, &server.root, &dataset, &file_of, "Code\n3\n");
    assert!(beside.is(400).body.contains("send none"));
    let unknown = "019b7639-02aa-7f3e-b1c8-9d5e4a6f7b80";
    for of in [first["jobId"].as_str().unwrap(), unknown] {
        let line = format!("POST /datasets/{dataset}/imports?fileOf={of}");
        assert!(server.root(&line, None).is(400).body.contains("no dry run"));
    }
    let path = format!("/schemas/{schema}/datasets");
    let other = server
        .make(&path, json!({"name": "Asia"}))
        .text("dataSetId");
    let line = format!("POST /datasets/{other}/imports{file_of}");
    assert!(server.root(&line, None).is(400).body.contains("no dry run"));
    // when the time of files is over, or they are cleared away, it has to be sent
    std::fs::remove_dir_all(server.folder.path().join("jobs")).expect("it is there");
    let line = format!("POST /datasets/{dataset}/imports{file_of}");
    assert!(
        server
            .root(&line, None)
            .is(409)
            .body
            .contains("send it again")
    );
}

#[test]
fn a_file_becomes_records_and_the_records_a_file() {
    let server = server();
    let [_, _, dataset] = server.places(&city());
    let file = "Code;Mayor\n1;Ada\n2;\n1;Grace\n;Nobody\n";
    let job = imported(&server, &dataset, "?fileName=cities.csv", file);
    assert_eq!(
        counts(&job),
        json!({"rows": 4, "created": 2, "rejected": 2})
    );
    assert_eq!(job["files"][0]["name"], "cities-rejects.csv");
    let id = job["jobId"].as_str().unwrap();
    let rejects = server
        .root(&format!("GET /jobs/{id}/rejects"), None)
        .is(200);
    let expected = "_line;_reason;Code;Mayor\n\
        4;another record of the dataset, or a row before, has its primary key;1;Grace\n\
        5;\"the primary key \"\"Code\"\" has no value\";;Nobody\n";
    assert_eq!(rejects.body, expected);
    let mended = rejects
        .body
        .replace("key;1;Grace", "key;3;Grace")
        .replace(";;Nobody", ";4;Nobody");
    let job = imported(&server, &dataset, "", &mended);
    assert_eq!(counts(&job), json!({"rows": 2, "created": 2}));
    assert_eq!(job["importResult"]["unusedColumns"], json!([]));
    let lines = exported(&server, &dataset, json!({}));
    let expected = "{\"Code\":\"1\",\"Mayor\":\"Ada\"}\n{\"Code\":\"2\",\"Mayor\":null}\n\
        {\"Code\":\"3\",\"Mayor\":\"Grace\"}\n{\"Code\":\"4\",\"Mayor\":\"Nobody\"}\n";
    assert_eq!(lines, expected);
    let cells = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(cells, "Code,Mayor\n1,Ada\n2,\n3,Grace\n4,Nobody\n");
}

/// A data domain of DE and FR, and the schema of [`thing`] whose names are its codes.
pub(crate) fn thing_of_countries(server: &AdminServer) -> (String, Value) {
    let domain = json!({"name": "Countries", "codes": [{"code": "DE"}, {"code": "FR"}]});
    let domain = server.make("/domains", domain).text("dataDomainId");
    let mut document = thing();
    document["fields"][1]["dataType"] = json!("picklist");
    document["fields"][1]["picklistType"] = json!("dynamic");
    document["fields"][1]["dataDomainId"] = json!(domain);
    (domain, document)
}

/// A schema with a key, a text and a number.
pub(crate) fn thing() -> Value {
    let field = |id: &str, name: &str, kind: &str, is_key: bool| {
        json!({"fieldId": id, "name": name, "active": true, "dataType": kind, "isPrimaryKey": is_key,
            "isSortKey": false, "isRequired": is_key})
    };
    json!({"name": "Thing", "fields": [field("f-code", "Code", "string", true),
        field("f-name", "Name", "string", false), field("f-size", "Size", "integer", false)]})
}

#[test]
fn a_job_does_what_its_maker_may_and_no_more_once_the_key_is_gone() {
    let server = AdminServer::start();
    server.use_job_files();
    let [area, _, dataset] = server.places(&city());
    let member = server.role("MEMBER");
    let (id, key) = server.key("loader", &[&member], &[&area]);
    let (_, other) = server.key("other", &[&member], &[&area]);
    let made = import(&server, &key, &dataset, "", "Code\n1\n").is(201);
    let by_other = import(&server, &other, &dataset, "", "Code\n2\n").is(201);
    server.root(&format!("DELETE /api-keys/{id}"), None).is(204);
    server.start_jobs();
    let job = ended(&server, &made.text("jobId"));
    assert_eq!(
        (&job["state"], &job["importResult"]),
        (&json!("failed"), &json!(null))
    );
    let failure = job["failure"].as_str().unwrap();
    assert!(
        failure.contains("loader") && failure.contains("revoked"),
        "{failure}"
    );
    assert_eq!(
        ended(&server, &by_other.text("jobId"))["state"],
        "done",
        "nobody else is the worse"
    );
    assert_eq!(
        exported(&server, &dataset, json!({"format": "csv"})),
        "Code,Mayor\n2,\n"
    );
}

#[test]
fn rows_that_cannot_be_stored_come_back_as_they_were_sent() {
    let server = server();
    let [_, _, dataset] = server.places(&city());
    let reads = |query: &str, file: &str| {
        let job = imported(&server, &dataset, query, file);
        let id = job["jobId"].as_str().unwrap().to_owned();
        let name = job["files"][0]["name"].as_str().unwrap().to_owned();
        (
            name,
            server
                .root(&format!("GET /jobs/{id}/rejects"), None)
                .is(200)
                .body,
        )
    };
    let lines = "{\"Code\":\"1\"}\n{\"Code\":\"2\",\"Nome\":\"x\"}\n{\"Code\":\n[1]\n";
    let (name, rejects) = reads("", lines);
    assert_eq!(name, "import-rejects.ndjson");
    let found: Vec<&str> = rejects.lines().collect();
    assert!(
        found[0].starts_with("{\"_line\":2,\"_reason\":\"")
            && found[0].ends_with("\"Code\":\"2\",\"Nome\":\"x\"}"),
        "{rejects}"
    );
    assert!(
        found[1].starts_with("{\"_line\":3,") && found[1].ends_with(",\"Code\":"),
        "{rejects}"
    );
    assert!(found[2].ends_with("\"_row\":\"[1]\"}"), "{rejects}");
    // sent again as they are, they come back with the same reasons, at their lines of now
    let (_, again) = reads("", &rejects);
    let behind_line = |line: &str| line.split_once(',').map(|it| it.1.to_owned());
    let [before, now] =
        [&rejects, &again].map(|it| it.lines().map(behind_line).collect::<Vec<_>>());
    assert_eq!(now, before);
    let mended = rejects
        .replace("Nome", "Mayor")
        .replace("\"Code\":\n", "\"Code\":\"3\"}\n")
        .replace("\"_row\":\"[1]\"", "\"Code\":\"4\"");
    let job = imported(&server, &dataset, "", &mended);
    assert_eq!(counts(&job), json!({"rows": 3, "created": 3}), "{mended}");
    let (name, rejects) = reads("", "[{\"Code\":\"1\"},\n{\"Code\":\"5\"}, 7]");
    assert_eq!(name, "import-rejects.json");
    let read: Value = serde_json::from_str(&rejects).unwrap_or_else(|_| panic!("{rejects}"));
    assert_eq!(
        (&read[0]["_line"], &read[0]["Code"], &read[1]["_row"]),
        (&json!(1), &json!("1"), &json!("7"))
    );
}

#[test]
fn an_export_of_what_a_query_finds_tells_how_many_records_that_is() {
    let server = server();
    let [_, _, dataset] = server.places(&thing());
    imported(&server, &dataset, "", "Code,Size\n1,5\n2,7\n3,50\n");
    for format in ["ndjson", "xlsx"] {
        let asked = json!({"query": "Size:>6", "format": format});
        let made = server.make(&format!("/datasets/{dataset}/exports"), asked);
        let job = ended(&server, &made.text("jobId"));
        assert_eq!(job["state"], "done", "{job}");
        let told = ["rows", "rowsTotal"].map(|name| job["progress"][name].clone());
        assert_eq!(told, [json!(2), json!(2)], "{job}");
    }
}
