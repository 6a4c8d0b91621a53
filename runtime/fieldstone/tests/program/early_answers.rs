//! Answers that did not wait for the body: the next request on the connection is answered, or the answer before it
//! said that there would be none.

use crate::support::{Server, TIMEOUT, word_after};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tempfile::tempdir;

const ALIVE: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";

/// A connection that stays open.
struct Connection {
    stream: TcpStream,
    came: Vec<u8>,
}

impl Connection {
    fn new(server: &Server) -> Self {
        let stream = TcpStream::connect(server.address()).expect("it listens");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a limit");
        stream.set_nodelay(true).expect("a socket");
        Connection {
            stream,
            came: Vec::new(),
        }
    }

    fn send(&mut self, text: &str) {
        self.stream.write_all(text.as_bytes()).expect("it reads");
    }

    /// The head of the next answer, in lower case, once all of it came; none where the connection ended.
    fn head(&mut self) -> Option<String> {
        loop {
            let all = String::from_utf8_lossy(&self.came).to_ascii_lowercase();
            if let Some((head, rest)) = all.split_once("\r\n\r\n") {
                let length = if head.contains("content-length: ") {
                    word_after(head, "content-length: ").trim().parse()
                } else {
                    Ok(0)
                };
                let length: usize = length.expect("a length");
                if rest.len() >= length {
                    self.came.drain(..head.len() + 4 + length);
                    return Some(head.to_owned());
                }
            }
            let mut piece = [0; 4096];
            match self.stream.read(&mut piece) {
                Ok(count @ 1..) => self.came.extend(&piece[..count]),
                _ => return None,
            }
        }
    }
}

fn is(head: &str, status: u16) -> bool {
    head.starts_with(&format!("http/1.1 {status} "))
}

fn says_close(head: &str) -> bool {
    head.contains("\r\nconnection: close")
}

/// The head of a request that is answered before its body is read.
fn refused(line: &str, key: &str, kind: &str, length: usize) -> String {
    let authorization = match key {
        "" => String::new(),
        key => format!("Authorization: {key}\r\n"),
    };
    format!(
        "{line} HTTP/1.1\r\nHost: x\r\n{authorization}Content-Type: {kind}\r\nContent-Length: {length}\r\n\r\n"
    )
}

#[test]
fn behind_an_answer_that_did_not_wait_for_its_body_the_next_request_is_answered_or_none_was_promised()
 {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--demo"]);
    let message = server.wait_for_error("generator -- fetch http://");
    let key = word_after(&message, "API key ");
    let (json, text) = ("application/json", "text/plain");
    for (line, key, kind, status) in [
        ("POST /v1/nothing", "", json, 401),
        ("GET /v1/files/none", "", json, 403),
        ("POST /v1/nothing", key, json, 404),
        ("PUT /oauth2/token", "", json, 405),
        ("POST /oauth2/token", "", json, 413),
        ("POST /oauth2/token", "", text, 415),
    ] {
        // more than is read and forgotten, where size is what is refused
        for length in [9, 16 << 10, 2 << 20] {
            if status == 413 && length < 2 << 20 {
                continue;
            }
            let mut connection = Connection::new(&server);
            connection.send(&refused(line, key, kind, length));
            std::thread::sleep(Duration::from_millis(1));
            connection.send(&"x".repeat(length));
            let head = connection.head().expect("an answer");
            assert!(is(&head, status), "{line}: {head}");
            // how the request is framed decides, whatever it asks
            assert_eq!(says_close(&head), length > 16 << 10, "{line}: {head}");
            if !says_close(&head) {
                connection.send(ALIVE);
                let next = connection.head().expect("the next answer");
                assert!(is(&next, 200), "{line}: {next}");
            }
        }
    }
}

#[test]
fn a_body_that_does_not_come_or_waits_to_be_asked_for_ends_the_connection_and_its_answer_says_so() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let silent = refused("POST /v1/nothing", "", "application/json", 9);
    let mut connection = Connection::new(&server);
    let began = Instant::now();
    connection.send(&silent);
    let head = connection.head().expect("an answer");
    assert!(is(&head, 401) && says_close(&head), "{head}");
    assert!(began.elapsed() >= Duration::from_millis(900), "it waits");

    let asks = silent.replace("Host: x\r\n", "Host: x\r\nExpect: 100-continue\r\n");
    let mut connection = Connection::new(&server);
    connection.send(&asks);
    // no `100 Continue` comes before it
    let head = connection.head().expect("an answer");
    assert!(is(&head, 401) && says_close(&head), "{head}");
}
