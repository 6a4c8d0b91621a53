//! When something fails inside, or another request comes between: the answer says what to do and nothing
//! of the inside; the log has the rest under the request's id. docs/interface.md, "Statuses".

use crate::raw::Answer;
use crate::test_server::TestServer;
use crate::tricks::tricky;
use tests::log::{lines_with, listen};
use tests::trick_store::{INSIDE, Trick};

/// A 500 that tells its id and nothing else.
#[track_caller]
fn is_internal(answer: Answer) -> String {
    let answer = answer.plain_error(500);
    let id = answer.header("x-request-id").expect("an id").to_owned();
    assert!(answer.text().contains(&id), "{}", answer.text());
    assert!(!answer.text().contains("sector"), "{}", answer.text());
    id
}

#[test]
fn a_failure_inside_is_500_without_internals() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let names = &server.names;
    let datasets = format!(
        "/v1/businessareas/{}/schemas/{}/datasets",
        names.area, names.schema
    );
    let requests = [
        server.request("GET", &datasets),
        server.request("GET", &server.records()),
        server.request("GET", &format!("{}/by-pk/1", server.records())),
        server.request("GET", &server.record(&record)),
        server
            .request("PUT", &server.record(&record))
            .json(r#"{"_version":0}"#),
        server.request("DELETE", &server.record(&record)),
    ];
    let mut ids = Vec::new();
    for request in requests {
        store.play(Trick::Fail);
        ids.push(is_internal(request.send()));
    }
    let count = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), count, "no two requests have one id");
    assert_eq!(server.by_key("1").json(), record);
}

