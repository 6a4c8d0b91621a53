//! Imports by a server that is killed again and again, or whose store is away meanwhile: the job goes on where it stopped.

use crate::job_files::wait_for;
use crate::support::{Server, TIMEOUT, json, succeed, write_company};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Rows of the file; of every tenth there is a second one, which can't be stored.
const ROWS: u32 = 12_000;
/// Moments at which the server is killed, in milliseconds after the first rows are stored, and then after each start.
const KILLS: [u64; 7] = [0, 400, 170, 650, 300, 40, 900];
/// After so many, the import gets further first: one that never does is given up, and how far it is by then the machine says.
const LONG: u64 = 400;

/// A company in a folder; an administrator's key.
pub(crate) fn company(folder: &Path) -> String {
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    key(folder)
}

pub(crate) fn key(folder: &Path) -> String {
    let create = [
        "key",
        "create",
        "loader",
        "--role",
        "ACCOUNT ADMINISTRATOR",
        "--area",
        "*",
    ];
    let made = json(folder, &create);
    made["secret"].as_str().expect("a key").to_owned()
}

/// Where the company's cities are: area, schema, dataset.
pub(crate) fn cities(server: &Server, key: &str) -> [String; 3] {
    let first = |path: &str, name: &str| {
        let items = server.get(key, path).json()["items"].clone();
        let all = items.as_array().expect("a page");
        let found = all
            .iter()
            .find(|item| item["name"] != "People")
            .expect("one");
        found[name].as_str().expect("an id").to_owned()
    };
    let area = first("/v1/my/businessareas", "businessAreaId");
    let schemas = format!("/v1/businessareas/{area}/schemas");
    let schema = first(&schemas, "schemaId");
    let dataset = first(&format!("{schemas}/{schema}/datasets"), "dataSetId");
    [area, schema, dataset]
}

/// All records of the dataset, by their keys.
fn records(
    server: &Server,
    key: &str,
    [area, schema, dataset]: &[String; 3],
) -> BTreeMap<String, u32> {
    let path = format!(
        "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects?pageSize=1000"
    );
    let (mut found, mut next) = (BTreeMap::new(), String::new());
    loop {
        let page = server.get(key, &format!("{path}{next}")).json();
        for item in page["items"].as_array().expect("a page") {
            let code = item["Name"].as_str().expect("a key").to_owned();
            *found.entry(code).or_insert(0) += 1;
        }
        match page["nextPageKey"].as_str() {
            Some(key) => next = format!("&pageKey={key}"),
            None => return found,
        }
    }
}

fn file() -> String {
    let mut lines = String::new();
    for row in 0..ROWS {
        writeln!(lines, "{{\"Name\":\"K{row}\",\"People\":{row}}}").expect("a text takes it");
        if row % 10 == 0 {
            writeln!(lines, "{{\"Name\":\"K{row}\",\"People\":0}}").expect("a text takes it");
        }
    }
    lines
}

fn is_over(job: &Value) -> bool {
    !matches!(job["state"].as_str(), Some("queued" | "running"))
}

/// Waits until a job is over; the job.
pub(crate) fn ended(server: &Server, key: &str, path: &str) -> Value {
    wait_for((server, key, path), is_over)
}

/// A company with an import under way, by a server that is started so: its key, where its cities are, how many there are, and
/// the job.
fn importing(
    folder: &Path,
    start: fn(&Path, &[&str]) -> Server,
) -> (Server, String, [String; 3], usize, String) {
    let key = company(folder);
    let server = start(folder, &[]);
    let place = cities(&server, &key);
    let there = records(&server, &key, &place).len();
    let imports = format!("/admin/api/v1/datasets/{}/imports", place[2]);
    let kind = "Content-Type: application/x-ndjson";
    let made = server.send_as("POST", &key, &imports, kind, &file());
    assert_eq!(made.status, 201, "{}", made.body);
    let job = made.json();
    let id = job["jobId"].as_str().expect("an id");
    (
        server,
        key,
        place,
        there,
        format!("/admin/api/v1/jobs/{id}"),
    )
}

#[test]
fn an_import_that_is_killed_again_and_again_loses_no_row_and_has_none_twice() {
    let folder = tempdir().expect("a folder");
    let (mut server, key, place, there, path) = importing(folder.path(), Server::start_process);
    let mut rows = Vec::new();
    // a kill meets it in the middle, however fast it is
    wait_for((&server, &key, &path), |job| job["progress"]["rows"] != 0);
    for pause in KILLS {
        std::thread::sleep(Duration::from_millis(pause));
        if let Some(before) = rows.last().filter(|_| pause >= LONG) {
            wait_for((&server, &key, &path), |job| {
                is_over(job) || job["progress"]["rows"].as_u64() > *before
            });
        }
        // the process is killed without a word
        drop(server);
        server = Server::start_process(folder.path(), &[]);
        rows.push(server.get(&key, &path).json()["progress"]["rows"].as_u64());
    }
    assert!(rows.is_sorted(), "{rows:?}");
    let all = u64::from(ROWS + ROWS / 10);
    let is_between = |rows: &u64| (1..all).contains(rows);
    assert!(rows.iter().flatten().any(is_between), "{rows:?}");
    is_whole(&server, &key, (&place, there), &path);
    server.stop();
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
}

#[test]
fn an_import_whose_store_is_away_for_a_while_goes_on_when_it_is_back() {
    let folder = tempdir().expect("a folder");
    let (server, key, place, there, path) = importing(folder.path(), Server::start);
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside"));
    // the first rows that can't be stored are in their file then
    let began = Instant::now();
    while server.get(&key, &path).json()["progress"]["rows"] == 0 {
        assert!(began.elapsed() < TIMEOUT, "no rows");
        std::thread::sleep(Duration::from_millis(5));
    }
    std::fs::rename(&data, &aside).expect("moved");
    server.wait_for_error("interrupted, and tried again");
    std::fs::rename(&aside, &data).expect("put back");
    is_whole(&server, &key, (&place, there), &path);
    server.stop();
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
}

/// Checks that an import ends, and that its rows are there and rejected as they would be by one without trouble.
#[track_caller]
fn is_whole(server: &Server, key: &str, (place, there): (&[String; 3], usize), path: &str) {
    let job = ended(server, key, path);
    assert_eq!(job["state"], "done", "{job}");
    let result = &job["importResult"];
    let (all, twice) = (u64::from(ROWS), u64::from(ROWS / 10));
    assert_eq!(result["rows"], all + twice, "{result}");
    assert_eq!(result["created"], all, "{result}");
    assert_eq!(result["rejected"], twice, "{result}");
    let found = records(server, key, place);
    assert!(found.values().all(|count| *count == 1));
    assert_eq!(found.len(), there + ROWS as usize);
    let rejects = server.get(key, &format!("{path}/rejects"));
    assert_eq!(rejects.status, 200);
    let lines: Vec<Value> = rejects
        .body
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len() as u64, twice);
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(line["_line"], index * 11 + 2);
        assert_eq!(line["Name"], format!("K{}", index * 10));
    }
}
