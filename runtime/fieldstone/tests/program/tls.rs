//! TLS: a certificate and its key, new ones while it serves, who is told that there is none, and who hangs up.

use crate::cities::{cities, company};
use crate::scrape::{WATCHED, address_of, find_figure, scrape};
use crate::support::{Server, TIMEOUT, asking, fail, fieldstone, read_response, succeed, text};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::tempdir;

#[test]
fn plain_http_beyond_this_machine_is_warned_of() {
    let folder = tempdir().expect("a folder");
    let near = Server::start(folder.path(), &[]).stop();
    assert!(!near.contains("plain HTTP"), "{near}");
    let mut command = fieldstone(folder.path());
    command.args(["serve", "--data", "data", "--listen", "0.0.0.0:0"]);
    let far = Server::begin(&mut command).stop();
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

type TlsStream = rustls::StreamOwned<rustls::ClientConnection, TcpStream>;

/// A connection of one who trusts this certificate alone.
fn connected(server: &Server, trusted: &rcgen::Certificate) -> TlsStream {
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
    rustls::StreamOwned::new(client, stream)
}

/// The status of what is asked for; `None` where another certificate is shown.
fn status(server: &Server, trusted: &rcgen::Certificate, target: &str, more: &str) -> Option<u16> {
    let mut stream = connected(server, trusted);
    let head =
        format!("GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(head.as_bytes()).ok()?;
    Some(read_response(&mut stream).status)
}

fn health_over_tls(server: &Server, trusted: &rcgen::Certificate) -> Option<u16> {
    status(server, trusted, "/healthz", "")
}

/// One who has asked and not yet heard.
fn waiting_request(
    server: &Server,
    trusted: &rcgen::Certificate,
    target: &str,
    more: &str,
) -> TlsStream {
    let mut stream = connected(server, trusted);
    let head = format!("GET {target} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n");
    stream.write_all(head.as_bytes()).expect("it reads");
    stream
}

/// Whether there was no place for it.
fn is_refused(stream: &mut TlsStream) -> bool {
    let mut start = [0; 12];
    stream.sock.set_nonblocking(true).expect("a socket");
    let heard = stream.read(&mut start);
    stream.sock.set_nonblocking(false).expect("a socket");
    heard.is_ok_and(|count| count == 0 || start == *b"HTTP/1.1 503")
}

#[test]
fn who_hangs_up_over_tls_while_it_waits_for_changes_gives_its_place_back_at_once() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let key = company(path);
    let plain = Server::start(path, &[]);
    let changes = cities(&plain, &key).replace("/dataobjects", "/changes");
    plain.stop();
    let made = write_made(path);
    let places = [
        "--connections-max",
        "2",
        "--connections-per-address-max",
        "2",
    ];
    let server = Server::start(path, &[&places[..], &TLS].concat());
    let signed = format!("Authorization: {key}\r\n");
    let ask = || status(&server, &made, &changes, &signed);
    assert_eq!(ask(), Some(200));
    let target = format!("{changes}?after=latest&wait=60");
    // with a farewell, and without
    for is_polite in [true, false] {
        let begin = || waiting_request(&server, &made, &target, &signed);
        let mut waiting = [begin(), begin()];
        // both came first, and are seen when the server gets to it; where who
        // asked before them was not yet seen to have gone, they ask again
        let began = Instant::now();
        while ask() != Some(503) {
            assert!(began.elapsed() < TIMEOUT, "no place is left");
            std::thread::sleep(Duration::from_millis(50));
            for stream in &mut waiting {
                if is_refused(stream) {
                    *stream = begin();
                }
            }
        }
        for mut stream in waiting {
            if is_polite {
                stream.conn.send_close_notify();
                stream.flush().expect("it is told");
            }
        }
        let began = Instant::now();
        while ask() != Some(200) {
            // long before what they wait for is over
            assert!(began.elapsed() < Duration::from_secs(20), "{is_polite}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The flags of a server with a certificate.
const TLS: [&str; 4] = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];

/// Writes a new certificate and its key.
fn write_made(folder: &std::path::Path) -> rcgen::Certificate {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]);
    let made = made.expect("a certificate");
    std::fs::write(folder.join("cert.pem"), made.cert.pem()).expect("written");
    let key = made.signing_key.serialize_pem();
    std::fs::write(folder.join("key.pem"), key).expect("written");
    made.cert
}

#[test]
fn a_new_certificate_is_served_when_it_is_there_and_one_that_is_none_changes_nothing() {
    let folder = tempdir().expect("a folder");
    let made = || write_made(folder.path());
    let first = made();
    let server = Server::start_process(folder.path(), &TLS);
    assert_eq!(health_over_tls(&server, &first), Some(200));
    let second = made();
    server.signal("-HUP");
    server.wait_for_error("the certificate was read anew");
    assert_eq!(health_over_tls(&server, &first), None);
    assert_eq!(health_over_tls(&server, &second), Some(200));
    std::fs::write(folder.path().join("cert.pem"), "no certificate").expect("written");
    server.signal("-HUP");
    server.wait_for_error("the one before still is");
    assert_eq!(health_over_tls(&server, &second), Some(200));
    server.stop();
}

#[test]
fn a_new_certificate_is_served_without_a_signal_too() {
    let folder = tempdir().expect("a folder");
    write_made(folder.path());
    let mut serve = fieldstone(folder.path());
    serve.args(["--data", "data", "serve", "--listen", "127.0.0.1:0"]);
    serve.args(TLS).look_pause(Duration::from_millis(50));
    let server = Server::begin(&mut serve);
    let second = write_made(folder.path());
    let began = Instant::now();
    while health_over_tls(&server, &second).is_none() {
        assert!(began.elapsed() < TIMEOUT, "{}", server.errors());
        std::thread::sleep(Duration::from_millis(20));
    }
    server.stop();
}

/// Writes a certificate that ends so many seconds after 1970 began, and its key.
fn write_ending(folder: &std::path::Path, seconds: u64) {
    let key = rcgen::KeyPair::generate().expect("a key");
    let wanted = rcgen::CertificateParams::new(vec!["localhost".to_owned()]);
    let mut wanted = wanted.expect("a certificate");
    wanted.not_after = rcgen::date_time_ymd(1970, 1, 1) + Duration::from_secs(seconds);
    let made = wanted.self_signed(&key).expect("a certificate");
    std::fs::write(folder.join("cert.pem"), made.pem()).expect("written");
    std::fs::write(folder.join("key.pem"), key.serialize_pem()).expect("written");
}

#[test]
fn the_end_of_the_certificate_is_told_at_the_start_by_a_figure_and_of_each_new_one() {
    let folder = tempdir().expect("a folder");
    let now = std::time::UNIX_EPOCH.elapsed().expect("it is later");
    let now = now.as_secs();
    let (over, near, far) = (now - 60, now + 5 * 86_400, now + 90 * 86_400);
    write_ending(folder.path(), over);
    let server = Server::start_process(folder.path(), &[&WATCHED[..], &TLS].concat());
    let address = address_of(&server);
    let wait_for = |end: u64| {
        let began = Instant::now();
        let name = "fieldstone_tls_certificate_expiry_timestamp_seconds";
        #[expect(clippy::cast_precision_loss, reason = "seconds of our century")]
        let end = end as f64;
        while find_figure(&scrape(&address), name).is_none_or(|it| (it - end).abs() > 0.5) {
            assert!(began.elapsed() < TIMEOUT, "{}", server.errors());
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    server.wait_for_error("the certificate that is served has expired");
    wait_for(over);
    write_ending(folder.path(), near);
    server.signal("-HUP");
    server.wait_for_error("the certificate that is served ends soon");
    wait_for(near);
    write_ending(folder.path(), far);
    server.signal("-HUP");
    wait_for(far);
    let told = server.stop();
    assert_eq!(told.matches("has expired").count(), 1, "{told}");
}

#[test]
fn a_command_is_told_that_the_certificate_of_the_server_has_expired() {
    let folder = tempdir().expect("a folder");
    write_ending(folder.path(), 1_700_000_000);
    let server = Server::start(folder.path(), &TLS);
    let (_, port) = server.address().rsplit_once(':').expect("a port");
    let address = format!("https://localhost:{port}");
    let mut command = asking(folder.path(), &address, "fst_any");
    command.args(["key", "list", "--ca-file", "cert.pem"]);
    let output = command.output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let told = text(&output.stderr);
    assert!(
        told.contains("shows a certificate that is not taken"),
        "{told}"
    );
    let (_, why) = told
        .split_once("invalid peer certificate: ")
        .expect("the reason");
    assert!(why.to_lowercase().contains("expired"), "{told}");
    server.stop();
}
