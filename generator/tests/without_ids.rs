//! Documents as people write them for `fieldstone apply`, without ids and without what only a service knows: each command
//! takes them.

use crate::support::{one, run, text};
use generator::{Config, Input, generate_locked, read_schema};
use std::fs;

const CUSTOMER: &str = r#"{"name": "Customer", "fields": [
    {"name": "Customer No", "dataType": "string", "isPrimaryKey": true, "isRequired": true, "max": 10}]}"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("customer.json"), CUSTOMER).unwrap();
    fs::write(folder.path().join("rows.csv"), "Customer No\nC1\n").unwrap();
    folder
}

#[test]
fn every_command_takes_a_document_without_ids() {
    let folder = folder();
    for arguments in [
        &["customer.json"][..],
        &["customer.json", "--out", "generated"],
        &["customer.json", "--out", "generated", "--check"],
        &["export", "customer.json", "--to", "json-schema"],
        &["export", "customer.json", "--to", "sqlite"],
        &["validate", "customer.json", "rows.csv"],
        &["sample", "customer.json"],
        &["lint", "customer.json"],
        &["explain", "customer.json"],
        &["diff", "customer.json", "generated/customer.rs"],
    ] {
        let output = run(arguments, folder.path());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {told}");
    }
}

#[test]
fn its_ids_are_those_that_the_derive_makes_and_a_note_says_so() {
    let folder = folder();
    let output = run(&["customer.json"], folder.path());
    let (code, told) = (text(&output.stdout), text(&output.stderr));
    for names in [&["Customer"][..], &["Customer", "Customer No"]] {
        let id = format!("id = {:?}", ::schema::id_of(names));
        assert!(code.contains(&id), "{id} is not in {code}");
    }
    assert!(
        told.contains("note: ids in customer.rs are made of names; fetch the document"),
        "{told}"
    );
    let quiet = run(&["customer.json", "--out", "g", "--quiet"], folder.path());
    assert_eq!(text(&quiet.stderr), "");
    assert!(!one(&crate::support::simple("s1", "City")).has_made_ids);
}

#[test]
fn what_is_wrong_with_one_is_told_without_what_only_a_fetched_one_has() {
    let wrong = CUSTOMER.replace("\"string\"", "\"strng\"");
    let error = read_schema(&Input::new("customer.json", wrong)).unwrap_err();
    let told = error.to_string();
    assert_eq!(told.matches("error:").count(), 1, "{told}");
    assert!(told.contains("strng"), "{told}");
    // the same name twice is the same id twice
    let twice = [
        Input::new("a.json", CUSTOMER),
        Input::new("b.json", CUSTOMER),
    ];
    let Err(error) = generate_locked(&twice, &Config::new()) else {
        panic!("two schemas of one id")
    };
    assert!(error.to_string().contains("is that of a.json too"));
}
