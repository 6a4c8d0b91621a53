//! `generator diff` as a user runs it: files, folders, revisions of git, rows; what it tells, and how it ends.

use crate::support::{field, fixtures, picklist, schema};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
    command.arg("diff").args(arguments).current_dir(folder);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// What is printed, and the exit code; nothing goes to standard error.
#[track_caller]
fn told(arguments: &[&str], folder: &Path) -> (String, i32) {
    let output = run(arguments, folder);
    assert_eq!(text(&output.stderr), "", "{arguments:?}");
    (text(&output.stdout), output.status.code().unwrap())
}

fn old() -> String {
    let name = field("f1", "Name", "string", r#","max":60"#);
    let kind = picklist("f2", "Kind", &["A", "B"]);
    let phone = field("f3", "Pager", "phone", "");
    schema("s1", "Customer", &[name, kind, phone])
}

fn new() -> String {
    let name = field("f1", "Full Name", "string", r#","max":40"#);
    let kind = picklist("f2", "Kind", &["B", "C"]);
    let fax = field("f4", "Fax", "phone", "");
    let text = schema("s1", "Customer", &[name, kind, fax]);
    text.replace("\"version\":1", "\"version\":2")
}

/// A folder with both.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("old.json"), old()).unwrap();
    fs::write(folder.path().join("new.json"), new()).unwrap();
    folder
}

#[test]
fn each_difference_is_told_with_whom_it_concerns() {
    let folder = folder();
    let (printed, code) = told(&["old.json", "new.json"], folder.path());
    assert_eq!(
        printed,
        "\
Customer, version 1 → 2 (old.json, new.json)
  \"Full Name\" was named \"Name\"
    readers: renamed, its values stand under another name
    writers: renamed, its values stand under another name
    api: major
  \"Full Name\": max 60 → 40
    data: max_length, texts may be longer than the bound
    writers: max_length, texts may be longer than the bound
    api: patch
  \"Kind\": staticPicklist: added C; removed A
    data: picklist, codes may be none of the picklist's
    readers: picklist, codes may be none of the picklist's
    writers: picklist, codes may be none of the picklist's
    api: major
  \"Fax\" is new
    api: major
  \"Pager\" is gone
    readers: gone, the field is not there any more
    writers: unknown_key, a body that names the field is refused
    api: major

data: max_length, picklist; api: major; readers: gone, renamed, picklist; writers: renamed, unknown_key, max_length, picklist
"
    );
    assert_eq!(code, 1);
    let (printed, code) = told(&["old.json", "old.json"], folder.path());
    assert_eq!((printed.as_str(), code), ("nothing differs\n", 0));
}

#[test]
fn it_fails_for_those_who_are_named_only() {
    let folder = folder();
    let wider = old().replace("\"max\":60", "\"max\":80");
    fs::write(folder.path().join("wider.json"), wider).unwrap();
    let cases = [
        ("data", 0),
        ("writers", 0),
        ("api", 0),
        ("data,api,writers", 0),
        ("readers", 1),
        ("data,readers", 1),
    ];
    for (audience, expected) in cases {
        let (_, code) = told(
            &["old.json", "wider.json", "--fail-on", audience],
            folder.path(),
        );
        assert_eq!(code, expected, "{audience}");
    }
    let (_, code) = told(&["old.json", "new.json", "--fail-on", "api"], folder.path());
    assert_eq!(code, 1);
    let wrong = run(
        &["old.json", "new.json", "--fail-on", "nobody"],
        folder.path(),
    );
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn programs_get_json_and_pull_requests_a_table() {
    let folder = folder();
    let arguments = ["old.json", "new.json", "--format", "json"];
    let (printed, _) = told(&arguments, folder.path());
    let all: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(all["differs"], true);
    assert_eq!(all["api"], "major");
    let changes = all["schemas"][0]["changes"].as_array().unwrap();
    assert_eq!(changes[1]["property"], "max");
    assert_eq!(changes[1]["from"], 60);
    assert_eq!(changes[1]["field"]["oldName"], "Name");
    assert_eq!(changes[2]["codes"]["added"][0], "C");
    let arguments = ["old.json", "new.json", "--format", "markdown"];
    let (printed, _) = told(&arguments, folder.path());
    assert!(printed.starts_with("### Customer, version 1 → 2\n\n| difference | data |"));
    let row = "| \"Full Name\": max 60 → 40 | max_length | patch | – | max_length |\n";
    assert!(printed.contains(row), "{printed}");
}

#[test]
fn folders_are_compared_schema_by_schema() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let city = |name: &str| schema("s2", name, &[field("f1", "Size", "integer", "")]);
    write("old/a.json", old());
    write("old/city.json", city("City"));
    write("old/gone.json", schema("s3", "Gone", &[]));
    write("new/b.json", new());
    write("new/town.json", city("Town"));
    write("new/fresh.json", schema("s4", "Fresh", &[]));
    let (printed, code) = told(&["old", "new"], folder.path());
    assert_eq!(code, 1);
    for part in [
        "Customer, version 1 → 2 (old/a.json, new/b.json)\n",
        "Fresh, version 1 (new/fresh.json)\n  the schema is new\n    api: minor\n",
        "Gone, version 1 (old/gone.json)\n  the schema is gone\n    readers: gone\n",
        "Town, version 1 (old/city.json, new/town.json)\n  the schema was named \"City\"\n    api: major\n",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
    let (printed, _) = told(&["old", "new", "--schema", "Fresh"], folder.path());
    assert!(!printed.contains("Customer"), "{printed}");
    // of many, only the one that was named
    let (printed, _) = told(&["old/a.json", "new"], folder.path());
    assert!(printed.contains("Customer") && !printed.contains("Fresh"));
}

#[test]
fn a_schema_that_has_the_name_which_another_one_had_is_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    for (file, id, name) in [
        ("old/city.json", "s1", "City"),
        ("new/a.json", "s2", "City"),
        ("new/b.json", "s1", "Town"),
    ] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, schema(id, name, &[])).unwrap();
    }
    let (printed, _) = told(&["old", "new"], folder.path());
    for part in [
        "City, version 1 (new/a.json)\n  the schema is new\n",
        "Town, version 1 (old/city.json, new/b.json)\n  the schema was named \"City\"\n",
    ] {
        assert!(printed.contains(part), "{part}\n{printed}");
    }
}

