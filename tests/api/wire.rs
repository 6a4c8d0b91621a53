//! HTTP itself: several requests on one connection, bodies that are asked for, bodies that nobody read,
//! and requests that hardly a client sends.

use crate::test_server::TestServer;
use serde_json::{Value, json};
use std::io::Write;
use std::net::TcpStream;
use std::time::Duration;

/// A connection that stays open.
struct Connection {
    stream: TcpStream,
    came: Vec<u8>,
}

impl Connection {
    fn new(server: &TestServer) -> Self {
        let stream = TcpStream::connect(server.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        Connection {
            stream,
            came: Vec::new(),
        }
    }

    fn send(&mut self, bytes: &str) {
        self.stream.write_all(bytes.as_bytes()).unwrap();
    }

    /// The head of the next answer; `None` when the server has closed the connection.
    fn head(&mut self) -> Option<String> {
        let end = b"\r\n\r\n";
        loop {
            if let Some(at) = self.came.windows(4).position(|part| part == end) {
                let head = self.came.drain(..at + 4).collect();
                return Some(String::from_utf8(head).unwrap());
            }
            self.more()?;
        }
    }

    /// The next answer: its status and its body.
    fn answer(&mut self) -> Option<(u16, String)> {
        let head = self.head()?.to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let length: usize = length.map_or(0, |length| length.parse().unwrap());
        while self.came.len() < length {
            self.more()?;
        }
        let body = self.came.drain(..length).collect();
        Some((status, String::from_utf8(body).unwrap()))
    }

    #[track_caller]
    fn is(&mut self, status: u16) -> Value {
        let (found, body) = self.answer().expect("an answer");
        assert_eq!(found, status, "{body}");
        serde_json::from_str(&body).unwrap_or(Value::Null)
    }

    fn more(&mut self) -> Option<()> {
        let mut part = [0; 4096];
        let read = tests::read_some(&mut self.stream, &mut part).ok();
        let length = read.filter(|read| *read > 0)?;
        self.came.extend(&part[..length]);
        Some(())
    }
}

/// A request on a connection that stays open.
fn request(server: &TestServer, method: &str, target: &str, more: &str) -> String {
    let key = &server.names.key;
    format!("{method} {target} HTTP/1.1\r\nHost: test\r\nAuthorization: {key}\r\n{more}\r\n")
}

fn creation(server: &TestServer, body: &str) -> String {
    let length = body.len();
    let more = format!("Content-Type: application/json\r\nContent-Length: {length}\r\n");
    request(server, "POST", &server.records(), &more) + body
}

#[test]
fn requests_sent_without_waiting_are_answered_in_their_order() {
    let server = TestServer::start();
    let by_key = |key: &str| {
        let target = format!("{}/by-pk/{key}", server.records());
        request(&server, "GET", &target, "")
    };
    let mut connection = Connection::new(&server);
    connection.send(
        &[
            by_key("1"),
            creation(&server, r#"{"Code":"1","Name":"N"}"#),
            by_key("1"),
            creation(&server, r#"{"Code":"1"}"#),
            request(&server, "HEAD", "/healthz", "").replace("HEAD", "GET"),
        ]
        .concat(),
    );
    assert_eq!(connection.answer(), Some((404, String::new())));
    let made = connection.is(201);
    assert_eq!(connection.is(200), made);
    assert_eq!(connection.is(400)["code"], "DUPLICATE_PRIMARY_KEY");
    assert_eq!(connection.is(200), json!({"status": "ok"}));
}

#[test]
fn a_body_is_asked_for_once_it_is_wanted() {
    let server = TestServer::start();
    let body = r#"{"Code":"1","Name":"N"}"#;
    let expecting = |target: &str, kind: &str| {
        let length = body.len();
        let more =
            format!("Content-Type: {kind}\r\nContent-Length: {length}\r\nExpect: 100-continue\r\n");
        request(&server, "POST", target, &more)
    };
    let mut connection = Connection::new(&server);
    connection.send(&expecting(&server.records(), "application/json"));
    let head = connection.head().unwrap();
    assert!(head.starts_with("HTTP/1.1 100 "), "{head}");
    connection.send(body);
    connection.is(201);
    // who is refused whatever the body says is told so before sending it
    let mut connection = Connection::new(&server);
    connection.send(&expecting(&server.records(), "text/plain"));
    connection.is(415);
    let nowhere = crate::test_server::records_of("none", "none", "none");
    let mut connection = Connection::new(&server);
    connection.send(&expecting(&nowhere, "application/json"));
    connection.is(404);
}

#[test]
fn a_body_that_nobody_read_is_never_taken_for_a_request() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let hidden = request(&server, "DELETE", &server.record(&record), "");
    let length = hidden.len();
    let records = server.records();
    let refused = [
        format!(
            "POST {records} HTTP/1.1\r\nHost: test\r\nContent-Length: {length}\r\n\r\n{hidden}"
        ),
        request(
            &server,
            "POST",
            &records,
            &format!("Content-Length: {length}\r\n"),
        ) + &hidden,
        request(
            &server,
            "PATCH",
            &records,
            &format!("Content-Length: {length}\r\n"),
        ) + &hidden,
        request(
            &server,
            "GET",
            &records,
            &format!("Content-Length: {length}\r\n"),
        ) + &hidden,
        request(
            &server,
            "POST",
            "/v1/none",
            "Transfer-Encoding: chunked\r\n",
        ) + &format!("{length:x}\r\n{hidden}\r\n0\r\n\r\n"),
    ];
    for (first, expected) in refused.into_iter().zip([401, 415, 405, 200, 404]) {
        let mut connection = Connection::new(&server);
        connection.send(&first);
        connection.send(&request(
            &server,
            "GET",
            "/healthz",
            "Connection: close\r\n",
        ));
        connection.is(expected);
        // the next request is answered, or the connection is closed before it
        if let Some((status, body)) = connection.answer() {
            assert_eq!((status, body.as_str()), (200, r#"{"status":"ok"}"#));
        }
        assert_eq!(connection.answer(), None);
    }
    server.by_key("1").is(200);
}

#[test]
fn two_lengths_are_no_body() {
    let server = TestServer::start();
    let body = r#"{"Code":"1","Name":"N"}"#;
    let length = body.len();
    let framings = [
        format!("Content-Length: {length}\r\nContent-Length: 2\r\n"),
        format!("Content-Length: {length}, 2\r\n"),
        "Content-Length: -1\r\n".to_owned(),
        format!("Content-Length: +{length}\r\n"),
        "Content-Length: 99999999999999999999999\r\n".to_owned(),
        "Transfer-Encoding: chunked, gzip\r\n".to_owned(),
        "Transfer-Encoding: xchunked\r\n".to_owned(),
    ];
    for framing in framings {
        let mut connection = Connection::new(&server);
        let more = format!("Content-Type: application/json\r\n{framing}");
        connection.send(&(request(&server, "POST", &server.records(), &more) + body));
        let (status, text) = connection.answer().expect("an answer");
        assert_eq!(status, 400, "{framing}: {text}");
        assert_eq!(connection.answer(), None, "{framing}");
    }
    assert_eq!(server.get(&server.records()).text(), r#"{"items":[]}"#);
}

#[test]
fn old_clients_and_odd_targets_are_answered() {
    let server = TestServer::start();
    let key = &server.names.key;
    let cases = [
        (
            format!("GET /v1/my/businessareas HTTP/1.0\r\nAuthorization: {key}\r\n\r\n"),
            200,
        ),
        ("GET /v1/my/businessareas HTTP/1.0\r\n\r\n".to_owned(), 401),
        (
            request(&server, "OPTIONS", "*", "Connection: close\r\n"),
            404,
        ),
        (
            "CONNECT other.example:443 HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n"
                .to_owned(),
            401,
        ),
        (
            request(
                &server,
                "CONNECT",
                "other.example:443",
                "Connection: close\r\n",
            ),
            404,
        ),
    ];
    for (bytes, status) in cases {
        let mut connection = Connection::new(&server);
        connection.send(&bytes);
        let message = connection.is(status);
        assert!(status == 200 || message["message"].is_string(), "{bytes}");
        assert_eq!(connection.answer(), None);
    }
}

#[test]
fn head_answers_as_get_does_on_every_address() {
    let server = TestServer::start();
    let names = &server.names;
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let schema = format!("{schemas}/{}", names.schema);
    let targets = [
        "/v1/my/businessareas".to_owned(),
        format!("{schema}/datasets"),
        format!("{schemas}/none"),
        server.records(),
        "/v1/dataobjects/search".to_owned(),
        "/healthz".to_owned(),
        "/openapi.json".to_owned(),
        schemas,
        schema,
    ];
    for target in targets {
        let get = server.get(&target);
        let head = server.request("HEAD", &target).send().is(get.status);
        assert!(head.body.is_empty(), "{target}");
        for name in ["content-length", "content-type"] {
            assert_eq!(head.header(name), get.header(name), "{target}");
        }
    }
}
