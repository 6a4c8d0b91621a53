//! Manifests of what is there: a tenant that is written down, and made again elsewhere.

use crate::support::{CITIES, CITY, COMPANY, fail, json, succeed, write_company};
use serde_json::Value;
use std::path::Path;
use tempfile::{TempDir, tempdir};

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

fn company(more: &str) -> TempDir {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    // words that YAML takes for something else, a field that is switched off, and settings that are not the defaults
    let text = COMPANY
        .replace(
            "code: DE, description: Germany",
            "code: 'NO', description: '1.10'",
        )
        .replace("- name: People", "- name: 'on'\n        active: false")
        .replace(
            "- name: crm",
            "- name: '0x1F'\n        expires: 2999-01-01\n        active: false",
        )
        .replace(
            "document: city.json",
            "document: city.json\n            state: draft",
        );
    write(folder.path(), "company.yaml", &text);
    let off = CITY.replace(
        "\"name\": \"People\", \"active\": true",
        &format!("\"name\": \"People\", \"active\": false, {more}"),
    );
    write(folder.path(), "city.json", &off);
    let cities = CITIES
        .replace("\"People\": 1.1e5, ", "")
        .replace("\"People\": 128928, ", "");
    write(
        folder.path(),
        "cities.ndjson",
        &cities.replace("\"People\": -1, ", ""),
    );
    succeed(folder.path(), &["apply", "company.yaml"]);
    folder
}

#[test]
fn what_is_written_down_makes_the_same_in_an_empty_store_and_changes_nothing_in_its_own() {
    // numbers that are written in a way of their own stay so
    for (format, more) in [
        ("yaml", "\"ours\": \"NO\""),
        ("json", "\"ours\": [1.50, null]"),
    ] {
        let first = company(more);
        let export = [
            "manifest",
            "export",
            "--records",
            "records",
            "--format",
            format,
        ];
        let text = succeed(first.path(), &export);
        for secret in ["fst_", "password", "createdDate", "businessAreaId"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        let name = format!("all.{format}");
        write(first.path(), &name, &text);
        let again = succeed(first.path(), &["apply", &name]);
        assert!(again.ends_with("nothing to change\n"), "{text}\n{again}");

        let second = tempdir().expect("a folder");
        std::fs::create_dir(second.path().join("records")).expect("a folder");
        for entry in std::fs::read_dir(first.path().join("records")).expect("records") {
            let entry = entry.expect("an entry");
            let to = second.path().join("records").join(entry.file_name());
            std::fs::copy(entry.path(), to).expect("copied");
        }
        write(second.path(), &name, &text);
        let made = json(second.path(), &["apply", &name]);
        let secrets = made["steps"].as_array().expect("steps").iter();
        let secrets = secrets.filter(|step| step["secret"].is_string());
        assert_eq!(secrets.count(), 3, "who applies it gets new ones: {made}");
        assert_eq!(made["records"][0]["created"], 3);
        assert_eq!(succeed(second.path(), &export), text, "written down again");
    }
}

#[test]
fn without_records_none_are_written_and_a_tenant_is_named_where_there_are_several() {
    let folder = company("\"ours\": true");
    let text = succeed(folder.path(), &["manifest", "export", "--format", "json"]);
    let manifest: Value = serde_json::from_str(&text).expect("JSON");
    let tenant = &manifest["tenants"][0];
    assert_eq!(tenant["name"], "Acme");
    let schema = &tenant["areas"][0]["schemas"][0];
    assert_eq!(schema["document"]["fields"][1]["fieldId"], "f2");
    assert_eq!(schema["document"]["fields"][2]["dataDomainId"], "Countries");
    assert_eq!(schema["datasets"], serde_json::json!([{"name": "Cities"}]));
    let init = ["init", "--tenant", "Other", "--email", "o@example.com"];
    succeed(folder.path(), &init);
    let message = fail(folder.path(), &["manifest", "export"]);
    assert!(
        message.contains("say which with --tenant: Acme, Other"),
        "{message}"
    );
    let other = succeed(folder.path(), &["manifest", "export", "--tenant", "Other"]);
    assert!(other.contains("username: admin"), "{other}");
}
