//! Traces that a server sends: of each request a span with what was done for it inside, part of the trace that its
//! caller began, to a collector that the story runs.

use crate::jobs::{cities, company};
use crate::support::Server;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};
use tempfile::tempdir;

/// A collector.
struct Collector {
    address: SocketAddr,
    sent: Receiver<(String, Vec<u8>)>,
    is_over: Arc<AtomicBool>,
}

impl Collector {
    fn start() -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = socket.local_addr().expect("an address");
        let (sender, sent) = channel();
        let is_over = Arc::<AtomicBool>::default();
        let ends = is_over.clone();
        std::thread::spawn(move || {
            for stream in socket.incoming().flatten() {
                if ends.load(Ordering::Acquire) {
                    break;
                }
                let sender = sender.clone();
                std::thread::spawn(move || {
                    while let Some(message) = take(&stream) {
                        let _ = sender.send(message);
                    }
                });
            }
        });
        Collector {
            address,
            sent,
            is_over,
        }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All that a server sent which has ended: first lines and bodies.
    fn all(self) -> Vec<(String, Vec<u8>)> {
        self.is_over.store(true, Ordering::Release);
        // after those of the server, which end with it
        drop(TcpStream::connect(self.address).expect("it listens"));
        self.sent.iter().collect()
    }
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

/// Where the company's cities are.
fn records(server: &Server, key: &str) -> String {
    let [area, schema, dataset] = cities(server, key);
    format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects")
}

fn holds(body: &[u8], bytes: &[u8]) -> bool {
    body.windows(bytes.len()).any(|piece| piece == bytes)
}

#[test]
fn a_request_is_a_span_of_its_callers_trace_and_holds_no_values() {
    let collector = Collector::start();
    let folder = tempdir().expect("a folder");
    let settings = ["--traces-to", &collector.url(), "--traces-percent", "0"];
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &settings);
    let records = records(&server, &key);
    let trace = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    let form = format!("Content-Type: application/json\r\n{trace}");
    let body = r#"{"Name": "T001", "Country": "of the trace"}"#;
    let answer = server.send_as("POST", &key, &records, &form, body);
    assert!(matches!(answer.status, 200 | 201), "{}", answer.body);
    // of those without a trace, none begins one
    let other = server.get(&key, &format!("{records}/by-pk/T001"));
    assert_eq!(other.status, 200);
    let said = server.stop();
    let log = said.lines().find(|line| line.contains("4bf92f3577b34da6"));
    assert!(log.is_some_and(|line| !line.contains("request{")), "{said}");
    let mut all = Vec::new();
    for (first, body) in collector.all() {
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
    let collector = Collector::start();
    let folder = tempdir().expect("a folder");
    let settings = ["--traces-to", &collector.url()];
    let server = Server::start_process(folder.path(), &settings);
    // the server does it, and nobody asked by the public interface
    let key = company(folder.path());
    let records = records(&server, &key);
    assert_eq!(server.get(&key, &records).status, 200);
    server.stop();
    let mut all = Vec::new();
    for (_, body) in collector.all() {
        all.extend(body);
    }
    assert!(holds(&all, b"GET /v1/businessareas/{"), "no route");
    for name in ["tenants.create", "manifest::", "store.decide"] {
        assert!(!holds(&all, name.as_bytes()), "{name} is sent");
    }
}

#[test]
fn a_collector_that_is_not_there_costs_no_answer() {
    let folder = tempdir().expect("a folder");
    let settings = ["--traces-to", "http://127.0.0.1:9"];
    let key = company(folder.path());
    let server = Server::start(folder.path(), &settings);
    assert_eq!(server.get(&key, &records(&server, &key)).status, 200);
    server.stop();
}
