//! Serving: the demo, stopping and starting again, TLS, slow clients, and who else wants the folder.

use crate::support::{
    Server, TIMEOUT, fail, fieldstone, read_response, run, succeed, text, word_after,
};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[test]
fn the_demo_serves_real_data_and_is_kept_at_the_next_start() {
    let folder = tempdir().expect("a folder");
    let began = Instant::now();
    let server = Server::start(folder.path(), &["--demo"]);
    let took = began.elapsed();
    let address = server
        .first_line
        .strip_prefix("listening on http://")
        .expect("the first line");
    assert!(
        address.starts_with("127.0.0.1:") && !address.ends_with(":0"),
        "{address}"
    );
    assert!(took < TIMEOUT, "{took:?}");
    let message = server.wait_for_error("generator -- fetch http://");
    let key = word_after(&message, "API key ").to_owned();
    let (client, secret) = (
        word_after(&message, "client    id "),
        word_after(&message, ", secret "),
    );
    assert!(
        word_after(&message, "user admin, password ").len() >= 12,
        "{message}"
    );
    assert!(message.contains("curl -H"), "{message}");

    let records = airports(&message);
    shows_real_and_faulty_records(&server, &key, &records);
    finds_signs_in_and_takes_files(&server, &key, word_after(&message, "user admin, password "));
    let body = serde_json::json!({"client_id": client, "client_secret": secret}).to_string();
    let token = server.send("POST", "", "/oauth2/token", &body).json();
    let token = token["access_token"].as_str().expect("a token");
    let made = server.send("POST", token, &records, r#"{"ICAO": "ZZ-TEST"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    server.stop();
    assert!(
        !folder.path().join("data/fieldstone.token").exists(),
        "the token file goes with its server"
    );
    assert!(
        !folder.path().join("data/fieldstone.db-wal").exists(),
        "the store was closed clean"
    );
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));

    let server = Server::start(folder.path(), &["--demo"]);
    let message = server.wait_for_error("generator -- fetch http://");
    assert!(
        message.contains("fieldstone key create NAME --tenant Demo --role MEMBER"),
        "{message}"
    );
    assert!(
        !message.contains("fst_"),
        "secrets are shown once: {message}"
    );
    assert_eq!(
        server.get(&key, &format!("{records}/by-pk/ZZ-TEST")).status,
        200,
        "what was there is kept"
    );
    assert!(
        succeed(folder.path(), &["check"]).contains("is sound"),
        "also beside a server"
    );
}

/// The path of the airports' records, from a command that the demo prints.
fn airports(message: &str) -> String {
    let (before, _) = message.split_once("/by-pk/EDDM").expect("a command");
    let (_, address) = before.rsplit_once("http://").expect("an address");
    let (_, path) = address.split_once('/').expect("a path");
    format!("/{path}")
}

fn shows_real_and_faulty_records(server: &Server, key: &str, records: &str) {
    let areas = server.get(key, "/v1/my/businessareas").json();
    assert_eq!(areas["items"].as_array().expect("items").len(), 4);
    let munich = server.get(key, &format!("{records}/by-pk/EDDM"));
    assert_eq!(
        (munich.status, &munich.json()["IATA"]),
        (200, &"MUC".into())
    );
    let (schema, _) = records.split_once("/datasets/").expect("a schema");
    let datasets = server.get(key, &format!("{schema}/datasets")).json();
    assert_eq!(datasets["items"][0]["recordCount"], 28_303);
    assert_eq!(datasets["items"][0]["erroredRecordsCount"], 5);
}

