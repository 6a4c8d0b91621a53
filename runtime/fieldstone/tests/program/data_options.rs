//! What is said of data on the command line: how rows stand in a file that is written or read, and which records are meant.

use crate::support::{Server, fail, json, run, succeed, text, write_company};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const INTO: &str = "Places/City/Cities";

/// A company with three cities, the last of which is faulty.
fn company(folder: &Path) {
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("a text")
}

#[test]
fn texts_that_a_spreadsheet_takes_for_formulas_are_guarded_and_come_back() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    fs::write(folder.join("new.csv"), "Name,People\n=1+1,7\n").expect("written");
    succeed(folder, &["import", "new.csv", "--into", INTO]);
    let before = succeed(folder, &["export", INTO]);
    succeed(folder, &["export", INTO, "open.csv"]);
    let open = read(folder, "open.csv");
    assert!(open.contains("\n=1+1,7,"), "{open}");
    let guard = ["--for-spreadsheets", "--delimiter", ";"];
    let export = ["export", INTO, "guarded.csv"];
    succeed(folder, &[&export[..], &guard].concat());
    let guarded = read(folder, "guarded.csv");
    assert!(
        guarded.starts_with("\u{feff}Name;People;Country\n"),
        "{guarded}"
    );
    assert!(guarded.contains("\n\"'=1+1\";7;\n"), "{guarded}");
    assert!(guarded.contains("\nAtlantis;-1;XX\n"), "{guarded}");
    let import = ["import", "guarded.csv", "--into", INTO, "--mode"];
    let replace = [&import[..], &["replace", "--delete-missing"], &guard].concat();
    let report = json(folder, &replace);
    let result = &report["jobs"][0]["importResult"];
    assert_eq!(result["unchanged"], 4, "{report}");
    assert_eq!(succeed(folder, &["export", INTO]), before);
    // without the flag, the mark is of the text
    let tried = json(folder, &[&import[..], &["upsert", "--dry-run"]].concat());
    let result = &tried["jobs"][0]["importResult"];
    assert_eq!(result["created"], 1, "{tried}");
    assert_eq!(result["unchanged"], 3, "{tried}");
}

#[test]
fn the_mapping_that_is_proposed_is_taken_whatever_blanks_stand_in_the_name_of_its_column() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    fs::write(folder.join("new.csv"), "Name;Peo\u{a0}ples\u{a0}\nYs;7\n").expect("written");
    let import = ["import", "new.csv", "--into", INTO, "--dry-run"];
    let told = succeed(folder, &import);
    let (_, map) = told.split_once("say --map \"").expect(&told);
    let (map, _) = map.split_once('"').expect(&told);
    assert_eq!(map, "Peo ples=People");
    let mapped = succeed(folder, &[&import[..], &["--map", map]].concat());
    assert!(!mapped.contains("goes nowhere"), "{mapped}");
}

#[test]
fn nothing_is_written_as_a_file_that_its_name_says_it_is_not() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    for said in [
        &["all.xls"][..],
        &["all.csv.zip"],
        &["all.txt", "--delimiter", ";"],
    ] {
        let told = fail(folder, &[&["export", INTO][..], said].concat());
        assert!(told.contains("--as"), "{told}");
        assert!(!folder.join(said[0]).exists(), "{told}");
    }
    let said = ["export", INTO, "all.xls", "--as", "csv"];
    succeed(folder, &said);
    assert!(read(folder, "all.xls").starts_with("Name,People,Country\n"));
}

#[test]
fn columns_without_a_name_are_told_together() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    fs::write(folder.join("new.csv"), "Name;People;;Age; ;\nYs;7;;;;\n").expect("written");
    let told = succeed(folder, &["import", "new.csv", "--into", INTO, "--dry-run"]);
    assert!(
        told.contains("    columns without a name go nowhere\n"),
        "{told}"
    );
    assert!(told.contains("    column \"Age\" goes nowhere\n"), "{told}");
    assert_eq!(told.matches("nowhere").count(), 2, "{told}");
}

#[test]
fn rows_that_were_left_out_and_are_mended_delete_nothing() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    let before = succeed(folder, &["export", INTO]);
    let mended = "_line,_reason,Name,People\n3,why,Ys,7\n";
    fs::write(folder.join("mended.csv"), mended).expect("written");
    let import = ["import", "mended.csv", "--into", INTO, "--mode", "replace"];
    let told = fail(folder, &[&import[..], &["--delete-missing"]].concat());
    assert!(told.contains("an import before could not store"), "{told}");
    assert_eq!(succeed(folder, &["export", INTO]), before);
    succeed(folder, &import);
    assert_eq!(succeed(folder, &["export", INTO]).lines().count(), 4);
}

#[test]
fn how_many_records_a_file_of_some_would_delete_is_told_before_it_does() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    let before = succeed(folder, &["export", INTO]);
    succeed(folder, &["export", INTO, "some.csv", "--query", "Delft"]);
    let import = ["import", "some.csv", "--into", INTO, "--mode", "replace"];
    let delete = [&import[..], &["--delete-missing"]].concat();
    let told = succeed(folder, &[&delete[..], &["--dry-run"]].concat());
    assert!(told.contains("; 2 records would be deleted"), "{told}");
    assert_eq!(succeed(folder, &["export", INTO]), before);
    // without the flag all others stay
    let told = succeed(folder, &import);
    assert!(!told.contains("deleted"), "{told}");
    let report = json(folder, &delete);
    let id = report["jobs"][0]["jobId"].as_str().expect("an id");
    let told = succeed(folder, &["jobs", "show", id]);
    assert!(told.contains("; 2 records deleted"), "{told}");
    assert_eq!(succeed(folder, &["export", INTO]).lines().count(), 1);
    succeed(folder, &["jobs", "undo", id]);
    assert_eq!(succeed(folder, &["export", INTO]), before);
}

