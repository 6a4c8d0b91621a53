//! Settings of the door, all off by default: other origins, and how often one credential may ask.
//! docs/interface.md, "Requests and answers" and "Limits".

use crate::test_server::{TestServer, everything};
use runtime::http::DoorSettings;
use runtime::store::catalog::Verbs;
use std::time::{Duration, Instant};

const ORIGIN: &str = "https://app.example.org";

fn with_origin() -> TestServer {
    TestServer::with_door(&DoorSettings {
        cors_origins: vec![ORIGIN.to_owned()],
        ..DoorSettings::default()
    })
}

#[test]
fn pages_of_a_named_origin_may_ask_and_read() {
    let server = with_origin();
    let asked = server
        .anonymous("OPTIONS", &server.records())
        .header("Origin", ORIGIN)
        .header("Access-Control-Request-Method", "POST")
        .header("Access-Control-Request-Headers", "authorization")
        .send()
        .is(204);
    assert_eq!(asked.header("access-control-allow-origin"), Some(ORIGIN));
    assert_eq!(
        asked.header("access-control-allow-headers"),
        Some(
            "Authorization, Content-Type, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, traceparent, tracestate, X-Request-Id"
        )
    );
    assert_eq!(
        asked.header("access-control-allow-methods"),
        Some("GET, HEAD, POST, PUT, DELETE")
    );
    assert_eq!(asked.header("access-control-allow-credentials"), None);
    let answers = [
        server
            .request("GET", "/v1/my/businessareas")
            .header("Origin", ORIGIN)
            .send()
            .is(200),
        server
            .anonymous("GET", "/v1/my/businessareas")
            .header("Origin", ORIGIN)
            .send()
            .is(401),
        server
            .request("GET", "/v1/none")
            .header("Origin", ORIGIN)
            .send()
            .is(404),
        server
            .anonymous("GET", "/healthz")
            .header("Origin", ORIGIN)
            .send()
            .is(200),
    ];
    for answer in answers {
        assert_eq!(answer.header("access-control-allow-origin"), Some(ORIGIN));
        assert_eq!(
            answer.header("access-control-expose-headers"),
            Some(
                "Accept-Ranges, Content-Disposition, Content-Range, ETag, Location, Retry-After, X-Request-Id"
            )
        );
        assert_eq!(answer.header("vary"), Some("Origin"));
    }
}

#[test]
fn where_an_origin_may_ask_caches_are_told_that_answers_to_others_are_not_for_it() {
    let server = with_origin();
    let open = || server.anonymous("GET", "/healthz");
    for asked in [open(), open().header("Origin", "https://other.example.org")] {
        let answer = asked.send().is(200);
        assert_eq!(answer.header("vary"), Some("Origin"));
        assert_eq!(answer.header("access-control-allow-origin"), None);
        assert_eq!(answer.header("access-control-expose-headers"), None);
    }
    let server = TestServer::start();
    let asked = server.anonymous("GET", "/healthz");
    let answer = asked.header("Origin", ORIGIN).send().is(200);
    assert_eq!(answer.header("vary"), None);
}

#[test]
fn pages_of_other_origins_may_not() {
    let server = with_origin();
    for origin in [
        "https://other.example.org",
        "null",
        "https://app.example.org.evil.example",
        "http://app.example.org",
        "",
    ] {
        let asked = server
            .anonymous("OPTIONS", &server.records())
            .header("Origin", origin)
            .header("Access-Control-Request-Method", "POST");
        let answer = asked.send().plain_error(401);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            None,
            "{origin}"
        );
        let answer = server
            .request("GET", "/v1/my/businessareas")
            .header("Origin", origin)
            .send()
            .is(200);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            None,
            "{origin}"
        );
    }
    // OPTIONS that is no preflight is judged like any request
    let plain = server
        .anonymous("OPTIONS", &server.records())
        .header("Origin", ORIGIN);
    plain.send().plain_error(401);
    let plain = server
        .request("OPTIONS", &server.records())
        .header("Origin", ORIGIN);
    plain.send().plain_error(405);
}

#[test]
fn a_credential_that_asks_too_often_is_told_when_to_come_back() {
    let server = TestServer::with_door(&DoorSettings {
        requests_per_second_max: Some(2),
        ..DoorSettings::default()
    });
    let ask = |credential: &str| {
        server
            .anonymous("GET", "/v1/my/businessareas")
            .credential(credential)
            .send()
    };
    let new_key = || server.key(&[], &everything(Verbs::ALL));
    let (key, refused) = loop {
        let (key, began) = (new_key(), Instant::now());
        ask(&key).is(200);
        ask(&key).is(200);
        let third = ask(&key);
        // a database counts by its own clock, and who comes half a second later has a turn more
        if third.status == 429 || began.elapsed() < Duration::from_millis(500) {
            break (key, third);
        }
    };
    let refused = refused.plain_error(429);
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert!(refused.header("x-request-id").is_some());
    // others are not held up, and who has no credential has no bucket
    ask(&new_key()).is(200);
    for _ in 0..5 {
        ask("nonsense").plain_error(401);
    }
    server.clock.forward(1);
    server.opened().pass(1);
    ask(&key).is(200);
}

#[test]
fn a_location_begins_with_the_public_address_where_there_is_one() {
    let server = TestServer::start();
    let answer = server.create(r#"{"Code":"1"}"#).is(201);
    let location = answer.header("location").expect("a place");
    assert!(location.starts_with("/v1/"), "{location}");
    let server = TestServer::with_door(&DoorSettings {
        public_url: Some("https://data.example.org/fs".to_owned()),
        ..DoorSettings::default()
    });
    let answer = server.create(r#"{"Code":"1"}"#).is(201);
    let location = answer.header("location").expect("a place");
    let record = answer.json();
    let path = server.record(&record);
    assert_eq!(location, format!("https://data.example.org/fs{path}"));
}
