//! The conformance cases, judged by the dynamic door, with the engine's own bytes compared: the cases' reader
//! is `serde_json`, whose features are among those that are tried.

use crate::conformance::{Case, for_every_case, same};
use crate::features;
use runtime::schema::{Origin, Schema};
use runtime::validate::{Checked, Checker, Rejected};
use runtime::wire::FieldError;
use serde_json::Value;
use std::collections::HashMap;

fn judge(checker: &Checker, case: &Case<'_>) -> Result<Checked, Rejected> {
    match case.update() {
        Some((stored, change)) => checker
            .merge(stored, change.as_bytes(), case.lookups())
            .map(|merged| merged.checked),
        None => checker.check_with(&case.input(), case.lookups()),
    }
}

fn compile(case: &Case<'_>) -> Checker {
    let document = Schema::read(&case.document.to_string(), Origin::Elsewhere)
        .unwrap_or_else(|problems| panic!("{}: {}: {problems}", case.file, case.schema));
    Checker::new(&document.schema).expect("the schemas of the cases are free of contradictions")
}

/// `_errors` as the case expects it, to the byte.
fn expected_errors(case: &Case<'_>) -> String {
    let text = |entry: &Value, key: &str| entry[key].as_str().expect("a text").to_owned();
    let entries = case.told["errors"].as_array().expect("a list of errors");
    let entries: Vec<String> = entries
        .iter()
        .map(|entry| {
            let mut json = String::new();
            let (name, errors) = (text(entry, "name"), text(entry, "errors"));
            FieldError { name, errors }.write_json(&mut json);
            json
        })
        .collect();
    format!("[{}]", entries.join(","))
}

/// What is not as the case expects it.
fn difference(case: &Case<'_>, checked: &Checked) -> Result<(), String> {
    if case.told.get("rejected").is_some() {
        return Err("it should be refused".to_owned());
    }
    let errors = expected_errors(case);
    for (what, expected, found) in [
        (
            "normal form",
            case.text("normal_form"),
            Some(checked.normal_form()),
        ),
        (
            "primary key",
            case.text("primary_key"),
            checked.primary_key(),
        ),
        ("_errors", Some(&*errors), Some(&*checked.errors_json())),
    ] {
        if expected != found {
            return Err(format!("{what}: expected {expected:?}, found {found:?}"));
        }
    }
    Ok(())
}

#[test]
fn every_case_has_its_exact_outcome_whatever_features_are_on() {
    let mut checkers = HashMap::new();
    let cases = for_every_case(|case| {
        let checker = checkers
            .entry((case.file.to_owned(), case.schema.to_owned()))
            .or_insert_with(|| compile(case));
        let outcome = match judge(checker, case) {
            Ok(checked) => difference(case, &checked),
            Err(rejected) => same(&case.expectation(), &case.rejected(&rejected)),
        };
        outcome.map_err(|what| format!("with {}: {what}", features()))
    });
    println!("{cases} cases with {}", features());
    assert!(cases > 2_500);
}
