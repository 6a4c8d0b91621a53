//! Connections that would cost others theirs: clients that take nothing of their answers, more of them than
//! there is room for, and requests that two readers would read in two ways.

use crate::shell::behind;
use crate::support::{Server, TIMEOUT, read_response, word_after};
use socket2::{Domain, SockAddr, Socket, Type};
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::tempdir;

const DOCUMENT: &str = "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
const ALIVE: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// A connection from an address of this machine.
fn connect_from(source: &str, server: &Server) -> TcpStream {
    connect(source, server, |_| Ok(()))
}

/// The same, once something was set about its socket.
fn connect(
    source: &str,
    server: &Server,
    set: impl FnOnce(&Socket) -> std::io::Result<()>,
) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    set(&socket).expect("it is set");
    let source: SocketAddr = format!("{source}:0").parse().expect("an address");
    socket.bind(&source.into()).expect("an address of ours");
    let target: SocketAddr = server.address().parse().expect("an address");
    socket.connect(&SockAddr::from(target)).expect("it listens");
    let stream = TcpStream::from(socket);
    stream.set_read_timeout(Some(TIMEOUT)).expect("a limit");
    stream
}

/// What a new connection from an address is answered; nothing, if it is closed.
fn asked_from(source: &str, server: &Server) -> String {
    let mut stream = connect_from(source, server);
    let mut answer = Vec::new();
    // one that is closed without a word may be so before anything is sent
    let _ = stream.write_all(ALIVE.as_bytes());
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// Sends bytes on a connection of its own; all that comes back until it is closed.
fn exchange(server: &Server, bytes: &str) -> String {
    let mut stream = connect_from("127.0.0.1", server);
    stream.write_all(bytes.as_bytes()).expect("it reads");
    let response = read_response(&mut stream);
    format!("{}\n{}", response.head, response.body)
}

/// Bytes that come until the connection ends.
fn drain(stream: &mut TcpStream) -> usize {
    let (mut bytes, mut buffer) = (0, vec![0; 64 << 10]);
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        bytes += count;
    }
    bytes
}

#[test]
fn who_takes_nothing_of_its_answers_is_cut_and_who_reads_gets_them_all() {
    let folder = tempdir().expect("a folder");
    let flags = ["--answer-seconds=3", "--connections-per-address-max=1"];
    let server = Server::start(folder.path(), &flags);
    let document = server.get("", "/openapi.json").body.len();
    let requests = (64 << 20) / document;
    let mut idle = connect_from("127.0.0.2", &server);
    idle.write_all(DOCUMENT.repeat(requests).as_bytes())
        .expect("sent");
    // not the address that asked for the document: its place is free a moment after its answer ends
    let mut reads = connect_from("127.0.0.3", &server);
    let last = DOCUMENT.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    let all = DOCUMENT.repeat(requests - 1) + &last;
    reads.write_all(all.as_bytes()).expect("sent");
    assert!(drain(&mut reads) > requests * document, "one that reads");
    // its place is free once it is cut
    let began = Instant::now();
    while !asked_from("127.0.0.2", &server).starts_with("HTTP/1.1 200 ") {
        assert!(began.elapsed() < TIMEOUT, "it is not cut");
        std::thread::sleep(Duration::from_millis(20));
    }
    let came = drain(&mut idle);
    assert!(
        came < requests * document,
        "{came} of {requests} × {document}"
    );
}

#[test]
fn who_says_a_whole_request_before_it_reads_gets_the_answer_that_did_not_wait_for_its_body() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let body = "x".repeat(1 << 20);
    for (line, status) in [
        ("POST /v1/nothing", 401),
        (
            "PUT /v1/businessareas/a/schemas/b/datasets/c/dataobjects/d",
            401,
        ),
        ("PUT /oauth2/token", 405),
        ("POST /oauth2/token", 415),
    ] {
        for _ in 0..10 {
            let head = format!(
                "{line} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            let mut stream = connect_from("127.0.0.1", &server);
            for part in [&head, &body] {
                stream.write_all(part.as_bytes()).expect("all is taken");
            }
            let mut answer = String::new();
            stream
                .read_to_string(&mut answer)
                .expect("an answer, and its end");
            let expected = format!("HTTP/1.1 {status} ");
            assert!(answer.starts_with(&expected), "{line}: {answer}");
        }
    }
}

