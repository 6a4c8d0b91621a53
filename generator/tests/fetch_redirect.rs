//! `generator fetch` where something on the way sends it elsewhere.

use crate::support::{command, read_request, text};
use std::io::Write as _;
use std::net::TcpListener;

#[test]
fn where_a_redirect_leads_is_told_and_nothing_is_sent_there() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        read_request(&mut stream);
        let answer = "HTTP/1.1 308 Permanent Redirect\r\nLocation: https://data.example.org/v1/my/businessareas\r\n\
                      Content-Length: 0\r\nConnection: close\r\n\r\n";
        stream.write_all(answer.as_bytes()).unwrap();
    });
    let folder = tempfile::tempdir().unwrap();
    let output = command(&["fetch", &base, "--all"], folder.path())
        .env("FIELDSTONE_API_KEY", "fs_key")
        .env("NO_PROXY", "127.0.0.1")
        .output()
        .unwrap();
    server.join().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    let redirect =
        "answers with a redirect (308) to https://data.example.org/v1/my/businessareas\n";
    assert!(told.contains(redirect), "{told}");
}
