//! `generator export`: what each target looks like, and that no text of a schema becomes code or markup. That no export
//! is stricter than its schema is told by the conformance cases.

use crate::support::{command, field, fixture_schemas, fixtures, folder, run, schema, text};
use ::schema::Schema;
use generator::{ExportError, Input, Target, export, export_all, read_schema};
use std::fs;
use std::io::Write as _;
use std::process::Stdio;

const TARGETS: [(&str, Target); 7] = [
    ("json-schema", Target::JsonSchema),
    ("sqlite", Target::Sqlite),
    ("postgresql", Target::Postgresql),
    ("typescript", Target::TypeScript),
    ("python", Target::Python),
    ("dictionary", Target::Markdown),
    ("dictionary-html", Target::Html),
];

#[test]
fn snapshots_of_a_schema_in_every_target() {
    let input = Input::new("city.json", include_str!("city.json"));
    let schema = read_schema(&input).unwrap();
    for (name, target) in TARGETS {
        insta::assert_snapshot!(format!("city_{name}"), export(&schema, target).unwrap());
    }
}

#[test]
fn the_program_prints_what_the_library_writes() {
    let folder = fixtures().join("schemas");
    for name in fixture_schemas() {
        let file = format!("{name}.json");
        let document = fs::read_to_string(folder.join(&file)).unwrap();
        let schema = read_schema(&Input::new(&file, document)).unwrap();
        for (name, target) in TARGETS {
            let printed = run(&["export", &file, "--to", name], &folder);
            assert_eq!(printed.status.code(), Some(0), "{file} {name}");
            assert_eq!(
                text(&printed.stdout),
                export(&schema, target).unwrap(),
                "{file} {name}"
            );
        }
    }
}

#[test]
fn a_data_dictionary_is_asked_for_by_its_format_too() {
    let folder = folder();
    for (alias, name) in [("markdown", "dictionary"), ("html", "dictionary-html")] {
        let printed = |to: &str| run(&["export", "a.json", "--to", to], folder.path());
        let output = printed(alias);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert_eq!(output.stdout, printed(name).stdout);
    }
}

#[test]
fn hostile_names_stay_names() {
    let hostile = "</td><script>x</script> | `a` [b](c) \\ \"'; DROP TABLE x; --\n# y";
    let more = format!(",\"description\":{}", crate::support::json(hostile));
    let document = schema("s1", "S", &[field("1", hostile, "string", &more)]);
    let schema = read_schema(&Input::new("a.json", document)).unwrap();
    let html = export(&schema, Target::Html).unwrap();
    assert!(!html.contains("<script"), "{html}");
    let markdown = export(&schema, Target::Markdown).unwrap();
    let rows = markdown.lines().filter(|line| line.starts_with("| "));
    assert_eq!(rows.count(), 3, "{markdown}");
    assert!(markdown.contains("\\<script\\>"), "{markdown}");
    let sqlite = export(&schema, Target::Sqlite).unwrap();
    let quoted = hostile.replace('"', "\"\"");
    assert!(sqlite.contains(&format!("  \"{quoted}\" TEXT")), "{sqlite}");
    let json = export(&schema, Target::JsonSchema).unwrap();
    let root = ::schema::json::parse(&json).unwrap();
    assert!(root.get("properties").unwrap().get(hostile).is_some());
}