fn finds_signs_in_and_takes_files(server: &Server, key: &str, password: &str) {
    let found = server.get(key, "/v1/dataobjects/search?query=ICAO:EDDM&schema=Airport");
    assert_eq!(found.status, 200, "{}", found.body);
    assert_eq!(found.json()["total"], 1);
    let body = serde_json::json!({"username": "admin", "password": password, "token": true});
    let session = server.send("POST", "", "/admin/api/v1/sessions", &body.to_string());
    assert_eq!(session.status, 200, "{}", session.body);
    let session = session.json()["token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let keys = server.get(&session, "/admin/api/v1/api-keys");
    assert_eq!(
        (keys.status, keys.json()["items"].as_array().map(Vec::len)),
        (200, Some(2))
    );
    let hidden = [
        "/admin",
        "/admin/api/v1/api-keys",
        "/admin/api/v1/nowhere",
        "/nowhere",
    ];
    for path in hidden {
        assert_eq!(server.get("", path).status, 401, "{path}");
    }
    let customers = path_of(server, key, "Customer Master");
    let boundary = "Content-Type: multipart/form-data; boundary=X";
    let part = "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nhello\r\n--X--\r\n";
    let uploaded = server.send_as("POST", key, &format!("{customers}/files"), boundary, part);
    assert_eq!(uploaded.status, 201, "{}", uploaded.body);
    let url = uploaded.json()["url"].as_str().expect("a link").to_owned();
    let path = url
        .strip_prefix(&server.first_line["listening on ".len()..])
        .expect("its own address");
    assert_eq!(
        server.get("", path).body,
        "hello",
        "a link needs no credential"
    );
}

/// The path of the first dataset of an area.
fn path_of(server: &Server, key: &str, area: &str) -> String {
    let first = |path: &str, id: &str, name: &str| {
        let page = server.get(key, path).json();
        let items = page["items"].as_array().expect("items").clone();
        let found = items
            .iter()
            .find(|item| name.is_empty() || item["name"] == name);
        found.expect("an item")[id]
            .as_str()
            .expect("an id")
            .to_owned()
    };
    let area = first("/v1/my/businessareas", "businessAreaId", area);
    let area = format!("/v1/businessareas/{area}/schemas");
    let schema = format!("{area}/{}/datasets", first(&area, "schemaId", ""));
    format!("{schema}/{}", first(&schema, "dataSetId", ""))
}

#[test]
fn a_request_in_flight_is_answered_before_the_end() {
    let folder = tempdir().expect("a folder");
    for signal in ["-TERM", "-INT"] {
        let server = Server::start(folder.path(), &[]);
        let mut stream = TcpStream::connect(server.address()).expect("it listens");
        let body = r#"{"client_id": "a", "client_secret": "b"}"#;
        let head = format!(
            "POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream.write_all(&body.as_bytes()[..10]).expect("sent");
        std::thread::sleep(Duration::from_millis(300));
        server.signal(signal);
        let began = Instant::now();
        server.wait_for_error("stopping");
        while TcpStream::connect(server.address()).is_ok() {
            assert!(began.elapsed() < TIMEOUT, "nobody new is let in");
            std::thread::sleep(Duration::from_millis(10));
        }
        stream.write_all(&body.as_bytes()[10..]).expect("sent");
        assert_eq!(read_response(&mut stream).status, 401);
        let (status, errors) = server.wait();
        assert!(status.success(), "{errors}");
    }
}

#[test]
fn requests_that_do_not_end_are_cut_when_their_time_is_up() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--stop-seconds", "1"]);
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let head = "POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    stream.write_all(head.as_bytes()).expect("sent");
    std::thread::sleep(Duration::from_millis(300));
    let errors = server.stop();
    assert!(
        errors.contains("cut") && errors.contains("stopped"),
        "{errors}"
    );
    assert!(
        !folder.path().join("data/fieldstone.db-wal").exists(),
        "the store was closed clean"
    );
}

#[test]
fn a_client_that_never_ends_its_head_is_cut_in_time() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--head-seconds", "1"]);
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        .expect("sent");
    let began = Instant::now();
    let mut rest = Vec::new();
    // cut with an answer, with an end, or with a reset
    let _ = stream.read_to_end(&mut rest);
    let took = began.elapsed();
    assert!(
        took >= Duration::from_millis(900) && took < TIMEOUT / 2,
        "{took:?}"
    );
    assert_eq!(server.get("", "/healthz").status, 200);
}

