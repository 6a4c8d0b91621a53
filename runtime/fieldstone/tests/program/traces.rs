//! Traces that a server sends: of each request a span with what was done for it inside, part of the trace that its
//! caller began, to a collector that the story runs.

use crate::support::{Server, word_after};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use tempfile::tempdir;

/// So long nothing more comes once the server has ended: what it sent is only to be taken.
const QUIET: Duration = Duration::from_secs(3);

/// A collector: its address, and what it is sent.
fn collector() -> (String, Receiver<(String, Vec<u8>)>) {
    let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", socket.local_addr().expect("an address"));
    let (sender, sent) = channel();
    std::thread::spawn(move || {
        for stream in socket.incoming().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || {
                while let Some(message) = take(&stream) {
                    let _ = sender.send(message);
                }
            });
        }
    });
    (address, sent)
}

/// One message, answered: its first line and its body; `None` at the end.
fn take(mut stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first).ok().filter(|it| *it > 0)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        match line.trim_end().split_once(": ") {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.parse().ok()?;
            }
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let answer =
        "HTTP/1.1 200 OK\r\ncontent-type: application/x-protobuf\r\ncontent-length: 0\r\n\r\n";
    stream.write_all(answer.as_bytes()).ok()?;
    Some((first, body))
}

fn holds(body: &[u8], bytes: &[u8]) -> bool {
    body.windows(bytes.len()).any(|piece| piece == bytes)
}

#[test]
fn a_request_is_a_span_of_its_callers_trace_and_holds_no_values() {
    let (address, sent) = collector();
    let folder = tempdir().expect("a folder");
    let settings = ["--traces-to", &address, "--traces-percent", "0"];
    let server = Server::start_demo_process(folder.path(), &settings);
    let message = server.wait_for_error("generator -- fetch http://");
    let key = word_after(&message, "API key ").to_owned();
    let (before, _) = message.split_once("/by-pk/EDDM").expect("a command");
    let (_, records) = before.rsplit_once("/v1/").expect("a path");
    let trace = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let form = format!("Content-Type: application/json\r\n{trace}");
    let body = r#"{"ICAO": "T001", "Name": "of the trace"}"#;
    let answer = server.send_as("POST", &key, &format!("/v1/{records}"), &form, body);
    assert!(matches!(answer.status, 200 | 201), "{}", answer.body);
    // of those without a trace, none begins one
    let other = server.get(&key, &format!("/v1/{records}/by-pk/T001"));
    assert_eq!(other.status, 200);
    let said = server.stop();
    let log = said.lines().find(|line| line.contains("4bf92f3577b34da6"));
    assert!(log.is_some_and(|line| !line.contains("request{")), "{said}");
    let mut all = Vec::new();
    while let Ok((first, body)) = sent.recv_timeout(QUIET) {
        assert!(first.starts_with("POST /v1/traces "), "{first}");
        all.extend(body);
    }
    let id = 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736_u128.to_be_bytes();
    let parent = 0x00f0_67aa_0ba9_02b7_u64.to_be_bytes();
    assert!(
        holds(&all, &id) && holds(&all, &parent),
        "{} bytes",
        all.len()
    );
    for name in ["POST /v1/", "records.create", "store.write", "fieldstone"] {
        assert!(holds(&all, name.as_bytes()), "no {name}");
    }
    for value in ["T001", "of the trace", "GET /v1/", key.as_str()] {
        assert!(!holds(&all, value.as_bytes()), "{value} is told");
    }
}

#[test]
fn a_request_begins_a_trace_and_what_the_server_does_by_itself_does_not() {
    let (address, sent) = collector();
    let folder = tempdir().expect("a folder");
    let server = Server::start_process(folder.path(), &["--demo", "--traces-to", &address]);
    let message = server.wait_for_error("generator -- fetch http://");
    let key = word_after(&message, "API key ").to_owned();
    let (before, _) = message.split_once("/by-pk/EDDM").expect("a command");
    let (_, records) = before.rsplit_once("/v1/").expect("a path");
    assert_eq!(server.get(&key, &format!("/v1/{records}")).status, 200);
    server.stop();
    let mut all = Vec::new();
    while let Ok((_, body)) = sent.recv_timeout(QUIET) {
        all.extend(body);
    }
    assert!(holds(&all, b"GET /v1/businessareas/{"), "no route");
    // the demo made them
    for name in ["tenants.create", "manifest::", "store.decide"] {
        assert!(!holds(&all, name.as_bytes()), "{name} is sent");
    }
}

#[test]
fn a_collector_that_is_not_there_costs_no_answer() {
    let folder = tempdir().expect("a folder");
    let settings = ["--traces-to", "http://127.0.0.1:9"];
    let server = Server::start_demo_process(folder.path(), &settings);
    let message = server.wait_for_error("generator -- fetch http://");
    let key = word_after(&message, "API key ").to_owned();
    let (before, _) = message.split_once("/by-pk/EDDM").expect("a command");
    let (_, records) = before.rsplit_once("/v1/").expect("a path");
    assert_eq!(server.get(&key, &format!("/v1/{records}")).status, 200);
    server.stop();
}
