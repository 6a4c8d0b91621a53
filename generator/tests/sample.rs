//! `generator sample` as a user runs it: what it makes is what `generator validate` says of it.

use crate::support::{command, field, fixture_schemas, fixtures, picklist, run, schema, text};
use std::fs;
use std::path::Path;
use std::process::Stdio;

#[track_caller]
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(arguments, folder);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn samples_of_each_fixture_have_no_fault_and_no_key_twice() {
    let folder = tempfile::tempdir().unwrap();
    for name in fixture_schemas() {
        let path = fixtures().join(format!("schemas/{name}.json"));
        fs::copy(path, folder.path().join("schema.json")).unwrap();
        for (at, count) in [("random", "500"), ("bounds", "50")] {
            let rows = printed(
                folder.path(),
                &["sample", "schema.json", "--at", at, "--count", count],
            );
            assert_eq!(rows.lines().count().to_string(), count, "{name}");
            fs::write(folder.path().join("rows.ndjson"), rows).unwrap();
            printed(folder.path(), &["validate", "schema.json", "rows.ndjson"]);
        }
    }
}

#[test]
fn a_row_without_a_primary_key_is_none_also_where_the_schema_does_not_require_it() {
    let folder = tempfile::tempdir().unwrap();
    let key =
        field("1", "No", "string", "").replace(r#""isPrimaryKey":false"#, r#""isPrimaryKey":true"#);
    let document = schema("s", "S", &[key, field("2", "N", "integer", "")]);
    fs::write(folder.path().join("s.json"), document).unwrap();
    let rows = "{\"No\":\"1\"}\n{\"N\":1}\n{\"No\":null}\n{\"No\":\" \"}\n{\"No\":[\"\"]}\n";
    fs::write(folder.path().join("in.ndjson"), rows).unwrap();
    let arguments = ["validate", "s.json", "in.ndjson"];
    let output = run(&arguments, folder.path());
    let (out, notes) = (text(&output.stdout), text(&output.stderr));
    let keyless = |line: u32| {
        format!(
            "in.ndjson:{line}:1: \"No\": is the primary key, and has no value [primary_key_required]\n"
        )
    };
    let expected = keyless(2) + &keyless(3) + &keyless(4);
    assert!(out.starts_with(&expected), "{out}");
    assert_eq!(out.lines().count(), 4, "{out}");
    assert!(notes.starts_with("5 rows, 4 of them with findings\n"));
    assert_eq!(output.status.code(), Some(1));
    // and no sample is such a row
    let rows = printed(folder.path(), &["sample", "s.json", "--count", "200"]);
    fs::write(folder.path().join("in.ndjson"), rows).unwrap();
    printed(folder.path(), &arguments);
}

#[test]
fn the_same_seed_makes_the_same_records_and_another_one_others() {
    let folder = tempfile::tempdir().unwrap();
    let name = field("f1", "Name", "string", r#","max":20"#);
    fs::write(folder.path().join("s.json"), schema("s1", "City", &[name])).unwrap();
    let of = |seed: &str| {
        printed(
            folder.path(),
            &["sample", "s.json", "--seed", seed, "-n", "5"],
        )
    };
    assert_eq!(of("1"), of("1"));
    assert_ne!(of("1"), of("2"));
}

#[test]
fn each_rule_has_a_record_that_breaks_it_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let name = field("f1", "Name", "string", r#","max":3"#)
        .replace("\"isRequired\":false", "\"isRequired\":true");
    let kind = picklist("f2", "Kind", &["A", "B"]);
    let size = field("f3", "Size", "integer", r#","min":0"#);
    fs::write(
        folder.path().join("s.json"),
        schema("s1", "City", &[name, kind, size]),
    )
    .unwrap();
    assert_eq!(
        printed(folder.path(), &["sample", "s.json", "--breaking"]),
        r#"{"field":"Name","rule":"required","record":{"Name":null}}
{"field":"Name","rule":"single","record":{"Name":["a"]}}
{"field":"Name","rule":"string","record":{"Name":true}}
{"field":"Name","rule":"max_length","record":{"Name":"aaaa"}}
{"field":"Kind","rule":"single","record":{"Name":"a","Kind":["A"]}}
{"field":"Kind","rule":"picklist","record":{"Name":"a","Kind":true}}
{"field":"Size","rule":"single","record":{"Name":"a","Size":[0]}}
{"field":"Size","rule":"integer","record":{"Name":"a","Size":true}}
{"field":"Size","rule":"min","record":{"Name":"a","Size":-1}}
{"field":"Size","rule":"max","record":{"Name":"a","Size":9007199254740992}}
"#
    );
}

#[test]
fn codes_of_domains_are_those_that_are_given() {
    let folder = tempfile::tempdir().unwrap();
    let more = r#","picklistType":"dynamic","dataDomainId":"d1""#;
    let kind = field("f1", "Kind", "picklist", more);
    fs::write(folder.path().join("s.json"), schema("s1", "City", &[kind])).unwrap();
    fs::write(folder.path().join("d.json"), r#"{"d1":["X"]}"#).unwrap();
    let arguments = ["sample", "s.json", "--at", "bounds", "-n", "1"];
    assert_eq!(printed(folder.path(), &arguments), "{}\n");
    let arguments = [&arguments[..], &["--domains", "d.json"]].concat();
    assert_eq!(printed(folder.path(), &arguments), "{\"Kind\":\"X\"}\n");
}

#[test]
fn a_schema_that_no_record_fits_is_told_with_its_field() {
    let folder = tempfile::tempdir().unwrap();
    let name = field("f1", "Name", "string", r#","max":0"#)
        .replace("\"isRequired\":false", "\"isRequired\":true");
    fs::write(folder.path().join("s.json"), schema("s1", "City", &[name])).unwrap();
    let output = run(&["sample", "s.json"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    let told = text(&output.stderr);
    assert!(
        told.contains(r#"s.json: "Name" is required, and no value holds its rules"#),
        "{told}"
    );
}

#[test]
fn a_key_of_few_values_gives_few_records_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let key = field("f1", "Day", "date-month", "")
        .replace("\"isPrimaryKey\":false", "\"isPrimaryKey\":true");
    let key = key.replace("\"isRequired\":false", "\"isRequired\":true");
    fs::write(folder.path().join("s.json"), schema("s1", "City", &[key])).unwrap();
    let output = run(&["sample", "s.json", "-n", "13"], folder.path());
    assert_eq!(text(&output.stdout).lines().count(), 12);
    assert!(text(&output.stderr).contains("after 12 records no other primary key"));
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let name = field("f1", "Name", "string", "");
    fs::write(folder.path().join("s.json"), schema("s1", "City", &[name])).unwrap();
    let mut child = command(&["sample", "s.json", "-n", "100000"], folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (text(&output.stderr).as_str(), output.status.code()),
        ("", Some(0))
    );
}
