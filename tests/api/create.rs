//! Endpoint 7. docs/interface.md, "Writing records" and "Reading records". What it asks of primary keys is in
//! `primary_keys.rs`.

use crate::test_server::TestServer;
use runtime::service::{Quotas, Settings};
use serde_json::{Value, json};

#[test]
fn a_record_is_answered_as_it_is_stored() {
    let server = TestServer::start();
    let body = r#"{"Name":"Berlin","Code":" B1 ","Founded":"1237-10-28","People":3.7e6,"Kind":"C",
        "Mail":"a@example.org","Site":"https://example.org","Phone":"+49 (30) 123-4567","Tags":"capital","Region":"N"}"#;
    let made = server.create(body).is(201);
    let record = made.json();
    let id = record["_dataObjectId"].as_str().unwrap().to_owned();
    assert_eq!(
        made.header("location").unwrap(),
        format!("{}/{id}", server.records())
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
    assert_eq!(server.by_key("B1").is(200).body, made.body);
    let page = server.get(&server.records()).text().to_owned();
    assert_eq!(page, format!(r#"{{"items":[{}]}}"#, made.text()));
}

#[test]
fn every_active_field_is_answered_and_a_missing_value_is_null() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
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
    let server = TestServer::start();
    let record = server.created(
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
    assert_eq!(server.by_key("1").is(200).json(), record);
}

#[test]
fn system_properties_are_not_the_clients_to_set() {
    let server = TestServer::start();
    for (name, value) in [
        ("_version", json!(0)),
        ("_dataObjectId", json!("x")),
        ("_errors", json!([])),
        ("_x", json!(1)),
    ] {
        let body = json!({"Code": "1", name: value}).to_string();
        let fields = server
            .create(&body)
            .coded_error(400, "INVALID_REQUEST_BODY");
        assert_eq!(fields[0].0, name);
    }
}

#[test]
fn numbers_are_read_from_their_tokens() {
    let server = TestServer::start();
    for (sent, stored) in [
        ("1e3", "1000"),
        ("10e-1", "1"),
        ("-0", "0"),
        ("9007199254740991", "9007199254740991"),
    ] {
        let code = server.new_id();
        let made = server
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
        let code = server.new_id();
        let made = server
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

#[test]
fn a_record_that_is_more_than_the_tenant_may_have_is_a_403_and_deleting_makes_room() {
    let server = TestServer::with_settings(Settings {
        quotas: Quotas {
            records: 1,
            ..Quotas::default()
        },
        ..Settings::default()
    });
    let first = server.created(r#"{"Code":"A","Name":"a"}"#);
    let refused = server.create(r#"{"Code":"B","Name":"b"}"#).is(403);
    let body = String::from_utf8_lossy(&refused.body).into_owned();
    assert!(body.contains(r#""code":"QUOTA_EXCEEDED""#), "{body}");
    server.delete(&first).is(204);
    server.created(r#"{"Code":"B","Name":"b"}"#);
}
