//! Files as people have them: in other encodings, with days and numbers written otherwise, and as the interface returned their records.

use crate::support::{json, run, succeed, text};
use serde_json::{Value, json as value};
use std::fs;
use std::path::Path;
use tempfile::tempdir;

const SHOP: &str = r"
tenants:
  - name: Acme
    areas:
      - name: Reports
        schemas:
          - document:
              name: Party
              fields:
                - {name: No, dataType: string, isPrimaryKey: true, isRequired: true}
                - {name: Name, dataType: string}
                - {name: Since, dataType: date}
                - {name: German, dataType: date, dateFormat: DD$MM$YYYY, dateSeparator: /}
                - {name: Changed, dataType: datetime}
                - {name: Amount, dataType: currency}
                - {name: Rate, dataType: float}
                - {name: Closed, dataType: boolean}
            datasets: [{name: Parties}]
";
const INTO: &str = "Reports/Party/Parties";

fn parties(folder: &Path) {
    fs::write(folder.join("shop.yaml"), SHOP).expect("written");
    succeed(folder, &["apply", "shop.yaml"]);
}

/// What came of an import, and what was told of it.
fn import(folder: &Path, file: &[u8], flags: &[&str]) -> (Value, String) {
    fs::write(folder.join("x.csv"), file).expect("written");
    let import = [&["import", "x.csv", "--into", INTO][..], flags].concat();
    let told = run(folder, &[&import[..], &["--dry-run"]].concat());
    let done = run(folder, &[&import[..], &["--format", "json"]].concat());
    let done: Value = serde_json::from_slice(&done.stdout).expect("a report");
    (done["jobs"][0]["importResult"].clone(), text(&told.stdout))
}

/// A field of all records.
fn values(folder: &Path, field: &str) -> Vec<Value> {
    let lines = succeed(folder, &["export", INTO, "--field", field]);
    let values = lines.lines().map(|line| {
        let record: Value = serde_json::from_str(line).expect("a record");
        record[field].clone()
    });
    values.collect()
}

#[test]
fn one_odd_byte_costs_its_row_and_changes_no_other() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    parties(folder);
    let mut file = b"No,Name\nb1,M\xFCller\n".to_vec();
    for row in 0..6000 {
        file.extend_from_slice(format!("a{row},plain\n").as_bytes());
    }
    assert!(file.len() > 66_000);
    for row in 0..50 {
        file.extend_from_slice(format!("u{row},Z\u{fc}rich\n").as_bytes());
    }
    let (done, told) = import(folder, &file, &[]);
    let counts = ["rows", "created", "rejected"].map(|name| &done[name]);
    assert_eq!(counts, [6051, 6050, 1], "{done}");
    assert_eq!(done["rejections"][0]["reason"], "row_encoding");
    assert_eq!(done["found"]["encoding"], "utf-8");
    assert!(!told.contains("not UTF-8"), "{told}");
    let last = values(folder, "Name").pop();
    assert_eq!(last, Some(value!("Z\u{fc}rich")));
}

