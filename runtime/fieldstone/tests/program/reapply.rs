//! Manifests that are applied again and again: several as one, what was switched off between, and a plan that
//! tells what would be refused.

use crate::support::{CITIES, CITY, COMPANY, fail, json, run, succeed, text, write_company};
use std::path::Path;
use tempfile::tempdir;

fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("written");
}

#[test]
fn manifests_of_one_tenant_are_one_in_whatever_order_they_are_named() {
    for order in [
        ["people.yaml", "places.yaml"],
        ["places.yaml", "people.yaml"],
    ] {
        let folder = tempdir().expect("a folder");
        write_company(folder.path());
        let (head, rest) = COMPANY.split_once("    roles:\n").expect("roles");
        write(folder.path(), "places.yaml", head);
        let people = format!("tenants:\n  - name: Acme\n    roles:\n{rest}");
        write(folder.path(), "people.yaml", &people);
        let apply = [&["apply"], &order[..]].concat();
        json(folder.path(), &apply);
        let users = json(folder.path(), &["user", "list"]);
        let areas = users[0]["areas"].as_array().expect("areas");
        assert_eq!(areas.len(), 1, "`all` is all areas of both: {users}");
        let again = succeed(folder.path(), &apply);
        assert!(again.ends_with("nothing to change\n"), "{again}");
    }
}

#[test]
fn two_things_of_one_name_are_refused_unless_they_are_the_same() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let twice = [
        (
            "      - name: People\n",
            "      - name: People\n      - name: Places\n",
            "the area Places stands twice",
        ),
        (
            "                records: [cities.ndjson]\n",
            "                records: [cities.ndjson]\n              - {name: Cities, description: Others}\n",
            "the dataset Cities stands twice",
        ),
        (
            "    clients:\n",
            "      - {name: crm, roles: [MEMBER]}\n    clients:\n",
            "the API key crm stands twice",
        ),
        (
            "      - name: People\n",
            "      - name: People\n      - name: Places\n        description: Where things are.\n        schemas: [{document: city.json, state: draft}]\n",
            "the schema City stands twice",
        ),
        (
            "    areas:\n      - name: Places",
            "      - {name: Others, id: the-countries, codes: []}\n    areas:\n      - name: Places",
            "the data domain with the id the-countries stands twice",
        ),
    ];
    for (place, with, expected) in twice {
        let text = COMPANY.replacen(place, with, 1);
        assert_ne!(text, COMPANY, "{place}");
        write(folder.path(), "company.yaml", &text);
        let message = fail(folder.path(), &["apply", "company.yaml"]);
        assert!(message.contains(expected), "{message}");
        let message = fail(folder.path(), &["key", "list"]);
        assert!(message.contains("holds no store"), "{message}");
    }
    // another manifest may say the same again
    write(folder.path(), "company.yaml", COMPANY);
    write(folder.path(), "copy.yaml", COMPANY);
    succeed(folder.path(), &["apply", "company.yaml", "copy.yaml"]);
    let again = succeed(folder.path(), &["apply", "copy.yaml", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
}

#[test]
fn what_an_operator_switched_off_stays_off_unless_the_manifest_says_otherwise() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    succeed(folder.path(), &["apply", "company.yaml"]);
    let all = [("key", "crm"), ("client", "shop"), ("user", "anna")];
    for (kind, name) in all {
        succeed(folder.path(), &[kind, "disable", name]);
    }
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
    // another change leaves it off as well
    let message = COMPANY.replace("tokenSeconds: 600", "tokenSeconds: 60");
    let message = message.replace(
        "roles: [Clerk]",
        "roles: [Clerk]\n        description: told",
    );
    write(
        folder.path(),
        "company.yaml",
        &message.replace("anna@", "anne@"),
    );
    let changed = succeed(folder.path(), &["apply", "company.yaml"]);
    let status = |kind: &str| json(folder.path(), &[kind, "list"])[0]["status"].clone();
    for step in ["API key crm", "application client shop", "user anna"] {
        assert!(changed.contains(&format!("~ {step}  ")), "{changed}");
    }
    for (kind, _) in all {
        assert_eq!(status(kind), "Inactive");
    }
    let on = COMPANY.replace("- name: crm", "- name: crm\n        active: true");
    write(folder.path(), "company.yaml", &on);
    succeed(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(
        (status("key"), status("user")),
        ("Active".into(), "Inactive".into())
    );
}

#[test]
fn a_dry_run_tells_every_mistake_that_writing_would_tell_without_the_store() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    for (right, wrong, expected) in [
        ("name: Acme", "name: ' Acme'", "white space at an end"),
        ("code: DE", "code: NL", "stands here twice"),
        (
            "- name: People",
            "- name: 'People '",
            "white space at an end",
        ),
        (
            "document: city.json",
            "document: city.json\n            state: drawn",
            "must be `draft` or `published`",
        ),
        (
            "- name: Cities",
            "- name: 'Cities '",
            "white space at an end",
        ),
        ("- name: Clerk", "- name: 'Clerk '", "white space at an end"),
        ("anna@example.com", "anna", "must be an e-mail address"),
        (
            "username: anna",
            "username: anna\n        password: short",
            "is too short",
        ),
        (
            "- name: crm",
            "- name: crm\n        expires: 2020-01-01T00:00:00Z",
            "is past",
        ),
        ("tokenSeconds: 600", "tokenSeconds: -1", "must be from 1"),
    ] {
        let text = COMPANY.replacen(right, wrong, 1);
        assert_ne!(text, COMPANY, "{right}");
        write(folder.path(), "wrong.yaml", &text);
        let message = fail(folder.path(), &["apply", "wrong.yaml", "--dry-run"]);
        assert!(message.contains(expected), "{wrong}: {message}");
        // so the real one leaves nothing half done
        fail(folder.path(), &["apply", "wrong.yaml"]);
        let message = fail(folder.path(), &["user", "list"]);
        assert!(message.contains("holds no store"), "{wrong}: {message}");
    }
}

