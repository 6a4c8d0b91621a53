//! A primary key is what a record is known by: a change that does not name it leaves it in the form in which it is stored,
//! also where rules that changed since make it a value of its type, which has another form.

use runtime::schema::format::{DateFormat, Separator};
use runtime::schema::{Bound, DataType, Field, Schema};
use runtime::validate::Checker;

/// A checker of records with a key of this type.
fn keyed(key: Field) -> Checker {
    let schema = Schema {
        id: "s".to_owned(),
        name: "S".to_owned(),
        fields: vec![
            Field {
                primary_key: true,
                ..key
            },
            Field::new("f2", "Size", DataType::Float),
        ],
        ..Schema::default()
    };
    Checker::new(&schema).unwrap()
}

#[track_caller]
fn check(key: Field, stored: &str, normal: &str) {
    let checker = keyed(key);
    let body = |key: &str| format!(r#"{{"K":{key},"Size":7.0}}"#);
    let merged = |change: &str| {
        let merged = checker.merge(&body(stored), change.as_bytes(), None);
        let checked = merged.unwrap().checked;
        assert!(checked.is_clean(), "{}", checked.errors_json());
        let key = checked.primary_key().unwrap().to_owned();
        (checked.into_normal_form(), key)
    };
    let text = |key: &str| key.trim_matches('"').to_owned();
    let kept = (body(stored), text(stored));
    assert_eq!(merged("{}"), kept);
    assert_eq!(merged(r#"{"Size":7}"#), kept);
    // where it is named, and where the record is judged as one that is sent, it is any value
    let named = merged(&format!(r#"{{"K":{stored}}}"#));
    assert_eq!(named, (body(normal), text(normal)));
    let anew = checker.check(body(stored).as_bytes()).unwrap();
    assert_eq!(anew.normal_form(), body(normal));
    // and what stands beside it takes its form
    let whole = checker.merge(&body(stored).replace("7.0", "7"), b"{}", None);
    assert_eq!(whole.unwrap().checked.normal_form(), body(stored));
}

#[test]
fn a_stored_key_stays_as_it_is_stored_until_a_change_names_it() {
    let integer = || Field::new("f1", "K", DataType::Integer);
    check(integer(), "1e3", "1000");
    check(integer(), "5", "5");
    let day = Field {
        date_format: Some(DateFormat::DayMonthYear),
        date_separator: Some(Separator::Slash),
        ..Field::new("f1", "K", DataType::Date)
    };
    check(day, r#""2019-05-06""#, r#""06/05/2019""#);
    let amount = Field::new("f1", "K", DataType::Currency);
    check(amount, "1.500", "1.5");
    let text = Field::new("f1", "K", DataType::String);
    check(text, r#""a b""#, r#""a b""#);
    let phone = Field::new("f1", "K", DataType::Phone);
    check(phone, r#""+49 (30) 1234567""#, r#""+49301234567""#);
}

#[test]
fn a_stored_key_that_is_faulty_is_told_as_such() {
    let bounded = Field {
        max: Some(Bound::from(5)),
        ..Field::new("f1", "K", DataType::Integer)
    };
    let merged = keyed(bounded).merge(r#"{"K":1e3,"Size":null}"#, b"{}", None);
    let checked = merged.unwrap().checked;
    assert_eq!(checked.primary_key(), Some("1e3"));
    assert_eq!(checked.to_string(), r#""K" must be at most 5"#);
}
