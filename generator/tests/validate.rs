//! `generator validate` as a user runs it: findings in each format, the files it writes, exit codes.

use crate::support::{command, field, fixture_schemas, fixtures, picklist, run, schema, text};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};

/// What a run printed, and its exit code.
fn outcome(arguments: &[&str], folder: &Path) -> (String, String, i32) {
    let Output {
        stdout,
        stderr,
        status,
    } = run(arguments, folder);
    (text(&stdout), text(&stderr), status.code().unwrap())
}

const KEY: &str = r#","isRequired":true"#;

/// A folder with the schema of a customer.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let number =
        field("1", "No", "string", "").replace(r#""isPrimaryKey":false"#, r#""isPrimaryKey":true"#);
    let number = number.replace(r#","isRequired":false"#, KEY);
    let domain = field(
        "5",
        "Country",
        "picklist",
        r#","picklistType":"dynamic","dataDomainId":"iso""#,
    );
    let fields = [
        number,
        picklist("2", "Status", &["A", "D"]),
        field(
            "3",
            "Since",
            "date",
            r#","dateFormat":"DD$MM$YYYY","dateSeparator":".""#,
        ),
        field("4", "Limit", "currency", ""),
        domain,
        field("6", "Logo", "image", ""),
    ];
    fs::write(
        folder.path().join("customer.json"),
        schema("s", "Customer", &fields),
    )
    .unwrap();
    folder
}

const ROWS: &str = "No;Status;Since;Limit;Country;Logo\n1;A;29.02.2020;1.50;DE;\n2;X;31.04.2021;1,5;;\n2;D;;;;\n;A;;;;\n5;A\n6;\"A\n";

#[test]
fn every_fault_is_told_with_its_file_line_column_field_and_rule() {
    let folder = folder();
    fs::write(folder.path().join("in.csv"), ROWS).unwrap();
    let (out, notes, code) = outcome(&["validate", "customer.json", "in.csv"], folder.path());
    let expected = "\
in.csv:3:3: \"Status\": must be one of A or D [picklist]
in.csv:3:5: \"Since\": must be a day that exists [calendar]
in.csv:3:16: \"Limit\": must be a number [float]
in.csv:4:1: \"No\": must be unique; line 3 has the same [duplicate_primary_key]
in.csv:5:1: \"No\": is required [required]
in.csv:6:4: the row has 2 cells where the first has 6 [cell_count]
in.csv:7:3: the quote that opens here is never closed [open_quote]
";
    assert_eq!(out, expected);
    let expected = "\
6 rows, 5 of them with findings
  1  \"No\": duplicate_primary_key
  1  \"No\": required
  1  \"Status\": picklist
  1  \"Since\": calendar
  1  \"Limit\": float
  1  cell_count
  1  open_quote
codes of data domains (see --domains) and files were not judged in 1 row
";
    assert_eq!((notes.as_str(), code), (expected, 1));
}

#[test]
fn findings_are_told_as_json_as_annotations_and_as_sarif() {
    let folder = folder();
    fs::write(
        folder.path().join("a:b %.ndjson"),
        "{\"No\":\"1\",\"Limit\":\"x\"}\n",
    )
    .unwrap();
    let told = |format| {
        let arguments = [
            "validate",
            "customer.json",
            "a:b %.ndjson",
            "--format",
            format,
        ];
        let (out, _, code) = outcome(&arguments, folder.path());
        assert_eq!(code, 1);
        out
    };
    let expected = "\
{\"file\":\"a:b %.ndjson\",\"line\":1,\"column\":19,\"byte\":18,\"field\":\"Limit\",\"rule\":\"float\",\"message\":\"must be a number\"}
{\"summary\":{\"rows\":1,\"faultyRows\":1,\"notFullyJudgedRows\":0,\"findings\":1,\"counts\":[{\"field\":\"Limit\",\"rule\":\"float\",\"count\":1}]}}
";
    assert_eq!(told("json"), expected);
    let expected =
        "::error file=a%3Ab %25.ndjson,line=1,col=19,title=Limit%3A float::must be a number\n";
    assert_eq!(told("github"), expected);
    let sarif = told("sarif");
    let root = schema::json::parse(&sarif).unwrap();
    let schema::json::Value::Array(runs) = &root.get("runs").unwrap().value else {
        panic!("{sarif}");
    };
    let results = runs[0].get("results").unwrap();
    let expected = "[\n{\"ruleId\":\"float\",\"level\":\"error\",\"message\":{\"text\":\"\\\"Limit\\\": must be a number\"},\
        \"locations\":[{\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"a%3Ab%20%25.ndjson\"},\
        \"region\":{\"startLine\":1,\"startColumn\":19}}}]}\n]";
    assert_eq!(&sarif[results.start..results.end], expected);
    let rules = runs[0]
        .get("tool")
        .and_then(|tool| tool.get("driver")?.get("rules"));
    assert!(matches!(&rules.unwrap().value, schema::json::Value::Array(rules) if rules.len() > 30));
}

#[test]
fn each_row_goes_to_the_normal_form_or_to_the_rejects() {
    let folder = folder();
    fs::write(folder.path().join("in.csv"), ROWS).unwrap();
    let arguments = [
        "validate",
        "customer.json",
        "in.csv",
        "--normal-form",
        "clean.ndjson",
        "--rejects",
        "bad.csv",
    ];
    assert_eq!(outcome(&arguments, folder.path()).2, 1);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let clean = "{\"No\":\"1\",\"Status\":\"A\",\"Since\":\"29.02.2020\",\"Limit\":1.5,\"Country\":\"DE\",\"Logo\":null}\n";
    assert_eq!(read("clean.ndjson"), clean);
    let bad =
        "No;Status;Since;Limit;Country;Logo\n2;X;31.04.2021;1,5;;\n2;D;;;;\n;A;;;;\n5;A\n6;\"A\n";
    assert_eq!(read("bad.csv"), bad);
}

#[test]
fn what_was_written_before_stays_whole_when_a_run_does_not_come_to_its_end() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("bad.ndjson"), "earlier\n").unwrap();
    fs::write(path("clean.ndjson"), "earlier\n").unwrap();
    // someone is reading the older file
    fs::hard_link(path("bad.ndjson"), path("reading.ndjson")).unwrap();
    let arguments = [
        "validate",
        "customer.json",
        "in.ndjson",
        "--normal-form",
        "clean.ndjson",
        "--rejects",
        "bad.ndjson",
    ];
    let read = |name: &str| fs::read_to_string(path(name)).unwrap();
    let (_, error, code) = outcome(&arguments, folder.path());
    assert_eq!(code, 2, "{error}");
    assert_eq!(read("bad.ndjson"), "earlier\n");
    assert_eq!(read("clean.ndjson"), "earlier\n");
    fs::write(path("in.ndjson"), "{\"No\":\"\"}\n").unwrap();
    assert_eq!(outcome(&arguments, folder.path()).2, 1);
    assert_eq!(read("bad.ndjson"), "{\"No\":\"\"}\n");
    assert_eq!(read("clean.ndjson"), "");
    assert_eq!(read("reading.ndjson"), "earlier\n");
    let left = crate::support::names(folder.path());
    let expected = ["bad.ndjson", "clean.ndjson", "customer.json"];
    assert_eq!(left[..3], expected, "{left:?}");
}

