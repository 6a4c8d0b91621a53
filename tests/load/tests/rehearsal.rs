//! The whole run, as small as it goes: every row comes, whatever its figures.

use std::path::Path;
use std::process::Command;

/// How rows begin that compare something else than rates.
const PLAIN: [&str; 7] = [
    "create at full load",
    "create, arrivals at half",
    "disk of a record",
    "disk of an update",
    "memory after",
    "form `",
    "import of NDJSON",
];

/// What a rehearsal with these arguments prints; it leaves its folder empty.
fn rehearsed(name: &str, arguments: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // what a broken run may have left
    let _ = std::fs::remove_dir_all(&folder);
    let output = Command::new(env!("CARGO_BIN_EXE_load"))
        .arg("--rehearsal")
        .arg("--folder")
        .arg(&folder)
        .args(arguments)
        .output()
        .expect("it starts");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{out}{err}");
    let left = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(left, 0, "something was left in {}", folder.display());
    out.into_owned()
}

#[test]
fn every_row_is_measured_and_the_folder_is_left_empty() {
    let rounds = ["--rounds", "1", "--seconds", "0.2"];
    let records = ["--records", "1000", "--large", "2000", "--small", "200"];
    let serve = ["--serve-with=--page-cache-bytes=0"];
    let out = rehearsed("rehearsal", &[&rounds[..], &records, &serve].concat());
    let rows: Vec<Vec<&str>> = out
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| -"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    let expected = [
        ("what", "baseline"),
        ("GET by primary key, 1,000 records", "bare axum"),
        ("list, page of 100", "bare axum"),
        (
            "GET by primary key beside 300 slow clients holding half a head",
            "the same 64 clients alone",
        ),
        (
            "GET by primary key beside 300 slow clients holding half a body",
            "the same 64 clients alone",
        ),
        ("create", "bare axum"),
        ("update", "bare axum"),
        ("90 % GET, 10 % update", "bare axum"),
        ("create, 16 connections", "ours with 64"),
        ("GET by primary key, 2,000 records", "ours with 200 records"),
        (
            "GET by primary key, 2,000 records, caches at 0",
            "bare axum",
        ),
        ("list, page of 100, 2,000 records, caches at 0", "bare axum"),
        (
            "search, a word of one record, 2,000 records",
            "bare axum, the same query",
        ),
        (
            "search, a word of each eighth record, 2,000 records",
            "bare axum, the same query",
        ),
    ];
    let (rows, plain): (Vec<_>, Vec<_>) = rows
        .into_iter()
        .partition(|row| !PLAIN.iter().any(|plain| row[0].starts_with(plain)));
    // one row of each, but for forms: seven and the counts, each alone and with a word
    assert_eq!(plain.len(), PLAIN.len() - 1 + 16, "{out}");
    let forms = plain.iter().filter(|row| row[0].starts_with("form `"));
    assert!(forms.clone().all(|row| row[2].contains(" ms of ")), "{out}");
    assert_eq!(forms.count(), 16, "{out}");
    let found: Vec<_> = rows.iter().map(|row| (row[0], row[1])).collect();
    assert_eq!(found, expected, "{out}");
    for row in &rows[1..] {
        assert_eq!(row.len(), 6, "{row:?}");
        for figures in &row[2..4] {
            assert!(figures.contains("/s; "), "{row:?}");
            assert!(!figures.starts_with("0/s"), "{row:?}");
        }
    }
    assert_eq!(out.matches("all slow clients were cut").count(), 2, "{out}");
    assert!(out.contains("`info`, `--page-cache-bytes=0`"), "{out}");
    assert!(out.contains("fdatasync in the same folder: p50"), "{out}");
}

// a release would go on to measure for minutes
#[cfg(debug_assertions)]
#[test]
fn a_debug_build_refuses_to_measure() {
    let output = Command::new(env!("CARGO_BIN_EXE_load")).output();
    let output = output.expect("it starts");
    assert!(!output.status.success());
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(err.contains("debug build"), "{err}");
}

#[test]
fn many_datasets_are_made_asked_and_backed_up() {
    let arguments = ["datasets", "--count", "3", "--each", "250", "--asked", "20"];
    let out = rehearsed("datasets", &arguments);
    let rows = out.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<_> = rows.map(|row| row.split(" | ").count()).collect();
    assert_eq!(rows, [12; 5], "{out}");
}

#[test]
fn pages_of_a_large_dataset_are_asked_for_as_a_steward_does() {
    let arguments = ["pages", "--of", "400", "--asked", "10"];
    let out = rehearsed("pages", &arguments);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/docs/speed.md");
    let manual = std::fs::read_to_string(path).expect("the manual");
    // the table as the manual has it, and the five slowest as the README has them
    let [told, stated] = [&*out, &*manual].map(|text| {
        let rows = text.lines().filter(|line| line.starts_with("| "));
        let cells = rows.map(|row| row.split(" | ").collect::<Vec<_>>());
        cells.collect::<Vec<_>>()
    });
    assert_eq!(told.len(), stated.len() + 2 + 5, "{out}");
    for (own, row) in told.iter().zip(&stated) {
        assert_eq!((own[0], own.len()), (row[0], 3), "{out}");
    }
    let (table, slowest) = told.split_at(stated.len());
    assert_eq!(slowest[0], table[0], "{out}");
    let is_of_table = |row| table[2..].contains(row);
    assert!(slowest[2..].iter().all(is_of_table), "{out}");
}