#[test]
fn a_record_that_is_not_as_it_was_written_is_500_and_the_log_names_it() {
    listen();
    let server = TestServer::start();
    let [torn, sound] = ["1", "2"].map(|code| server.created(&format!(r#"{{"Code":"{code}"}}"#)));
    server.spoil("UPDATE records SET body = replace(body, '\"', '#') WHERE primary_key = '1'");
    let delete = server.request("DELETE", &server.record(&torn));
    for request in [
        server.request("GET", &format!("{}/by-pk/1", server.records())),
        server.request("GET", &server.records()),
        server
            .request("PUT", &server.record(&torn))
            .json(r#"{"_version":0}"#),
    ] {
        is_named(&is_internal(request.send()));
    }
    let deleted = delete.send();
    if tests::engine::is_database() {
        // there only who shows or changes a record looks at its values
        deleted.is(204);
    } else {
        is_named(&is_internal(deleted));
    }
    assert_eq!(server.by_key("2").json(), sound);
}

/// The log has a line of a request's failure that names the record, and nothing of its values.
#[track_caller]
fn is_named(request: &str) {
    let lines = lines_with(request);
    let is_named = lines.iter().any(|line| {
        line.contains("ERROR") && line.contains("the record at place") && !line.contains('#')
    });
    assert!(is_named, "{lines:?}");
}

#[test]
fn a_body_that_is_no_text_of_its_form_is_never_shown() {
    let server = TestServer::start();
    server.created(r#"{"Code":"1","Name":"N"}"#);
    // also where the checksum is that of the row
    for body in ["", "\u{fc}", "[]", "null", "{\"Code\":\"1\""] {
        if body.starts_with('{') && !tests::engine::is_database() {
            continue;
        }
        server.forge(&format!(
            "UPDATE records SET body = '{body}' WHERE primary_key = '1'"
        ));
        is_internal(server.by_key("1"));
        is_internal(server.request("GET", &server.records()).send());
    }
}

#[test]
fn what_would_write_to_a_store_that_is_only_read_is_403_and_says_so() {
    let (server, store) = tricky();
    let names = &server.names;
    let app = format!(
        r#"{{"client_id":"{}","client_secret":"{}"}}"#,
        names.app, names.app_secret
    );
    store.play(Trick::ReadOnly);
    let refused = server.create(r#"{"Code":"1"}"#).plain_error(403);
    assert!(refused.text().contains("read only"), "{}", refused.text());
    // it is found by who writes, not by who looks before that
    let city = server.created(r#"{"Code":"2"}"#);
    let body = r#"{"_version":0,"Name":"N"}"#;
    store.play(Trick::ReadOnly);
    let refused = server.update(&city, body).plain_error(403);
    assert!(refused.text().contains("read only"), "{}", refused.text());
    server.update(&city, body).is(204);
    store.play(Trick::ReadOnly);
    let token = server.anonymous("POST", "/oauth2/token").json(app);
    let refused = token.send().is(403).json();
    assert_eq!(refused["error"], "temporarily_unavailable", "{refused}");
    let text = refused["message"].as_str().expect("a text");
    assert!(text.contains("read only"), "{text}");
    server.created(r#"{"Code":"1"}"#);
}

#[test]
fn readiness_is_a_write_and_is_tried_again_after_five_seconds() {
    listen();
    let (server, store) = tricky();
    let ready = || server.anonymous("GET", "/readyz").send();
    ready().is(200);
    store.play(Trick::Fail);
    ready().is(200);
    server.clock.forward(6);
    let refused = ready().plain_error(503);
    assert_eq!(refused.header("retry-after"), Some("5"));
    assert!(!refused.text().contains("sector"), "{}", refused.text());
    let told = lines_with("not ready");
    assert!(told.iter().any(|line| line.contains(INSIDE)), "{told:?}");
    // the next write would do, and is not tried yet
    ready().plain_error(503);
    server.anonymous("GET", "/healthz").send().is(200);
    server.clock.forward(6);
    ready().is(200);
    server.clock.forward(-60);
    store.play(Trick::Fail);
    ready().plain_error(503);
}

#[test]
fn a_store_whose_tables_are_gone_is_not_ready_and_the_log_has_the_cause() {
    listen();
    let server = TestServer::start();
    let ready = || server.anonymous("GET", "/readyz").send();
    ready().is(200);
    server.opened().drop_tables(server.folder());
    server.clock.forward(6);
    let refused = ready().plain_error(503);
    assert_eq!(refused.header("retry-after"), Some("5"));
    let causes = ["no such table", "does not exist"];
    let names_cause = |text: &str| causes.iter().any(|cause| text.contains(cause));
    assert!(!names_cause(refused.text()), "{}", refused.text());
    let told = lines_with("not ready");
    assert!(told.iter().any(|line| names_cause(line)), "{told:?}");
    server.anonymous("GET", "/healthz").send().is(200);
}

#[test]
#[cfg_attr(
    on_a_database,
    ignore = "no other program locks the whole of a database"
)]
fn a_write_while_another_program_has_the_database_locked_is_503_and_reads_go_on() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let file = server.folder().join("fieldstone.db");
    let other = rusqlite::Connection::open(file).expect("the database");
    other.execute_batch("BEGIN IMMEDIATE").expect("a lock");
    let create = || {
        let create = server.request("POST", &server.records());
        create.json(r#"{"Code":"2"}"#).send()
    };
    let refused = create().plain_error(503);
    assert_eq!(refused.header("retry-after"), Some("5"));
    assert!(refused.text().contains("locked"), "{}", refused.text());
    assert_eq!(server.by_key("1").is(200).json(), record);
    other.execute_batch("ROLLBACK").expect("no lock");
    create().is(201);
}

#[test]
fn a_delete_while_the_database_is_away_is_503_and_nothing_is_deleted() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    store.go_away();
    let refused = server.delete(&record).plain_error(503);
    assert_eq!(refused.header("retry-after"), Some("5"));
    store.come_back();
    server.delete(&record).is(204);
}

#[test]
fn a_panic_is_500_and_the_server_goes_on() {
    let (server, store) = tricky();
    server.created(r#"{"Code":"1","Name":"N"}"#);
    for _ in 0..3 {
        store.play(Trick::Panic);
        is_internal(server.by_key("1"));
        server.by_key("1").is(200);
    }
}

#[test]
fn a_write_that_lands_between_makes_a_delete_409_and_nothing_is_deleted() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    store.play(Trick::UpdateBehind);
    let fields = server
        .delete(&record)
        .coded_error(409, "DATA_OBJECT_CONCURRENT_MODIFICATION");
    assert!(fields.is_empty());
    assert_eq!(server.by_key("1").is(200).json()["_version"], 1);
    server.delete(&record).is(204);
}

#[test]
fn a_delete_that_lands_between_makes_update_and_delete_404() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    store.play(Trick::DeleteBehind);
    server
        .update(&record, r#"{"_version":0}"#)
        .coded_error(404, "DATA_OBJECT_NOT_FOUND");
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    store.play(Trick::DeleteBehind);
    server
        .delete(&record)
        .coded_error(404, "DATA_OBJECT_NOT_FOUND");
}

#[test]
fn a_write_that_lands_between_makes_an_update_stale() {
    let (server, store) = tricky();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    store.play(Trick::UpdateBehind);
    let fields = server
        .update(&record, r#"{"_version":0,"Name":"M"}"#)
        .coded_error(400, "DATA_OBJECT_VERSION_CONFLICT");
    assert_eq!(fields[0].0, "_version");
    assert_eq!(server.by_key("1").json()["Name"], "N");
}

#[test]
fn every_line_of_the_log_has_the_requests_id_and_no_secret_or_value() {
    // what other tests say is judged along with it
    listen();
    let (server, store) = tricky();
    let made = server
        .create(r#"{"Code":"key-in-log","Name":"value-in-log","Mail":"person-in-log"}"#)
        .is(201);
    let id = made.header("x-request-id").expect("an id").to_owned();
    let lines = lines_with(&id);
    assert_eq!(lines.len(), 1, "{lines:?}");
    for part in [
        "status=201",
        "duration_ms=",
        "method=\"POST\"",
        "dataobjects\"",
        "caller=",
        "INFO",
    ] {
        assert!(lines[0].contains(part), "{part}: {}", lines[0]);
    }
    let found = server.by_key("key-in-log").is(200);
    let lines = lines_with(found.header("x-request-id").expect("an id"));
    assert!(
        lines[0].contains("by-pk/{key}"),
        "the route, not the key: {}",
        lines[0]
    );
    store.play(Trick::Fail);
    let failed = is_internal(server.by_key("key-in-log"));
    let lines = lines_with(&failed);
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].contains("ERROR") && lines[0].contains(INSIDE),
        "{}",
        lines[0]
    );
    let before = lines_with("status=401").len();
    server
        .anonymous("GET", "/v1/credential-in-log")
        .credential("credential-in-log")
        .send()
        .plain_error(401);
    let refused = lines_with("status=401");
    assert!(refused.len() > before && refused.iter().all(|line| line.contains("request.id=")));
    server.token();
    server.create("{\"Code\":\"body-in-log\", nonsense").is(400);
    for secret in [
        "-in-log",
        server.names.key.as_str(),
        server.names.app_secret.as_str(),
        "fsa_",
    ] {
        assert_eq!(lines_with(secret), Vec::<String>::new());
    }
}