#[test]
fn an_encoding_that_is_guessed_is_reported_with_texts_and_one_that_is_named_is_taken() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    parties(folder);
    let (done, told) = import(folder, b"No,Name\n1,M\xFCller\n", &[]);
    assert_eq!(done["found"]["isEncodingGuessed"], true, "{done}");
    let sample = value!([{"line": 2, "column": "Name", "text": "M\u{fc}ller"}]);
    assert_eq!(done["encodingSamples"], sample);
    for line in [
        "the file is not UTF-8; it was read as windows-1252; another encoding: --encoding\n        line 2, \"Name\": M\u{fc}ller\n",
        "line 2 as it would be stored: No: \"1\", Name: \"M\u{fc}ller\"\n",
    ] {
        assert!(told.contains(line), "{told}");
    }
    let said = ["--encoding", "windows-1250"];
    let (done, told) = import(folder, b"No,Name\n2,\xA3\xF3d\x9F\n", &said);
    assert_eq!(done["encodingSamples"], Value::Null, "{done}");
    assert!(!told.contains("not UTF-8"), "{told}");
    import(folder, b"No,Name\n3,M\x81ller\n", &["--encoding", "cp850"]);
    // a byte that the encoding does not define is no control
    let said = ["--encoding", "windows-1252"];
    let (done, _) = import(folder, b"No,Name\n4,M\x81ller\n5,plain\n", &said);
    assert_eq!(done["rejections"][0]["reason"], "row_encoding", "{done}");
    let names = [
        "M\u{fc}ller",
        "\u{141}\u{f3}d\u{17a}",
        "M\u{fc}ller",
        "plain",
    ];
    assert_eq!(values(folder, "Name"), names);
    let refused = run(
        folder,
        &["import", "x.csv", "--into", INTO, "--encoding", "utf-7"],
    );
    assert!(
        text(&refused.stderr).contains("must be one of utf-8"),
        "{refused:?}"
    );
}

#[test]
fn records_of_the_interface_are_imported_and_their_versions_compared() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    parties(folder);
    import(folder, b"No,Name\n1,a\n2,b\n", &[]);
    // the first record has another version by now
    import(folder, b"No,Name\n1,changed\n", &["--mode", "update"]);
    let fetched = concat!(
        "{\"_errors\":[],\"_version\":0,\"No\":\"1\",\"Name\":\"x\"}\n",
        "{\"_version\":0,\"No\":\"2\",\"Name\":\"y\",\"_errors\":[]}\n",
        "{\"_version\":\"one\",\"No\":\"2\",\"Name\":\"z\"}\n",
        "{\"_version\":9,\"No\":\"3\",\"Name\":\"new\"}\n",
    );
    let (done, _) = import(folder, fetched.as_bytes(), &["--mode", "upsert"]);
    let counts = ["updated", "created", "rejected"].map(|name| &done[name]);
    assert_eq!(counts, [1, 1, 2], "{done}");
    let reasons = [0, 1].map(|at| &done["rejections"][at]["reason"]);
    assert_eq!(reasons, ["version_conflict", "version_invalid"]);
    assert_eq!(values(folder, "Name"), ["changed", "y", "new"]);
    let flags = ["--mode", "update", "--ignore-version"];
    let first = fetched.lines().next().expect("a line");
    let (done, _) = import(folder, first.as_bytes(), &flags);
    assert_eq!(done["updated"], 1, "{done}");
    // and from a table
    let (done, _) = import(
        folder,
        b"_version,No,Name\n2,1,t\n0,2,t\n,3,t\n",
        &["--mode", "update"],
    );
    assert_eq!(
        (&done["updated"], &done["rejected"]),
        (&value!(2), &value!(1)),
        "{done}"
    );
    assert_eq!(values(folder, "Name"), ["t", "y", "t"]);
}

