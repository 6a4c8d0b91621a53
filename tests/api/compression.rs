//! Which answers are compressed, and for whom. docs/interface.md, "Compression".

use crate::raw::{Answer, Request};
use crate::test_server::TestServer;
use runtime::service::{Owner, Settings};

/// A server with a page of records that is worth it, and one record that is.
fn filled(settings: Settings) -> TestServer {
    let server = TestServer::with_settings(settings);
    for number in 0..20 {
        server.created(&format!(r#"{{"Code":"{number}","Name":"Aachen"}}"#));
    }
    let tags = vec!["a tag that is long enough"; 60];
    server.created(&serde_json::json!({"Code": "large", "Tags": tags}).to_string());
    server
}

fn ask(request: Request, codings: &str) -> Answer {
    request.header("Accept-Encoding", codings).send()
}

/// Asserts that an answer came as it is.
#[track_caller]
fn is_plain(answer: &Answer) {
    assert_eq!(answer.header("content-encoding"), None);
    let length = answer.header("content-length").expect("a length");
    assert_eq!(length, answer.body.len().to_string());
}

#[test]
fn a_large_answer_is_compressed_for_who_takes_gzip_and_says_the_same() {
    let server = filled(Settings::default());
    let area = format!("/v1/businessareas/{}/schemas", server.names.area);
    let schema = format!("{area}/{}", server.names.schema);
    for target in [
        server.records(),
        format!("{}/by-pk/large", server.records()),
        schema.clone(),
        format!("{schema}/openapi.json"),
    ] {
        let plain = server.get(&target).is(200);
        is_plain(&plain);
        assert_eq!(plain.header("vary"), Some("accept-encoding"), "{target}");
        for codings in [
            "gzip",
            "br, gzip;q=0.5",
            "*",
            "GZIP",
            "x-gzip;q=0.1",
            "identity;q=0, *;q=0.1",
            "deflate, gzip, br, zstd",
        ] {
            let answer = ask(server.request("GET", &target), codings).is(200);
            assert_eq!(answer.header("content-encoding"), Some("gzip"), "{codings}");
            assert_eq!(answer.header("vary"), Some("accept-encoding"));
            assert_eq!(answer.header("content-length"), None);
            assert_eq!(answer.header("content-type"), Some("application/json"));
            assert!(answer.body.len() < plain.body.len(), "{target}");
            assert_eq!(answer.plain_body(), plain.body, "{target}");
        }
        for codings in [
            "",
            "identity",
            "br",
            "gzip;q=0",
            "gzip;q=0, *",
            "identity, gzip;q=0.5",
            "zstd, br;q=1",
        ] {
            let answer = ask(server.request("GET", &target), codings).is(200);
            is_plain(&answer);
            assert_eq!(answer.body, plain.body);
        }
    }
}

#[test]
fn head_tells_what_get_would() {
    let server = filled(Settings::default());
    for codings in ["gzip", "identity"] {
        let [get, head] = ["GET", "HEAD"]
            .map(|method| ask(server.request(method, &server.records()), codings).is(200));
        for name in ["content-encoding", "content-length", "vary", "content-type"] {
            assert_eq!(get.header(name), head.header(name), "{codings}: {name}");
        }
        assert!(head.body.is_empty());
    }
}

#[test]
fn a_small_answer_and_one_that_says_no_are_not_compressed() {
    let server = filled(Settings::default());
    for (target, status) in [
        (format!("{}/by-pk/1", server.records()), 200),
        (format!("{}?pageSize=1", server.records()), 200),
        (format!("{}?pageSize=x", server.records()), 400),
        ("/v1/none".to_owned(), 404),
    ] {
        let answer = ask(server.request("GET", &target), "gzip").is(status);
        is_plain(&answer);
        assert_eq!(answer.header("vary"), None, "{target}");
    }
    let names: Vec<_> = (0..90)
        .map(|number| format!("\"Unknown{number}\":1"))
        .collect();
    let body = format!("{{{}}}", names.join(","));
    let refused = server.request("POST", &server.records()).json(body);
    let refused = ask(refused, "gzip").is(400);
    assert!(refused.body.len() > 2000);
    is_plain(&refused);
}

#[test]
fn no_answer_with_a_secret_and_none_that_anyone_may_ask_for_is_compressed() {
    let server = filled(Settings::default());
    let body = format!(
        r#"{{"client_id":"{}","client_secret":"{}"}}"#,
        server.names.app, server.names.app_secret
    );
    let token = server.anonymous("POST", "/oauth2/token").json(body);
    is_plain(&ask(token, "gzip").is(200));
    for (target, status) in [("/openapi.json", 200), ("/healthz", 200), ("/v1/none", 401)] {
        let answer = ask(server.anonymous("GET", target), "gzip").is(status);
        is_plain(&answer);
        assert_eq!(answer.header("vary"), None, "{target}");
    }
}

#[test]
fn without_room_for_compressing_an_answer_goes_as_it_is() {
    let server = filled(Settings {
        memory_budget_bytes: 2 << 20,
        ..Settings::default()
    });
    let page = || ask(server.request("GET", &server.records()), "gzip").is(200);
    assert_eq!(page().header("content-encoding"), Some("gzip"));
    let memory = server.service.memory().clone();
    let taken = memory.take(Owner::default(), 1 << 20);
    let plain = page();
    is_plain(&plain);
    assert_eq!(plain.header("vary"), Some("accept-encoding"));
    drop(taken);
    assert_eq!(page().plain_body(), plain.body);
    assert_eq!(memory.taken(), 0, "all of it was given back");
}
