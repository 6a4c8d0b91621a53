//! What an operator sets about the public listener: whose pages may ask, how often a credential may, where
//! links lead; and the document that tells what there is behind it. And the listener that commands come through.

use crate::museum::{museum, send_paper};
use crate::support::{
    Response, Server, TIMEOUT, fail, fieldstone, json, read_response, succeed, text, word_after,
    write_company,
};
use serde_json::Value;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use tempfile::tempdir;

/// A key that may do everything in the company's folder.
fn company_key(folder: &Path) -> String {
    write_company(folder);
    succeed(folder, &["apply", "company.yaml"]);
    let rights = ["--role", "MEMBER", "--area", "*"];
    let made = succeed(folder, &[&["key", "create", "k"], &rights[..]].concat());
    word_after(&made, "shown this once:").to_owned()
}

/// Asks from a page of this origin.
fn from_page(server: &Server, key: &str, origin: &str) -> Response {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let request = format!(
        "GET /v1/my/businessareas HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: {key}\r\nOrigin: {origin}\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).expect("it reads");
    read_response(&mut stream)
}

#[test]
fn the_printed_document_is_the_one_that_is_served_and_needs_no_folder() {
    let folder = tempdir().expect("a folder");
    let output = fieldstone(folder.path()).arg("openapi").output();
    let output = output.expect("the program starts");
    assert!(output.status.success());
    let mut left = std::fs::read_dir(folder.path()).expect("a folder");
    assert!(left.next().is_none(), "nothing is made");
    let printed = text(&output.stdout);
    let document: Value = serde_json::from_str(&printed).expect("JSON");
    assert_eq!(document["openapi"], "3.1.0");
    let server = Server::start(folder.path(), &[]);
    assert_eq!(server.get("", "/openapi.json").body, printed.trim_end());
}

#[test]
fn pages_of_the_named_origins_may_ask_wherever_they_are_named() {
    let folder = tempdir().expect("a folder");
    let key = company_key(folder.path());
    let origins = "https://a.example,http://b.example:8080";
    let settings =
        format!("data = \"data\"\nlisten = \"127.0.0.1:0\"\ncors-origin = \"{origins}\"\n");
    std::fs::write(folder.path().join("settings.toml"), settings).expect("written");
    let by_flag = Server::start(folder.path(), &["--cors-origin", origins]);
    let check = |server: &Server| {
        for origin in ["https://a.example", "http://b.example:8080"] {
            let answer = from_page(server, &key, origin);
            assert_eq!(answer.header("access-control-allow-origin"), Some(origin));
        }
        let answer = from_page(server, &key, "https://c.example");
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("access-control-allow-origin"), None);
    };
    check(&by_flag);
    by_flag.stop();
    let mut command = fieldstone(folder.path());
    command.args(["serve", "--config", "settings.toml"]);
    check(&Server::begin(&mut command));
}

#[test]
fn a_credential_with_a_prefix_is_taken_by_both_doors_where_the_operator_says_so() {
    let folder = tempdir().expect("a folder");
    let key = company_key(folder.path());
    let bearer = format!("Bearer {key}");
    for (flags, status) in [(&[][..], 401), (&["--accept-bearer"], 200)] {
        let server = Server::start(folder.path(), flags);
        for path in ["/v1/my/businessareas", "/admin/api/v1/session"] {
            assert_eq!(server.get(&bearer, path).status, status, "{path} {flags:?}");
            assert_eq!(server.get(&key, path).status, 200, "{path} {flags:?}");
        }
        server.stop();
    }
}

#[test]
fn a_credential_that_asks_too_often_is_held_up_and_no_other() {
    let folder = tempdir().expect("a folder");
    let key = company_key(folder.path());
    let server = Server::start(folder.path(), &["--requests-per-second-max", "1"]);
    let ask = || server.get(&key, "/v1/my/businessareas");
    assert_eq!(ask().status, 200);
    // a machine that does much else may take a second for some of them
    let mut answers = std::iter::repeat_with(ask).take(100);
    let refused = answers.find(|answer| answer.status == 429);
    let refused = refused.expect("more than one in a second are too many");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(server.get("", "/healthz").status, 200);
}

#[test]
fn links_begin_with_the_public_address() {
    let folder = tempdir().expect("a folder");
    let keeper = museum(folder.path(), |arguments| json(folder.path(), arguments));
    let server = Server::start(folder.path(), &["--public-url", "https://data.example/fs/"]);
    let uploaded = send_paper(&server, &keeper, "hello");
    assert_eq!(uploaded.status, 201, "{}", uploaded.body);
    let url = uploaded.json()["url"].as_str().expect("a link").to_owned();
    let own = url
        .strip_prefix("https://data.example/fs/v1/files/")
        .expect("the public address");
    assert_eq!(server.get("", &format!("/v1/files/{own}")).body, "hello");
}