#[test]
fn a_second_process_on_one_folder_is_refused() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let message = fail(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert!(
        message.contains("data is in use by another process"),
        "{message}"
    );
    assert_eq!(
        server.get("", "/healthz").status,
        200,
        "the first one is none the worse"
    );
    assert!(folder.path().join("data/fieldstone.token").exists());
}

#[cfg(unix)]
#[test]
fn the_token_file_is_its_owners_alone_and_one_left_behind_does_no_harm() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let file = folder.path().join("data/fieldstone.token");
    let mode_of = |path: &std::path::Path| {
        let metadata = std::fs::metadata(path).expect("it is there");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!(mode_of(&file), 0o600);
    let data = folder.path().join("data");
    assert_eq!(mode_of(&data), 0o700, "it holds the store's secret");
    let token: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&file).expect("read")).expect("JSON");
    let own = token["address"].as_str().expect("an address");
    let mut stream = TcpStream::connect(own).expect("it listens");
    let wrong = format!(
        "POST / HTTP/1.1\r\nHost: {own}\r\nConnection: close\r\nAuthorization: x\r\nContent-Length: 2\r\n\r\n{{}}"
    );
    stream.write_all(wrong.as_bytes()).expect("sent");
    assert_eq!(
        read_response(&mut stream).status,
        401,
        "the secret is asked for"
    );
    server.signal("-KILL");
    let (status, _) = server.wait();
    assert!(!status.success() && file.exists());
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
}

#[test]
fn plain_http_beyond_this_machine_is_warned_of() {
    let folder = tempdir().expect("a folder");
    let near = Server::start(folder.path(), &[]).stop();
    assert!(!near.contains("plain HTTP"), "{near}");
    let mut command = fieldstone(folder.path());
    command.args(["serve", "--data", "data", "--listen", "0.0.0.0:0"]);
    let far = Server::spawn(command).stop();
    assert!(
        far.contains("WARN")
            && far.contains("plain HTTP beyond this machine")
            && far.contains("give --public-url"),
        "{far}"
    );
}

#[test]
fn tls_is_served_with_a_certificate_and_its_key() {
    let folder = tempdir().expect("a folder");
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("cert.pem", &made.cert.pem());
    write("key.pem", &made.signing_key.serialize_pem());
    let message = fail(folder.path(), &["serve", "--tls-cert", "cert.pem"]);
    assert!(
        message.contains("--tls-cert and --tls-key go together"),
        "{message}"
    );
    let message = fail(
        folder.path(),
        &["serve", "--tls-cert", "key.pem", "--tls-key", "cert.pem"],
    );
    assert!(
        message.contains("cert.pem") || message.contains("key.pem"),
        "{message}"
    );

    let server = Server::start(
        folder.path(),
        &["--tls-cert", "cert.pem", "--tls-key", "key.pem"],
    );
    assert!(
        server
            .first_line
            .starts_with("listening on https://127.0.0.1:"),
        "{}",
        server.first_line
    );
    assert_eq!(health_over_tls(&server, &made.cert), Some(200));
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    server.stop();
}

/// The status of `/healthz`, asked by one who trusts this certificate alone; `None` where another is shown.
fn health_over_tls(server: &Server, trusted: &rcgen::Certificate) -> Option<u16> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(trusted.der().clone()).expect("a root");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = "localhost".try_into().expect("a name");
    let client = rustls::ClientConnection::new(Arc::new(config), name).expect("a client");
    let stream = TcpStream::connect(server.address()).expect("it listens");
    let mut stream = rustls::StreamOwned::new(client, stream);
    let request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).ok()?;
    Some(read_response(&mut stream).status)
}

