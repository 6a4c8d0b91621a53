//! Typed records through `serde_json`, beside the typed door itself: what one reads the other reads, whatever
//! form `serde_json` hands its numbers over in.

use crate::features;
use runtime::{Decimal, Latitude, Record};

/// A field of each type that JSON writes as a number.
#[derive(Record)]
struct Numbers {
    #[field(name = "Whole")]
    whole: Option<i64>,
    #[field(name = "Double")]
    double: Option<f64>,
    #[field(name = "Amount")]
    amount: Option<Decimal>,
    #[field(name = "Degrees")]
    degrees: Option<Latitude>,
    #[field(name = "Several")]
    several: Vec<i64>,
    #[field(name = "Text")]
    text: Option<String>,
}

/// Bodies whose numbers a double holds, so that `serde_json` loses nothing without its features either.
const BODIES: &[&str] = &[
    r#"{"Whole":7,"Double":1.5,"Amount":12.25,"Degrees":-48.1,"Several":[1,2,3],"Text":"a"}"#,
    r#"{"Whole":-9007199254740991,"Double":1e300,"Amount":0.1,"Degrees":90,"Several":[0]}"#,
    r#"{"Whole":7.5}"#,
    r#"{"Double":"1.5"}"#,
    r#"{"Amount":1.005}"#,
    r#"{"Degrees":90.5}"#,
    r#"{"Several":[1,"2"]}"#,
    r#"{"Text":5}"#,
    r#"{"Whole":{"a":5}}"#,
    "5",
];

/// What is wrong without where it stands, since a text that `serde` handed over has no places of its own.
fn without_place(told: &str) -> &str {
    told.split(", see ").next().unwrap_or(told)
}

#[test]
fn serde_json_reads_what_the_typed_door_reads() {
    for body in BODIES {
        let ours = Numbers::from_json(body.as_bytes());
        let ours = ours
            .map(|record| record.to_json())
            .map_err(|error| without_place(&error.to_string()).to_owned());
        let value: serde_json::Value = serde_json::from_str(body).expect("JSON");
        for (way, theirs) in [
            ("from text", serde_json::from_str::<Numbers>(body)),
            ("from a value", serde_json::from_value::<Numbers>(value)),
        ] {
            let theirs = theirs.map(|record| record.to_json());
            match (&ours, theirs) {
                (Ok(ours), Ok(theirs)) => assert_eq!(*ours, theirs, "{way}, with {}", features()),
                // serde_json adds where it stopped
                (Err(ours), Err(theirs)) => assert!(
                    theirs.to_string().starts_with(ours.as_str()),
                    "{way}, with {}: {theirs}\nis not {ours}",
                    features()
                ),
                (ours, theirs) => panic!("{way}, with {}: {theirs:?}\nis not {ours:?}", features()),
            }
        }
    }
}

#[test]
fn serde_json_writes_what_the_typed_door_writes() {
    let record = Numbers::from_json(BODIES[0].as_bytes()).expect("a clean record");
    let text = serde_json::to_string(&record).expect("JSON");
    assert_eq!(text, record.to_json(), "with {}", features());
}

/// The form in which `serde_json` hands over a token is nothing that may be sent to get past a rule.
#[test]
fn what_only_looks_like_a_token_is_refused() {
    for value in [
        r#"{"$serde_json::private::Number":"5;"}"#,
        r#"{"$serde_json::private::Number":"5","b":1}"#,
        r#"{"$serde_json::private::Number":"x"}"#,
        r#"{"$serde_json::private::Number":""}"#,
        r#"{"$serde_json::private::Number":[5]}"#,
    ] {
        let body = format!(r#"{{"Whole":{value}}}"#);
        let read = serde_json::from_str::<Numbers>(&body);
        assert!(read.is_err(), "with {}: {body}", features());
    }
}
