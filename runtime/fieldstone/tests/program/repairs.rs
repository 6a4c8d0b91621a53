//! Repairs by command: tried, done, taken back.

use crate::support::{TIMEOUT, fail, json, succeed, write_company};
use serde_json::json;
use std::path::Path;
use tempfile::tempdir;

const CITIES: &str = "Places/City/Cities";

#[test]
fn a_repair_is_tried_done_and_taken_back_by_commands() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    let export = || succeed(folder, &["export", CITIES]);
    let before = export();
    assert!(before.contains("\"DE\""), "{before}");
    let repair = [
        "repair",
        CITIES,
        "--field",
        "Country",
        "--map",
        "DE=XX",
        "--dry-run",
    ];
    let tried = json(folder, &repair);
    let result = &tried["jobs"][0]["revisionResult"];
    assert!(result["changed"].as_u64() > Some(0), "{tried}");
    assert_eq!(result["samples"][0]["after"], json!("XX"));
    assert_eq!(export(), before, "it was only tried");
    let done = json(folder, &repair[..6]);
    assert_eq!(done["jobs"][0]["revisionResult"], *result);
    // a bar shows the time left
    assert_eq!(done["jobs"][0]["progress"]["rowsTotal"], json!(3), "{done}");
    assert!(!export().contains("\"DE\""));
    let id = done["jobs"][0]["jobId"].as_str().expect("an id");
    let back = json(folder, &["jobs", "undo", id]);
    assert_eq!(back["undoResult"]["reverted"], result["changed"], "{back}");
    assert_eq!(export(), before);
    let shown = succeed(folder, &["jobs", "show", id]);
    assert!(shown.contains("repair: "), "{shown}");
}

#[test]
fn each_kind_of_repair_is_what_its_flags_say() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    let rows = "Name,People\n St. Ives ,12 k\n";
    std::fs::write(folder.join("new.csv"), rows).expect("written");
    succeed(folder, &["import", "new.csv", "--into", CITIES]);
    for (field, said, shown) in [
        (
            "Name",
            &["--replace", "St.", "--with", "Saint"][..],
            "\"Saint Ives\"",
        ),
        ("Name", &["--map", "Saint Ives=Porthia "], "\"Porthia\""),
        (
            "People",
            &["--regex", "^(\\d+) k$", "--with", "${1}000"],
            ":12000,",
        ),
        ("People", &["--set", "7"], ":7,"),
        (
            "People",
            &["--set", "80000000000000.07"],
            ":80000000000000.07,",
        ),
        ("Country", &["--set", "NL"], "\"NL\""),
        ("Country", &["--set", "null"], "\"Country\":null"),
        ("Country", &["--set", " DE "], "\" DE \""),
        ("Country", &["--trim"], "\"DE\""),
    ] {
        let repair = [
            "repair",
            CITIES,
            "--query",
            "Ives OR Porthia",
            "--field",
            field,
        ];
        let done = json(folder, &[&repair[..], said].concat());
        let result = &done["jobs"][0]["revisionResult"];
        assert_eq!(result["changed"], 1, "{said:?}: {done}");
        let all = succeed(folder, &["export", CITIES]);
        let own = all.lines().last().expect("the new one");
        assert!(own.contains(shown), "{said:?}: {own}");
    }
}

#[test]
fn a_repair_says_what_it_lacks() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    for (more, said) in [
        (&["--trim", "--with", "x"][..], "--with goes with"),
        (&["--map", "DE"][..], "FROM=TO"),
        (
            &["--map", "DE=FR", "--map", "DE=NL"][..],
            "two values for \"DE\"",
        ),
        (&["--regex", "(", "--with", "x"][..], "can't be read"),
    ] {
        let mut command = vec!["repair", CITIES, "--field", "Country"];
        command.extend(more);
        let told = fail(folder, &command);
        assert!(told.contains(said), "{told}");
    }
}

/// Checks that what finds its records by a query is not done, and says why.
#[track_caller]
fn is_not_done_because(folder: &Path, cause: &str) {
    let find = ["--query", "Delft"];
    let repair = ["repair", CITIES, "--field", "Country", "--trim"];
    for command in [&["export", CITIES][..], &repair] {
        let told = fail(folder, &[command, &find].concat());
        assert!(told.contains("the search index"), "{told}");
        assert!(told.contains(cause), "{told}");
        assert!(!told.contains("Retry-After"), "{told}");
    }
    // nothing is left for the server that is started next
    let jobs_told = json(folder, &["jobs", "list"]);
    let jobs = jobs_told.as_array().expect("jobs").iter().take(2);
    let told: Vec<_> = jobs.map(|job| json!([job["kind"], job["state"]])).collect();
    let failed = ["repair", "export"].map(|kind| json!([kind, "failed"]));
    assert_eq!(told, failed);
    // nor is what the machine says told to all who may see them
    let kept = jobs_told.to_string();
    assert!(
        kept.contains("the search index") && !kept.contains(cause),
        "{kept}"
    );
}

#[test]
fn what_asks_by_a_query_says_why_there_is_no_index_or_why_it_can_not_be_written() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
    let index = folder.join("data/search.db");
    // no file can be made where a folder is
    std::fs::create_dir(&index).expect("there is no index yet");
    is_not_done_because(folder, "unable to open database file");
    std::fs::remove_dir(&index).expect("it is empty");
    let export = ["export", CITIES, "--query", "Delft"];
    assert!(succeed(folder, &export).contains("Delft"));
    let held = rusqlite::Connection::open(&index).expect("the index");
    held.busy_timeout(TIMEOUT).expect("a limit");
    held.execute_batch("BEGIN IMMEDIATE").expect("the lock");
    std::fs::write(folder.join("new.csv"), "Name\nGoch\n").expect("written");
    succeed(folder, &["import", "new.csv", "--into", CITIES]);
    is_not_done_because(folder, "database is locked");
    drop(held);
    assert!(succeed(folder, &export).contains("Delft"));
}
