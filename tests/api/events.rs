//! The changes of a dataset as server-sent events. docs/interface.md, "Changes".

use crate::changes::{changes, follow, text};
use crate::raw::Request;
use crate::test_server::{TestServer, only};
use crate::tricks::tricky;
use runtime::service::Settings;
use runtime::store::catalog::{Resource, Verb, Verbs};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;
use tests::trick_store::Trick;

/// A connection on which events come.
pub(crate) struct Events {
    lines: BufReader<TcpStream>,
    /// What came of an event that is not whole yet.
    text: String,
}

impl Events {
    /// Listens behind what was heard last.
    pub(crate) fn of(server: &TestServer, key: &str, after: &str, last: Option<&str>) -> Self {
        let mut stream = TcpStream::connect(server.address).expect("the server listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .expect("a limit");
        let last = last
            .map(|last| format!("Last-Event-ID: {last}\r\n"))
            .unwrap_or_default();
        let head = format!(
            "GET {}{after} HTTP/1.1\r\nHost: test\r\nAuthorization: {key}\r\nAccept: text/event-stream\r\n{last}\r\n",
            changes(server)
        );
        stream.write_all(head.as_bytes()).expect("sent");
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(lines.read_line(&mut head).expect("a head"), 0, "{head}");
        }
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let head = head.to_ascii_lowercase();
        // the last one for proxies that would gather events
        for line in [
            "content-type: text/event-stream",
            "cache-control: no-store",
            "x-accel-buffering: no",
        ] {
            assert!(head.contains(line), "{head}");
        }
        let text = String::new();
        Events { lines, text }
    }

    /// The id and data of the next event; data that is empty tells where it begins. `None` at the end.
    pub(crate) fn next(&mut self) -> Option<(String, String)> {
        loop {
            let event = self.next_said()?;
            let part = |name: &str| {
                let mut lines = event.lines().filter_map(|line| line.strip_prefix(name));
                lines.next().map(str::to_owned)
            };
            if let Some(id) = part("id: ") {
                return Some((id, part("data: ").unwrap_or_default()));
            }
        }
    }

    /// What is said next: an event, or a comment. `None` at the end.
    fn next_said(&mut self) -> Option<String> {
        loop {
            if let Some((said, rest)) = self.text.split_once("\n\n") {
                let (said, rest) = (said.to_owned(), rest.to_owned());
                self.text = rest;
                return Some(said);
            }
            let mut size = String::new();
            self.lines.read_line(&mut size).expect("a chunk");
            let size = usize::from_str_radix(size.trim(), 16).expect("a size");
            let mut chunk = vec![0; size + 2];
            self.lines.read_exact(&mut chunk).expect("the chunk");
            if size == 0 {
                return None;
            }
            self.text
                .push_str(std::str::from_utf8(&chunk[..size]).expect("UTF-8"));
        }
    }
}

#[test]
fn events_come_as_changes_are_made_and_go_on_behind_the_last_one_heard() {
    let server = TestServer::start();
    let key = server.names.key.clone();
    server.created(r#"{"Code":"1"}"#);
    let mut events = Events::of(&server, &key, "?after=latest", None);
    let (begin, data) = events.next().expect("where it begins");
    assert_eq!(data, "");
    let record = server.created(r#"{"Code":"2","Name":"line\nend \u2028"}"#);
    let (id, data) = events.next().expect("a change");
    let change: Value = serde_json::from_str(&data).expect("JSON");
    assert_eq!(
        (text(&change, "position"), &change["record"]),
        (id.clone(), &record)
    );
    drop(events);
    // what comes while nobody listens is told to who comes back
    server.delete(&record).is(204);
    for (last, count) in [(&begin, 2), (&id, 1)] {
        let mut events = Events::of(&server, &key, "?after=latest", Some(last));
        assert_eq!(
            events.next().expect("where it begins"),
            (last.clone(), String::new())
        );
        let heard: Vec<_> = (0..count)
            .map(|_| events.next().expect("a change").1)
            .collect();
        let (meant, _) = follow(&server, Some(last), 10);
        let heard: Vec<Value> = heard
            .iter()
            .map(|it| serde_json::from_str(it).expect("JSON"))
            .collect();
        assert_eq!(heard, meant);
    }
}

#[test]
fn events_end_when_the_credential_does_and_when_the_service_does() {
    let server = TestServer::start();
    let area = server.names.area.clone();
    let key = server.key(&[(Verbs::ALL, &area)], &only(Resource::Records, Verb::View));
    let token = server.token();
    let mut by_key = Events::of(&server, &key, "", None);
    let mut by_token = Events::of(&server, &token, "", None);
    let mut staying = Events::of(&server, &server.names.key, "", None);
    for events in [&mut by_key, &mut by_token, &mut staying] {
        events.next().expect("where it begins");
    }
    server.change_key(&key, |key| key.active = false);
    server.clock.forward(3601);
    server.created(r#"{"Code":"1"}"#);
    assert_eq!([by_key.next(), by_token.next()], [None, None]);
    staying.next().expect("a change");
    let answer = Request::new(server.address, "GET", &changes(&server)).credential(&key);
    answer.send().is(401);
    server.service.end_waiting();
    assert_eq!(staying.next(), None);
}

#[test]
fn while_nothing_happens_a_comment_comes_and_rights_are_looked_at() {
    let seconds = Settings::default().events_silence_max.as_secs();
    assert_eq!(seconds, 15, "docs/interface.md, \"Changes\"");
    let server = TestServer::with_settings(Settings {
        events_silence_max: Duration::from_millis(50),
        ..Settings::default()
    });
    let area = server.names.area.clone();
    let key = server.key(&[(Verbs::ALL, &area)], &only(Resource::Records, Verb::View));
    let mut events = Events::of(&server, &key, "", None);
    events.next().expect("where it begins");
    for _ in 0..2 {
        assert_eq!(events.next_said().as_deref(), Some(":"));
    }
    // what changes meanwhile is told behind the comments
    server.created(r#"{"Code":"1"}"#);
    let (_, data) = events.next().expect("a change");
    assert!(data.contains(r#""action":"create""#), "{data}");
    server.change_key(&key, |key| key.active = false);
    assert_eq!(events.next(), None, "nothing was written meanwhile");
}

#[test]
fn events_end_where_changes_went_before_they_were_told() {
    let (server, store) = tricky();
    let mut events = Events::of(&server, &server.names.key, "", None);
    events.next().expect("where it begins");
    store.play(Trick::ForgetChanges);
    server.created(r#"{"Code":"1"}"#);
    assert_eq!(events.next(), None, "none is left out in silence");
}
