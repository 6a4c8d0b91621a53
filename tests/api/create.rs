//! Endpoint 7. Interface, "Create data object" and "Data object (record)".

use crate::world::{Names, World, records_of};
use serde_json::{Value, json};

#[test]
fn a_record_is_answered_as_it_is_stored() {
    let world = World::start();
    let body = r#"{"Name":"Berlin","Code":" B1 ","Founded":"1237-10-28","People":3.7e6,"Kind":"C",
        "Mail":"a@example.org","Site":"https://example.org","Phone":"+49 (30) 123-4567","Tags":"capital","Region":"N"}"#;
    let made = world.create(body).is(201);
    let record = made.json();
    let id = record["_dataObjectId"].as_str().unwrap().to_owned();
    assert_eq!(
        made.header("location").unwrap(),
        format!("{}/{id}", world.records())
    );
    assert!(
        id.len() <= 64
            && id
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)),
        "{id}"
    );
    assert_eq!(
        made.text(),
        format!(
            r#"{{"_dataObjectId":"{id}","_version":0,"_errors":[],"Code":"B1","Name":"Berlin","Founded":"28.10.1237","People":3700000,"Kind":"C","Mail":"a@example.org","Site":"https://example.org","Phone":"+49301234567","Tags":["capital"],"Region":"N"}}"#
        )
    );
    assert_eq!(world.by_key("B1").is(200).body, made.body);
    let page = world.get(&world.records()).text().to_owned();
    assert_eq!(page, format!(r#"{{"items":[{}]}}"#, made.text()));
}

#[test]
fn every_active_field_is_answered_and_a_missing_value_is_null() {
    let world = World::start();
    let record = world.created(r#"{"Code":"1","Name":"N"}"#);
    let keys: Vec<_> = record
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let mut expected = vec![
        "_dataObjectId",
        "_version",
        "_errors",
        "Code",
        "Name",
        "Founded",
        "People",
        "Kind",
        "Mail",
        "Site",
        "Phone",
        "Tags",
        "Region",
    ];
    expected.sort_unstable();
    let mut keys = keys;
    keys.sort_unstable();
    assert_eq!(keys, expected);
    for key in [
        "Founded", "People", "Kind", "Mail", "Site", "Phone", "Tags", "Region",
    ] {
        assert_eq!(record[key], Value::Null, "{key}");
    }
}

#[test]
fn a_record_that_fails_validation_is_created_with_its_faults() {
    let world = World::start();
    let record = world.created(
        r#"{"Code":"1","Founded":"31.04.2020","People":-1,"Kind":"X","Mail":"nobody","Site":"ftp://x","Phone":"12","Tags":[1],"Region":"W"}"#,
    );
    let faults = record["_errors"].as_array().unwrap();
    let names: Vec<_> = faults
        .iter()
        .map(|fault| fault["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "Name", "Founded", "People", "Kind", "Mail", "Site", "Phone", "Tags", "Region"
        ]
    );
    for fault in faults {
        assert_eq!(fault.as_object().unwrap().len(), 2);
        assert!(!fault["errors"].as_str().unwrap().is_empty());
        assert!(
            !fault["errors"].as_str().unwrap().contains("nobody"),
            "no value of a personal field"
        );
    }
    assert_eq!(record["Founded"], "31.04.2020");
    assert_eq!(record["People"], -1);
    assert_eq!(world.by_key("1").is(200).json(), record);
}

#[test]
fn a_missing_primary_key_is_refused() {
    let world = World::start();
    for body in [
        "{}",
        r#"{"Name":"N"}"#,
        r#"{"Code":null}"#,
        r#"{"Code":""}"#,
        r#"{"Code":" \t\u2003 "}"#,
        r#"{"Code":[]}"#,
    ] {
        let fields = world.create(body).coded(400, "PRIMARY_KEY_REQUIRED");
        assert_eq!(fields[0].0, "Code");
    }
    assert_eq!(world.get(&world.records()).text(), r#"{"items":[]}"#);
}

#[test]
fn a_schema_without_primary_key_asks_for_none() {
    let world = World::start();
    let Names {
        area,
        keyless_schema,
        keyless_dataset,
        ..
    } = &world.names;
    let records = records_of(area, keyless_schema, keyless_dataset);
    let make = || {
        world
            .request("POST", &records)
            .json(r#"{"Text":"same"}"#)
            .send()
            .is(201)
            .json()
    };
    assert_ne!(make()["_dataObjectId"], make()["_dataObjectId"]);
    world.request("POST", &records).json("{}").send().is(201);
    let by_key = world.get(&format!("{records}/by-pk/same"));
    assert!(by_key.is(404).body.is_empty());
}

#[test]
fn a_primary_key_in_use_is_refused() {
    let world = World::start();
    world.created(r#"{"Code":"A b","Name":"N"}"#);
    for body in [r#"{"Code":"A b"}"#, r#"{"Code":"  A b\u00a0"}"#] {
        let fields = world.create(body).coded(400, "DUPLICATE_PRIMARY_KEY");
        assert_eq!(fields[0].0, "Code");
    }
    // case counts, and so does every code point
    for body in [
        r#"{"Code":"a b"}"#,
        r#"{"Code":"A  b"}"#,
        r#"{"Code":"\u00c4"}"#,
        r#"{"Code":"A\u0308"}"#,
    ] {
        world.create(body).is(201);
    }
    assert_eq!(
        world.get(&world.records()).json()["items"]
            .as_array()
            .unwrap()
            .len(),
        5
    );
}

#[test]
fn a_faulty_primary_key_is_stored_and_reserved() {
    let world = World::start();
    let record = world.created(r#"{"Code":5,"Name":"N"}"#);
    assert_eq!(record["_errors"][0]["name"], "Code");
    assert_eq!(record["Code"], 5);
    assert_eq!(world.by_key("5").is(200).json(), record);
    // keys compare by their text
    world
        .create(r#"{"Code":"5","Name":"N"}"#)
        .coded(400, "DUPLICATE_PRIMARY_KEY");
}

#[test]
fn a_primary_key_is_unique_in_its_dataset_only() {
    let world = World::start();
    world.created(r#"{"Code":"1","Name":"N"}"#);
    let Names {
        area,
        schema,
        other_dataset,
        ..
    } = &world.names;
    let other = records_of(area, schema, other_dataset);
    world
        .request("POST", &other)
        .json(r#"{"Code":"1","Name":"other"}"#)
        .send()
        .is(201);
    assert_eq!(world.by_key("1").json()["Name"], "N");
    assert_eq!(
        world.get(&format!("{other}/by-pk/1")).json()["Name"],
        "other"
    );
}

#[test]
fn a_key_of_a_kilobyte_is_kept_and_a_longer_one_refused() {
    let world = World::start();
    let longest = "k".repeat(1024);
    world.created(&format!(r#"{{"Code":"{longest}","Name":"N"}}"#));
    world.by_key(&longest).is(200);
    let body = format!(r#"{{"Code":"{longest}k","Name":"N"}}"#);
    let fields = world.create(&body).coded(400, "INVALID_REQUEST_BODY");
    assert_eq!(fields[0].0, "Code");
    assert!(world.by_key(&format!("{longest}k")).is(404).body.is_empty());
}

#[test]
fn system_properties_are_not_the_clients_to_set() {
    let world = World::start();
    for (name, value) in [
        ("_version", json!(0)),
        ("_dataObjectId", json!("x")),
        ("_errors", json!([])),
        ("_x", json!(1)),
    ] {
        let body = json!({"Code": "1", name: value}).to_string();
        let fields = world.create(&body).coded(400, "INVALID_REQUEST_BODY");
        assert_eq!(fields[0].0, name);
    }
}

#[test]
fn numbers_are_read_from_their_tokens() {
    let world = World::start();
    for (sent, stored) in [
        ("1e3", "1000"),
        ("10e-1", "1"),
        ("-0", "0"),
        ("9007199254740991", "9007199254740991"),
    ] {
        let code = world.new_id();
        let made = world
            .create(&format!(
                r#"{{"Code":"{code}","Name":"N","People":{sent}}}"#
            ))
            .is(201);
        assert!(
            made.text().contains(&format!(r#""People":{stored},"#)),
            "{sent}: {}",
            made.text()
        );
        assert_eq!(made.json()["_errors"], json!([]));
    }
    for sent in [
        "1e999999999",
        "0.1e1000000",
        "123456789012345678901234567890",
        "1.5",
    ] {
        let code = world.new_id();
        let made = world
            .create(&format!(
                r#"{{"Code":"{code}","Name":"N","People":{sent}}}"#
            ))
            .is(201);
        assert!(
            made.text().contains(&format!(r#""People":{sent},"#)),
            "as sent: {}",
            made.text()
        );
        assert!(made.text().contains(r#"{"name":"People""#));
    }
}
