//! Imports and exports over HTTP: asked for, followed, taken; by whom, and within which limits.

use crate::admin_server::{AdminServer, Answer, city};
use runtime::service::{JobSettings, Settings};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A server whose jobs are worked off.
fn working(settings: JobSettings) -> AdminServer {
    let server = AdminServer::with_settings(Settings {
        jobs: settings,
        ..Settings::default()
    });
    server
        .service
        .use_job_files(server.folder.path().join("jobs"));
    let _inside = server.tokio.enter();
    server.service.start_jobs();
    server
}

fn server() -> AdminServer {
    working(JobSettings::default())
}

/// Sends a file to be imported.
fn import(server: &AdminServer, by: &str, dataset: &str, query: &str, file: &str) -> Answer {
    let line = format!("POST /admin/api/v1/datasets/{dataset}/imports{query}");
    let headers = [
        ("Authorization", by),
        ("Content-Type", "application/octet-stream"),
    ];
    server.send(&line, &headers, Some(file))
}

/// Waits until a job has ended.
fn ended(server: &AdminServer, id: &str) -> Value {
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
fn imported(server: &AdminServer, dataset: &str, query: &str, file: &str) -> Value {
    let made = import(server, &server.root, dataset, query, file).is(201);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    job
}

/// The counts of an import that are not 0.
fn counts(job: &Value) -> Value {
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
fn exported(server: &AdminServer, dataset: &str, options: Value) -> String {
    let made = server.make(&format!("/datasets/{dataset}/exports"), options);
    let job = ended(server, &made.text("jobId"));
    assert_eq!(job["state"], "done", "{job}");
    let path = format!("GET /jobs/{}/export", made.text("jobId"));
    server.root(&path, None).is(200).body
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
