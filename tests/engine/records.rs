//! Real records: clean ones pass and come out as they went in, faulty ones get exactly the `_errors`
//! that are checked in.

use runtime::schema::{Origin, Schema};
use runtime::validate::Checker;
use serde_json::Value;
use tests::{fixture, fixture_names};

fn checker(schema: &str) -> Checker {
    let document = Schema::read(
        &fixture(&format!("schemas/{schema}.json")),
        Origin::Elsewhere,
    )
    .unwrap_or_else(|problems| panic!("{schema}: {problems}"));
    Checker::new(&document.schema).unwrap()
}

#[test]
fn every_real_record_is_clean_and_its_normal_form_is_a_fixed_point() {
    for name in fixture_names("data", ".ndjson") {
        let checker = checker(name.trim_end_matches(".ndjson"));
        let mut count = 0;
        for line in fixture(&format!("data/{name}")).lines() {
            let checked = checker
                .check(line.as_bytes())
                .unwrap_or_else(|error| panic!("{name}: {error}\n{line}"));
            assert!(
                checked.is_clean(),
                "{name}: {}\n{line}",
                checked.errors_json()
            );
            let again = checker.check(checked.normal_form().as_bytes()).unwrap();
            assert_eq!(again.normal_form(), checked.normal_form());
            count += 1;
        }
        println!("{count} records of {name}");
    }
}

#[test]
fn every_faulty_record_gets_the_errors_that_are_checked_in() {
    let mut wrong = Vec::new();
    for name in fixture_names("records", ".faulty.ndjson") {
        let checker = checker(name.trim_end_matches(".faulty.ndjson"));
        for line in fixture(&format!("records/{name}")).lines() {
            // the record is taken as text: serde_json would change its numbers
            let row = runtime::schema::json::parse(line).unwrap();
            let part = |key: &str| {
                row.get(key)
                    .map(|node| &line[node.start..node.end])
                    .unwrap()
            };
            let value = |key: &str| serde_json::from_str::<Value>(part(key)).unwrap();
            let checked = checker.check(part("record").as_bytes()).unwrap();
            let errors: Value = serde_json::from_str(&checked.errors_json()).unwrap();
            if errors != value("errors") || value("primary_key").as_str() != checked.primary_key() {
                wrong.push(format!(
                    "{name}: {line}\n  found {errors} {:?}",
                    checked.primary_key()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
