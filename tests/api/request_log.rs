//! The one line of the log that each request has. docs/interface.md, "Requests and answers".

use crate::raw::{Answer, Request};
use crate::test_server::TestServer;
use runtime::http::DoorSettings;
use std::num::NonZeroU32;
use tests::log::{lines_with, listen};

/// Sends a request under an id of its own, and gives the answer and the one line that tells of it.
#[track_caller]
fn logged(request: Request, id: &str) -> (Answer, String) {
    let answer = request.header("X-Request-Id", id).send();
    let mut lines = lines_with(&format!("request.id=\"{id}\""));
    assert_eq!(lines.len(), 1, "{lines:?}");
    (answer, lines.remove(0))
}

#[test]
fn every_request_is_one_line_with_method_route_and_status_also_one_that_is_refused() {
    listen();
    let server = TestServer::start();
    let records = server.records();
    let route = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects";
    let by_key = format!("{route}/by-pk/{{key}}");
    let anonymous = |method: &str, target: &str| server.anonymous(method, target);
    let own = |method: &str, target: &str| server.request(method, target);
    let key_target = format!("{records}/by-pk/secret-key");
    let large = " ".repeat(2 << 20);
    for (id, request, status, route) in [
        ("l1", own("GET", &records), 200, route),
        ("l2", own("HEAD", &records), 200, route),
        ("l3", anonymous("GET", &records), 401, route),
        ("l4", anonymous("GET", &key_target), 401, &by_key),
        ("l5", anonymous("GET", "/v1/secret-address"), 401, "unknown"),
        ("l6", own("GET", "/v1/secret-address"), 404, "unknown"),
        ("l7", own("GET", &key_target), 404, &by_key),
        ("l8", own("PATCH", &key_target), 405, &by_key),
        ("l9", own("PATCH", "/oauth2/token"), 405, "/oauth2/token"),
        ("l10", own("POST", &records).json(large), 413, route),
        ("l11", own("POST", &records).body("x"), 415, route),
        (
            "l12",
            own("POST", "/oauth2/token").json("{}"),
            400,
            "/oauth2/token",
        ),
        (
            "l13",
            anonymous("GET", "/v1/files/secret-file"),
            403,
            "/v1/files/{id}",
        ),
        ("l14", anonymous("GET", "/healthz"), 200, "/healthz"),
        (
            "l15",
            own("GET", "/v1/dataobjects/search?query=secret-word"),
            503,
            "/v1/dataobjects/search",
        ),
    ] {
        let (answer, line) = logged(request, id);
        assert_eq!(answer.status, status, "{line}");
        let parts = [
            format!("route=\"{route}\""),
            format!("status={status} "),
            "duration_ms=".to_owned(),
            "method=".to_owned(),
        ];
        for part in parts {
            assert!(line.contains(&part), "{part}: {line}");
        }
        assert!(!line.contains("secret-"), "{line}");
        let expected = (status != 401).then_some(id);
        assert_eq!(answer.header("x-request-id"), expected, "{line}");
    }
}

#[test]
fn the_line_names_who_asked_and_the_trace_that_it_is_part_of() {
    listen();
    let server = TestServer::start();
    let hash = runtime::service::secrets::hash(&server.names.key);
    let catalog = server.service.store().catalog();
    let key = &catalog.keys_by_hash[&hash];
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let request = server.request("GET", "/v1/my/businessareas");
    let traced = request
        .clone()
        .header("traceparent", &format!("00-{trace}-00f067aa0ba902b7-01"));
    let (_, line) = logged(traced, "named-1");
    for part in [
        format!("caller=\"{}\"", key.id),
        format!("caller.name=\"{}\"", key.name),
        format!("trace.id=\"{trace}\""),
    ] {
        assert!(line.contains(&part), "{part}: {line}");
    }
    let (_, line) = logged(request.header("traceparent", "nonsense"), "named-2");
    assert!(
        !line.contains("trace.id") && !line.contains("nonsense"),
        "{line}"
    );
}

#[test]
fn the_line_of_a_token_names_the_client_that_it_is_for() {
    listen();
    let server = TestServer::start();
    let client = server.names.app.clone();
    let ask = |id: &str, secret: &str, request: &str| {
        let body = format!(r#"{{"client_id":"{id}","client_secret":"{secret}"}}"#);
        logged(
            server.anonymous("POST", "/oauth2/token").json(body),
            request,
        )
    };
    let named = format!("caller=\"{client}\" caller.name=");
    let (answer, line) = ask(&client, &server.names.app_secret, "token-1");
    assert_eq!(answer.status, 200);
    assert!(line.contains(&named), "{line}");
    let (answer, line) = ask(&client, "secret-guess", "token-2");
    assert_eq!(answer.status, 401);
    assert!(
        line.contains(&named) && !line.contains("secret-guess"),
        "{line}"
    );
    let (answer, line) = ask("nobody-known", "secret-guess", "token-3");
    assert_eq!(answer.status, 401);
    assert!(
        !line.contains("caller") && !line.contains("nobody-known"),
        "{line}"
    );
}

#[test]
fn of_reads_that_went_well_one_of_so_many_has_a_line_and_of_all_else_each() {
    listen();
    let server = TestServer::with_door(&DoorSettings {
        log_sample: NonZeroU32::new(3),
        ..DoorSettings::default()
    });
    let records = server.records();
    let read = |number: usize| {
        let id = format!("sampled-{number}");
        let request = server.request("GET", &records);
        request.header("X-Request-Id", &id).send().is(200);
        lines_with(&format!("request.id=\"{id}\"")).len()
    };
    assert_eq!((0..9).map(read).sum::<usize>(), 3);
    for number in 0..4 {
        let refused = server.request("GET", "/v1/secret-address");
        let (answer, _) = logged(refused, &format!("sampled-refused-{number}"));
        assert_eq!(answer.status, 404);
        let body = format!(r#"{{"Code":"{number}"}}"#);
        let write = server.request("POST", &records).json(body);
        let (answer, _) = logged(write, &format!("sampled-write-{number}"));
        assert_eq!(answer.status, 201);
    }
}

#[test]
fn a_method_that_nobody_has_is_not_written_down() {
    listen();
    let server = TestServer::start();
    let (answer, line) = logged(
        server.request("SECRETVERB", "/v1/my/businessareas"),
        "verb-1",
    );
    assert_eq!(answer.status, 405);
    assert!(
        line.contains("method=\"other\"") && !line.contains("SECRETVERB"),
        "{line}"
    );
}
