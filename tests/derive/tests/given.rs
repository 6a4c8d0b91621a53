//! What the derives give, on a struct written by hand: the schema, reading, writing, judging, access
//! by name, `Debug` and serde.

use derive_tests::{EveryType, Kind};
use runtime::schema::{Origin, Schema};
use runtime::{FromJsonError, Picklist as _, Record as _};
use serde_json::{Value, json};

fn full() -> Value {
    json!({
        "Row": 7, "Kind": "N", "Kinds": ["S", "Other"], "Colour": "red", "Text": "abc",
        "Texts": ["a", "b c"], "Float": 1.5, "Money": 12.3, "Yes": true, "Date": "29 Feb 2020",
        "Time": "09:30 PM", "Moment": "20200229 23:59", "year": 1999, "month": 12, "day": 28,
        "E-mail": "canary@example.org", "Web": "https://example.org/a", "phone": "+4989123456",
        "Place": "48.1,11.6", "latitude": 48.1, "longitude": -11.6, "picture": "file-1",
        "files": ["file-2", "file-3"], "type": "b@example.org", "odd": false,
    })
}

fn read(json: &Value) -> Result<EveryType, FromJsonError> {
    EveryType::from_json(json.to_string().as_bytes())
}

fn full_record() -> EveryType {
    read(&full()).expect("the record is clean")
}

/// A field of the schema as JSON.
fn field<'a>(document: &'a Value, name: &str, active: bool) -> &'a Value {
    let fields = document["fields"].as_array().expect("fields is an array");
    let mut found = fields
        .iter()
        .filter(|f| f["name"] == name && f["active"] == active);
    found.next().expect("there is such a field")
}

#[test]
fn the_schema_says_everything_the_struct_says() {
    let document: Value = serde_json::from_str(&EveryType::schema()).unwrap();
    assert_eq!(document["schemaId"], "s-1");
    assert_eq!(document["name"], "Every Type");
    assert_eq!(document["description"], "Everything a record can hold.");
    assert_eq!(document["businessAreaId"], "area-1");
    assert_eq!(document["version"], 3);
    assert_eq!(document["later"], json!([1.5, null]));
    let row = json!({
        "fieldId": runtime::schema::id_of(&["Every Type", "Row"]), "name": "Row",
        "description": "Counts the rows.", "active": true, "dataType": "integer",
        "isPrimaryKey": true, "isSortKey": true, "isRequired": true, "min": 1, "max": 1000,
    });
    assert_eq!(*field(&document, "Row", true), row);
    let texts = field(&document, "Texts", true);
    assert_eq!(texts["isRequired"], true);
    assert_eq!(texts["isMultivalue"], true);
    assert_eq!(
        texts["classifiers"],
        json!([{"tagId": "t1", "tagName": "Tag", "x": 1}])
    );
    assert_eq!(field(&document, "E-mail", true)["isPII"], true);
    assert_eq!(field(&document, "Web", true)["isPII"], false);
    assert_eq!(field(&document, "Place", true).get("isPII"), None);
    let odd = field(&document, "odd", true);
    assert_eq!(odd["validationRules"], json!(["unknown"]));
    assert_eq!(odd["dateFormat"], "");
    assert_eq!(odd["min"], 3);
}