#[test]
fn who_says_a_large_manifest_before_it_reads_gets_the_answer_too() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let body = vec![b'x'; 30 << 20];
    for _ in 0..5 {
        let head = format!(
            "POST /admin/api/v1/operations HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let mut stream = connect_from("127.0.0.1", &server);
        for part in [head.as_bytes(), &body] {
            stream.write_all(part).expect("all is taken");
        }
        assert_eq!(read_response(&mut stream).status, 401);
    }
}

#[test]
fn who_takes_just_enough_to_be_kept_is_cut_all_the_same() {
    let folder = tempdir().expect("a folder");
    let pace = [
        "--answer-seconds",
        "1",
        "--answer-bytes-per-second-min",
        "4000000",
    ];
    let server = Server::start(folder.path(), &pace);
    let document = server.get("", "/openapi.json").body.len();
    let requests = (128 << 20) / document;
    // the system takes little for it, so that what the server waits for is what is read here
    let small = |socket: &Socket| socket.set_recv_buffer_size(64 << 10);
    let mut stream = connect("127.0.0.1", &server, small);
    stream
        .write_all(DOCUMENT.repeat(requests).as_bytes())
        .expect("sent");
    let began = Instant::now();
    let (mut came, mut buffer) = (0, vec![0; 20_000]);
    // less than a megabyte a second, and never a pause
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        came += count;
        std::thread::sleep(Duration::from_millis(20));
        assert!(began.elapsed() < TIMEOUT, "it is not cut: {came} bytes");
    }
    assert!(came < requests * document, "{came}");
}

#[test]
fn an_address_has_so_many_connections_and_takes_none_from_others() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--connections-per-address-max", "3"]);
    let held: Vec<_> = (0..3).map(|_| connect_from("127.0.0.2", &server)).collect();
    let refused = asked_from("127.0.0.2", &server);
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
    assert!(refused.contains("retry-after: 5\r\n"), "{refused}");
    assert!(
        refused.contains("x-content-type-options: nosniff\r\n"),
        "{refused}"
    );
    assert!(
        refused.contains("\"message\":\"there are too many connections"),
        "{refused}"
    );
    assert!(asked_from("127.0.0.3", &server).starts_with("HTTP/1.1 200 "));
    drop(held);
    let began = Instant::now();
    while !asked_from("127.0.0.2", &server).starts_with("HTTP/1.1 200 ") {
        assert!(began.elapsed() < TIMEOUT, "its places stay taken");
    }
}

#[test]
fn there_are_so_many_connections_in_all_and_beyond_those_that_are_told_none_waits() {
    let folder = tempdir().expect("a folder");
    let limits = [
        "--connections-max",
        "2",
        "--connections-per-address-max",
        "2",
    ];
    let server = Server::start(folder.path(), &limits);
    let _held = ["127.0.0.2", "127.0.0.3"].map(|source| connect_from(source, &server));
    let began = Instant::now();
    let silent: Vec<_> = (0..100)
        .map(|_| connect_from("127.0.0.4", &server))
        .collect();
    let mut ends = 0;
    for mut stream in silent {
        ends += usize::from(drain(&mut stream) == 0);
    }
    assert_eq!(ends, 100, "who says nothing is told nothing");
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    let refused = asked_from("127.0.0.4", &server);
    assert!(refused.starts_with("HTTP/1.1 503 "), "{refused}");
}

/// A server that may have so many files open.
fn serve_with_files(folder: &Path, files: u32, flags: &str) -> Command {
    let limit = format!("ulimit -n {files}");
    let mut command = behind(Command::new("sh"), &limit, (folder, "data"));
    command.args(["serve", "--listen", "127.0.0.1:0"]);
    command.args(flags.split_whitespace());
    command
}

#[test]
fn a_server_with_too_few_files_does_not_begin_and_one_with_few_has_fewer_connections() {
    let folder = tempdir().expect("a folder");
    let mut command = serve_with_files(folder.path(), 64, "");
    let output = command.output().expect("it starts");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("`ulimit -n`"), "{message}");

    let flags = "--connections-max 1000 --connections-per-address-max 1000";
    let server = Server::spawn(serve_with_files(folder.path(), 130, flags));
    server.wait_for_error("--connections-max");
    let held: Vec<_> = (0..80)
        .map(|_| connect_from("127.0.0.1", &server))
        .collect();
    let began = Instant::now();
    // it has all that it can have, and says so
    while !asked_from("127.0.0.2", &server).starts_with("HTTP/1.1 503 ") {
        assert!(began.elapsed() < TIMEOUT, "it is silent");
    }
    drop(held);
    while !asked_from("127.0.0.2", &server).starts_with("HTTP/1.1 200 ") {
        assert!(began.elapsed() < TIMEOUT, "its places stay taken");
    }
    let errors = server.stop();
    assert!(!errors.contains("could not be accepted"), "{errors}");
}