#[test]
fn a_revision_of_git_is_a_side() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        let quiet = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
        command
            .args(quiet)
            .args(arguments)
            .current_dir(folder.path());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    fs::create_dir(folder.path().join("schemas")).unwrap();
    let file = folder.path().join("schemas/customer.json");
    fs::write(&file, old()).unwrap();
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "first"]);
    fs::write(&file, new()).unwrap();
    for (old, new) in [
        ("git:HEAD:schemas", "schemas"),
        ("git:HEAD:schemas/", "git:HEAD:schemas"),
        ("git:HEAD:schemas/customer.json", "schemas/customer.json"),
    ] {
        let (printed, code) = told(&[old, new], folder.path());
        let is_same = new.starts_with("git");
        assert_eq!(code, i32::from(!is_same), "{printed}");
        assert_eq!(printed.contains("max 60 → 40"), !is_same);
    }
    for (side, expected) in [
        ("git:HEAD", "names no file of git"),
        ("git:--output=x:schemas", "names no file of git"),
        ("git:HEAD:nothing", "git can't read git:HEAD:nothing"),
        ("git:nowhere:schemas", "git can't read"),
        ("git:HEAD:/schemas", "has an absolute path"),
    ] {
        let output = run(&[side, "schemas"], folder.path());
        assert_eq!(output.status.code(), Some(2), "{side}");
        let error = text(&output.stderr);
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn rows_that_become_faulty_are_counted_by_field_and_rule() {
    let folder = folder();
    let long = "x".repeat(50);
    let rows = format!(
        "Name,Kind,Pager\nAnn,B,\n{long},A,\nBen,A,\nCid,Z,\n{},B,\n",
        "x".repeat(70)
    );
    fs::write(folder.path().join("rows.csv"), rows).unwrap();
    let arguments = ["old.json", "new.json", "--records", "rows.csv"];
    let (printed, code) = told(&arguments, folder.path());
    assert_eq!(code, 1);
    let expected = "  of 5 rows 2 would become faulty
    \"Full Name\", max_length: 1 row, line 3
    \"Kind\", picklist: 2 rows, line 3, 4
";
    assert!(printed.contains(expected), "{printed}");
    // rows decide about data where there are some
    fs::write(folder.path().join("fine.csv"), "Name,Kind,Pager\nAnn,B,\n").unwrap();
    let [before, after, records, _] = arguments;
    let fine = [before, after, records, "fine.csv", "--fail-on", "data"];
    assert_eq!(told(&fine, folder.path()).1, 0);
    let bad = [before, after, records, "rows.csv", "--fail-on", "data"];
    assert_eq!(told(&bad, folder.path()).1, 1);
    let json = [before, after, records, "rows.csv", "--format", "json"];
    let all: Value = serde_json::from_str(&told(&json, folder.path()).0).unwrap();
    let found = &all["schemas"][0]["records"];
    assert_eq!((&found["rows"], &found["faulty"]), (&5.into(), &2.into()));
    assert_eq!(found["findings"][1]["lines"], serde_json::json!([3, 4]));
    // rows of empty cells are none where there is a key, as an import has it
    fs::write(
        folder.path().join("blank.csv"),
        "Name,Kind,Pager\nAnn,B,\n,,\n",
    )
    .unwrap();
    let blank = ["old.json", "new.json", "--records", "blank.csv"];
    assert!(told(&blank, folder.path()).0.contains("of 2 rows"));
    for (file, text) in [("old.json", old()), ("new.json", new())] {
        let keyed = text.replacen(r#""isPrimaryKey":false"#, r#""isPrimaryKey":true"#, 1);
        fs::write(folder.path().join(file), keyed).unwrap();
    }
    let (printed, _) = told(&blank, folder.path());
    assert!(printed.contains("of 1 row"), "{printed}");
}

#[test]
fn types_are_judged_by_their_identifiers() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, fields: &[String]| {
        let text = schema("s1", "Address", fields);
        fs::write(folder.path().join(name), text).unwrap();
    };
    let code = |name: &str| field("f1", name, "string", "");
    write("old.json", &[code("Post Code")]);
    write("alike.json", &[code("Post-Code")]);
    let (printed, _) = told(&["old.json", "alike.json"], folder.path());
    let expected = "  \"Post-Code\" was named \"Post Code\"\n    readers: renamed";
    assert!(printed.contains(expected), "{printed}");
    assert!(printed.contains("api: patch;"), "{printed}");
    // the field is as it was, and its name is taken from it
    write(
        "taken.json",
        &[code("Post Code"), field("f2", "Post-Code", "string", "")],
    );
    let (printed, _) = told(&["old.json", "taken.json"], folder.path());
    let expected = "  \"Post Code\": identifier \"post_code\" → \"post_code_";
    assert!(printed.contains(expected), "{printed}");
    // a lock keeps it, and another name of the schema's field has the same identifier
    let mut generate = Command::new(env!("CARGO_BIN_EXE_generator"));
    generate.args(["old.json", "--out", "types", "--lock", "names.lock"]);
    assert!(
        generate
            .current_dir(folder.path())
            .status()
            .unwrap()
            .success()
    );
    write(
        "town.json",
        &[code("Town"), field("f2", "Post-Code", "string", "")],
    );
    for new in ["taken.json", "town.json"] {
        let (printed, _) = told(&["old.json", new, "--lock", "names.lock"], folder.path());
        assert!(!printed.contains("identifier"), "{printed}");
    }
    let (printed, _) = told(
        &["old.json", "town.json", "--lock", "names.lock"],
        folder.path(),
    );
    let renamed = printed.split("\"Post-Code\" is new").next().unwrap();
    assert!(
        renamed.contains("was named") && renamed.contains("api: patch"),
        "{printed}"
    );
    let wrong = run(
        &["old.json", "town.json", "--lock", "old.json"],
        folder.path(),
    );
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn documents_without_ids_go_by_names_and_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let document = |max: &str| {
        format!(r#"{{"name":"City","fields":[{{"name":"Name","dataType":"string","max":{max}}}]}}"#)
    };
    fs::write(folder.path().join("old.json"), document("40")).unwrap();
    fs::write(folder.path().join("new.json"), document("60")).unwrap();
    let (printed, _) = told(&["old.json", "new.json"], folder.path());
    assert!(printed.contains("\"Name\": max 40 → 60"), "{printed}");
    let other = schema("s1", "City", &[field("f1", "Name", "string", "")]);
    fs::write(folder.path().join("other.json"), other).unwrap();
    let (printed, _) = told(&["old.json", "other.json"], folder.path());
    let expected = "1 field matched by name, for want of a common fieldId: Name";
    assert!(printed.contains(expected), "{printed}");
}

#[test]
fn what_can_not_be_read_is_told_with_what_to_do() {
    let folder = folder();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("bad.json"), "{").unwrap();
    fs::write(folder.path().join("airport.rs"), "struct Airport;").unwrap();
    fs::write(folder.path().join("broken.rs"), "struct").unwrap();
    for (side, expected) in [
        ("nothing.json", "can't read nothing.json"),
        ("empty", "empty holds no schema document"),
        ("bad.json", "bad.json is no schema to compare"),
        ("airport.rs", "airport.rs holds no generated record"),
        ("broken.rs", "broken.rs is no Rust code"),
    ] {
        let output = run(&["old.json", side], folder.path());
        assert_eq!(output.status.code(), Some(2), "{side}");
        let error = text(&output.stderr);
        assert!(
            error.contains(expected) && error.contains("help"),
            "{error}"
        );
    }
}

#[test]
fn generated_code_is_the_schema_that_it_was_generated_of() {
    let folder = tempfile::tempdir().unwrap();
    let schemas = fixtures().join("schemas");
    let schemas = schemas.to_str().unwrap();
    let mut generate = Command::new(env!("CARGO_BIN_EXE_generator"));
    generate
        .args([schemas, "--out", "generated"])
        .current_dir(folder.path());
    assert!(generate.output().unwrap().status.success());
    let (printed, code) = told(&[schemas, "generated"], folder.path());
    assert_eq!((printed.as_str(), code), ("nothing differs\n", 0));
    let code = fixtures().join("generated/airport.rs");
    let airport = format!("{schemas}/airport.json");
    let (printed, _) = told(&[code.to_str().unwrap(), &airport], folder.path());
    assert_eq!(printed, "nothing differs\n");
}
