//! The whole run, as small as it goes: every row comes, whatever its figures.

use std::path::Path;
use std::process::Command;

/// How rows begin that compare something else than rates.
const PLAIN: [&str; 9] = [
    "create at full load",
    "create, arrivals at half",
    "the bare server's",
    "disk of a record",
    "disk of an update",
    "memory after",
    "form `",
    "SQLite alone: ",
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

/// The page that has the last tables.
fn benchmarks() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../runtime/docs/benchmarks.md"
    );
    std::fs::read_to_string(path).expect("the page")
}

/// The cells of the rows of a text's tables.
fn rows_of(text: &str) -> Vec<Vec<&str>> {
    text.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| -"))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect())
        .collect()
}

/// How short the rounds are.
const ROUNDS: [&str; 4] = ["--rounds", "1", "--seconds", "0.2"];
const RECORDS: [&str; 6] = ["--records", "1000", "--large", "2000", "--small", "200"];

/// Checks the rows that compare rates.
fn assert_rows(rows: &[Vec<&str>], expected: &[(&str, &str)], out: &str) {
    let found: Vec<_> = rows.iter().map(|row| (row[0], row[1])).collect();
    assert_eq!(found, expected, "{out}");
    for row in &rows[1..] {
        assert_eq!(row.len(), 6, "{row:?}");
        for figures in &row[2..4] {
            assert!(figures.contains("/s; "), "{row:?}");
            assert!(!figures.starts_with("0/s"), "{row:?}");
        }
    }
}

// beside the others, since it waits until slow clients are cut
#[test]
fn slow_clients_hold_until_they_are_cut_and_the_others_are_measured() {
    let only = ["--only", "slow"];
    let out = rehearsed("slow", &[&ROUNDS[..], &RECORDS, &only].concat());
    let alone = "the same 64 clients alone";
    let expected = [
        ("what", "baseline"),
        (
            "GET by primary key beside 300 slow clients holding half a head",
            alone,
        ),
        (
            "GET by primary key beside 300 slow clients holding half a body",
            alone,
        ),
    ];
    assert_rows(&rows_of(&out), &expected, &out);
    assert_eq!(out.matches("all slow clients were cut").count(), 2, "{out}");
}

#[test]
fn every_other_row_is_measured_and_the_folder_is_left_empty() {
    let only = [
        "--only",
        "get,list,create,update,mix,few,arriving,disk,size,cold,search,forms,memory,floors,import",
    ];
    let serve = ["--serve-with=--page-cache-bytes=0"];
    let out = rehearsed(
        "rehearsal",
        &[&ROUNDS[..], &RECORDS, &only, &serve].concat(),
    );
    let rows = rows_of(&out);
    let expected = [
        ("what", "baseline"),
        ("GET by primary key, 1,000 records", "bare axum"),
        ("list, page of 100", "bare axum"),
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
    // one row of each, but for the bare server's: two; forms: seven and the counts, each alone and with a word; and eight of
    // SQLite alone
    assert_eq!(plain.len(), PLAIN.len() - 3 + 2 + 16 + 8, "{out}");
    let alone = plain
        .iter()
        .filter(|row| row[0].starts_with("SQLite alone"));
    assert!(
        alone
            .clone()
            .all(|row| row[2].ends_with(" µs") && row[2] != "0.0 µs"),
        "{out}"
    );
    assert_eq!(alone.count(), 8, "{out}");
    let forms = plain.iter().filter(|row| row[0].starts_with("form `"));
    assert!(forms.clone().all(|row| row[2].contains(" ms of ")), "{out}");
    assert_eq!(forms.count(), 16, "{out}");
    assert_rows(&rows, &expected, &out);
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
    let page = benchmarks();
    let (_, stated) = page
        .split_once("\n## Pages of the application\n")
        .expect("its section");
    let [printed, stated] = [&*out, stated].map(rows_of);
    assert_eq!(printed.len(), stated.len(), "{out}");
    for (printed, stated) in printed.iter().zip(&stated) {
        assert_eq!((printed[0], printed.len()), (stated[0], 3), "{out}");
    }
}

/// A name without its numbers, which are smaller in a rehearsal.
fn without_numbers(name: &str) -> String {
    name.split(|c: char| c.is_ascii_digit() || c == ',')
        .collect()
}

#[cfg_attr(not(has_postgresql), ignore = "this machine has no PostgreSQL")]
#[test]
fn the_service_on_a_database_is_measured_row_by_row_as_the_benchmarks_page_has_it() {
    let rounds = ["--rounds", "2", "--seconds", "0.2", "--records", "1000"];
    let of = [
        "database", "--many", "1000", "--few", "100", "--import", "200",
    ];
    let out = rehearsed("database", &[&rounds[..], &of].concat());
    let page = benchmarks();
    let part = page.split_once("\n### The service on PostgreSQL\n");
    let (_, part) = part.expect("its part");
    let part = part.split("\n## ").next().unwrap_or(part);
    // what a record takes of the disk is in the manual
    let (disk, told): (Vec<_>, Vec<_>) = rows_of(&out)
        .into_iter()
        .partition(|row| row[0].starts_with("disk of a record"));
    assert_eq!(disk.len(), 7, "{out}");
    let told = told[1..].iter().map(|row| {
        assert_eq!(row.len(), 6, "{row:?}");
        for figures in &row[2..4] {
            assert!(figures.contains("/s"), "{row:?}");
            assert!(!figures.starts_with("0/s"), "{row:?}");
        }
        ([row[0], row[1]].map(without_numbers), row[5])
    });
    let stated = rows_of(part);
    let stated = stated[1..].iter().map(|row| {
        let (baseline, _) = row[2].rsplit_once(": ").expect("a baseline");
        ([row[0], baseline].map(without_numbers), row[4])
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        stated.collect::<Vec<_>>(),
        "{out}"
    );
}
