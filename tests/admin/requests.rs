//! A request on a connection of its own, and its answer, which the description of the interface is held to.

use crate::contract::{self, Exchange};
use serde_json::Value;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    /// Asserts the status, showing the answer where it is another.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{}", self.body);
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// A text of the answer's object.
    #[track_caller]
    pub(crate) fn text(&self, key: &str) -> String {
        let json = self.json();
        let text = json[key].as_str();
        text.unwrap_or_else(|| panic!("no {key} in {json}"))
            .to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines().filter_map(|line| line.split_once(':'));
        let mut found = lines.filter(|(own, _)| own.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim())
    }

    /// The paths of `problems`.
    pub(crate) fn problems(&self) -> Vec<String> {
        let json = self.json();
        assert!(json["message"].is_string(), "{json}");
        let problems = json["problems"].as_array().expect("problems").iter();
        let path = |problem: &Value| problem["path"].as_str().expect("a path").to_owned();
        problems.map(path).collect()
    }
}

/// A body that came in chunks.
fn whole(mut chunks: &str) -> String {
    let mut body = String::new();
    while let Some((length, rest)) = chunks.split_once("\r\n") {
        let length = usize::from_str_radix(length, 16).expect("a length");
        body.push_str(&rest[..length]);
        chunks = rest[length..].trim_start_matches("\r\n");
    }
    body
}

/// Sends a request on a connection of its own and reads the answer to its end.
pub(crate) fn exchange(
    address: SocketAddr,
    line: &str,
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> Answer {
    let sent_body = body;
    let mut sent = format!("{line} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n");
    for (name, value) in headers {
        sent.extend([name, ": ", value, "\r\n"]);
    }
    if let Some(body) = body {
        let length = body.len();
        let length = format!("Content-Length: {length}\r\n");
        sent.push_str(&length);
        let is_type = |(name, _): &(&str, &str)| name.eq_ignore_ascii_case("content-type");
        if !headers.iter().any(is_type) {
            sent.push_str("Content-Type: application/json\r\n");
        }
    }
    sent.push_str("\r\n");
    sent.push_str(body.unwrap_or_default());
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let patience = Some(Duration::from_secs(60));
    stream.set_read_timeout(patience).expect("a limit");
    stream.write_all(sent.as_bytes()).expect("it is sent");
    let mut came = String::new();
    stream
        .read_to_string(&mut came)
        .expect("an answer in UTF-8");
    let (head, body) = came.split_once("\r\n\r\n").expect("a head");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    let is_in_chunks = head.to_lowercase().contains("transfer-encoding: chunked");
    let answer = Answer {
        status: status.expect("a status"),
        head: head.to_owned(),
        body: if is_in_chunks {
            whole(body)
        } else {
            body.to_owned()
        },
    };
    let pairs = answer.head.lines().filter_map(|line| line.split_once(':'));
    let headers: Vec<_> = pairs
        .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
        .collect();
    let (method, target) = line.split_once(' ').expect("a method and a path");
    // pages are for people, and no interface that the document tells of
    let is_below = |path: &str| {
        let behind = target.strip_prefix(path);
        behind.is_some_and(|it| it.is_empty() || it.starts_with(['/', '?']))
    };
    if ["/app", "/desk"].into_iter().any(is_below) {
        return answer;
    }
    contract::hold(&Exchange {
        method,
        target,
        sent: sent_body.map(str::as_bytes),
        status: answer.status,
        headers: &headers,
        body: answer.body.as_bytes(),
    });
    answer
}
