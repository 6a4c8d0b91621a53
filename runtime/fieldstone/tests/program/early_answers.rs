//! Answers that did not wait for the body: the next request on the connection is answered, or the answer before it
//! said that there would be none.

use crate::jobs::company;
use crate::museum::{hall, museum};
use crate::support::{Server, TIMEOUT, json, word_after};
use std::io::{ErrorKind, Read as _, Write as _};
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

    /// Whether it ends without another word.
    fn has_ended(&mut self) -> bool {
        if !self.came.is_empty() {
            return false;
        }
        match self.stream.read(&mut [0; 64]) {
            Ok(count) => count == 0,
            Err(error) => error.kind() == ErrorKind::ConnectionReset,
        }
    }
}

fn is(head: &str, status: u16) -> bool {
    head.starts_with(&format!("http/1.1 {status} "))
}

fn says_close(head: &str) -> bool {
    head.contains("\r\nconnection: close")
}

/// Requests that are answered before their body is read: what is asked, by which key, a body of what kind, and the status.
fn answered_early(key: &str) -> [(&str, &str, &str, u16); 6] {
    let (json, text) = ("application/json", "text/plain");
    [
        ("POST /v1/nothing", "", json, 401),
        ("GET /v1/files/none", "", json, 403),
        ("POST /v1/nothing", key, json, 404),
        ("PUT /oauth2/token", "", json, 405),
        ("POST /oauth2/token", "", json, 413),
        ("POST /oauth2/token", "", text, 415),
    ]
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
    let key = company(folder.path());
    let server = Server::start(folder.path(), &[]);
    for (line, key, kind, status) in answered_early(&key) {
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

#[test]
fn an_answer_that_did_not_wait_for_chunks_says_that_it_is_the_last_and_nothing_in_them_is_a_request()
 {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &[]);
    for (line, key, kind, status) in answered_early(&key) {
        let head = refused(line, key, kind, 0);
        let head = head.replace("Content-Length: 0", "Transfer-Encoding: chunked");
        // of what is too large, half is read before that is known
        for times in [1, 60_000] {
            if status == 413 && times == 1 {
                continue;
            }
            let mut connection = Connection::new(&server);
            connection.send(&head);
            let chunk = ALIVE.repeat(times);
            connection.send(&format!("{:x}\r\n{chunk}\r\n", chunk.len()));
            let answer = connection.head().expect("an answer");
            assert!(is(&answer, status), "{line}: {answer}");
            assert!(says_close(&answer), "{line}: {answer}");
            connection.send("0\r\n\r\n");
            connection.send(ALIVE);
            assert!(connection.has_ended(), "{line}");
        }
    }
}

#[test]
fn an_answer_to_a_body_of_which_half_was_read_says_that_it_is_the_last_and_the_rest_is_no_request()
{
    let folder = tempdir().expect("a folder");
    let key = museum(folder.path(), |arguments| json(folder.path(), arguments));
    let server = Server::start(folder.path(), &[]);
    let line = format!("POST {}/files", hall(&server, &key));
    // what is wrong with the form shows in its first bytes
    let begin = "--X\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\n";
    for times in [1, 10_000] {
        let rest = ALIVE.repeat(times);
        let length = begin.len() + rest.len();
        let mut connection = Connection::new(&server);
        let form = "multipart/form-data; boundary=X";
        connection.send(&refused(&line, &key, form, length));
        connection.send(begin);
        let answer = connection.head().expect("an answer");
        assert!(is(&answer, 400), "{answer}");
        assert!(says_close(&answer), "{answer}");
        connection.send(&rest);
        connection.send(ALIVE);
        assert!(connection.has_ended(), "{times}");
    }
}

#[test]
fn what_is_refused_for_its_frame_ends_its_connection_soon_whatever_body_is_announced() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    for length in [9, 2 << 20] {
        for is_sent in [false, true] {
            let head = refused("POST /v1/nothing", "", "application/json", length);
            let mut connection = Connection::new(&server);
            let began = Instant::now();
            connection.send(&head.replace("Host: x\r\n", "Host: x\r\nHost: y\r\n"));
            if is_sent {
                connection.send(&"x".repeat(length));
                connection.send(ALIVE);
            }
            let answer = connection.head().expect("an answer");
            assert!(is(&answer, 400) && says_close(&answer), "{answer}");
            assert!(connection.has_ended(), "{length} {is_sent}");
            let took = began.elapsed();
            assert!(took < Duration::from_secs(5), "{length}: {took:?}");
        }
    }
}

#[test]
fn a_server_that_stops_answers_what_it_began_to_hear_and_nothing_that_stands_behind_it() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let asked = |length| refused("POST /v1/nothing", "", "application/json", length);
    let mut idle = Connection::new(&server);
    idle.send(&asked(9));
    idle.send("123456789");
    let answer = idle.head().expect("an answer");
    assert!(is(&answer, 401) && !says_close(&answer), "{answer}");
    // that of a large body came, and the body has not
    let mut large = Connection::new(&server);
    large.send(&asked(1 << 20));
    let answer = large.head().expect("an answer");
    assert!(is(&answer, 401) && says_close(&answer), "{answer}");
    let mut small = Connection::new(&server);
    small.send(&asked(9));
    server.ask_to_stop();
    let began = Instant::now();
    while TcpStream::connect(server.address()).is_ok() {
        assert!(began.elapsed() < TIMEOUT, "nobody new is let in");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(
        idle.has_ended(),
        "those who ask nothing are told a moment later"
    );
    small.send("123456789");
    small.send(ALIVE);
    let answer = small.head().expect("an answer");
    assert!(is(&answer, 401) && says_close(&answer), "{answer}");
    assert!(small.has_ended());
    large.send(&"x".repeat(1 << 20));
    large.send(ALIVE);
    assert!(large.has_ended());
    drop((idle, large, small));
    let (status, errors) = server.wait();
    assert!(status.success(), "{status}: {errors}");
    assert!(!errors.contains("are cut"), "{errors}");
}

#[test]
fn a_server_that_stops_answers_whomever_the_system_has_let_in() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let mut waiting: Vec<Connection> = (0..100).map(|_| Connection::new(&server)).collect();
    for connection in &mut waiting {
        connection.send(ALIVE);
    }
    server.ask_to_stop();
    for mut connection in waiting {
        let answer = connection.head().expect("an answer");
        assert!(is(&answer, 200), "{answer}");
        assert!(connection.has_ended());
    }
    let (status, errors) = server.wait();
    assert!(status.success(), "{status}: {errors}");
}
