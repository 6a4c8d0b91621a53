//! Picklists that may grow: a field of `Open<Kind>` keeps a code that the enum does not have, and everything else is as
//! it is with `Kind`.

#![allow(unused_qualifications, reason = "a path says the same")]

use runtime::{FromJsonError, Open, OtherCode, Patch as _, Picklist, Record};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Picklist)]
enum Kind {
    #[code("P")]
    Port,
    #[code("Dry Dock")]
    Dock,
}

#[derive(Clone, PartialEq, Eq, Hash, Record)]
#[record(name = "Yard", id = "y1", patch)]
struct Yard {
    #[field(picklist, primary_key)]
    key: Open<Kind>,
    #[field(picklist)]
    kind: Option<runtime::Open<Kind>>,
    #[field(picklist)]
    kinds: Vec<Open<Kind>>,
    #[field(picklist)]
    closed: Option<Kind>,
}

#[derive(Clone, PartialEq, Record)]
#[record(name = "Yard", id = "y1")]
struct ClosedYard {
    #[field(picklist, primary_key)]
    key: Kind,
    #[field(picklist)]
    kind: Option<Kind>,
    #[field(picklist)]
    kinds: Vec<Kind>,
    #[field(picklist)]
    closed: Option<Kind>,
}

const GROWN: &str =
    r#"{"key":"Slip\"way","kind":"Ω 2","kinds":["P"," x ","Dry Dock"],"closed":"P"}"#;

fn other(code: &str) -> Open<Kind> {
    Open::Other(OtherCode::new(code).expect("the code is unknown"))
}

fn names_of_faults(json: &str) -> Vec<String> {
    match Yard::from_json(json.as_bytes()) {
        Err(FromJsonError::Faulty(checked)) => checked
            .errors()
            .into_iter()
            .map(|error| error.name)
            .collect(),
        _ => panic!("the record has faults"),
    }
}

#[test]
fn an_unknown_code_is_kept_and_written_as_it_came() {
    let yard = Yard::from_json(GROWN.as_bytes()).unwrap();
    assert_eq!(yard.key, other("Slip\"way"));
    assert_eq!(yard.kind, Some(other("Ω 2")));
    assert_eq!(yard.kinds[0], Kind::Port);
    assert_eq!(yard.kinds[1], other(" x "));
    assert_eq!(yard.to_json(), GROWN);
    assert_eq!(yard.primary_key().as_deref(), Some("Slip\"way"));
    assert_eq!(yard.kind.as_ref().unwrap().known(), None);
    assert_eq!(yard.kinds[2].to_string(), "Dry Dock");
    assert!(yard.validate().is_clean());
    let text = serde_json::to_string(&yard.kinds).unwrap();
    assert_eq!(text, r#"["P"," x ","Dry Dock"]"#);
    let kinds: Vec<Open<Kind>> = serde_json::from_str(&text).unwrap();
    assert_eq!(kinds, yard.kinds);
}

#[test]
fn a_known_code_is_never_an_unknown_one() {
    for known in Kind::ALL {
        assert!(OtherCode::<Kind>::new(known.code()).is_none());
        assert_eq!(Open::from_code(known.code()), Some(Open::Known(*known)));
        let json = GROWN.replace("Ω 2", known.code());
        let yard = Yard::from_json(json.as_bytes()).unwrap();
        assert_eq!(yard.kind, Some(Open::from(*known)));
        assert_eq!(yard.to_json(), json);
    }
    // what counts as no value is no code either
    assert!(Open::<Kind>::from_code("").is_none());
    assert!(Open::<Kind>::from_code(" \u{a0}").is_none());
    assert!(serde_json::from_str::<Open<Kind>>("\"\"").is_err());
}

#[test]
fn what_is_no_code_is_a_fault_still() {
    assert_eq!(
        names_of_faults(r#"{"key": 7, "kind": true, "kinds": ["P", null], "closed": "Z"}"#),
        ["key", "kind", "kinds", "closed"]
    );
    assert_eq!(names_of_faults(r#"{"kind": " "}"#), ["key"]);
}

#[test]
fn an_open_type_has_the_schema_of_the_closed_one() {
    assert_eq!(Yard::schema(), ClosedYard::schema());
    assert!(ClosedYard::from_json(GROWN.as_bytes()).is_err());
}

#[test]
fn patches_carry_unknown_codes() {
    let after = Yard::from_json(GROWN.as_bytes()).unwrap();
    let mut yard = Yard {
        key: Kind::Port.into(),
        kind: Some(other("Z")),
        ..after.clone()
    };
    let patch = YardPatch::diff(3, &yard, &after);
    assert_eq!(
        patch.to_json(),
        r#"{"_version":3,"key":"Slip\"way","kind":"Ω 2"}"#
    );
    patch.apply(&mut yard).unwrap();
    assert!(yard == after);
    // what was written before the picklist was open is written still
    let patch = YardPatch {
        key: Kind::Dock.into(),
        kind: Kind::Port.into(),
        closed: Kind::Port.into(),
        ..YardPatch::default()
    };
    assert_eq!(
        patch.to_json(),
        r#"{"_version":0,"key":"Dry Dock","kind":"P","closed":"P"}"#
    );
}
