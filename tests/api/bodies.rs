//! Bodies of create and update: announced wrongly, too large, hostile. docs/rules.md, "Bodies";
//! docs/interface.md, "Order of judgement".

use crate::raw::exchange;
use crate::test_server::{TestServer, records_of};
use runtime::service::Settings;
use std::time::Duration;

/// What is no flat JSON object of a city's fields.
const HOSTILE: &[&[u8]] = &[
    b"",
    b" ",
    b"null",
    b"5",
    b"\"x\"",
    b"[]",
    br#"[{"Code":"2"}]"#,
    b"{",
    b"}",
    b"{}}",
    b"{} {}",
    b"{},",
    b"{'Code':1}",
    br#"{"Code":"2",}"#,
    br#"{"Code":}"#,
    br#"{"Code" "2"}"#,
    br#"{Code:"2"}"#,
    br#"{"Code":"2"} x"#,
    b"{}\0",
    br#"{"Code":"2","Code":"3"}"#,
    br#"{"Code":"2","C\u006fde":"3"}"#,
    br#"{"Code":{"a":1}}"#,
    br#"{"Code":[[1]]}"#,
    br#"{"Code":[{"a":1}]}"#,
    b"{\"Code\":\"\xff\"}",
    b"{\"Code\":\"a\0b\"}",
    br#"{"Code":"a\u0000b"}"#,
    br#"{"Code":"\ud800"}"#,
    br#"{"Code":"\x41"}"#,
    b"{\"Code\":\"a\nb\"}",
    b"\xef\xbb\xbf{\"Code\":\"2\"}",
    b"\xff\xfe{\0}\0",
    br#"{"Code":01}"#,
    br#"{"Code":+1}"#,
    br#"{"Code":.5}"#,
    br#"{"Code":5.}"#,
    br#"{"Code":NaN}"#,
    br#"{"Code":Infinity}"#,
    br#"{"Code":0x10}"#,
    br#"{"Code":tru}"#,
    br#"{"Code":TRUE}"#,
    b"// x\n{}",
    b"Code=2",
    b"<xml/>",
    br#"{"code":"2"}"#,
    br#"{"Code ":"2"}"#,
    br#"{"":"2"}"#,
    br#"{"Old":"2"}"#,
    br#"{"f-code":"2"}"#,
    br#"{"__proto__":"2"}"#,
];

#[test]
fn a_body_is_one_flat_json_object_or_it_is_refused_with_the_position() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let deep = "[".repeat(100_000);
    let nested = format!(r#"{{"Code":{}1{}}}"#, "[".repeat(200), "]".repeat(200));
    let deep = [deep.as_bytes(), nested.as_bytes()];
    for body in HOSTILE.iter().copied().chain(deep) {
        let shown = String::from_utf8_lossy(&body[..body.len().min(60)]).into_owned();
        let made = server.request("POST", &server.records()).json(body).send();
        assert_eq!(made.status, 400, "{shown}: {}", made.text());
        let message = made.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains("at byte "), "{shown}: {message}");
        made.coded_error(400, "INVALID_REQUEST_BODY");
        let changed = server
            .request("PUT", &server.record(&record))
            .json(body)
            .send();
        assert_eq!(changed.status, 400, "{shown}");
        changed.coded_error(400, "INVALID_REQUEST_BODY");
    }
    let page = server.get(&server.records()).json();
    assert_eq!(page["items"].as_array().unwrap().len(), 1);
    assert_eq!(page["items"][0]["_version"], 0);
}

