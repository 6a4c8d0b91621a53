//! `generator export`: what each target looks like, and that no text of a schema becomes code or markup. That no export
//! is stricter than its schema is told by the conformance cases.

mod support;

use generator::{Input, Target, export, read_schema};
use std::fs;
use support::{field, fixture_schemas, fixtures, folder, run, schema, text};

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
        insta::assert_snapshot!(format!("city_{name}"), export(&schema, target));
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
                export(&schema, target),
                "{file} {name}"
            );
        }
    }
}

#[test]
fn hostile_names_stay_names() {
    let hostile = "</td><script>x</script> | `a` [b](c) \\ \"'; DROP TABLE x; --\n# y";
    let more = format!(",\"description\":{}", support::json(hostile));
    let document = schema("s1", "S", &[field("1", hostile, "string", &more)]);
    let schema = read_schema(&Input::new("a.json", document)).unwrap();
    let html = export(&schema, Target::Html);
    assert!(!html.contains("<script"), "{html}");
    let markdown = export(&schema, Target::Markdown);
    let rows = markdown.lines().filter(|line| line.starts_with("| "));
    assert_eq!(rows.count(), 3, "{markdown}");
    assert!(markdown.contains("\\<script\\>"), "{markdown}");
    let sqlite = export(&schema, Target::Sqlite);
    let quoted = hostile.replace('"', "\"\"");
    assert!(sqlite.contains(&format!("  \"{quoted}\" TEXT")), "{sqlite}");
    let json = export(&schema, Target::JsonSchema);
    let root = ::schema::json::parse(&json).unwrap();
    assert!(root.get("properties").unwrap().get(hostile).is_some());
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
