//! The page about manifests and their JSON Schema: each example is applied, and all manifests hold to the schema.

use crate::support::{fail, succeed};
use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The examples of the page: the name of each file, and its text.
fn examples(page: &str) -> Vec<(&str, &str)> {
    let blocks = page.split("\n```").skip(1).step_by(2);
    let files = blocks.filter_map(|block| {
        let (head, text) = block.split_once('\n')?;
        Some((head.split_once(' ')?.1, text))
    });
    files.collect()
}

fn is_manifest(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "yaml")
}

#[test]
fn each_example_of_the_page_is_applied() {
    let page = read(&docs().join("manifest.md"));
    let examples = examples(&page);
    let folder = tempdir().expect("a folder");
    for (name, text) in &examples {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let manifests = examples.iter().filter(|(name, _)| is_manifest(name));
    let names: Vec<&str> = manifests.map(|(name, _)| *name).collect();
    assert_eq!(names, ["company.yaml", "rest.yaml", "more.yaml"]);
    for name in names {
        let told = succeed(folder.path(), &["apply", name]);
        assert!(
            !told.contains("left out, ") && told.ends_with("done\n"),
            "{told}"
        );
        let again = succeed(folder.path(), &["apply", name]);
        assert!(again.ends_with("nothing to change\n"), "{again}");
    }
}

#[test]
fn the_schema_beside_the_page_is_the_one_that_is_printed_and_manifests_hold_to_it() {
    let folder = tempdir().expect("a folder");
    let printed = succeed(folder.path(), &["manifest", "schema"]);
    let path = docs().join("manifest.schema.json");
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &printed).expect("written");
    }
    assert!(
        printed == read(&path),
        "run this test with UPDATE_SCHEMA=1 and review"
    );
    let schema: Value = serde_json::from_str(&printed).expect("JSON");
    let schema = jsonschema::validator_for(&schema).expect("a schema");
    let page = read(&docs().join("manifest.md"));
    let fixture = |name: &str| read(&docs().join("../../fixtures").join(name));
    let (demo, hostile) = (fixture("demo.yaml"), fixture("hostile.yaml"));
    let examples = examples(&page).into_iter();
    let examples = examples.filter(|(name, _)| is_manifest(name));
    let mut count = 0;
    let fixtures = [("demo", demo.as_str()), ("hostile", hostile.as_str())];
    for (name, text) in examples.chain(fixtures) {
        // codes that look like truth values are quoted for who reads without knowing what is expected
        let text = text.replace("code: NO", "code: 'NO'");
        let manifest: Value = serde_saphyr::from_str(&text).expect("YAML");
        let problems: Vec<_> = schema
            .iter_errors(&manifest)
            .map(|it| it.to_string())
            .collect();
        assert!(problems.is_empty(), "{name}: {problems:#?}");
        count += 1;
    }
    assert_eq!(count, 5);
    for wrong in [
        r#"{"tenants": [{"nmae": "Acme"}]}"#,
        r#"{"tenants": [{"name": "Acme", "areas": [{"name": "A", "schemas": [{"document": 5}]}]}]}"#,
        r#"{"tenants": [{"name": "Acme", "roles": [{"name": "R", "permissions": {"DATASTES": ["view"]}}]}]}"#,
    ] {
        let manifest: Value = serde_json::from_str(wrong).expect("JSON");
        assert!(!schema.is_valid(&manifest), "{wrong}");
        std::fs::write(folder.path().join("wrong.json"), wrong).expect("written");
        fail(folder.path(), &["apply", "wrong.json"]);
    }
}
