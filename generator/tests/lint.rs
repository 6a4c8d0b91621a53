//! `generator lint` as a user runs it: each kind of advice once, at its place, and what allows it; and `explain`, which
//! tells of a field what the code and the rules make of it.

use crate::support::{field, fixtures, picklist, schema};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
    command.arg("lint").args(arguments).current_dir(folder);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The codes with their paths, of findings as JSON.
#[track_caller]
fn found(fields: &[String], more: &[&str]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), schema("s1", "City", fields)).unwrap();
    let arguments = [&["a.json", "--format", "json"][..], more].concat();
    let output = run(&arguments, folder.path());
    assert_eq!(text(&output.stderr), "");
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(i32::from(!printed.is_empty())));
    let lines = printed.lines().map(|line| {
        let one: serde_json::Value = serde_json::from_str(line).unwrap();
        let part = |key: &str| one[key].as_str().unwrap().to_owned();
        format!("{} {}", part("code"), part("path"))
    });
    lines.collect()
}

#[test]
fn each_kind_of_advice_stands_at_its_place() {
    let cases: [(&str, Vec<String>); 9] = [
        (
            "two_digit_year $.fields[0].dateFormat",
            vec![field("1", "A", "date", r#","dateFormat":"YYMMDD""#)],
        ),
        (
            "no_value $.fields[0].staticPicklist",
            vec![picklist("1", "A", &[])],
        ),
        (
            "idle_bound $.fields[0].max",
            vec![field("1", "A", "date-month", r#","max":12"#)],
        ),
        (
            "idle_bound $.fields[0].min",
            vec![field("1", "A", "string", r#","min":0"#)],
        ),
        (
            "idle_bound $.fields[0].max",
            vec![field("1", "A", "email", r#","max":300"#)],
        ),
        (
            "no_value $.fields[0].max",
            vec![field("1", "A", "url", r#","max":7"#)],
        ),
        (
            "no_value $.fields[0].max",
            vec![field("1", "A", "string", r#","max":0"#)],
        ),
        (
            "misspelt $.fields[0].maxlength",
            vec![field("1", "A", "string", "").replace("\"active\"", "\"max_Size\":1,\"active\"")],
        ),
        (
            "no_effect $.fields[0].maxSize",
            vec![field("1", "A", "string", r#","maxSize":1"#)],
        ),
    ];
    for (expected, fields) in cases {
        let expected = expected.replace("maxlength", "max_Size");
        assert_eq!(found(&fields, &[]), [expected]);
    }
    let key =
        field("1", "A", "string", "").replace("\"isPrimaryKey\":false", "\"isPrimaryKey\":true");
    assert_eq!(found(&[key], &[]), ["optional_key $.fields[0].isRequired"]);
    let alike = found(&[picklist("1", "A", &["DE", "de"])], &[]);
    let expected = "codes_alike $.fields[0].staticPicklist[1].code";
    assert!(alike.contains(&expected.to_owned()), "{alike:?}");
    let both = [
        field("1", "Post Code", "string", ""),
        field("2", "Post-Code", "string", ""),
    ];
    assert_eq!(
        found(&both, &[]),
        [
            "names_collide $.fields[0].name",
            "names_collide $.fields[1].name"
        ]
    );
}

#[test]
fn each_property_that_nobody_knows_is_told_by_lint_and_by_generating() {
    let all = fs::read_to_string(fixtures().join("misspelt.json")).unwrap();
    let all: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&all).unwrap();
    for (name, meant) in &all {
        let one = field("1", "A", "string", &format!(",\"{name}\":1"));
        let code = match meant.as_str() {
            Some(_) => "misspelt",
            None => "unknown_property",
        };
        let expected = format!("{code} $.fields[0].{name}");
        assert_eq!(found(std::slice::from_ref(&one), &[]), [expected]);
        let file = crate::support::one(&schema("s1", "City", &[one]));
        let [warning] = &file.warnings[..] else {
            panic!("{name}: {:?}", file.warnings)
        };
        let told = &warning.report.problem.message;
        let asked = format!("nobody knows the property `{name}`; ");
        let end = match meant.as_str() {
            Some(meant) => format!("is `{meant}` meant?"),
            None => "it does nothing".to_owned(),
        };
        assert_eq!(*told, asked + &end);
        assert!(warning.report.column > 1, "{name}");
        let place = (
            warning.code,
            warning.schema.as_str(),
            warning.field.as_deref(),
        );
        assert_eq!(place, (code, "City", Some("A")));
    }
}

#[test]
fn what_is_allowed_is_not_told() {
    let short = |id: &str, name: &str| field(id, name, "date", r#","dateFormat":"YYMMDD""#);
    let fields = [short("1", "A"), short("2", "B")];
    for allowed in ["two_digit_year", "two_digit_year:City"] {
        assert!(
            found(&fields, &["--allow", allowed]).is_empty(),
            "{allowed}"
        );
    }
    let one = ["--allow", "two_digit_year:City/A"];
    assert_eq!(
        found(&fields, &one),
        ["two_digit_year $.fields[1].dateFormat"]
    );
    let other = ["--allow", "two_digit_year:Town"];
    assert_eq!(found(&fields, &other).len(), 2);
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.json"), schema("s1", "City", &fields)).unwrap();
    let list = "# of old\n\ntwo_digit_year:City/A\n  two_digit_year:City/B\n";
    fs::write(folder.path().join("allow"), list).unwrap();
    let output = run(&["a.json", "--allow-list", "allow"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    // as some editors begin it
    let marked = "\u{feff}two_digit_year\n";
    fs::write(folder.path().join("allow"), marked).unwrap();
    let output = run(&["a.json", "--allow-list", "allow"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    for wrong in ["nothing", "contradiction"] {
        let output = run(&["a.json", "--allow", wrong], folder.path());
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn findings_are_shown_in_the_source_and_contradictions_are_told_with_them() {
    let folder = tempfile::tempdir().unwrap();
    let date = field("1", "A", "date", r#","dateFormat":"YYMMDD""#);
    fs::write(folder.path().join("a.json"), schema("s1", "City", &[date])).unwrap();
    let output = run(&["a.json"], folder.path());
    let printed = text(&output.stdout);
    let head = "warning[two_digit_year]: two digits of a year mean 1970 to 2069";
    assert!(printed.starts_with(head), "{printed}");
    assert!(
        printed.contains("a.json:1:") && printed.contains("\"YYMMDD\""),
        "{printed}"
    );
    assert_eq!(text(&output.stderr), "1 finding\n");
    let wrong = field("1", "A", "integer", r#","min":9,"max":1"#);
    fs::write(folder.path().join("a.json"), schema("s1", "City", &[wrong])).unwrap();
    let output = run(&["a.json"], folder.path());
    assert!(text(&output.stdout).starts_with("error[contradiction]: "));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_schemas_of_the_fixtures_have_no_advice_but_what_they_are_there_for() {
    let schemas = fixtures().join("schemas");
    for name in ["country", "currency", "language", "subdivision"] {
        let file = schemas.join(format!("{name}.json"));
        let output = run(&[file.to_str().unwrap()], &schemas);
        let printed = text(&output.stdout);
        assert!(!printed.contains("error["), "{name}: {printed}");
    }
    let codes = run(&["--codes"], &schemas);
    assert_eq!(codes.status.code(), Some(0));
    assert!(text(&codes.stdout).contains("two_digit_year"));
}

#[test]
fn a_field_is_explained_with_its_name_type_and_messages() {
    let folder = tempfile::tempdir().unwrap();
    let size = field("f1", "2nd Size", "integer", r#","min":1"#);
    let old = field("f2", "Old", "string", "").replace("\"active\":true", "\"active\":false");
    fs::write(
        folder.path().join("a.json"),
        schema("s1", "City", &[old, size]),
    )
    .unwrap();
    let explain = |field: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
        command
            .args(["explain", "a.json"])
            .args(field)
            .current_dir(folder.path());
        command.output().unwrap()
    };
    let output = explain(&["2nd Size"]);
    assert_eq!(
        text(&output.stdout),
        "\
\"2nd Size\" (f1)
  name: field_2nd_size
    because an identifier can't begin with a digit
  type: Option<i64>
    because values of the type integer are i64
    because it may be missing, as it is not isRequired
  values are refused with
    must be a single value [single]
    must be a whole number [integer]
    must be at least 1 [min]
    must be at most 9007199254740991 [max]

"
    );
    assert!(text(&explain(&["f2"]).stdout).contains("not active"));
    assert!(text(&explain(&[]).stdout).contains("f1"));
    let output = explain(&["Nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it has \"Old\", \"2nd Size\""));
}

#[test]
fn a_field_is_explained_as_it_is_told_elsewhere_and_by_the_name_that_a_lock_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.json");
    let document = |name: &str| schema("s1", "City", &[field("f1", name, "integer", "")]);
    let generator = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_generator"));
        let output = command.args(arguments).current_dir(folder.path()).output();
        output.unwrap()
    };
    fs::write(&file, document("2nd Size")).unwrap();
    let alone = generator(&["explain", "a.json", "2nd Size"]);
    let told = generator(&["explain", "a.json", "City.2nd Size"]);
    assert_eq!(text(&told.stdout), text(&alone.stdout));
    let generate = ["a.json", "--out", "gen", "--lock", "names.lock"];
    assert_eq!(generator(&generate).status.code(), Some(0));
    fs::write(&file, document("Length")).unwrap();
    let explain = ["explain", "a.json", "Length"];
    let locked = generator(&[&explain[..], &["--lock", "names.lock"]].concat());
    let name = "  name: field_2nd_size\n    because the lock keeps that name\n";
    assert!(
        text(&locked.stdout).contains(name),
        "{}",
        text(&locked.stdout)
    );
    assert!(text(&generator(&explain).stdout).contains("  name: length\n"));
    let missing = generator(&[&explain[..], &["--lock", "none.lock"]].concat());
    assert_eq!(missing.status.code(), Some(2));
    assert!(text(&missing.stderr).contains("there is no lock file none.lock"));
}