#[test]
fn whole_numbers_that_no_double_holds_are_told_to_who_reads_them_as_such() {
    let fields = [
        field("1", "Id", "integer", r#","max":9223372036854775807"#),
        field(
            "2",
            "Count",
            "integer",
            r#","min":0,"max":9007199254740991"#,
        ),
    ];
    let document = schema("s1", "S", &fields);
    let schema = read_schema(&Input::new("a.json", document)).unwrap();
    let types = export(&schema, Target::TypeScript).unwrap();
    let told = "Beyond ±9007199254740991, `JSON.parse` makes another number of it.\n   */\n  \"Id\": number | null;";
    assert!(types.contains(told), "{types}");
    assert_eq!(types.matches("JSON.parse").count(), 1, "{types}");
}

#[test]
fn several_documents_are_a_file_each_in_a_directory() {
    let folder = folder();
    for (to, ending) in [
        ("typescript", "ts"),
        ("python", "py"),
        ("json-schema", "schema.json"),
        ("dictionary-html", "html"),
    ] {
        let out = format!("types/{ending}");
        let output = run(&["export", ".", "--to", to, "--out", &out], folder.path());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let out = folder.path().join(out);
        let files = ["a", "b"].map(|name| format!("{name}.{ending}"));
        assert_eq!(crate::support::names(&out), files);
        let alone = run(&["export", "a.json", "--to", to], folder.path());
        let written = fs::read_to_string(out.join(&files[0])).unwrap();
        assert_eq!(written, text(&alone.stdout));
    }
    fs::create_dir(folder.path().join("more")).unwrap();
    let other = folder.path().join("more/a.json");
    fs::write(&other, crate::support::simple("s9", "Other")).unwrap();
    let twice = ["export", "a.json", "more/a.json", "--to", "python"];
    let output = run(&[&twice[..], &["--out", "same"]].concat(), folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("would be the file a.py"));
    assert!(!folder.path().join("same").exists());
}

#[test]
fn a_document_that_is_read_is_not_written_over_and_files_that_differ_by_case_are_one() {
    let folder = folder();
    let before = fs::read_to_string(folder.path().join("a.json")).unwrap();
    let over = ["export", "a.json", "--to", "json-schema", "--out", "a.json"];
    let refused = run(&over, folder.path());
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(told.contains("a.json would be written over"), "{told}");
    // of several files none is written
    fs::create_dir(folder.path().join("out")).unwrap();
    let document = crate::support::simple("s9", "Other");
    fs::write(folder.path().join("out/b.schema.json"), &document).unwrap();
    fs::write(folder.path().join("out/b"), &document).unwrap();
    let inputs = ["a.json", "out/b", "out/b.schema.json"];
    let export = [
        &["export"][..],
        &inputs,
        &["--to", "json-schema", "--out", "out"],
    ]
    .concat();
    let refused = run(&export, folder.path());
    assert_eq!(refused.status.code(), Some(2));
    let names = crate::support::names(&folder.path().join("out"));
    assert_eq!(names, ["b", "b.schema.json"]);
    let now = fs::read_to_string(folder.path().join("a.json")).unwrap();
    assert_eq!(now, before);
    fs::create_dir(folder.path().join("more")).unwrap();
    fs::write(folder.path().join("more/A.json"), &document).unwrap();
    let export = [
        "export",
        "a.json",
        "more/A.json",
        "--to",
        "python",
        "--out",
        "same",
    ];
    let refused = run(&export, folder.path());
    let told = text(&refused.stderr);
    assert!(told.contains("would be the file A.py"), "{told}");
}

#[test]
fn a_schema_of_standard_input_is_a_file_of_its_own_name() {
    let folder = folder();
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let arguments = ["export", "-", "--to", "python", "--out", "out"];
    for name in ["Sea Port", "Con"] {
        let mut child = command(&arguments, folder.path())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let document = crate::support::simple("s9", name);
        let mut input = child.stdin.take().unwrap();
        input.write_all(document.as_bytes()).unwrap();
        drop(input);
        assert!(child.wait().unwrap().success());
    }
    // Windows has no file of a device's name
    assert_eq!(crate::support::names(&out), ["con_.py", "sea_port.py"]);
}

#[test]
fn several_schemas_are_several_tables_and_no_single_document() {
    let folder = folder();
    let tables = run(&["export", ".", "--to", "sqlite"], folder.path());
    assert_eq!(text(&tables.stdout).matches("CREATE TABLE").count(), 2);
    let refused = run(&["export", ".", "--to", "json-schema"], folder.path());
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("export them one by one"));
    let missing = run(&["export", "no.json", "--to", "sqlite"], folder.path());
    assert_eq!(missing.status.code(), Some(2));
    let arguments = ["export", "a.json", "--to", "sqlite", "--out", "a.sql"];
    assert_eq!(run(&arguments, folder.path()).status.code(), Some(0));
    assert!(folder.path().join("a.sql").exists());
}