#[test]
fn a_field_whose_name_passes_for_another_is_taken_from_elsewhere_and_warned_of_once() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let padded = |text: &str| text.replace(r#""People""#, r#""People ""#);
    write(folder.path(), "city.json", &padded(CITY));
    write(folder.path(), "cities.ndjson", &padded(CITIES));
    let told = "(city.json): $.fields[1].name: has white space at an end";
    for command in [
        &["apply", "company.yaml", "--dry-run"][..],
        &["apply", "company.yaml"],
    ] {
        let report = json(folder.path(), command);
        let warnings = report["warnings"].to_string();
        assert_eq!(warnings.matches(told).count(), 1, "{report}");
    }
    let again = json(folder.path(), &["apply", "company.yaml"]);
    assert!(!again.to_string().contains(told), "{again}");
}

#[test]
fn secrets_made_before_a_later_mistake_are_not_lost() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let bolt = |document: &str| {
        format!(
            "  - name: Bolt\n    domains: [{{name: Countries, id: the-countries}}]\n    areas: [{{name: Places, schemas: [{{document: {document}, \
             datasets: [{{name: Cities, records: [cities.ndjson]}}]}}]}}]\n"
        )
    };
    let first = format!("tenants:\n{}", bolt("city.json"));
    write(folder.path(), "bolt.yaml", &first);
    succeed(folder.path(), &["apply", "bolt.yaml"]);
    // records have this key, which shows when the schema is written only
    let keyless = CITY.replace("\"isPrimaryKey\": true", "\"isPrimaryKey\": false");
    write(folder.path(), "keyless.json", &keyless);
    write(
        folder.path(),
        "company.yaml",
        &(COMPANY.to_owned() + &bolt("keyless.json")),
    );
    let output = run(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert!(
        out.contains("shown this once: fst_") && out.contains("it stopped here"),
        "{out}"
    );
    let message = text(&output.stderr);
    assert!(
        message.contains("in the tenant Bolt") && message.contains("primary key"),
        "{message}"
    );
    // where all that is above is as it was, nobody is told that it was done
    write(
        folder.path(),
        "bolt.yaml",
        &format!("tenants:\n{}", bolt("keyless.json")),
    );
    let output = run(folder.path(), &["apply", "bolt.yaml"]);
    let out = text(&output.stdout);
    assert!(
        out.ends_with("it stopped here; nothing was changed\n"),
        "{out}"
    );
    write(
        folder.path(),
        "company.yaml",
        &(COMPANY.to_owned() + &bolt("city.json")),
    );
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    assert!(again.ends_with("nothing to change\n"), "{again}");
}

#[test]
fn seeds_of_a_dataset_without_a_key_are_left_as_they_were_once_it_has_records() {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    let keyless = CITY.replace("\"isPrimaryKey\": true", "\"isPrimaryKey\": false");
    write(folder.path(), "city.json", &keyless);
    succeed(folder.path(), &["apply", "company.yaml"]);
    let again = succeed(folder.path(), &["apply", "company.yaml"]);
    let line = "0 new, 0 changed, 3 as they were, 0 edited by others, 0 left out\n    as they were: the dataset has no key to find them by\n";
    assert!(
        again.contains(line) && again.ends_with("nothing to change\n"),
        "{again}"
    );
    // its export is of its own, too
    let out = folder.path().join("out");
    let out = out.to_str().expect("a path");
    let export = ["manifest", "export", "--tenant", "Acme", "--records", out];
    let manifest = succeed(folder.path(), &export);
    write(folder.path(), "export.yaml", &manifest);
    let same = succeed(folder.path(), &["apply", "export.yaml"]);
    assert!(same.ends_with("nothing to change\n"), "{same}");

    // what is to be changed has to be found
    let upsert = COMPANY.replace("[cities.ndjson]", "[{file: cities.ndjson, mode: upsert}]");
    write(folder.path(), "company.yaml", &upsert);
    let output = run(folder.path(), &["apply", "company.yaml"]);
    assert_eq!(output.status.code(), Some(3));
}
