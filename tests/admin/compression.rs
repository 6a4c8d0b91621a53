//! What of management is compressed: lists and nouns, and never an answer that shows a secret. docs/interface.md,
//! "Compression". And what the log tells of who asks it. docs/interface.md, "Requests and answers".

use crate::admin_server::{AdminServer, PASSWORD};
use crate::requests::{Answer, exchange};
use serde_json::{Value, json};
use tests::log::{lines_with, listen};

impl AdminServer {
    /// Asks as the administrator's key, and takes gzip.
    fn taking_gzip(&self, line: &str, body: Option<&Value>) -> Answer {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        let line = format!("{method} /admin/api/v1{path}");
        let headers = [("Authorization", &*self.root), ("Accept-Encoding", "gzip")];
        let body = body.map(Value::to_string);
        exchange(self.address, &line, &headers, body.as_deref())
    }
}

#[test]
fn a_large_list_is_compressed_for_who_takes_gzip() {
    let server = AdminServer::start();
    let description = "what it is for, ".repeat(100);
    let area = json!({"name": "Places", "description": description});
    let id = server.make("/areas", area).text("businessAreaId");
    // what has no body shows the head of what has
    for path in ["/areas", "/audit", &format!("/areas/{id}")] {
        let head = server.taking_gzip(&format!("HEAD {path}"), None).is(200);
        assert_eq!(head.header("content-encoding"), Some("gzip"), "{path}");
    }
}

#[test]
fn an_answer_with_a_secret_is_not_compressed_however_large_it_is() {
    let server = AdminServer::start();
    let description = "what it is for, ".repeat(200);
    let make = |path: &str, body: &Value| {
        let made = server
            .taking_gzip(&format!("POST {path}"), Some(body))
            .is(201);
        assert!(made.body.len() > 2000);
        assert_eq!(made.header("content-encoding"), None, "{path}");
        assert_eq!(made.header("vary"), None, "{path}");
        made
    };
    let noun = json!({"name": "n", "description": description, "roles": [], "grants": []});
    let key = make("/api-keys", &noun).text("apiKeyId");
    let app = json!({"name": "n", "description": description, "tokenSeconds": 60, "roles": [], "grants": []});
    let app = make("/apps", &app).text("clientId");
    let none = json!({});
    for (path, body) in [
        (format!("/api-keys/{key}/secret"), Some(&none)),
        (format!("/apps/{app}/secret"), None),
    ] {
        let made = server.taking_gzip(&format!("POST {path}"), body).is(200);
        assert!(made.body.len() > 2000, "{}", made.body);
        assert_eq!(made.header("content-encoding"), None, "{path}");
        assert_eq!(made.header("vary"), None, "{path}");
    }
    let ada = server.get(&format!("/users/{}", server.ada));
    assert_eq!(ada["username"], "ada");
    let sign_in = json!({"username": "ada", "password": PASSWORD});
    let signed_in = server.taking_gzip("POST /sessions", Some(&sign_in)).is(200);
    assert_eq!(signed_in.header("vary"), None);
}

#[test]
fn the_log_names_the_address_that_a_refused_request_asked_for() {
    listen();
    let server = AdminServer::start();
    for (id, line, route) in [
        (
            "m1",
            "GET /admin/api/v1/users/secret-id",
            "/admin/api/v1/users/{id}",
        ),
        (
            "m2",
            "PUT /admin/api/v1/session/password",
            "/admin/api/v1/session/password",
        ),
        ("m3", "GET /admin/api/v1/secret-address", "unknown"),
    ] {
        exchange(server.address, line, &[("X-Request-Id", id)], None).is(401);
        let lines = lines_with(&format!("request.id=\"{id}\""));
        assert_eq!(lines.len(), 1, "{lines:?}");
        for part in [
            "status=401 ",
            "address=127.0.0.1",
            &format!("route=\"{route}\""),
        ] {
            assert!(lines[0].contains(part), "{part}: {}", lines[0]);
        }
        assert!(!lines[0].contains("secret-"), "{}", lines[0]);
    }
    let known = [("X-Request-Id", "m4"), ("Authorization", &*server.root)];
    exchange(server.address, "GET /admin/api/v1/users", &known, None).is(200);
    let lines = lines_with("request.id=\"m4\"");
    assert!(
        lines[0].contains("route=\"/admin/api/v1/users\""),
        "{}",
        lines[0]
    );
    assert!(lines[0].contains("caller.name=\"root\""), "{}", lines[0]);
}