#[test]
fn unknown_and_inactive_keys_are_named() {
    let server = TestServer::start();
    let body = r#"{"Code":"1","Nope":1,"Old":"x","name":"n"}"#;
    let fields = server.create(body).coded_error(400, "INVALID_REQUEST_BODY");
    let names: Vec<_> = fields.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Nope", "Old", "name"]);
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let fields = server
        .update(&record, r#"{"_version":0,"Nope":1}"#)
        .coded_error(400, "INVALID_REQUEST_BODY");
    assert_eq!(fields[0].0, "Nope");
}

#[test]
fn what_is_said_of_a_key_reads_beside_its_name_and_does_not_repeat_it() {
    let server = TestServer::start();
    let said_of = |body: &str| {
        let answer = server.create(body).is(400);
        let message = answer.json()["message"].as_str().unwrap().to_owned();
        let mut fields = answer.coded_error(400, "INVALID_REQUEST_BODY");
        assert_eq!(fields.len(), 1, "{fields:?}");
        let (name, errors) = fields.remove(0);
        assert_eq!(message, format!("{name:?}: {errors}"));
        errors
    };
    for (body, said) in [
        (
            r#"{"Code":"1","Nope":1}"#,
            "the schema has no field of this name, see the key at byte 12",
        ),
        (
            r#"{"_errors":[]}"#,
            "the property is set by the service alone, see the key at byte 1",
        ),
        (
            r#"{"Old":1}"#,
            "the field is not active, see the key at byte 1",
        ),
        (
            r#"{"Code":"1","Code":"2"}"#,
            "the key stands twice, see the second one at byte 12",
        ),
    ] {
        assert_eq!(said_of(body), said);
    }
    let long = format!(r#"{{"Code":"{}"}}"#, "x".repeat(1025));
    let said = "the primary key has more than 1024 bytes, see what begins at byte 8";
    assert_eq!(said_of(&long), said);
}

#[test]
fn a_body_of_nothing_but_wrong_keys_gets_a_short_answer() {
    let server = TestServer::start();
    let keys: Vec<_> = (0..80_000).map(|at| format!("\"k{at}\":1")).collect();
    let answer = server.create(&format!("{{{}}}", keys.join(",")));
    assert!(answer.body.len() < 50_000, "{} bytes", answer.body.len());
    assert!(
        answer.json()["message"]
            .as_str()
            .unwrap()
            .ends_with("; and 79900 more")
    );
    let fields = answer.coded_error(400, "INVALID_REQUEST_BODY");
    assert_eq!((fields.len(), fields[99].0.as_str()), (100, "k99"));
}

#[test]
fn a_body_must_be_announced_as_json() {
    let server = TestServer::start();
    let code = || server.new_id();
    for good in [
        "application/json",
        "Application/JSON",
        "application/json;charset=UTF-8",
        "application/json ; x=\"y\"",
    ] {
        let body = format!(r#"{{"Code":"{}","Name":"N"}}"#, code());
        let request = server
            .request("POST", &server.records())
            .header("Content-Type", good);
        request.body(body).send().is(201);
    }
    let wrong = [
        "",
        "json",
        "text/json",
        "text/plain",
        "application/jsonx",
        "application/json, text/plain",
        "application/*",
        "application/merge-patch+json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "\u{e9}",
    ];
    for wrong in wrong {
        let request = server
            .request("POST", &server.records())
            .header("Content-Type", wrong);
        request.body(r#"{"Code":"1"}"#).send().plain_error(415);
    }
    server
        .request("POST", &server.records())
        .body("{}")
        .send()
        .plain_error(415);
    let twice = server
        .request("POST", &server.records())
        .header("Content-Type", "application/json");
    twice.json("{}").send().plain_error(415);
    let packed = server
        .request("POST", &server.records())
        .header("Content-Encoding", "gzip");
    packed.json("{}").send().plain_error(415);
    let plain = server
        .request("POST", &server.records())
        .header("Content-Encoding", "identity");
    plain
        .json(format!(r#"{{"Code":"{}","Name":"N"}}"#, code()))
        .send()
        .is(201);
}

#[test]
fn the_media_type_is_judged_after_role_and_path_and_before_the_size() {
    let server = TestServer::start();
    let names = &server.names;
    let none = records_of(&names.area, &names.schema, "none");
    server
        .request("POST", &none)
        .body("x")
        .send()
        .plain_error(404);
    let large = vec![b' '; (1 << 20) + 1];
    server
        .request("POST", &none)
        .json(large.clone())
        .send()
        .plain_error(404);
    server
        .request("POST", &server.records())
        .body(large.clone())
        .send()
        .plain_error(415);
    server
        .request("POST", &server.records())
        .json(large)
        .send()
        .plain_error(413);
}

#[test]
fn a_body_has_at_most_a_mebibyte() {
    let server = TestServer::start();
    let body = |length: usize| {
        let mut body = format!(r#"{{"Code":"{}","Name":"N"}}"#, server.new_id()).into_bytes();
        body.resize(length, b' ');
        body
    };
    let send = |length| {
        server
            .request("POST", &server.records())
            .json(body(length))
            .send()
    };
    send(1 << 20).is(201);
    send((1 << 20) + 1).plain_error(413);
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let mut update = br#"{"_version":0}"#.to_vec();
    update.resize((1 << 20) + 1, b' ');
    server
        .request("PUT", &server.record(&record))
        .json(update)
        .send()
        .plain_error(413);
}

/// A request whose body comes in chunks.
fn chunked(server: &TestServer, chunks: &str) -> Vec<u8> {
    format!(
        "POST {} HTTP/1.1\r\nHost: test\r\nAuthorization: {}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n{chunks}",
        server.records(),
        server.names.key
    )
    .into_bytes()
}

#[test]
fn a_body_may_come_in_chunks_and_has_the_same_limit() {
    let server = TestServer::with_settings(Settings {
        body_bytes_max: 100,
        ..Settings::default()
    });
    let good = "8\r\n{\"Code\":\r\nd\r\n\"1\",\"Name\":\"N\r\n2\r\n\"}\r\n0\r\n\r\n";
    exchange(server.address, &chunked(&server, good)).is(201);
    let large = format!("70\r\n{}\r\n0\r\n\r\n", " ".repeat(0x70));
    exchange(server.address, &chunked(&server, &large)).plain_error(413);
    let broken = "zz\r\n{}\r\n0\r\n\r\n";
    exchange(server.address, &chunked(&server, broken)).plain_error(400);
    assert_eq!(server.record_count(), 1);
}

#[test]
fn a_body_that_does_not_come_is_not_waited_for_long() {
    let server = TestServer::with_settings(Settings {
        body_time_max: Duration::from_millis(100),
        ..Settings::default()
    });
    let half = chunked(&server, "8\r\n{\"Code\":\r\n");
    exchange(server.address, &half).plain_error(408);
}