#[test]
fn days_are_read_as_is_said_and_a_dry_run_proposes_how() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    parties(folder);
    let file = b"No,Since,Changed\n1,3/4/2024,3/4/2024 5:06 PM\n2,12/31/2024,2024-01-01T00:00\n";
    let (done, told) = import(folder, file, &[]);
    assert_eq!(done["faulty"], 2, "{done}");
    assert!(
        told.contains("\"Since\" is written otherwise; --date-format us would fix 2 rows\n"),
        "{told}"
    );
    let us = ["--date-format", "us", "--mode", "upsert"];
    let (done, told) = import(folder, file, &us);
    assert_eq!(done["faulty"], 0, "{done}");
    assert!(!told.contains("written otherwise"), "{told}");
    assert_eq!(values(folder, "Since"), ["2024-03-04", "2024-12-31"]);
    assert_eq!(
        values(folder, "Changed"),
        ["2024-03-04 17:06:00", "2024-01-01 00:00:00"]
    );
    // the field has days before months, and one file is never read in two ways
    let (done, _) = import(folder, b"No,German\n3,3/4/2024\n4,25/12/2024\n", &us);
    assert_eq!(done["rejections"][0]["reason"], "date_format", "{done}");
    assert_eq!(values(folder, "German").pop(), Some(value!("04/03/2024")));
    // no form is proposed that would change as many days as it would fix, and what it would change is told
    let (_, told) = import(folder, b"No,German\n16,25/12/2024\n17,12/25/2024\n", &[]);
    assert!(!told.contains("written otherwise"), "{told}");
    let file = b"No,German\n18,03/04/2024\n19,12/25/2024\n20,12/31/2024\n";
    let (_, told) = import(folder, file, &[]);
    let proposed =
        "--date-format us would fix 2 rows, but read 1 row as another day, or leave it out\n";
    assert!(told.contains(proposed), "{told}");
    let timestamp = ["--date-format", "timestamp"];
    let file = b"No,Since,Changed\n5,2024-04-03 00:00:00.000,2024-04-03 10:00:00+02\n";
    let (done, _) = import(folder, file, &timestamp);
    assert_eq!(done["faulty"], 0, "{done}");
    assert_eq!(
        values(folder, "Changed").pop(),
        Some(value!("2024-04-03 08:00:00"))
    );
    let (done, _) = import(
        folder,
        b"No,Since\n6,20240403\n",
        &["--date-format", "compact"],
    );
    assert_eq!(done["faulty"], 0, "{done}");
}

#[test]
fn numbers_with_signs_and_words_are_read_as_is_said() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    parties(folder);
    let (done, _) = import(folder, b"No,Rate\n0,.5\n", &[]);
    assert_eq!(done["faulty"], 0, "{done}");
    let file = "No;Name;Amount;Closed\n1;NULL;1 234,50;ja\n2;\\N;12,50-;NEIN\n3;null;(1'234,50 \u{20ac});ja\n";
    let flags = [
        "--decimal-mark",
        "comma",
        "--true-words",
        "ja",
        "--false-words",
        "nein",
        "--null-words",
        "NULL,\\N",
    ];
    let (done, told) = import(folder, file.as_bytes(), &flags);
    assert_eq!(done["faulty"], 0, "{done} {told}");
    assert_eq!(values(folder, "Amount")[1..], [1234.5, -12.5, -1234.5]);
    assert_eq!(values(folder, "Closed")[1..], [true, false, true]);
    assert_eq!(
        values(folder, "Name")[1..],
        [Value::Null, Value::Null, value!("null")]
    );
    let wrong = [
        "import",
        "x.csv",
        "--into",
        INTO,
        "--true-words",
        "x",
        "--null-words",
        "x",
    ];
    let refused = run(folder, &wrong);
    assert!(
        text(&refused.stderr).contains("stands for something else"),
        "{refused:?}"
    );
}

#[test]
fn a_quote_after_a_blank_is_worth_a_line_of_the_report() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    parties(folder);
    let (done, told) = import(folder, b"No,Name\ns1, \"a, b\"\ns2, \"c\"\n", &[]);
    assert_eq!(
        done["quotesAfterBlanks"],
        value!({"rows": 2, "firstLine": 2}),
        "{done}"
    );
    let line = "2 rows have a quote after a blank, which quotes nothing and is a part of the text, first on line 2";
    assert!(told.contains(line), "{told}");
}

#[test]
fn days_come_back_from_a_workbook_as_they_left() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    parties(folder);
    let file = b"No,Since,German,Changed,Rate\n1,2024-04-03,03/04/2024,2024-04-03 10:00:00,1e-7\n";
    import(folder, file, &[]);
    let before = succeed(folder, &["export", INTO]);
    succeed(folder, &["export", INTO, "all.xlsx"]);
    let again = ["import", "all.xlsx", "--into", INTO, "--mode", "replace"];
    let report = json(folder, &again);
    assert_eq!(
        report["jobs"][0]["importResult"]["unchanged"], 1,
        "{report}"
    );
    assert_eq!(succeed(folder, &["export", INTO]), before);
}
