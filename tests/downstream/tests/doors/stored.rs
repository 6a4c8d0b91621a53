//! Answers of the service: clean records come typed, faulty ones raw with their faults, and nothing
//! is dropped.

use crate::{checker, for_every_type};
use runtime::validate::Checked;
use runtime::{Record, Stored, Typed};
use tests::fixture;

/// What the service would answer: the normal form between its system properties.
fn answer(number: usize, checked: &Checked) -> String {
    let values = checked
        .normal_form()
        .trim_start_matches('{')
        .trim_end_matches('}');
    let errors = checked.errors_json();
    if number.is_multiple_of(2) {
        format!(
            r#"{{"_dataObjectId":"id-{number}","_version":{number},"_errors":{errors},{values}}}"#
        )
    } else {
        format!(
            r#"{{ {values}, "_errors": {errors}, "_version": {number}, "_dataObjectId": "id-{number}" }}"#
        )
    }
}

/// A page of clean and faulty records, mixed, read typed; their number.
fn read_a_page<R: Record>(schema: &str) -> usize {
    let checker = checker(schema);
    let clean = fixture(&format!("data/{schema}.ndjson"));
    let faulty = fixture(&format!("records/{schema}.faulty.ndjson"));
    let clean = clean.lines().take(50).map(str::to_owned);
    let faulty = faulty.lines().map(|line| {
        let row = runtime::schema::json::parse(line).unwrap();
        let record = row.get("record").unwrap();
        line[record.start..record.end].to_owned()
    });
    let mut judged: Vec<Checked> = clean
        .chain(faulty)
        .map(|body| checker.check(body.as_bytes()).unwrap())
        .collect();
    // clean and faulty ones by turns, as far as they go
    judged.sort_by_key(|checked| checked.normal_form().len());
    let answers: Vec<String> = judged
        .iter()
        .enumerate()
        .map(|(n, c)| answer(n, c))
        .collect();
    let page = Stored::<R>::list_from_json(format!("[{}]", answers.join(",")).as_bytes()).unwrap();
    assert_eq!(page.len(), judged.len(), "nothing is dropped");
    for ((number, stored), checked) in page.into_iter().enumerate().zip(&judged) {
        assert_eq!(stored.id, format!("id-{number}"));
        assert_eq!(stored.version, number as u64);
        assert!(stored.unknown.is_empty());
        match stored.record {
            Typed::Clean(record) => {
                assert!(checked.is_clean());
                assert_eq!(record.to_json(), checked.normal_form());
            }
            Typed::Faulty { json, errors } => {
                assert!(!checked.is_clean());
                assert_eq!(json, checked.normal_form());
                assert_eq!(errors, checked.errors());
            }
        }
    }
    judged.len()
}

#[test]
fn a_page_of_answers_comes_typed_or_raw_and_nothing_is_dropped() {
    assert!(for_every_type!(read_a_page) > 1_000);
}

#[test]
fn an_answer_without_errors_is_judged_by_the_types_own_schema() {
    use downstream::generated::currency::Currency;
    let text = br#"{"_dataObjectId": "c1", "_version": 0, "Code": "EURO", "Numeric Code": 978, "Name": "Euro"}"#;
    let Typed::Faulty { json, errors } = Stored::<Currency>::from_json(text).unwrap().record else {
        panic!("a code of four letters is faulty");
    };
    assert_eq!(json, r#"{"Code":"EURO","Numeric Code":978,"Name":"Euro"}"#);
    assert_eq!(errors[0].errors, "must have at most 3 characters");
}

#[test]
fn a_field_that_is_newer_than_the_type_is_kept_beside_the_record() {
    use downstream::by_hand::Airport;
    let line = fixture("data/airport.ndjson")
        .lines()
        .next()
        .unwrap()
        .to_owned();
    let body = format!(
        r#"{{"_dataObjectId":"a","_version":3,"_errors":[],"Runways": [ 1.50, "N" ],{}"#,
        &line[1..]
    );
    let stored = Stored::<Airport>::from_json(body.as_bytes()).unwrap();
    assert_eq!(
        stored.unknown,
        [("Runways".to_owned(), r#"[1.50,"N"]"#.to_owned())]
    );
    assert_eq!(stored.version, 3);
    let record = stored.record.clean().expect("the record itself is clean");
    assert_eq!(
        record.to_json(),
        checker("airport")
            .check(line.as_bytes())
            .unwrap()
            .normal_form()
    );
}

#[test]
fn a_record_that_its_type_cannot_read_does_not_hide_the_others() {
    use downstream::generated::currency::Currency;
    let page = br#"[
        {"_dataObjectId": "c1", "_version": 0, "_errors": [], "Code": "EUR", "Numeric Code": 978, "Name": "Euro"},
        {"_dataObjectId": "c2", "_version": 4, "_errors": [], "Code": "XXX", "Numeric Code": [[1]], "Name": {"en": "None"}},
        {"_dataObjectId": "c3", "_version": 1, "_errors": [], "Code": "USD", "Numeric Code": 840, "Name": "US Dollar"}]"#;
    let page = Stored::<Currency>::list_from_json(page).unwrap();
    let clean: Vec<bool> = page
        .iter()
        .map(|stored| matches!(stored.record, Typed::Clean(_)))
        .collect();
    assert_eq!(clean, [true, false, true]);
    let Typed::Faulty { json, errors } = &page[1].record else {
        panic!("an object is no name");
    };
    assert_eq!(
        json,
        r#"{"Code":"XXX","Numeric Code":[[1]],"Name":{"en":"None"}}"#
    );
    let told: Vec<(&str, &str)> = errors
        .iter()
        .map(|error| (error.name.as_str(), error.errors.as_str()))
        .collect();
    let text = "a value must be a scalar or an array of scalars, see what begins at byte";
    assert_eq!(told[0].0, "Numeric Code");
    assert_eq!(told[1].0, "Name");
    assert!(told.iter().all(|(_, told)| told.starts_with(text)));
}
