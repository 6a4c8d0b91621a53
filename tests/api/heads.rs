//! What stands in the head of every answer. docs/interface.md, "Heads of answers".

use crate::raw::{Answer, exchange};
use crate::test_server::TestServer;
use runtime::service::Settings;

const HTTPS_ALONE: &str = "strict-transport-security";

/// Asserts what every answer has, and whether caches may keep it.
#[track_caller]
fn assert_guarded(answer: &Answer, cache_control: Option<&str>) {
    let header = |name| answer.header(name);
    assert_eq!(header("x-content-type-options"), Some("nosniff"));
    assert_eq!(header("referrer-policy"), Some("no-referrer"));
    assert_eq!(
        header("content-security-policy"),
        Some("default-src 'none'; frame-ancestors 'none'")
    );
    assert_eq!(header("cache-control"), cache_control, "{}", answer.text());
}

fn behind_https() -> TestServer {
    TestServer::with_settings(Settings {
        public_url: "https://data.example.org".to_owned(),
        ..Settings::default()
    })
}

#[test]
fn every_answer_says_that_it_is_no_page_and_who_may_keep_it() {
    let server = TestServer::start();
    let record = server.created(r#"{"Code":"1","Name":"N"}"#);
    let private = Some("no-store");
    for (method, target, body, status) in [
        ("GET", "/v1/my/businessareas", "", 200),
        ("GET", &server.records(), "", 200),
        ("GET", &format!("{}/by-pk/1", server.records()), "", 200),
        ("HEAD", &format!("{}/by-pk/1", server.records()), "", 200),
        ("GET", &format!("{}/by-pk/none", server.records()), "", 404),
        ("GET", "/v1/none", "", 404),
        ("PATCH", "/v1/my/businessareas", "", 405),
        ("POST", &server.records(), r#"{"Code":"2"}"#, 201),
        ("POST", &server.records(), "{", 400),
        ("PUT", &server.record(&record), r#"{"_version":0}"#, 204),
        ("DELETE", &server.record(&record), "", 204),
    ] {
        let request = server.request(method, target);
        let request = if body.is_empty() {
            request
        } else {
            request.json(body)
        };
        assert_guarded(&request.send().is(status), private);
    }
    for (method, target) in [("GET", "/v1/my/businessareas"), ("POST", "/none")] {
        assert_guarded(&server.anonymous(method, target).send().is(401), private);
    }
    for target in ["/healthz", "/readyz", "/openapi.json"] {
        let answer = server.anonymous("GET", target).send().is(200);
        assert_guarded(&answer, None);
        assert_eq!(answer.header(HTTPS_ALONE), None);
    }
    let token = server.anonymous("POST", "/oauth2/token").json("{}").send();
    assert_guarded(&token.is(400), None);
}

#[test]
fn under_https_a_host_is_to_be_asked_by_https_alone_but_not_this_machine() {
    let server = behind_https();
    let told = |host: &str| {
        let request = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        let answer = exchange(server.address, request.as_bytes()).is(200);
        answer.header(HTTPS_ALONE).map(str::to_owned)
    };
    let year = Some("max-age=31536000".to_owned());
    assert_eq!(told("data.example.org"), year);
    assert_eq!(told("data.example.org:8443"), year);
    for own in [
        "localhost",
        "localhost:8443",
        "127.0.0.1:8443",
        "[::1]:8443",
    ] {
        assert_eq!(told(own), None, "{own}");
    }
}

#[test]
fn a_cookie_is_no_credential_of_the_data_interface() {
    for server in [TestServer::start(), behind_https()] {
        let key = &server.names.key;
        for name in ["fieldstone_session", "__Host-fieldstone_session"] {
            let request = server.anonymous("GET", "/v1/my/businessareas");
            let request = request.header("Cookie", &format!("{name}={key}"));
            request.send().plain_error(401);
        }
    }
}
