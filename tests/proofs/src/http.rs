//! One kept connection, asked one request at a time. It tells apart what was answered and what nobody knows: nothing is
//! sent twice, and an answer that breaks off is none.

use anyhow::{Context as _, bail, ensure};
use serde_json::Value;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than anything takes, on a machine that does much else: also a write of which the database tells nothing.
const TIMEOUT: Duration = Duration::from_secs(90);
const HEADERS_MAX: usize = 48;

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    /// Its body as JSON; `null` where it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Its body as a text for people.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// A client of one server.
pub(crate) struct Client {
    address: SocketAddr,
    key: String,
    stream: Option<TcpStream>,
}

impl Client {
    pub(crate) fn new(address: SocketAddr, key: &str) -> Self {
        Client {
            address,
            key: key.to_owned(),
            stream: None,
        }
    }

    /// The answer; an error says that it is not known what became of the request.
    pub(crate) fn ask(&mut self, method: &str, path: &str, body: &str) -> anyhow::Result<Answer> {
        self.ask_as(method, path, "application/json", body)
    }

    pub(crate) fn ask_as(
        &mut self,
        method: &str,
        path: &str,
        kind: &str,
        body: &str,
    ) -> anyhow::Result<Answer> {
        let mut stream = match self.stream.take() {
            Some(stream) => stream,
            None => self.connect()?,
        };
        let content = match (method, body.len()) {
            ("GET", _) | (_, 0) => "Content-Length: 0\r\n".to_owned(),
            (_, length) => format!("Content-Type: {kind}\r\nContent-Length: {length}\r\n"),
        };
        let Client { address, key, .. } = self;
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: {key}\r\n{content}\r\n{body}"
        );
        stream.write_all(request.as_bytes())?;
        let (answer, is_kept) = read(&mut stream)?;
        self.stream = is_kept.then_some(stream);
        Ok(answer)
    }

    /// What a read answers, which must be 200.
    pub(crate) fn read(&mut self, path: &str) -> anyhow::Result<Value> {
        let answer = self.ask("GET", path, "")?;
        ensure!(
            answer.status == 200,
            "GET {path}: {} {}",
            answer.status,
            answer.text()
        );
        Ok(answer.json())
    }

    fn connect(&self) -> anyhow::Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.address, TIMEOUT)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        stream.set_write_timeout(Some(TIMEOUT))?;
        Ok(stream)
    }
}

/// How a body is framed.
enum Framing {
    Length(usize),
    Chunks,
}

fn read(stream: &mut TcpStream) -> anyhow::Result<(Answer, bool)> {
    let mut bytes = Vec::with_capacity(4 << 10);
    loop {
        let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
        let mut head = httparse::Response::new(&mut headers);
        if let httparse::Status::Complete(start) = head.parse(&bytes)? {
            let status = head.code.context("an answer without a status")?;
            let is_kept = !is(&head, "connection", "close");
            let framing = framing(&head, status)?;
            let body = match framing {
                Framing::Length(length) => {
                    while bytes.len() < start + length {
                        more(stream, &mut bytes)?;
                    }
                    bytes[start..start + length].to_vec()
                }
                Framing::Chunks => chunks(stream, bytes.split_off(start))?,
            };
            return Ok((Answer { status, body }, is_kept));
        }
        more(stream, &mut bytes)?;
    }
}

fn is(head: &httparse::Response<'_, '_>, name: &str, value: &str) -> bool {
    let mut lines = head.headers.iter();
    lines.any(|line| {
        line.name.eq_ignore_ascii_case(name) && line.value.eq_ignore_ascii_case(value.as_bytes())
    })
}

fn framing(head: &httparse::Response<'_, '_>, status: u16) -> anyhow::Result<Framing> {
    if is(head, "transfer-encoding", "chunked") {
        return Ok(Framing::Chunks);
    }
    let mut lines = head.headers.iter();
    let length = lines.find(|line| line.name.eq_ignore_ascii_case("content-length"));
    match length {
        Some(length) => Ok(Framing::Length(std::str::from_utf8(length.value)?.parse()?)),
        None if matches!(status, 204 | 304) => Ok(Framing::Length(0)),
        None => bail!("an answer of no length"),
    }
}

fn chunks(stream: &mut TcpStream, mut bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let (mut at, mut body) = (0, Vec::new());
    loop {
        match httparse::parse_chunk_size(&bytes[at..]) {
            Ok(httparse::Status::Complete((start, size))) => {
                let (start, size) = (at + start, usize::try_from(size)?);
                while bytes.len() < start + size + 2 {
                    more(stream, &mut bytes)?;
                }
                if size == 0 {
                    return Ok(body);
                }
                body.extend_from_slice(&bytes[start..start + size]);
                at = start + size + 2;
            }
            Ok(httparse::Status::Partial) => more(stream, &mut bytes)?,
            Err(_) => bail!("an answer in chunks that are none"),
        }
    }
}

fn more(stream: &mut TcpStream, bytes: &mut Vec<u8>) -> anyhow::Result<()> {
    let mut piece = [0; 16 << 10];
    let count = loop {
        match stream.read(&mut piece) {
            // a read with a limit is interrupted when the machine is halted for a moment
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            outcome => break outcome?,
        }
    };
    ensure!(count > 0, "the connection broke off");
    bytes.extend_from_slice(&piece[..count]);
    Ok(())
}
