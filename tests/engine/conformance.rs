//! Every case of `fixtures/conformance`, through the dynamic door.

use runtime::schema::{Origin, Schema};
use runtime::validate::{Checked, Checker, CodeLookup, FileFacts, Lookups, Rejected};
use serde_json::Value;
use std::collections::HashMap;
use tests::{fixture, fixture_names};

/// The look-ups of a case.
pub(crate) struct CaseLookups<'a>(&'a Value);

impl Lookups for CaseLookups<'_> {
    fn code(&self, domain_id: &str, code: &str) -> CodeLookup {
        match self.0["domains"][domain_id].as_array() {
            None => CodeLookup::NoDomain,
            Some(codes) if codes.iter().any(|known| known == code) => CodeLookup::Known,
            Some(_) => CodeLookup::Unknown,
        }
    }

    fn file(&self, reference: &str) -> Option<FileFacts> {
        let facts = self.0["files"].get(reference)?;
        Some(FileFacts {
            id: facts["id"].as_str()?.to_owned(),
            media_type: facts["mediaType"].as_str()?.to_owned(),
            size: facts["size"].as_u64()?,
            width: facts["width"].as_u64(),
            height: facts["height"].as_u64(),
        })
    }
}

fn bytes_of(case: &Value) -> Vec<u8> {
    if let Some(hex) = case["input_hex"].as_str() {
        let pairs = hex.as_bytes().chunks(2);
        return pairs
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
    }
    case["input"]
        .as_str()
        .expect("an input")
        .as_bytes()
        .to_vec()
}

fn judge(checker: &Checker, case: &Value) -> Result<Checked, Rejected> {
    let lookups = case.get("lookups").map(CaseLookups);
    let lookups = lookups.as_ref().map(|lookups| lookups as &dyn Lookups);
    match (case["stored"].as_str(), case["change"].as_str()) {
        (Some(stored), Some(change)) => checker
            .merge(stored, change.as_bytes(), lookups)
            .map(|merged| merged.checked),
        _ => checker.check_with(&bytes_of(case), lookups),
    }
}

/// What the engine said, in the shape of the case's expectation.
fn outcome(result: &Result<Checked, Rejected>, case: &Value) -> Value {
    match result {
        Ok(checked) => serde_json::json!({
            "normal_form": checked.normal_form(),
            "primary_key": checked.primary_key(),
            "errors": serde_json::from_str::<Value>(&checked.errors_json()).unwrap(),
        }),
        Err(rejected) => {
            let named = |at: usize| case["rejected"][at].get("name").is_some();
            let items = rejected.items().iter().enumerate().map(|(at, item)| {
                let mut shown =
                    serde_json::json!({"code": item.code.name(), "offset": item.offset});
                if named(at) {
                    shown["name"] = item.name.clone().into();
                }
                shown
            });
            serde_json::json!({"rejected": items.collect::<Vec<_>>()})
        }
    }
}

fn expectation(case: &Value) -> Value {
    match case.get("rejected") {
        Some(rejected) => serde_json::json!({"rejected": rejected}),
        None => serde_json::json!({
            "normal_form": case["normal_form"],
            "primary_key": case["primary_key"],
            "errors": case["errors"],
        }),
    }
}

#[test]
fn every_conformance_case_has_its_exact_outcome() {
    let mut cases = 0;
    let mut wrong = Vec::new();
    for name in fixture_names("conformance", ".json") {
        let file: Value = serde_json::from_str(&fixture(&format!("conformance/{name}"))).unwrap();
        let checkers: HashMap<_, _> = file["schemas"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(key, schema)| {
                let document = Schema::read(&schema.to_string(), Origin::Elsewhere)
                    .unwrap_or_else(|problems| panic!("{name}: {key}: {problems}"));
                (key, Checker::new(&document.schema).unwrap())
            })
            .collect();
        for case in file["cases"].as_array().unwrap() {
            cases += 1;
            let checker = &checkers[&case["schema"].as_str().unwrap().to_owned()];
            let result = judge(checker, case);
            let (found, expected) = (outcome(&result, case), expectation(case));
            if found != expected {
                let input = case
                    .get("input")
                    .or(case.get("change"))
                    .unwrap_or(&case["input_hex"]);
                wrong.push(format!(
                    "{name}: {}\n  input    {input}\n  expected {expected}\n  found    {found}",
                    case["name"]
                ));
            } else if let Ok(checked) = result
                && case.get("stored").is_none()
            {
                // a stored form, judged again, is itself; a refused element is stored in its array
                let again = checker
                    .check_with(checked.normal_form().as_bytes(), None)
                    .unwrap();
                assert_eq!(
                    again.normal_form(),
                    checked.normal_form(),
                    "{name}: {}",
                    case["name"]
                );
            }
        }
    }
    println!("{cases} conformance cases");
    assert!(
        wrong.is_empty(),
        "{} of {cases} cases\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(cases > 2_500);
}