#[test]
fn clients_that_read_nothing_do_not_silence_a_server_with_few_files() {
    let folder = tempdir().expect("a folder");
    let server = Server::spawn(serve_with_files(folder.path(), 256, ""));
    let held: Vec<_> = (0..230)
        .map(|_| {
            let mut stream = connect_from("127.0.0.1", &server);
            // some are closed at once
            let _ = stream.write_all(DOCUMENT.repeat(40).as_bytes());
            stream
        })
        .collect();
    let began = Instant::now();
    let answer = asked_from("127.0.0.2", &server);
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    // sooner than they are cut, which is after 30 seconds
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "{:?}",
        began.elapsed()
    );
    drop(held);
}

#[test]
fn a_request_without_a_host_or_with_two_is_refused() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    for (head, status) in [
        (
            "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            200,
        ),
        ("GET /healthz HTTP/1.1\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400),
        ("GET /healthz HTTP/1.0\r\n\r\n", 200),
        ("GET /healthz HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    ] {
        let answer = exchange(&server, head);
        assert!(answer.contains(&format!(" {status} ")), "{head}{answer}");
        assert!(
            answer.contains("x-content-type-options: nosniff\r\n"),
            "{answer}"
        );
    }
}

#[test]
fn what_is_refused_for_its_frame_has_an_id_that_the_log_tells_with_it() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--public-url", "https://data.example"]);
    let coded = "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n";
    let mut ids = Vec::new();
    for lines in [
        "",
        "Host: a\r\nHost: b\r\n",
        coded,
        "X-Request-Id: own-1\r\n",
    ] {
        let answer = exchange(&server, &format!("GET /healthz HTTP/1.1\r\n{lines}\r\n"));
        assert!(answer.starts_with("HTTP/1.1 400 "), "{lines}{answer}");
        assert!(answer.contains("strict-transport-security: "), "{answer}");
        ids.push(word_after(&answer, "x-request-id: ").trim().to_owned());
    }
    assert_eq!(ids[3], "own-1");
    let log = server.stop();
    for id in ids {
        let line = log.lines().find(|line| line.contains(&id));
        let line = line.unwrap_or_else(|| panic!("{id}: {log}"));
        for word in [
            "method=\"GET\"",
            "route=\"unknown\"",
            "address=127.0.0.1",
            "status=400",
        ] {
            assert!(line.contains(word), "{word}: {line}");
        }
    }
}

#[test]
fn a_body_with_two_lengths_is_read_in_chunks_or_refused_and_nothing_behind_it_is_a_request() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let chunks = "c\r\n{\"client_id\"\r\n4\r\n:1}\n\r\n0\r\n\r\n";
    for lines in [
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n",
    ] {
        let head = "POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n";
        // behind it stands what another reader may take for the next request
        let answer = exchange(&server, &format!("{head}{lines}\r\n{chunks}{ALIVE}"));
        assert!(answer.starts_with("HTTP/1.1 400 "), "{lines}{answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{lines}{answer}");
        let is_read = answer.contains("`client_id`");
        assert_eq!(is_read, !lines.contains("gzip"), "{lines}{answer}");
    }
}

#[test]
fn who_says_that_it_has_asked_all_still_gets_its_answer() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    for _ in 0..20 {
        let mut stream = connect_from("127.0.0.1", &server);
        stream.write_all(DOCUMENT.as_bytes()).expect("it reads");
        stream.shutdown(Shutdown::Write).expect("half of it");
        let answer = read_response(&mut stream);
        assert_eq!(answer.status, 200);
        assert!(answer.body.ends_with('}'));
    }
}

#[test]
fn a_head_that_is_too_large_is_431_without_a_body_also_where_nothing_else_is_refused() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let with_lines = |count: usize| {
        let lines = (0..count).map(|number| format!("X-{number}: 1\r\n"));
        let lines: String = lines.collect();
        format!("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{lines}\r\n")
    };
    let answer = exchange(&server, &with_lines(50));
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    let answer = exchange(&server, &with_lines(200));
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    assert!(
        answer.ends_with('\n') && answer.contains("content-length: 0"),
        "{answer}"
    );
}
