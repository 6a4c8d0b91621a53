//! Values without the frame of an answer: they are read as the answer would be that holds them, and has
//! no word of its own about their faults.

use crate::for_every_type;
use runtime::typed::StoredError;
use runtime::{Record, Stored, Typed};
use tests::fixture;

/// The answer that a record without `_errors` has.
fn framed(values: &str) -> String {
    let members = values.trim().strip_prefix('{').expect("an object");
    let comma = if members == "}" { "" } else { "," };
    format!(r#"{{"_dataObjectId":"","_version":0,"_errors":[]{comma}{members}"#)
}

/// Both readings of every record of a schema's fixtures; how many were clean, and how many not.
fn read_both_ways<R: Record>(schema: &str) -> usize {
    let clean = fixture(&format!("data/{schema}.ndjson"));
    let faulty = fixture(&format!("records/{schema}.faulty.ndjson"));
    let faulty = faulty.lines().map(|line| {
        let row = runtime::schema::json::parse(line).unwrap();
        let record = row.get("record").unwrap();
        &line[record.start..record.end]
    });
    let (mut typed, mut raw) = (0, 0);
    for values in clean.lines().take(200).chain(faulty) {
        let stored = Stored::<R>::from_json(framed(values).as_bytes()).unwrap();
        match (
            Typed::<R>::from_values(values.as_bytes()).unwrap(),
            stored.record,
        ) {
            (Typed::Clean(ours), Typed::Clean(theirs)) => {
                assert_eq!(ours.to_json(), theirs.to_json());
                typed += 1;
            }
            (
                Typed::Faulty { json, errors },
                Typed::Faulty {
                    json: their_json,
                    errors: their_errors,
                },
            ) => {
                assert_eq!(json, their_json);
                assert_eq!(errors, their_errors);
                raw += 1;
            }
            _ => panic!("one reading finds faults and the other none: {values}"),
        }
    }
    assert!(raw > 0, "{schema} has faulty records");
    typed + raw
}

#[test]
fn values_alone_are_read_as_the_answer_that_holds_them() {
    assert!(for_every_type!(read_both_ways) > 1_000);
}

#[test]
fn what_the_type_has_no_field_for_is_left_out() {
    use downstream::generated::currency::Currency;
    let values = br#" {"_version": 7, "Code": "EUR", "Symbol": [ "e" ], "Numeric Code": 978, "Name": "Euro"} "#;
    let record = Typed::<Currency>::from_values(values).unwrap().clean();
    let record = record.expect("the record itself is clean");
    assert!(record.to_json().starts_with(r#"{"Code":"EUR","#));
}

#[test]
fn only_an_object_has_values() {
    use downstream::generated::currency::Currency;
    let error = |json: &[u8]| Typed::<Currency>::from_values(json).unwrap_err();
    assert_eq!(error(b"[]"), StoredError::Shape);
    assert!(matches!(error(b"\xFF"), StoredError::Rejected(_)));
    let StoredError::Syntax(syntax) = error(br#"{"Code": EUR}"#) else {
        panic!("a word is no value");
    };
    assert_eq!(syntax.offset, 9, "the place is told as the caller sees it");
}
