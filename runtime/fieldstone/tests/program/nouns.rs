//! What a manifest does to nouns that are there: what it does not say stays, and what it changes is told in full.

use crate::support::{COMPANY, json, run, succeed, write_company};
use serde_json::{Value, json as value};
use std::path::Path;
use tempfile::{TempDir, tempdir};

fn company() -> TempDir {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    folder
}

fn write(folder: &Path, manifest: &str) {
    std::fs::write(folder.join("company.yaml"), manifest).expect("written");
}

/// The step of a thing in what a run tells, after the dry run told the same.
fn step(folder: &Path, what: &str) -> Value {
    let of = |more: &[&str]| {
        let report = json(folder, &[&["apply", "company.yaml"], more].concat());
        let steps = report["steps"].as_array().expect("steps").clone();
        let step = steps.into_iter().find(|step| step["what"] == what);
        step.unwrap_or_else(|| panic!("no {what}: {report}"))
    };
    let dry = of(&["--dry-run"]);
    let step = of(&[]);
    assert_eq!(dry, step, "as the dry run said");
    step
}

const CODES: &str = "          - {code: NL, description: Netherlands}\n          - {code: DE, description: Germany}\n";

#[test]
fn codes_that_a_manifest_does_not_have_stay_unless_it_says_that_its_own_are_all() {
    let folder = company();
    let codes = |codes: &str| COMPANY.replace(CODES, codes);
    let two = "          - {code: DE, description: Deutschland}\n          - {code: BE}\n";
    write(folder.path(), &codes(two));
    let told = step(folder.path(), "data domain");
    let expected = value!({
        "added": {"count": 1, "first": ["BE"]}, "changed": {"count": 1, "first": ["DE"]},
        "removed": {"count": 0, "first": []}, "kept": {"count": 1, "first": ["NL"]}});
    assert_eq!(told["codes"], expected, "{told}");
    // the same again changes nothing, and a description that is not said stays
    write(folder.path(), &codes("          - {code: DE}\n"));
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    let line = "    = codes not in the manifest, and left as they were: 2 (BE, NL)\n";
    assert!(
        again.contains(line) && again.ends_with("nothing to change\n"),
        "{again}"
    );
    let all = format!("{two}        mode: replace\n");
    write(folder.path(), &codes(&all));
    let told = succeed(folder.path(), &["apply", "company.yaml"]);
    assert!(told.contains("    - codes removed: 1 (NL)\n"), "{told}");
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // one that stands there twice is a mistake in either mode
    write(
        folder.path(),
        &codes("          - {code: DE}\n          - {code: DE}\n"),
    );
    let output = run(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn properties_that_a_manifest_does_not_say_stay_as_they_are() {
    let folder = company();
    let full = COMPANY
        .replace(
            "- name: Cities",
            "- name: Cities\n                description: Large",
        )
        .replace(
            "- name: crm",
            "- name: crm\n        description: The CRM\n        expires: 2999-01-01",
        )
        .replace(
            "username: anna",
            "username: anna\n        fullName: Anna Smith",
        )
        .replace("- name: Clerk", "- name: Clerk\n        description: Looks")
        .replace(
            "- name: People",
            "- name: People\n        active: false\n        description: All",
        );
    write(folder.path(), &full);
    let told = succeed(folder.path(), &["apply", "company.yaml"]);
    let expires = "    ~ expires null -> \"2999-01-01T00:00:00.000Z\"\n";
    assert!(told.contains(expires), "{told}");
    let bare = COMPANY.replace("        tokenSeconds: 600\n", "");
    let (head, rights) = bare.split_once("    users:\n").expect("users");
    let rights: Vec<_> = rights
        .lines()
        .filter(|line| !line.contains("roles:") && !line.contains("areas:"))
        .collect();
    let head = head.replace("        description: Where things are.\n", "");
    write(
        folder.path(),
        &format!("{head}    users:\n{}\n", rights.join("\n")),
    );
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
}

#[test]
fn what_changes_in_a_noun_is_told_property_by_property_and_never_a_secret() {
    let folder = company();
    let changed = COMPANY
        .replace("Where things are.", "Where they are.")
        .replace("[view, add, edit]\n    users", "[view]\n    users")
        .replace(
            "email: anna@example.com\n        roles: [ACCOUNT ADMINISTRATOR]\n        areas: {all: [view, add, edit, delete]}",
            "email: anna@example.org\n        password: a quite long secret\n        roles: [Clerk]\n        areas: {Places: [view]}",
        )
        .replace("tokenSeconds: 600", "tokenSeconds: 60");
    write(folder.path(), &changed);
    let dry = succeed(folder.path(), &["apply", "company.yaml", "--dry-run"]);
    let told = succeed(folder.path(), &["apply", "company.yaml"]);
    for line in [
        "    ~ description \"Where things are.\" -> \"Where they are.\"\n",
        "    ~ DATA OBJECTS [\"view\",\"add\",\"edit\"] -> [\"view\"]\n",
        "    ~ email \"anna@example.com\" -> \"anna@example.org\"\n",
        "    ~ roles [\"ACCOUNT ADMINISTRATOR\"] -> [\"Clerk\"]\n",
        "    ~ areas {\"*\":[\"view\",\"add\",\"edit\",\"delete\"]} -> {\"Places\":[\"view\"]}\n",
        "    ~ tokenSeconds 600 -> 60\n",
    ] {
        assert!(dry.contains(line) && told.contains(line), "{line}{told}");
    }
    assert!(!told.contains("secret"), "{told}");
    write(folder.path(), COMPANY);
    let told = step(folder.path(), "application client");
    let expected = value!([{"property": "tokenSeconds", "from": 60, "to": 600}]);
    assert_eq!(told["properties"], expected, "{told}");
}
