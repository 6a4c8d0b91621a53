//! Serving: the demo, stopping and starting again, slow clients, and who else wants the folder.

use crate::support::{Server, TIMEOUT, fail, read_response, succeed, word_after};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[test]
fn a_store_of_its_first_day_is_set_up_by_the_link_that_is_told() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &[]);
    let message = server.wait_for_error("/app/setup#");
    let link = message.lines().find(|line| line.contains("/app/setup#"));
    let (page, code) = link.and_then(|link| link.split_once('#')).expect("a link");
    assert!(page.trim().starts_with("http://127.0.0.1:"), "{page}");
    let body = serde_json::json!({"code": code.trim(), "tenant": "Acme", "username": "ada",
        "email": "ada@example.org", "password": "seven grey owls"});
    let made = server.send("POST", "", "/admin/api/v1/setup", &body.to_string());
    assert_eq!(made.status, 200, "{}", made.body);
    server.stop();
    let server = Server::start(folder.path(), &[]);
    let again = server.send("POST", "", "/admin/api/v1/setup", &body.to_string());
    assert_eq!(again.status, 409, "{}", again.body);
    let said = server.stop();
    assert!(!said.contains("/app/setup#"), "{said}");
}

#[test]
fn a_log_for_machines_has_how_to_set_up_as_an_entry_of_it() {
    let folder = tempdir().expect("a folder");
    // whatever level is logged: it is told nowhere else
    let flags = ["--log-format", "json", "--log", "warn"];
    let errors = Server::start(folder.path(), &flags).stop();
    let entries = errors
        .lines()
        .map(serde_json::from_str::<serde_json::Value>);
    let entries: Result<Vec<_>, _> = entries.collect();
    let entries = entries.unwrap_or_else(|error| panic!("{error}: {errors}"));
    let entry = entries.iter().find(|entry| {
        let message = entry["message"].as_str().unwrap_or_default();
        message.contains("fieldstone init") && message.contains("/app/setup#")
    });
    let entry = entry.unwrap_or_else(|| panic!("it is not told: {errors}"));
    for member in ["timestamp", "level", "target"] {
        assert!(entry[member].is_string(), "{member}: {entry}");
    }
}

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
    let areas = areas["items"].as_array().expect("items");
    assert_eq!(areas.len(), 4);
    for area in areas {
        let id = area["businessAreaId"].as_str().expect("an id");
        has_plain_names(server, key, &format!("/v1/businessareas/{id}/schemas"));
    }
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

/// Schemas are called by words: names that are made to break out are for tests, and a visitor takes them for a breakdown.
fn has_plain_names(server: &Server, key: &str, schemas: &str) {
    let schemas = server.get(key, schemas).json();
    for schema in schemas["items"].as_array().expect("items") {
        let name = schema["name"].as_str().expect("a name");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == ' ';
        assert!(name.chars().all(is_plain), "{name}");
    }
}

fn finds_signs_in_and_takes_files(server: &Server, key: &str, password: &str) {
    let began = Instant::now();
    // 28,303 records are put into the index meanwhile, and a search waits for it no longer than its limit
    let found = loop {
        let found = server.get(key, "/v1/dataobjects/search?query=ICAO:EDDM&schema=Airport");
        if found.status != 503 || began.elapsed() > TIMEOUT {
            break found;
        }
    };
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

/// A request that the server is at work on: it has asked for the body, which has so many bytes.
fn begun(server: &Server, length: usize) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let head = format!(
        "POST /oauth2/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let asks = b"HTTP/1.1 100 Continue\r\n\r\n";
    let mut came = [0; 25];
    stream.read_exact(&mut came).expect("it asks");
    assert_eq!(came, *asks);
    stream
}

#[test]
fn a_request_in_flight_is_answered_before_the_end() {
    let folder = tempdir().expect("a folder");
    for signal in ["-TERM", "-INT"] {
        let server = Server::start_process(folder.path(), &[]);
        let body = r#"{"client_id": "a", "client_secret": "b"}"#;
        let mut stream = begun(&server, body.len());
        stream.write_all(&body.as_bytes()[..10]).expect("sent");
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

#[cfg(target_os = "linux")]
#[test]
fn an_end_by_a_mapped_page_that_the_disk_does_not_give_has_its_reason() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_process(folder.path(), &[]);
    let index = folder.path().join("data/fieldstone.db-shm");
    let index = std::fs::File::options().write(true).open(index);
    index.expect("it is there").set_len(0).expect("cut");
    // whoever asks next looks into pages that are not there any more
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let ask = "GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    stream.write_all(ask.as_bytes()).expect("it reads");
    let (status, errors) = server.wait();
    assert_eq!(status.code(), Some(1), "{status}: {errors}");
    let said = "error: the disk did not give a page of a file that is mapped (SIGBUS)";
    assert!(errors.contains(said), "{errors}");
    Server::start(folder.path(), &[]).stop();
}

#[test]
fn requests_that_do_not_end_are_cut_when_their_time_is_up() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path(), &["--stop-seconds", "1"]);
    let mut stream = begun(&server, 9);
    stream.write_all(b"{").expect("sent");
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
    assert!(
        message.contains("name another folder") && !message.contains("--server"),
        "`serve` asks no server: {message}"
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
    let server = Server::start_process(folder.path(), &[]);
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
fn a_hang_up_ends_no_server_and_reads_the_signing_secret_anew() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_process(folder.path(), &[]);
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