/// A schema with optional texts of these names.
fn texts(name: &str, fields: &[String]) -> Schema {
    let numbered = fields.iter().enumerate();
    let fields: Vec<_> = numbered
        .map(|(number, name)| field(&number.to_string(), name, "string", ""))
        .collect();
    read_schema(&Input::new("a.json", schema("s1", name, &fields))).unwrap()
}

#[test]
fn a_column_that_a_database_would_take_for_another_gets_a_number_within_the_longest_name() {
    let long = "é".repeat(31);
    let names = [
        format!("{long}a1"),
        format!("{long}a2"),
        "ctid".to_owned(),
        "xmin".to_owned(),
        "b".to_owned(),
    ];
    let told = export(&texts("T", &names), Target::Postgresql).unwrap();
    let columns: Vec<_> = told
        .lines()
        .filter_map(|line| line.strip_prefix("  \"")?.strip_suffix("\" text,"))
        .collect();
    let short = "é".repeat(30);
    let expected = [
        format!("{long}a"),
        format!("{short} 2"),
        "ctid 2".to_owned(),
        "xmin 2".to_owned(),
    ];
    assert_eq!(columns, expected, "{told}");
    let sqlite = export(&texts("T", &names), Target::Sqlite).unwrap();
    for name in &names {
        assert!(sqlite.contains(&format!("  \"{name}\" TEXT")), "{sqlite}");
    }
}

#[test]
fn what_can_be_no_table_is_refused_and_told() {
    let many: Vec<String> = (0..1601).map(|number| format!("F{number}")).collect();
    let wide = texts("Wide", &many);
    assert!(export(&wide, Target::Sqlite).is_ok());
    assert!(export(&wide, Target::Postgresql).is_err_and(|error| {
        error.to_string()
            == "\"Wide\" has 1601 active fields, and a table of PostgreSQL has 1600 columns at most"
    }));
    assert!(export(&texts("W", &many[1..]), Target::Postgresql).is_ok());
    let own = texts("SQLite_master", &many[..1]);
    assert!(export(&own, Target::Postgresql).is_ok());
    let refused = export(&own, Target::Sqlite);
    assert!(matches!(refused, Err(ExportError::Reserved { .. })));
    let both = ["City", "CITY"].map(|name| texts(name, &many[..1]));
    assert!(export_all(&both, Target::Postgresql).is_ok());
    let refused = export_all(&both, Target::Sqlite);
    assert!(matches!(refused, Err(ExportError::SameTable { .. })));
    let long = "x".repeat(63);
    let both = ["a", "b"].map(|end| texts(&format!("{long}{end}"), &many[..1]));
    assert!(export_all(&both, Target::Sqlite).is_ok());
    assert!(export_all(&both, Target::Postgresql).is_err());
    assert!(export_all(&both, Target::Markdown).is_ok());
}

#[test]
fn a_table_of_sqlite_takes_no_value_of_a_field_of_several_whatever_its_version_says_of_it() {
    let number = |more: &str| {
        let field = field(
            "1",
            "N",
            "integer",
            &format!(",\"isMultivalue\":true{more}"),
        );
        let schema = schema("s1", "S", &[field]);
        let schema = read_schema(&Input::new("a.json", schema)).unwrap();
        export(&schema, Target::Sqlite).unwrap()
    };
    let array = "json_valid(\"N\") AND json_type(\"N\") = 'array'";
    let optional = format!("CHECK (\"N\" IS NULL OR ({array}))");
    assert!(number("").contains(&optional), "{}", number(""));
}

#[test]
fn the_program_refuses_schemas_that_would_be_one_table() {
    let folder = folder();
    for (file, name) in [("c.json", "Same"), ("d.json", "same")] {
        let document = schema(file, name, &[field("1", "A", "string", "")]);
        fs::write(folder.path().join(file), document).unwrap();
    }
    let arguments = ["export", "c.json", "d.json", "--to", "sqlite"];
    let refused = run(&arguments, folder.path());
    assert_eq!(refused.status.code(), Some(2));
    let told = text(&refused.stderr);
    assert!(told.contains("would be one table of SQLite"), "{told}");
    assert!(refused.stdout.is_empty());
}
