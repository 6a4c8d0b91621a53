//! One connection, kept alive: a request goes out as bytes that were made before, its answer comes back
//! with status and body. As little as will do, so that the client's core is not what is measured.

use anyhow::{Context as _, bail, ensure};
use std::net::SocketAddr;
use std::ops::Range;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Longer answers are refused.
const ANSWER_BYTES_MAX: usize = 8 << 20;
const HEADERS_MAX: usize = 32;

/// A connection and the answer it read last.
pub(crate) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
}

/// A status, and where the body stands.
struct Head {
    status: u16,
    body: Range<usize>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        ensure!(address.ip().is_loopback(), "{address} is not this machine");
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let read = Vec::with_capacity(128 << 10);
        Ok(Connection { stream, read })
    }

    /// Sends a request and reads its whole answer.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> anyhow::Result<(u16, &[u8])> {
        self.stream.write_all(request).await?;
        self.read.clear();
        let head = loop {
            let count = self.stream.read_buf(&mut self.read).await?;
            ensure!(count > 0, "the server closed a connection");
            if let Some(head) = head(&self.read)? {
                break head;
            }
        };
        while self.read.len() < head.body.end {
            let count = self.stream.read_buf(&mut self.read).await?;
            ensure!(count > 0, "the server closed a connection within an answer");
        }
        ensure!(self.read.len() == head.body.end, "an answer is too long");
        Ok((head.status, &self.read[head.body]))
    }

    /// Sends a request that must be answered with this status.
    pub(crate) async fn expect(&mut self, wanted: u16, request: &[u8]) -> anyhow::Result<&[u8]> {
        let (status, body) = self.ask(request).await?;
        if status != wanted {
            let body = String::from_utf8_lossy(body);
            bail!("answered with {status} instead of {wanted}: {body:.300}");
        }
        Ok(body)
    }
}

/// The head, once it is whole.
fn head(read: &[u8]) -> anyhow::Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut response = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(start) = response.parse(read)? else {
        return Ok(None);
    };
    let status = response.code.context("an answer without a status")?;
    let length = response
        .headers
        .iter()
        .find(|header| header.name.eq_ignore_ascii_case("content-length"));
    let length = match length {
        Some(header) => std::str::from_utf8(header.value)?.trim().parse()?,
        None if status == 204 => 0,
        None => bail!("an answer of {status} without its length"),
    };
    ensure!(length <= ANSWER_BYTES_MAX, "an answer of {length} bytes");
    Ok(Some(Head {
        status,
        body: start..start + length,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_tells_status_and_body_once_it_is_whole() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        let whole = head(answer).unwrap().unwrap();
        assert_eq!((whole.status, &answer[whole.body]), (200, &b"{}"[..]));
        assert!(head(&answer[..30]).unwrap().is_none());
        let empty = head(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap().unwrap();
        assert!(empty.body.is_empty());
        assert!(head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
    }
}
