//! Faulty records get the checked-in `_errors` through the typed door too.

use crate::for_every_type;
use runtime::{FromJsonError, Record};
use serde_json::Value;
use tests::fixture;

/// Reads a schema's faulty records typed; the number of records.
fn refuse_all<R: Record>(schema: &str) -> usize {
    let data = fixture(&format!("records/{schema}.faulty.ndjson"));
    for line in data.lines() {
        // the record is taken as text: serde_json would change its numbers
        let row = runtime::schema::json::parse(line).unwrap();
        let part = |key: &str| {
            row.get(key)
                .map(|node| &line[node.start..node.end])
                .unwrap()
        };
        let value = |key: &str| serde_json::from_str::<Value>(part(key)).unwrap();
        let checked = match R::from_json(part("record").as_bytes()) {
            Err(FromJsonError::Faulty(checked)) => checked,
            Err(error) => panic!("{error}\n{line}"),
            Ok(_) => panic!("clean\n{line}"),
        };
        let errors: Value = serde_json::from_str(&checked.errors_json()).unwrap();
        assert_eq!(errors, value("errors"), "{line}");
        assert_eq!(
            checked.primary_key(),
            value("primary_key").as_str(),
            "{line}"
        );
        let entries: Vec<Value> = FromJsonError::Faulty(checked)
            .errors()
            .iter()
            .map(|entry| serde_json::json!({"name": entry.name, "errors": entry.errors}))
            .collect();
        assert_eq!(Value::Array(entries), errors);
    }
    data.lines().count()
}

#[test]
fn every_faulty_record_gets_the_errors_that_are_checked_in() {
    let records = for_every_type!(refuse_all);
    println!("{records} faulty records read typed");
    assert!(records > 450);
}