#[test]
fn that_nothing_was_deleted_though_it_was_asked_for_is_told_and_not_taken_for_done() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    let before = succeed(folder, &["export", INTO]);
    let import = ["import", "new.csv", "--into", INTO, "--mode", "replace"];
    let delete = [&import[..], &["--delete-missing"]].concat();
    for (rows, why) in [
        ("", "the file has no rows"),
        (",7\n", "not every row could be stored"),
    ] {
        fs::write(folder.join("new.csv"), format!("Name,People\n{rows}")).expect("written");
        let why = format!("nothing was deleted, though it was asked for: {why}");
        for more in [&["--dry-run"][..], &[]] {
            let output = run(folder, &[&delete[..], more].concat());
            let told = text(&output.stderr);
            assert_eq!(told, format!("warning: new.csv: {why}\n"), "{more:?}");
            assert_eq!(output.status.code(), Some(3), "{more:?}: {told}");
        }
        // programs find it in the document
        let as_json = [&delete[..], &["--format", "json"]].concat();
        let output = run(folder, &as_json);
        assert_eq!(text(&output.stderr), "");
        assert_eq!(output.status.code(), Some(3));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["jobs"][0]["log"][0]["text"], why, "{report}");
    }
    assert_eq!(succeed(folder, &["export", INTO]), before);
    // nothing was asked for that is not done
    fs::write(folder.join("new.csv"), "Name,People\n").expect("written");
    let output = run(folder, &import);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn how_rows_stand_is_what_is_said_and_not_what_the_name_of_a_file_tells() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    let before = succeed(folder, &["export", INTO]);
    for (name, said, begins) in [
        (
            "cities.data",
            &["--as", "csv", "--pack", "gzip"][..],
            &b"\x1f\x8b"[..],
        ),
        ("packed.data", &["--as", "xlsx"], b"PK"),
        ("lines.csv", &["--as", "ndjson"], b"{\"Name\":"),
        ("open.csv.gz", &["--pack", "none"], b"Name,People,Country\n"),
        (
            "cells.csv",
            &["--delimiter", "tab"],
            b"Name\tPeople\tCountry\n",
        ),
        ("cells.tsv", &[], b"Name\tPeople\tCountry\n"),
    ] {
        succeed(folder, &[&["export", INTO, name][..], said].concat());
        let file = fs::read(folder.join(name)).expect("a file");
        assert!(file.starts_with(begins), "{name}: {file:?}");
        let import = ["import", name, "--into", INTO, "--mode", "upsert"];
        let report = json(folder, &import);
        let result = &report["jobs"][0]["importResult"];
        assert_eq!(result["unchanged"], 3, "{name}: {report}");
    }
    assert_eq!(succeed(folder, &["export", INTO]), before);
    let newest = json(folder, &["jobs", "list", "--most", "2"]);
    assert_eq!(newest.as_array().map(Vec::len), Some(2));
    let refused = |name: &str, said: &[&str]| {
        fail(
            folder,
            &[&["import", name, "--into", INTO][..], said].concat(),
        )
    };
    let told = refused("cells.csv", &["--delimiter", ",", "--header", "yes"]);
    assert!(
        told.contains("no column of the file has the name of a field"),
        "{told}"
    );
    // by a mapping, whole lines would be values
    fs::write(folder.join("parted.csv"), "Name^People\nYs^7\n").expect("written");
    let told = refused("parted.csv", &[]);
    assert!(
        told.contains("what parts its cells (`delimiter`)"),
        "{told}"
    );
    assert!(!told.contains("Name^People="), "{told}");
    let import = ["import", "parted.csv", "--into", INTO, "--delimiter", "^"];
    let report = json(folder, &import);
    assert_eq!(report["jobs"][0]["importResult"]["created"], 1, "{report}");
    let told = refused("packed.data", &["--sheet", "Nowhere"]);
    assert!(told.contains("it has no sheet \"Nowhere\""), "{told}");
}

#[test]
fn what_a_query_finds_is_exported_and_repaired_with_a_server_and_without_one() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    let index = folder.join("data/search.db");
    assert!(!index.exists(), "nobody has searched yet");
    let found = |query: &str| succeed(folder, &["export", INTO, "--query", query]);
    let faulty = found("is:faulty");
    assert_eq!(faulty.lines().count(), 1, "{faulty}");
    assert!(faulty.contains("Atlantis") && index.exists(), "{faulty}");
    // what came since then is found
    fs::write(folder.join("new.csv"), "Name,People\nVineta,-2\nIs,-3\n").expect("written");
    succeed(folder, &["import", "new.csv", "--into", INTO]);
    let repair = |query: &str, people: &str| {
        let repair = [
            "repair", INTO, "--query", query, "--field", "People", "--set", people,
        ];
        let report = json(folder, &repair);
        report["jobs"][0]["revisionResult"]["changed"].clone()
    };
    assert_eq!(repair("fault:People", "0"), 3);
    let server = Server::start(folder, &[]);
    assert_eq!(found("People:0").lines().count(), 3);
    assert_eq!(repair("Name:Vineta", "5"), 1);
    server.stop();
    assert_eq!(found("People:0").lines().count(), 2);
    assert_eq!(found("fault:People"), "");
    // what can't be read is told before anything is begun
    let told = fail(folder, &["export", INTO, "--query", "Nobody:1"]);
    assert!(told.contains("Nobody"), "{told}");
}
