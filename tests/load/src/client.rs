//! One connection, kept alive: a request goes out as bytes that were made before, its answer comes back
//! with status and body. As little as will do, so that the client's core is not what is measured.

use anyhow::{Context as _, anyhow, bail, ensure};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Longer answers are refused.
const ANSWER_BYTES_MAX: usize = 8 << 20;
const HEADERS_MAX: usize = 32;

/// A connection and the answer it read last.
pub(crate) struct Connection {
    stream: TcpStream,
    read: Vec<u8>,
    /// The body that came in chunks, as one.
    joined: Vec<u8>,
}

/// A status, where the body begins, and where it ends, unless it comes in chunks.
struct Head {
    status: u16,
    start: usize,
    end: Option<usize>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        ensure!(address.ip().is_loopback(), "{address} is not this machine");
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        let read = Vec::with_capacity(128 << 10);
        let joined = Vec::new();
        Ok(Connection {
            stream,
            read,
            joined,
        })
    }

    /// Sends a request and reads its whole answer.
    pub(crate) async fn ask(&mut self, request: &[u8]) -> anyhow::Result<(u16, &[u8])> {
        self.stream.write_all(request).await?;
        self.read.clear();
        let head = loop {
            self.read_more().await?;
            if let Some(head) = head(&self.read)? {
                break head;
            }
        };
        let Some(end) = head.end else {
            while !join_chunks(&self.read[head.start..], &mut self.joined)? {
                self.read_more().await?;
            }
            return Ok((head.status, &self.joined));
        };
        while self.read.len() < end {
            self.read_more().await?;
        }
        ensure!(self.read.len() == end, "an answer is too long");
        Ok((head.status, &self.read[head.start..end]))
    }

    async fn read_more(&mut self) -> anyhow::Result<()> {
        let count = self.stream.read_buf(&mut self.read).await?;
        ensure!(count > 0, "the server closed a connection");
        let length = self.read.len();
        ensure!(length <= ANSWER_BYTES_MAX, "an answer of {length} bytes");
        Ok(())
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
    let value = |name: &str| {
        let mut headers = response.headers.iter();
        let found = headers.find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| header.value)
    };
    let length = match value("content-length") {
        Some(length) => Some(std::str::from_utf8(length)?.trim().parse()?),
        None if status == 204 => Some(0),
        None if value("transfer-encoding") == Some(b"chunked") => None,
        None => bail!("an answer of {status} without its length"),
    };
    let end = match length {
        Some(length) if length > ANSWER_BYTES_MAX => bail!("an answer of {length} bytes"),
        Some(length) => Some(start + length),
        None => None,
    };
    Ok(Some(Head { status, start, end }))
}

/// Joins a body that comes in chunks; whether it is whole.
fn join_chunks(mut rest: &[u8], joined: &mut Vec<u8>) -> anyhow::Result<bool> {
    joined.clear();
    loop {
        let size = httparse::parse_chunk_size(rest);
        let httparse::Status::Complete((start, size)) =
            size.map_err(|_| anyhow!("a chunk without its size"))?
        else {
            return Ok(false);
        };
        let end = usize::try_from(size)?.saturating_add(start);
        let Some((chunk, after)) = rest.split_at_checked(end) else {
            return Ok(false);
        };
        if after.len() < 2 {
            return Ok(false);
        }
        ensure!(after.starts_with(b"\r\n"), "a chunk without its end");
        if size == 0 {
            ensure!(after.len() == 2, "an answer is too long");
            return Ok(true);
        }
        joined.extend_from_slice(&chunk[start..]);
        rest = &after[2..];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_tells_status_and_body_once_it_is_whole() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
        let whole = head(answer).unwrap().unwrap();
        assert_eq!((whole.status, whole.start, whole.end), (200, 38, Some(40)));
        assert!(head(&answer[..30]).unwrap().is_none());
        let empty = head(b"HTTP/1.1 204 No Content\r\n\r\n").unwrap().unwrap();
        assert_eq!(empty.end, Some(empty.start));
        assert!(head(b"HTTP/1.1 200 OK\r\n\r\n").is_err());
        let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        assert_eq!(head(chunked).unwrap().unwrap().end, None);
    }

    #[test]
    fn chunks_are_one_body_once_the_last_is_there() {
        let sent = b"3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n";
        let mut joined = Vec::new();
        for length in 0..sent.len() {
            assert!(!join_chunks(&sent[..length], &mut joined).unwrap());
        }
        assert!(join_chunks(sent, &mut joined).unwrap());
        assert_eq!(joined, b"abc0123456789");
        assert!(join_chunks(b"3\r\nabcd\r\n", &mut joined).is_err());
        assert!(join_chunks(b"x\r\n", &mut joined).is_err());
    }
}
