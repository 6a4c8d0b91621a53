//! Names in a manifest that stand for what the store has already.

use crate::support::{CITY, fail, json, run, succeed, write_company};
use std::path::Path;
use tempfile::{TempDir, tempdir};

/// The company, and a manifest of its schema alone, which says so of its domain.
fn company(domain: &str) -> TempDir {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(
        folder.path(),
        &["init", "--email", "a@b.com", "--tenant", "Bolt"],
    );
    let output = run(folder.path(), &["apply", "company.yaml"]);
    assert!(
        output
            .status
            .code()
            .is_some_and(|code| code == 0 || code == 3)
    );
    name_domain(folder.path(), domain);
    folder
}

fn name_domain(folder: &Path, domain: &str) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("city.json", &CITY.replace("the-countries", domain));
    write(
        "places.yaml",
        "tenants:\n  - name: Acme\n    areas:\n      - name: Places\n        description: Where things are.\n        schemas: [{document: city.json}]\n",
    );
}

#[test]
fn a_schema_finds_the_domain_that_the_tenant_has_already_by_its_name_or_id() {
    let folder = company("Countries");
    let again = succeed(folder.path(), &["apply", "places.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    let made = json(folder.path(), &["apply", "company.yaml"]);
    let steps = made["steps"].as_array().expect("steps");
    let domain = steps.iter().find(|step| step["what"] == "data domain");
    let id = domain.expect("a domain")["id"].as_str().expect("an id");
    name_domain(folder.path(), id);
    let again = succeed(folder.path(), &["apply", "places.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
}

#[test]
fn every_domain_that_nobody_has_is_told_also_in_the_message_that_programs_show() {
    let folder = company("Countries");
    let of_domain = |name: &str, domain: &str| {
        format!(
            r#"{{"name": "{name}", "dataType": "picklist", "picklistType": "dynamic", "dataDomainId": "{domain}"}}"#
        )
    };
    let fields = [
        of_domain("Country", "Cuontries"),
        of_domain("Twin", "Towns"),
    ];
    let city = format!(r#"{{"name": "City", "fields": [{}]}}"#, fields.join(", "));
    std::fs::write(folder.path().join("city.json"), city).expect("written");
    let output = run(folder.path(), &["apply", "places.yaml", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let message = document["error"]["message"].as_str().expect("a message");
    for part in [
        "in the tenant Acme",
        "the schema City (",
        "the field Country names the data domain `Cuontries`",
        "the field Twin names the data domain `Towns`",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn a_domain_that_nobody_has_is_refused_with_those_that_are_there() {
    let folder = company("Cuontries");
    for more in [&["--dry-run"][..], &[]] {
        let apply = [&["apply", "places.yaml"], more].concat();
        let message = fail(folder.path(), &apply);
        let expected = "the field Country names the data domain `Cuontries`";
        assert!(
            message.contains(expected) && message.contains("there are Countries"),
            "{message}"
        );
    }
    // another tenant has none of this name
    name_domain(folder.path(), "Countries");
    let places = folder.path().join("places.yaml");
    let text = std::fs::read_to_string(&places).expect("read");
    std::fs::write(&places, text.replace("Acme", "Bolt")).expect("written");
    let message = fail(folder.path(), &["apply", "places.yaml"]);
    assert!(message.contains("there is none yet"), "{message}");
}