#[test]
fn number_bounds_keep_the_digits_of_the_source() {
    let document = EveryType::schema();
    assert!(document.contains(r#""min":-1.50,"max":2e6"#), "{document}");
    assert!(document.contains(r#""later":[1.50,null]"#), "{document}");
}

#[test]
fn the_schema_is_a_document_that_reads_back_as_itself() {
    let text = EveryType::schema();
    let document = Schema::read(&text, Origin::Elsewhere).expect("it has no contradiction");
    assert_eq!(document.schema.to_json(), text);
}

#[test]
fn inactive_fields_stand_at_their_places_and_not_in_records() {
    let schema = &**EveryType::SCHEMA;
    let names: Vec<&str> = schema
        .fields
        .iter()
        .map(|f| f.name.as_str())
        .take(6)
        .collect();
    assert_eq!(
        names,
        ["Row", "Old Kind", "Kind", "Kinds", "Kind", "Colour"]
    );
    assert!(!schema.fields[1].active && !schema.fields[4].active);
    let document: Value = serde_json::from_str(&EveryType::schema()).unwrap();
    let old = field(&document, "Old Kind", false);
    let codes = json!([{"code": "x", "description": "Ex", "order": 1}, {"code": "y"}]);
    assert_eq!(old["staticPicklist"], codes);
    assert_eq!(
        (&old["isRequired"], &old["isMultivalue"]),
        (&json!(true), &json!(false))
    );
    let mut body = full();
    body["Old Kind"] = json!("x");
    assert!(matches!(read(&body), Err(FromJsonError::Rejected(_))));
}

#[test]
fn static_codes_come_from_the_enum() {
    let document: Value = serde_json::from_str(&EveryType::schema()).unwrap();
    let codes = json!([
        {"code": "N", "description": "As it should be.", "order": 1.5},
        {"code": "S", "description": "By request"},
        {"code": "Other"},
    ]);
    assert_eq!(field(&document, "Kind", true)["staticPicklist"], codes);
    assert_eq!(field(&document, "Kinds", true)["staticPicklist"], codes);
    assert!(EveryType::schema().contains(r#""order":1.50"#));
}

#[test]
fn a_record_is_read_and_written_in_the_formats_of_its_fields() {
    let record = full_record();
    assert_eq!(record.kinds, [Kind::Special, Kind::Other]);
    assert_eq!(record.date, runtime::NaiveDate::from_ymd_opt(2020, 2, 29));
    assert_eq!(record.time, runtime::NaiveTime::from_hms_opt(21, 30, 0));
    assert_eq!(record.r#type.as_deref(), Some("b@example.org"));
    let written: Value = serde_json::from_str(&record.to_json()).unwrap();
    assert_eq!(written, full());
    assert!(EveryType::from_json(record.to_json().as_bytes()).unwrap() == record);
}

#[test]
fn what_is_missing_is_null_in_an_option_and_empty_in_a_list() {
    let record = read(&json!({"Row": 1, "Kind": "S", "Texts": ["a"]})).unwrap();
    assert!(record.kinds.is_empty() && record.money.is_none());
    let written: Value = serde_json::from_str(&record.to_json()).unwrap();
    assert_eq!(
        (&written["Kinds"], &written["Money"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn every_fault_is_told_at_once() {
    let body = json!({
        "Row": 0, "Kind": "X", "Texts": [], "Text": "a-", "Money": 0.25, "Date": "1 Jan 2020",
        "Time": "10:01 PM", "day": 29, "type": "nobody",
    });
    let errors = read(&body).unwrap_err().errors();
    let names: Vec<&str> = errors.iter().map(|error| error.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Row", "Kind", "Text", "Texts", "Money", "Date", "Time", "day", "type"
        ]
    );
    assert_eq!(errors[0].errors, "must be at least 1");
    assert_eq!(errors[1].errors, "must be one of N, S or Other");
    assert_eq!(errors[3].errors, "is required");
}

#[test]
fn a_record_built_by_hand_is_judged_by_the_same_rules() {
    let mut record = full_record();
    assert!(record.validate().is_clean());
    record.row = 1001;
    record.texts.clear();
    record.text = Some("a-b".to_owned());
    let verdict = record.validate();
    let errors = verdict.errors();
    let told: Vec<_> = errors
        .iter()
        .map(|e| (e.name.as_str(), e.errors.as_str()))
        .collect();
    let letters = "must have only letters A to Z, a to z and digits 0 to 9";
    let wanted = [
        ("Row", "must be at most 1000"),
        ("Text", letters),
        ("Texts", "is required"),
    ];
    assert_eq!(told, wanted);
}

#[test]
fn the_primary_key_and_the_fields_are_reached_by_name() {
    use runtime::value::Value as V;
    let record = full_record();
    assert_eq!(record.primary_key().as_deref(), Some("7"));
    assert_eq!(record.get("Row"), Some(V::Integer(7)));
    assert_eq!(record.get("Kind"), Some(V::Code("N")));
    assert_eq!(record.get("type"), Some(V::Text("b@example.org")));
    let Some(V::List(kinds)) = record.get("Kinds") else {
        panic!("a multivalue is a list");
    };
    assert!(kinds.iter().eq([V::Code("S"), V::Code("Other")]));
    assert_eq!((kinds.len(), kinds.is_empty()), (2, false));
    assert_eq!(record.get("Old Kind"), None);
    assert_eq!(record.get("row"), None);
}

#[test]
fn debug_hides_what_is_personal_and_shows_the_rest() {
    let shown = format!("{:?}", full_record());
    assert!(
        !shown.contains("canary") && !shown.contains("4989123456"),
        "{shown}"
    );
    assert!(shown.starts_with("EveryType { row: 7, "), "{shown}");
    // values are written as in JSON
    for part in [
        "kind: \"N\", kinds: [\"S\",\"Other\"], ",
        "text: \"abc\", ",
        "money: 12.3, yes: true, date: \"2020-02-29\", ",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(
        shown.contains("type: ") && !shown.contains("r#type"),
        "{shown}"
    );
}

#[test]
fn an_error_shows_its_texts_when_it_is_unwrapped() {
    let mut faulty = full();
    faulty["Row"] = json!(0);
    let shown = format!("{:?}", read(&faulty).expect_err("a fault"));
    assert_eq!(shown, "Faulty(\"Row\" must be at least 1)");
    let shown = format!("{:?}", EveryType::from_json(b"not").expect_err("no JSON"));
    assert_eq!(
        shown,
        "Rejected(the body is not JSON: expected a value at byte 1)"
    );
}

#[test]
fn serde_carries_a_record_as_its_json_form() {
    let record = full_record();
    assert_eq!(serde_json::to_value(&record).unwrap(), full());
    assert!(serde_json::from_value::<EveryType>(full()).unwrap() == record);
    let mut faulty = full();
    faulty["E-mail"] = json!("canary");
    let error = serde_json::from_value::<EveryType>(faulty).unwrap_err();
    assert!(!error.to_string().contains("canary"), "{error}");
    // the place is that of the text that was read, and told by its reader
    let error = serde_json::from_str::<EveryType>("{\n  \"Nope\": 1\n}").unwrap_err();
    let told = error.to_string();
    let reason = "\"Nope\": the schema has no field of this name";
    assert!(told.starts_with(reason) && !told.contains("byte"), "{told}");
}

#[test]
fn serde_refuses_an_amount_that_it_would_round() {
    let with = |amount: &str| EveryType {
        money: Some(amount.parse().unwrap()),
        ..full_record()
    };
    for amount in ["9007199254740991", "9007199254740.93", "0.1", "-1.5", "7"] {
        let written = serde_json::to_string(&with(amount)).unwrap();
        let number = format!(r#""Money":{amount}"#);
        assert!(written.contains(&number), "{written}");
    }
    let most = with("9007199254740990.99");
    assert!(most.to_json().contains(r#""Money":9007199254740990.99"#));
    let error = serde_json::to_string(&most).unwrap_err().to_string();
    assert!(
        error.contains("to_json") && !error.contains("900719"),
        "{error}"
    );
}

#[test]
fn a_picklist_knows_its_codes() {
    assert_eq!(Kind::ALL, [Kind::Normal, Kind::Special, Kind::Other]);
    assert_eq!(
        Kind::ALL
            .iter()
            .map(|kind| kind.index())
            .collect::<Vec<_>>(),
        [0, 1, 2]
    );
    assert_eq!(Kind::from_code("S"), Some(Kind::Special));
    assert_eq!(Kind::from_code("s"), None);
    assert_eq!(Kind::Special.description(), Some("By request"));
    assert_eq!(Kind::Other.description(), None);
    assert_eq!(format!("{:>3}|{}", Kind::Normal, Kind::Other), "  N|Other");
    assert_eq!(serde_json::to_string(&Kind::Normal).unwrap(), "\"N\"");
    assert_eq!(
        serde_json::from_str::<Kind>("\"Other\"").unwrap(),
        Kind::Other
    );
    assert!(serde_json::from_str::<Kind>("\"Normal\"").is_err());
}

#[test]
fn literals_are_the_values_that_reading_gives() {
    use runtime::{Email, LatLng, Latitude, Phone, Url, literal};
    const POLE: Latitude = Latitude::literal(-90.0);
    assert_eq!(POLE, Latitude::new(-90.0).unwrap());
    for kind in Kind::ALL {
        assert_eq!(Kind::from_code(kind.code()), Some(*kind));
    }
    assert_eq!(literal!(Kind, "N"), Kind::from_code("N").unwrap());
    assert_eq!(literal!(Email, "a@b.org"), Email::parse("a@b.org").unwrap());
    let written = "+49 (30) 123-456";
    assert_eq!(
        literal!(Phone, "+49 (30) 123-456"),
        Phone::parse(written).unwrap()
    );
    assert_eq!(
        literal!(LatLng, "48.10 , 11.6"),
        LatLng::parse("48.10,11.6").unwrap()
    );
    let web = "https://example.org/a?b=c";
    assert_eq!(
        literal!(Url, "https://example.org/a?b=c"),
        Url::parse(web).unwrap()
    );
}