#[test]
fn a_normal_form_as_csv_is_read_as_what_it_was_and_can_be_guarded() {
    let folder = folder();
    let rows = "{\"No\":\"=1\",\"Limit\":-2}\n{\"No\":\"b\"}\n";
    fs::write(folder.path().join("in.ndjson"), rows).unwrap();
    let write = |more: &[&str]| {
        let arguments = [
            &[
                "validate",
                "customer.json",
                "in.ndjson",
                "--normal-form",
                "out.csv",
            ],
            more,
        ]
        .concat();
        let (_, notes, code) = outcome(&arguments, folder.path());
        assert_eq!(
            (notes.as_str(), code),
            ("2 rows, 0 of them with findings\n", 0)
        );
        fs::read_to_string(folder.path().join("out.csv")).unwrap()
    };
    let head = "No,Status,Since,Limit,Country,Logo\n";
    assert_eq!(
        write(&["--for-spreadsheets"]),
        format!("\u{feff}{head}\"'=1\",,,-2,,\nb,,,,,\n")
    );
    assert_eq!(write(&[]), format!("{head}=1,,,-2,,\nb,,,,,\n"));
    let arguments = [
        "validate",
        "customer.json",
        "out.csv",
        "--normal-form",
        "again.csv",
    ];
    assert_eq!(outcome(&arguments, folder.path()).2, 0);
    let again = fs::read_to_string(folder.path().join("again.csv")).unwrap();
    assert_eq!(
        again,
        fs::read_to_string(folder.path().join("out.csv")).unwrap()
    );
}

