//! Primary keys of records that are made: where they are asked for, what they may be, when two are one.
//! docs/interface.md, "Writing records".

use crate::raw::escaped;
use crate::test_server::{Names, TestServer, records_of};
use serde_json::json;

#[test]
fn a_missing_primary_key_is_refused() {
    let server = TestServer::start();
    for body in [
        "{}",
        r#"{"Name":"N"}"#,
        r#"{"Code":null}"#,
        r#"{"Code":""}"#,
        r#"{"Code":" \t\u2003 "}"#,
        r#"{"Code":[]}"#,
    ] {
        let fields = server.create(body).coded_error(400, "PRIMARY_KEY_REQUIRED");
        assert_eq!(fields[0].0, "Code");
    }
    assert_eq!(server.get(&server.records()).text(), r#"{"items":[]}"#);
}

#[test]
fn a_schema_without_primary_key_asks_for_none() {
    let server = TestServer::start();
    let Names {
        area,
        keyless_schema,
        keyless_dataset,
        ..
    } = &server.names;
    let records = records_of(area, keyless_schema, keyless_dataset);
    let make = || {
        server
            .request("POST", &records)
            .json(r#"{"Text":"same"}"#)
            .send()
            .is(201)
            .json()
    };
    assert_ne!(make()["_dataObjectId"], make()["_dataObjectId"]);
    server.request("POST", &records).json("{}").send().is(201);
    let by_key = server.get(&format!("{records}/by-pk/same"));
    assert!(by_key.is(404).body.is_empty());
}

#[test]
fn a_primary_key_in_use_is_refused() {
    let server = TestServer::start();
    server.created(r#"{"Code":"A b","Name":"N"}"#);
    for body in [r#"{"Code":"A b"}"#, r#"{"Code":"  A b\u00a0"}"#] {
        let fields = server
            .create(body)
            .coded_error(400, "DUPLICATE_PRIMARY_KEY");
        assert_eq!(fields[0].0, "Code");
    }
    // case counts, and so does every code point
    for body in [
        r#"{"Code":"a b"}"#,
        r#"{"Code":"A  b"}"#,
        r#"{"Code":"\u00c4"}"#,
        r#"{"Code":"A\u0308"}"#,
    ] {
        server.create(body).is(201);
    }
    assert_eq!(server.record_count(), 5);
}

#[test]
fn a_faulty_primary_key_is_stored_and_reserved() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":5,"Name":"N"}"#);
    assert_eq!(record["_errors"][0]["name"], "Code");
    assert_eq!(record["Code"], 5);
    assert_eq!(server.by_key("5").is(200).json(), record);
    // keys compare by their text, which is that of JSON where they are no strings
    for (stored, text) in [
        ("[1, \"a\"]", "[1,\"a\"]"),
        ("5.00", "5.00"),
        ("true", "true"),
    ] {
        server.created(&format!(r#"{{"Code":{stored},"Name":"N"}}"#));
        let found = server.by_key(&escaped(text)).is(200).json();
        assert_eq!(found["_errors"][0]["name"], "Code", "{text}");
    }
    for text in ["5", " 5.00 ", "[1,\"a\"]", "true"] {
        let body = json!({"Code": text, "Name": "N"}).to_string();
        server
            .create(&body)
            .coded_error(400, "DUPLICATE_PRIMARY_KEY");
    }
}

/// The records of a dataset whose key is of this type.
fn keyed_by(server: &TestServer, kind: &str) -> String {
    let Names { tenant, area, .. } = &server.names;
    let document = format!(
        r#"{{"schemaId":"s","name":"Keyed","businessAreaId":"a","businessAreaName":"A","createdDate":"2026-01-01T00:00:00.000Z",
        "fields":[{{"fieldId":"k","name":"Key","active":true,"isPrimaryKey":true,"isSortKey":false,"isRequired":true,{kind}}}]}}"#
    );
    let schema = server.schema(tenant, area, &document);
    let dataset = server.dataset(&schema, "Keyed");
    records_of(area, &schema, &dataset)
}

#[test]
fn a_key_of_any_type_is_found_and_compared_by_its_stored_text() {
    let server = TestServer::start();
    let date = r#""dataType":"date","dateFormat":"DD$MM$YYYY","dateSeparator":".""#;
    // what is sent, how it is stored, other ways to write it, and what it is not found by
    for (kind, sent, stored, same, not) in [
        (
            r#""dataType":"integer""#,
            "1e3",
            "1000",
            ["1000.0", "\" 1000 \""],
            "1e3",
        ),
        (
            r#""dataType":"currency""#,
            "1.50",
            "1.5",
            ["15e-1", "\"1.5\""],
            "1.50",
        ),
        (
            r#""dataType":"boolean""#,
            "true",
            "true",
            ["true", "\"true\""],
            "1",
        ),
        (
            date,
            "\"2020-02-29\"",
            "29.02.2020",
            ["\"29.02.2020\"", "\"\\u00a02020-02-29\""],
            "2020-02-29",
        ),
    ] {
        let records = keyed_by(&server, kind);
        let make = |key: &str| {
            let body = format!(r#"{{"Key":{key}}}"#);
            server.request("POST", &records).json(body).send()
        };
        let made = make(sent).is(201).json();
        assert_eq!(made["_errors"], json!([]), "{kind}");
        let find = |key: &str| server.get(&format!("{records}/by-pk/{key}"));
        assert_eq!(find(stored).is(200).json(), made);
        assert!(find(not).is(404).body.is_empty(), "{kind}");
        for other in same {
            make(other).coded_error(400, "DUPLICATE_PRIMARY_KEY");
        }
        for missing in ["null", "\" \"", "[]", "[null]"] {
            make(missing).coded_error(400, "PRIMARY_KEY_REQUIRED");
        }
    }
}

#[test]
fn a_primary_key_is_unique_in_its_dataset_only() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1","Name":"N"}"#);
    let Names {
        area,
        schema,
        other_dataset,
        ..
    } = &server.names;
    let other = records_of(area, schema, other_dataset);
    server
        .request("POST", &other)
        .json(r#"{"Code":"1","Name":"other"}"#)
        .send()
        .is(201);
    assert_eq!(server.by_key("1").json()["Name"], "N");
    assert_eq!(
        server.get(&format!("{other}/by-pk/1")).json()["Name"],
        "other"
    );
}

#[test]
fn a_key_of_a_kilobyte_is_kept_and_a_longer_one_refused() {
    let server = TestServer::start();
    let longest = "k".repeat(1024);
    server.created(&format!(r#"{{"Code":"{longest}","Name":"N"}}"#));
    server.by_key(&longest).is(200);
    let body = format!(r#"{{"Code":"{longest}k","Name":"N"}}"#);
    let fields = server
        .create(&body)
        .coded_error(400, "INVALID_REQUEST_BODY");
    assert_eq!(fields[0].0, "Code");
    assert!(
        server
            .by_key(&format!("{longest}k"))
            .is(404)
            .body
            .is_empty()
    );
    // bytes count, of what is left when it is trimmed
    let accents = "\u{e9}".repeat(512);
    server.created(&json!({"Code": format!(" {accents}\u{3000}"), "Name": "N"}).to_string());
    let record = server.by_key(&escaped(&accents)).is(200).json();
    let longer = json!({"_version": 0, "Code": format!("{accents}\u{e9}")}).to_string();
    let fields = server
        .update(&record, &longer)
        .coded_error(400, "INVALID_REQUEST_BODY");
    assert_eq!(fields[0].0, "Code");
    assert_eq!(server.by_key(&escaped(&accents)).is(200).json(), record);
}
