//! The types of a crate that calls the runtime by another name, and how a code is read.

use fieldstone::{Record, UnknownCode};
use renamed::by_hand::Kind;
use renamed::{by_hand, city};

#[test]
fn generated_and_hand_written_types_read_and_write_alike() {
    let json = r#"{"Name":"Riga","Kind":"P"}"#;
    let generated = city::City::from_json(json.as_bytes()).unwrap();
    let by_hand = by_hand::City::from_json(json.as_bytes()).unwrap();
    assert_eq!(
        (generated.to_json(), by_hand.to_json()),
        (json.into(), json.into())
    );
    assert_eq!(generated.kind, Some(city::CityKind::P));
}

#[test]
fn a_code_is_read_by_parse_and_by_try_from() {
    assert_eq!("P".parse(), Ok(Kind::P));
    assert_eq!(Kind::try_from("I"), Ok(Kind::I));
    assert_eq!("P".parse(), Ok(city::CityKind::P));
}

#[test]
fn a_bad_code_is_named_with_those_that_are_allowed() {
    let error: UnknownCode = "p".parse::<Kind>().unwrap_err();
    assert_eq!(error.code(), "p");
    assert_eq!(error.allowed().collect::<Vec<_>>(), ["P", "I"]);
    let told = r#""p" is no code of the picklist: must be one of P or I"#;
    assert_eq!(error.to_string(), told);
    let long = Kind::try_from("x".repeat(61).as_str())
        .unwrap_err()
        .to_string();
    assert!(
        long.starts_with(&format!("\"{}…\" is", "x".repeat(60))),
        "{long}"
    );
}

#[test]
fn serde_names_the_allowed_codes_and_never_the_value() {
    let told = |json: &str| serde_json::from_str::<Kind>(json).unwrap_err().to_string();
    let bad = told("\"p\"");
    assert!(bad.contains("must be one of P or I"), "{bad}");
    assert!(!bad.contains("\"p\""), "{bad}");
    assert!(told("7").contains("must be one of P or I"));
}