#[test]
fn a_request_comes_from_who_a_trusted_proxy_says_and_nobody_elses_word_counts() {
    let folder = tempdir().expect("a folder");
    let address_of = |arguments: &[&str]| {
        let server = Server::start(folder.path(), arguments);
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        let request = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Forwarded-For: 198.51.100.7, 10.1.2.3\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("it reads");
        let answer = read_response(&mut stream);
        let id = answer.header("x-request-id").expect("an id").to_owned();
        let log = server.stop();
        let line = log.lines().find(|line| line.contains(&id));
        word_after(line.expect("a line"), "address=").to_owned()
    };
    assert_eq!(address_of(&[]), "127.0.0.1");
    let nearest = ["--trusted-proxy", "127.0.0.0/8"];
    assert_eq!(address_of(&nearest), "10.1.2.3");
    let both = [
        "--trusted-proxy",
        "127.0.0.1",
        "--trusted-proxy",
        "10.0.0.0/8",
    ];
    assert_eq!(address_of(&both), "198.51.100.7");
    assert_eq!(
        address_of(&["--trusted-proxy", "127.0.0.1,10.1.2.3"]),
        "198.51.100.7"
    );
}

#[test]
fn an_address_or_a_number_that_can_not_work_is_refused_at_the_start() {
    let folder = tempdir().expect("a folder");
    let cases = [
        ("--cors-origin", "https://a.example/"),
        ("--cors-origin", "https://a.example,app.example"),
        ("--cors-origin", "*"),
        ("--cors-origin", "https://A.example"),
        ("--public-url", "data.example"),
        ("--public-url", "ftp://data.example"),
        ("--public-url", "https://"),
        ("--public-url", "https://data.example/?a"),
        ("--public-url", "https://data.example:99999"),
        ("--public-url", "https://data.example/v1"),
        ("--public-url", "https://münchen.example"),
        ("--requests-per-second-max", "0"),
        ("--session-idle-seconds", "0"),
        ("--proof-seconds", "0"),
        ("--trusted-proxy", "10.0.0.0/33"),
        ("--trusted-proxy", "10.0.0.1,proxy.example"),
    ];
    for (flag, value) in cases {
        // it would not start in any case, so that one that is not refused does not serve for ever
        let output = fieldstone(folder.path())
            .args(["serve", "--tls-cert", "none", flag, value])
            .output()
            .expect("it starts");
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{flag} {value}: {message}");
        assert!(message.contains(flag), "{flag} {value}: {message}");
    }
}

#[test]
fn who_does_not_know_the_secret_of_the_token_file_can_send_the_server_nothing() {
    let folder = tempdir().expect("a folder");
    let _server = Server::start(folder.path(), &[]);
    let file = std::fs::read(folder.path().join("data/fieldstone.token")).expect("a file");
    let token: Value = serde_json::from_slice(&file).expect("JSON");
    let address = token["address"].as_str().expect("an address");
    for shown in ["", "Authorization: a guess\r\n"] {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(TIMEOUT)).expect("a limit");
        // the body never comes: it is refused before it is waited for, and kept nowhere
        let head = format!(
            "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{shown}Content-Length: 1000000000000\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).expect("it reads");
        assert_eq!(read_response(&mut stream).status, 401);
    }
}

#[test]
fn a_full_port_for_commands_is_told_as_that_and_no_reason_to_start_the_server_again() {
    let folder = tempdir().expect("a folder");
    let _server = Server::start(folder.path(), &[]);
    let file = std::fs::read(folder.path().join("data/fieldstone.token")).expect("a file");
    let token: Value = serde_json::from_slice(&file).expect("JSON");
    let address = token["address"].as_str().expect("an address");
    let half_heads = (0..16).map(|_| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        stream.write_all(b"GET / HTTP/1.1\r\n").expect("it reads");
        stream
    });
    let half_heads: Vec<TcpStream> = half_heads.collect();
    let told = succeed(folder.path(), &["health"]);
    assert!(told.starts_with("running, and busy: "), "{told}");
    assert!(told.contains("too many connections"), "{told}");
    let told = json(folder.path(), &["health"]);
    assert!(told["ready"].is_null(), "{told}");
    let message = fail(folder.path(), &["key", "list"]);
    assert!(message.contains("too many connections"), "{message}");
    drop(half_heads);
}

#[test]
fn a_token_file_that_a_killed_server_left_goes_before_anyone_is_served() {
    let folder = tempdir().expect("a folder");
    let manifest = "tenants: [{name: Demo}]";
    std::fs::write(folder.path().join("demo.yaml"), manifest).expect("written");
    succeed(folder.path(), &["apply", "demo.yaml"]);
    let file = folder.path().join("data/fieldstone.token");
    let old = r#"{"address":"127.0.0.1:1","secret":"old"}"#;
    std::fs::write(&file, old).expect("written");
    // the demo has more schemas than are allowed, so the server ends before it has a token
    let quota = ["--quota-schema-versions", "1"];
    let arguments = [&["serve", "--demo", "--listen", "127.0.0.1:0"][..], &quota].concat();
    let message = fail(folder.path(), &arguments);
    assert!(message.contains("versions of schemas"), "{message}");
    assert!(!file.exists());
}
