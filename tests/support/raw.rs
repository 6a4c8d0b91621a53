//! A client that sends the bytes it is told to, and shows the answer as it came. It corrects nothing.

use crate::contract::{self, Exchange};
use serde_json::Value;
use std::io::{Read as _, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The value of a header that stands once; names are in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(own, _)| own == name);
        let first = found.next().map(|(_, value)| value.as_str());
        assert!(found.next().is_none(), "{name} stands twice");
        first
    }

    /// The body as it was before it was compressed.
    pub(crate) fn plain_body(&self) -> Vec<u8> {
        match self.header("content-encoding") {
            None => self.body.clone(),
            Some("gzip") => {
                let mut plain = Vec::new();
                let mut reader = flate2::read::GzDecoder::new(&*self.body);
                reader.read_to_end(&mut plain).expect("gzip");
                plain
            }
            Some(other) => panic!("{other} was not asked for"),
        }
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).expect("an answer in UTF-8")
    }

    pub(crate) fn json(&self) -> Value {
        assert_eq!(
            self.header("content-type"),
            Some("application/json"),
            "{self:?}"
        );
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }

    /// Asserts the status, showing the answer where it is another.
    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(
            self.status,
            status,
            "{}",
            String::from_utf8_lossy(&self.body)
        );
        self
    }

    /// Asserts a plain error.
    #[track_caller]
    pub(crate) fn plain_error(self, status: u16) -> Self {
        let answer = self.is(status);
        let json = answer.json();
        let keys: Vec<_> = json.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["message"]);
        assert!(!json["message"].as_str().expect("a text").is_empty());
        answer
    }

    /// Asserts a coded error, and gives the names and texts of its `fields`.
    #[track_caller]
    pub(crate) fn coded_error(self, status: u16, code: &str) -> Vec<(String, String)> {
        let json = self.is(status).json();
        let mut keys: Vec<_> = json.as_object().expect("an object").keys().collect();
        keys.sort();
        assert_eq!(keys, ["code", "fields", "message"]);
        assert_eq!(json["code"], code, "{json}");
        assert!(!json["message"].as_str().expect("a text").is_empty());
        let fields = json["fields"].as_array().expect("an array").iter();
        let text = |field: &Value, key: &str| field[key].as_str().expect("a text").to_owned();
        fields
            .map(|field| {
                assert_eq!(field.as_object().expect("an object").len(), 2);
                (text(field, "name"), text(field, "errors"))
            })
            .collect()
    }
}

/// A request in the making.
#[derive(Clone)]
pub(crate) struct Request {
    address: SocketAddr,
    method: String,
    target: String,
    headers: Vec<(String, String)>,
    body: Option<Vec<u8>>,
}

impl Request {
    pub(crate) fn new(address: SocketAddr, method: &str, target: &str) -> Self {
        Request {
            address,
            method: method.to_owned(),
            target: target.to_owned(),
            headers: Vec::new(),
            body: None,
        }
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn credential(self, credential: &str) -> Self {
        self.header("Authorization", credential)
    }

    /// A body, with its length and nothing else said of it.
    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self
    }

    /// A JSON body.
    pub(crate) fn json(self, body: impl Into<Vec<u8>>) -> Self {
        self.header("Content-Type", "application/json").body(body)
    }

    pub(crate) fn send(self) -> Answer {
        let mut bytes = format!("{} {} HTTP/1.1\r\nHost: test\r\n", self.method, self.target);
        for (name, value) in &self.headers {
            bytes.extend([name, ": ", value, "\r\n"]);
        }
        if let Some(body) = &self.body {
            let length = body.len().to_string();
            bytes.extend(["Content-Length: ", &length, "\r\n"]);
        }
        bytes.push_str("Connection: close\r\n\r\n");
        let mut bytes = bytes.into_bytes();
        bytes.extend(self.body.unwrap_or_default());
        exchange(self.address, &bytes)
    }
}

/// A text with every byte written as an escape.
pub(crate) fn escaped(text: &str) -> String {
    let digit = |nibble: u8| char::from(b"0123456789ABCDEF"[usize::from(nibble)]);
    let escape = |byte: u8| ['%', digit(byte >> 4), digit(byte & 15)];
    text.bytes().flat_map(escape).collect()
}

/// Sends bytes on a connection of its own, reads the answer to its end, and holds it against the OpenAPI
/// document.
pub(crate) fn exchange(address: SocketAddr, bytes: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).expect("the server listens");
    let patience = Some(Duration::from_secs(60));
    stream.set_read_timeout(patience).expect("a limit");
    // a server that has answered may not read the rest
    let _ = stream.write_all(bytes);
    let mut came = Vec::new();
    let mut part = [0; 16 * 1024];
    loop {
        match tests::read_some(&mut stream, &mut part) {
            Ok(0) => break,
            Ok(length) => came.extend(&part[..length]),
            // a server that did not read everything resets the connection behind its answer
            Err(_) if !came.is_empty() => break,
            Err(error) => panic!("no answer: {error}"),
        }
    }
    let answer = parse(&came);
    hold(bytes, &answer);
    answer
}

fn hold(bytes: &[u8], answer: &Answer) {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
    let (head, body) = bytes.split_at(end.map_or(bytes.len(), |end| end + 4));
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let is_json = head.contains("\r\ncontent-type: application/json");
    let is_chunked = head.contains("\r\ntransfer-encoding");
    let line = bytes.split(|byte| *byte == b'\r').next().unwrap_or(bytes);
    let line = String::from_utf8_lossy(line);
    let mut words = line.split(' ');
    contract::hold(&Exchange {
        method: words.next().unwrap_or_default(),
        target: words.next().unwrap_or_default(),
        sent: (is_json && !is_chunked).then_some(body),
        status: answer.status,
        headers: &answer.headers,
        body: &if answer.body.is_empty() {
            Vec::new()
        } else {
            answer.plain_body()
        },
    });
}

fn parse(bytes: &[u8]) -> Answer {
    let end = bytes.windows(4).position(|part| part == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no head in {:?}", String::from_utf8_lossy(bytes)));
    let head = std::str::from_utf8(&bytes[..end]).expect("a head in ASCII");
    let mut lines = head.split("\r\n");
    let status = lines
        .next()
        .and_then(|line| line.split(' ').nth(1)?.parse().ok());
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let chunked = headers.iter().any(|(name, _)| name == "transfer-encoding");
    let is_coded = headers.iter().any(|(name, _)| name == "content-encoding");
    assert!(is_coded || !chunked, "answers say how long they are");
    let body = &bytes[end + 4..];
    Answer {
        status: status.expect("a status"),
        headers,
        body: if chunked {
            whole_of(body)
        } else {
            body.to_vec()
        },
    }
}

/// The bytes of a body that came in chunks, to its last.
fn whole_of(mut chunks: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while !chunks.is_empty() {
        let end = chunks.windows(2).position(|part| part == b"\r\n");
        let (size, rest) = chunks.split_at(end.expect("the size of a chunk"));
        let size = std::str::from_utf8(size).expect("a size in ASCII");
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            return whole;
        }
        whole.extend(&rest[2..2 + size]);
        chunks = &rest[2 + size + 2..];
    }
    // an answer to `HEAD` has none
    whole
}
