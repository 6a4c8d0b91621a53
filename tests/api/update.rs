//! Endpoint 8. docs/interface.md, "Writing records" and "Lives of a record".

use crate::test_server::{Names, TestServer, records_of};
use runtime::service::ids::{IdCipher, IdKeys};
use serde_json::{Value, json};

impl TestServer {
    /// The one record with the key, as it is now.
    fn now(&self, key: &str) -> Value {
        self.by_key(key).is(200).json()
    }
}

#[test]
fn an_update_changes_what_it_names_and_raises_the_version() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N","People":5,"Founded":"01.02.2003"}"#);
    let answer = server
        .update(&record, r#"{"_version":0,"People":6,"Founded":null}"#)
        .is(204);
    assert!(answer.body.is_empty());
    assert_eq!(answer.header("content-type"), None);
    let now = server.now("1");
    assert_eq!(now["_version"], 1);
    assert_eq!(
        (&now["Name"], &now["People"], &now["Founded"]),
        (&json!("N"), &json!(6), &Value::Null)
    );
    assert_eq!(now["_dataObjectId"], record["_dataObjectId"]);
    // the next update may count on without reading
    server
        .update(&record, r#"{"_version":1,"People":7}"#)
        .is(204);
    server
        .update(&record, r#"{"_version":2,"People":8}"#)
        .is(204);
    assert_eq!(server.now("1")["_version"], 3);
}

#[test]
fn a_body_that_changes_nothing_raises_the_version_too() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    server.update(&record, r#"{"_version":0}"#).is(204);
    assert_eq!(server.now("1")["_version"], 1);
    // read, change, write
    let whole = server.now("1").to_string();
    server.update(&record, &whole).is(204);
    assert_eq!(server.now("1")["_version"], 2);
}

#[test]
fn a_stale_version_writes_nothing() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    server
        .update(&record, r#"{"_version":0,"Name":"M"}"#)
        .is(204);
    let before = server.by_key("1").body;
    for body in [
        r#"{"_version":0,"Name":"X"}"#,
        r#"{"_version":2,"Name":"X"}"#,
        r#"{"_version":9223372036854775807,"Name":"X"}"#,
        r#"{"_version":9223372036854775808,"Name":"X"}"#,
        r#"{"_version":18446744073709551616,"Name":"X"}"#,
        r#"{"_version":0,"Code":"2"}"#,
        r#"{"_version":0,"Code":null}"#,
    ] {
        let fields = server
            .update(&record, body)
            .coded_error(400, "DATA_OBJECT_VERSION_CONFLICT");
        assert_eq!(fields.len(), 1);
        assert_eq!(fields[0].0, "_version");
        assert!(!fields[0].1.is_empty());
    }
    assert_eq!(server.by_key("1").body, before);
    assert!(server.by_key("2").is(404).body.is_empty());
}

#[test]
fn a_stale_version_is_told_as_it_was_sent() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let long = "9".repeat(65);
    let cut = format!("{}…", &long[..64]);
    for (sent, told) in [
        ("7", "7"),
        ("9223372036854775808", "9223372036854775808"),
        ("18446744073709551616", "18446744073709551616"),
        (long.as_str(), cut.as_str()),
    ] {
        let refused = server.update(&record, &format!(r#"{{"_version":{sent}}}"#));
        let fields = refused.coded_error(400, "DATA_OBJECT_VERSION_CONFLICT");
        let begin = format!("the version sent is {told} and the stored one 0;");
        assert!(fields[0].1.starts_with(&begin), "{fields:?}");
    }
}

#[test]
fn the_version_is_required_and_a_json_integer() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let versions = [
        "",
        r#""_version":"0","#,
        r#""_version":0.5,"#,
        r#""_version":-1,"#,
        r#""_version":null,"#,
        r#""_version":true,"#,
        r#""_version":[0],"#,
        r#""_version":-9223372036854775809,"#,
        r#""_version":0.0,"#,
        r#""_version":-0.0,"#,
        r#""_version":0e0,"#,
        r#""_version":1e400,"#,
    ];
    for version in versions {
        let body = format!(r#"{{{version}"Name":"X"}}"#);
        let fields = server
            .update(&record, &body)
            .coded_error(400, "INVALID_REQUEST_BODY");
        assert_eq!(fields[0].0, "_version", "{body}");
        let text = "must be a whole number, 0 or more, written without point and exponent";
        assert!(version.is_empty() || fields[0].1 == text, "{fields:?}");
    }
    assert_eq!(server.now("1")["_version"], 0);
    server.update(&record, r#"{"_version":-0}"#).is(204);
    for later in ["1.0", "10e-1", "1e0"] {
        let body = format!(r#"{{"_version":{later}}}"#);
        let refused = server.update(&record, &body);
        refused.coded_error(400, "INVALID_REQUEST_BODY");
    }
    assert_eq!(server.now("1")["_version"], 1);
}

#[test]
fn the_primary_key_can_change_and_the_old_one_is_free() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    server
        .update(&record, r#"{"_version":0,"Code":" 2 "}"#)
        .is(204);
    assert_eq!(server.now("2")["Code"], "2");
    assert!(server.by_key("1").is(404).body.is_empty());
    server.created(r#"{"Code":"1","Name":"another"}"#);
    // its own value is no duplicate
    server
        .update(&record, r#"{"_version":1,"Code":"2"}"#)
        .is(204);
    let before = server.by_key("2").body;
    let fields = server
        .update(&record, r#"{"_version":2,"Code":"1"}"#)
        .coded_error(400, "DUPLICATE_PRIMARY_KEY");
    assert_eq!(fields[0].0, "Code");
    assert_eq!(server.by_key("2").body, before);
}

#[test]
fn the_primary_key_cannot_be_cleared() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    for value in ["null", r#""""#, r#"" ""#, "[]"] {
        let body = format!(r#"{{"_version":0,"Code":{value}}}"#);
        let fields = server
            .update(&record, &body)
            .coded_error(400, "PRIMARY_KEY_REQUIRED");
        assert_eq!(fields[0].0, "Code");
    }
    assert_eq!(server.now("1")["_version"], 0);
}

#[test]
fn the_whole_merged_record_is_judged_again() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","People":-1}"#);
    assert_eq!(record["_errors"].as_array().unwrap().len(), 2);
    server
        .update(&record, r#"{"_version":0,"Name":"N"}"#)
        .is(204);
    let now = server.now("1");
    assert_eq!(now["_errors"].as_array().unwrap().len(), 1);
    assert_eq!(now["_errors"][0]["name"], "People");
    assert_eq!(
        now["People"], -1,
        "a faulty value that is not named stays as it was sent"
    );
    server
        .update(&record, r#"{"_version":1,"People":1}"#)
        .is(204);
    assert_eq!(server.now("1")["_errors"], json!([]));
    // an update that brings faults is stored all the same
    server
        .update(&record, r#"{"_version":2,"Mail":"nobody"}"#)
        .is(204);
    assert_eq!(server.now("1")["_errors"][0]["name"], "Mail");
}

#[test]
fn an_update_may_repeat_its_own_id_and_no_other() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let id = record["_dataObjectId"].as_str().unwrap();
    server
        .update(
            &record,
            &format!(
                r#"{{"_version":0,"_dataObjectId":"{id}","_errors":[{{"name":"x","errors":"y"}}]}}"#
            ),
        )
        .is(204);
    assert_eq!(server.now("1")["_errors"], json!([]));
    // however it is written, and whatever `_errors` holds
    let escapes: Vec<_> = id.bytes().map(|byte| format!("\\u{byte:04x}")).collect();
    let escapes = escapes.concat();
    let (open, close) = ("[".repeat(100), "]".repeat(100));
    let body =
        format!(r#"{{"_version":1,"_dataObjectId":"{escapes}","_errors":{open}null{close}}}"#);
    server.update(&record, &body).is(204);
    for other in [r#""another""#, "null", "5", &format!("\"{id}x\"")] {
        let body = format!(r#"{{"_version":2,"_dataObjectId":{other}}}"#);
        let fields = server
            .update(&record, &body)
            .coded_error(400, "INVALID_REQUEST_BODY");
        assert_eq!(fields[0].0, "_dataObjectId");
    }
    let fields = server
        .update(&record, r#"{"_version":2,"_x":1}"#)
        .coded_error(400, "INVALID_REQUEST_BODY");
    assert_eq!(fields[0].0, "_x");
}

#[test]
fn unknown_deleted_and_foreign_ids_are_not_found() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let id = record["_dataObjectId"].as_str().unwrap().to_owned();
    let Names {
        area,
        schema,
        other_dataset,
        ..
    } = &server.names;
    let elsewhere = records_of(area, schema, other_dataset);
    let mut wrong = id.clone().into_bytes();
    wrong[0] = if wrong[0] == b'A' { b'B' } else { b'A' };
    let wrong = String::from_utf8(wrong).unwrap();
    // the right place, and another random part
    let catalog = server.service.store().catalog();
    let keys = IdKeys::parse(&catalog.settings["id-keys"].value);
    let cipher = IdCipher::new(&keys.expect("the keys of ids"));
    let mut guessed = cipher.record_of(&id).unwrap();
    guessed.nonce ^= 1;
    let guessed = cipher.record(guessed);
    let long = "x".repeat(5000);
    let ids = [
        "none",
        "%20",
        "%00",
        "%ff",
        "by-pk",
        "..",
        "1",
        "%2e%2e%2f",
        &wrong,
        &guessed,
        &long,
        &id.to_lowercase(),
    ];
    let mut targets: Vec<String> = ids
        .iter()
        .map(|id| format!("{}/{id}", server.records()))
        .collect();
    targets.push(format!("{elsewhere}/{id}"));
    for target in targets {
        let fields = server
            .request("PUT", &target)
            .json(r#"{"_version":0}"#)
            .send()
            .coded_error(404, "DATA_OBJECT_NOT_FOUND");
        assert!(fields.is_empty());
        server
            .request("DELETE", &target)
            .send()
            .coded_error(404, "DATA_OBJECT_NOT_FOUND");
    }
    server.delete(&record).is(204);
    server
        .update(&record, r#"{"_version":0}"#)
        .coded_error(404, "DATA_OBJECT_NOT_FOUND");
}

#[test]
fn the_body_is_judged_before_the_record_and_the_version() {
    let server = TestServer::start();
    let gone = server.created(r#"{"Code":"1","Name":"N"}"#);
    server.delete(&gone).is(204);
    for body in [
        "",
        "[]",
        r#"{"Nope":1,"_version":0}"#,
        r#"{"Name":"N"}"#,
        r#"{"_version":"0"}"#,
    ] {
        server
            .update(&gone, body)
            .coded_error(400, "INVALID_REQUEST_BODY");
    }
    let record = server.created(r#"{"Code":"2","Name":"N"}"#);
    server
        .update(&record, r#"{"Nope":1,"_version":7}"#)
        .coded_error(400, "INVALID_REQUEST_BODY");
    // the type of the body is judged before what is in it
    server
        .request("PUT", &server.record(&gone))
        .body("[]")
        .send()
        .plain_error(415);
}