#[test]
fn a_new_certificate_is_served_when_it_is_there_and_one_that_is_none_changes_nothing() {
    let folder = tempdir().expect("a folder");
    let write =
        |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    let made = || {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
        let made = made.expect("a certificate");
        write("cert.pem", &made.cert.pem());
        write("key.pem", &made.signing_key.serialize_pem());
        made.cert
    };
    let first = made();
    let tls = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
    let server = Server::start(folder.path(), &tls);
    assert_eq!(health_over_tls(&server, &first), Some(200));
    let second = made();
    server.signal("-HUP");
    server.wait_for_error("the certificate was read anew");
    assert_eq!(health_over_tls(&server, &first), None);
    assert_eq!(health_over_tls(&server, &second), Some(200));
    write("cert.pem", "no certificate");
    server.signal("-HUP");
    server.wait_for_error("the one before still is");
    assert_eq!(health_over_tls(&server, &second), Some(200));
    // without a signal, too
    let third = made();
    let began = Instant::now();
    while health_over_tls(&server, &third).is_none() {
        assert!(began.elapsed() < TIMEOUT, "{}", server.errors());
        std::thread::sleep(Duration::from_millis(200));
    }
    server.stop();
}

#[test]
fn a_hang_up_ends_no_server_and_reads_the_signing_secret_anew() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    server.signal("-HUP");
    server.wait_for_error("the signing secret was read anew");
    assert_eq!(server.get("", "/healthz").status, 200);
    let file = folder.path().join("data/fieldstone.secret");
    std::fs::write(&file, "none").expect("written");
    server.signal("-HUP");
    let log = server.wait_for_error("the signing secret can't be read anew");
    assert!(log.contains("line 1"), "{log}");
    assert_eq!(server.get("", "/healthz").status, 200);
    server.stop();
}

#[test]
fn a_check_that_nobody_reads_ends_well() {
    let folder = tempdir().expect("a folder");
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = fieldstone(folder.path());
    let output = command.args(["--data", "data", "check"]).stdout(writer);
    let output = output.output().expect("it starts");
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), message.as_str()), (Some(0), ""));
}

#[test]
fn check_tells_what_is_wrong_and_says_so_with_its_exit_code() {
    let folder = tempdir().expect("a folder");
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("holds no store"));
    std::fs::create_dir(folder.path().join("data")).expect("a folder");
    std::fs::write(folder.path().join("data/fieldstone.db"), "no database").expect("written");
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).starts_with("error: "),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn a_server_that_only_reads_answers_data_and_tells_nobody_whether_a_password_is_right() {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    let password = word_after(&succeed(folder.path(), &init), "shown this once:").to_owned();
    let key = ["key", "create", "k", "--role", "ACCOUNT ADMINISTRATOR"];
    let key = word_after(&succeed(folder.path(), &key), "shown this once:").to_owned();
    let server = Server::start(folder.path(), &["--read-only"]);
    assert_eq!(server.get(&key, "/v1/my/businessareas").status, 200);
    for password in [password.as_str(), "a wrong password"] {
        let body = format!(r#"{{"username":"admin","password":"{password}"}}"#);
        let answer = server.send("POST", "", "/admin/api/v1/sessions", &body);
        assert_eq!(answer.status, 403, "{}", answer.body);
        assert!(answer.body.contains("read only"), "{}", answer.body);
    }
    for credential in [key.as_str(), "fst_nobody", ""] {
        let users = server.get(credential, "/admin/api/v1/users");
        assert_eq!(users.status, 403, "{}", users.body);
    }
    let client = r#"{"client_id":"nobody","client_secret":"x"}"#;
    assert_eq!(server.send("POST", "", "/oauth2/token", client).status, 403);
}

#[test]
fn who_only_reads_leaves_no_file_behind() {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    succeed(folder.path(), &init);
    // so that there is an index, too
    Server::start(folder.path(), &[]).stop();
    let files = || {
        let entries = std::fs::read_dir(folder.path().join("data")).expect("the folder");
        let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    };
    let before = files();
    assert!(before.iter().any(|name| name == "search.db"), "{before:?}");
    let server = Server::start(folder.path(), &["--read-only"]);
    assert_eq!(server.get("", "/readyz").status, 200);
    // one beside it leaves it what it needs
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
    assert_eq!(server.get("", "/readyz").status, 200);
    server.stop();
    assert_eq!(files(), before);
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
    assert_eq!(files(), before);
}