#[test]
fn codes_of_domains_are_judged_when_they_are_given_and_files_are_not() {
    let folder = folder();
    let rows =
        "{\"No\":\"1\",\"Country\":\"DE\",\"Logo\":\"x\"}\n{\"No\":\"2\",\"Country\":\"de\"}\n";
    fs::write(folder.path().join("in.ndjson"), rows).unwrap();
    fs::write(folder.path().join("domains.json"), r#"{"iso":["DE","FR"]}"#).unwrap();
    let arguments = [
        "validate",
        "customer.json",
        "in.ndjson",
        "--domains",
        "domains.json",
    ];
    let (out, notes, code) = outcome(&arguments, folder.path());
    let expected = "in.ndjson:2:21: \"Country\": must be a code of the data domain iso [domain]\n";
    assert_eq!((out.as_str(), code), (expected, 1));
    assert!(
        notes.ends_with("domain\nfiles were not judged in 1 row\n"),
        "{notes}"
    );
    fs::write(folder.path().join("domains.json"), r#"{"iso":"DE"}"#).unwrap();
    let (_, error, code) = outcome(&arguments, folder.path());
    assert!(error.contains("\"iso\" has no array of codes"), "{error}");
    assert_eq!(code, 2);
}

#[test]
fn standard_input_may_be_packed_and_keys_count_across_files() {
    let folder = folder();
    fs::write(folder.path().join("one.ndjson"), "{\"No\":\"1\"}\n").unwrap();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer
        .write_all(b"[{\"No\":\"2\"},\n{\"No\":\"1\"}]")
        .unwrap();
    let mut child = command(
        &["validate", "customer.json", "one.ndjson", "-"],
        folder.path(),
    )
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .stderr(Stdio::null())
    .spawn()
    .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(&packer.finish().unwrap())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let expected = "standard input:2:1: \"No\": must be unique; line 1 of one.ndjson has the same [duplicate_primary_key]\n";
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn a_row_of_empty_cells_is_none() {
    let folder = folder();
    let rows = "No;Status\n;\n1;A\n \u{a0};\n";
    fs::write(folder.path().join("in.csv"), rows).unwrap();
    let (out, notes, code) = outcome(&["validate", "customer.json", "in.csv"], folder.path());
    assert_eq!((&*out, &notes[..6], code), ("", "1 row,", 0), "{notes}");
}

#[test]
fn columns_are_mapped_as_said_and_one_that_goes_nowhere_is_told() {
    let folder = folder();
    fs::write(
        folder.path().join("in.csv"),
        "Nummer,STATUS,Limits\n1,A,2\n",
    )
    .unwrap();
    let arguments = ["validate", "customer.json", "in.csv", "--map", "Nummer=No"];
    let (out, _, code) = outcome(&arguments, folder.path());
    let expected = "in.csv:1:1: no field has the name of the column \"Limits\"; if \"Limit\" is meant, say --map \"Limits=Limit\" [unknown_column]\n";
    assert_eq!((out.as_str(), code), (expected, 1));
    let left_out = [&arguments[..], &["--map", "Limits="]].concat();
    assert_eq!(outcome(&left_out, folder.path()).2, 0);
}

#[test]
fn wrong_usage_is_told_with_what_to_do_and_exits_with_2() {
    let folder = folder();
    fs::write(folder.path().join("in.csv"), "No\n1\n").unwrap();
    fs::write(folder.path().join("bad.json"), "{}").unwrap();
    for (arguments, told) in [
        (&["customer.json", "none.csv"][..], "can't read none.csv"),
        (
            &["bad.json", "in.csv"],
            "bad.json is no schema to validate with",
        ),
        (&["customer.json"], "<FILE>..."),
        (
            &["customer.json", "in.csv", "--map", "X=No"],
            "the file has no column \"X\"",
        ),
        (
            &["customer.json", "in.csv", "--map", "No=X"],
            "the schema has no active field \"X\"",
        ),
        (
            &["customer.json", "in.csv", "--map", "No"],
            "a column, `=` and a field",
        ),
        (
            &["customer.json", "in.csv", "in.csv", "--rejects", "r"],
            "takes the rows of one file",
        ),
        (&["-", "-"], "standard input (`-`) can be read only once"),
        (
            &["customer.json", "in.csv", "--delimiter", "ab"],
            "one ASCII character",
        ),
        (
            &["customer.json", "in.csv", "--rejects", "./in.csv"],
            "./in.csv would be written over",
        ),
        (
            &[
                "customer.json",
                "in.csv",
                "--rejects",
                "x",
                "--normal-form",
                "x",
            ],
            "x would be written over",
        ),
        (
            &["customer.json", "in.csv", "--normal-form", "no/where"],
            "can't write no/where",
        ),
    ] {
        let (_, error, code) = outcome(&[&["validate"], arguments].concat(), folder.path());
        assert!(error.contains(told), "{arguments:?}: {error}");
        assert_eq!(code, 2, "{arguments:?}");
    }
    let kept = fs::read_to_string(folder.path().join("in.csv")).unwrap();
    assert_eq!(kept, "No\n1\n");
}

#[test]
fn the_checked_in_data_has_no_findings() {
    let folder = fixtures();
    for name in fixture_schemas() {
        let (schema, data) = (
            format!("schemas/{name}.json"),
            format!("data/{name}.ndjson"),
        );
        let (out, notes, code) = outcome(&["validate", &schema, &data], &folder);
        assert_eq!((out.as_str(), code), ("", 0), "{name}: {notes}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_run_quietly() {
    let folder = folder();
    let rows = "{\"No\":\"\"}\n".repeat(50_000);
    fs::write(folder.path().join("in.ndjson"), rows).unwrap();
    let mut child = command(&["validate", "customer.json", "in.ndjson"], folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (text(&output.stderr).as_str(), output.status.code()),
        ("", Some(1))
    );
}
