//! Endpoint 9. docs/interface.md, "Writing records" and "Lives of a record".

use crate::test_server::TestServer;

#[test]
fn a_deleted_record_is_gone_from_every_door_and_its_key_is_free() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let answer = server.delete(&record).is(204);
    assert!(answer.body.is_empty());
    assert_eq!(answer.header("content-type"), None);
    assert_eq!(server.get(&server.records()).text(), r#"{"items":[]}"#);
    let by_key = server.by_key("1").is(404);
    assert!(by_key.body.is_empty());
    assert_eq!(by_key.header("content-type"), None);
    server
        .update(&record, r#"{"_version":0}"#)
        .coded_error(404, "DATA_OBJECT_NOT_FOUND");
    let fields = server
        .delete(&record)
        .coded_error(404, "DATA_OBJECT_NOT_FOUND");
    assert!(fields.is_empty());
    let again = server.created(r#"{"Code":"1","Name":"again"}"#);
    assert_ne!(again["_dataObjectId"], record["_dataObjectId"]);
    assert_eq!(again["_version"], 0);
}

#[test]
fn a_record_of_any_version_is_deleted_and_a_body_is_not_read() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    server
        .update(&record, r#"{"_version":0,"Name":"M"}"#)
        .is(204);
    let request = server.request("DELETE", &server.record(&record));
    request
        .header("Content-Type", "text/plain")
        .body("{nonsense")
        .send()
        .is(204);
}
