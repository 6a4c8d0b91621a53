//! Requests to a server on this machine. HTTP/1.0, so that an answer is whole when the connection ends.

use std::{
    io::{self, Read, Write},
    net::TcpStream,
    time::Duration,
};

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// The values of a header, by its name in small letters.
    pub(crate) fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.head.lines().filter_map(move |line| {
            let (own, value) = line.split_once(": ")?;
            own.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn is_html(&self) -> bool {
        self.headers("content-type")
            .any(|it| it.starts_with("text/html"))
    }
}

/// Sends a request to `host` (address and port) and reads the whole answer.
pub(crate) fn send(
    host: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> io::Result<Answer> {
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(Duration::from_mins(2)))?;
    write!(stream, "{method} {path} HTTP/1.0\r\nHost: {host}\r\n")?;
    for (name, value) in headers {
        write!(stream, "{name}: {value}\r\n")?;
    }
    if method != "GET" {
        write!(stream, "Content-Length: {}\r\n", body.len())?;
    }
    stream.write_all(b"\r\n")?;
    stream.write_all(body)?;
    let mut all = Vec::new();
    stream.read_to_end(&mut all)?;
    let broken = || io::Error::other(format!("{method} {path}: the answer has no head"));
    let end = all
        .windows(4)
        .position(|it| it == b"\r\n\r\n")
        .ok_or_else(broken)?;
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    Ok(Answer {
        status: status.ok_or_else(broken)?,
        head,
        body: all.split_off(end + 4),
    })
}

/// A form's fields as its body.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let encoded = |text: &str| {
        let bytes: Vec<_> = text.bytes().map(|it| format!("%{it:02X}")).collect();
        bytes.concat()
    };
    let pairs = fields
        .iter()
        .map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}
