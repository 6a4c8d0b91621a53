//! Addresses and methods: what is none of the interface's, and ids written with escapes.

use crate::raw::{escaped, exchange};
use crate::test_server::{TestServer, records_of};

#[test]
fn an_unknown_address_is_404_for_who_may_come_in() {
    let server = TestServer::start();
    let names = &server.names;
    let records = server.records();
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let paths = [
        "//",
        "/v1",
        "/v1/",
        "/v2/my/businessareas",
        "/V1/my/businessareas",
        "/v1/my",
        "/v1/my/businessareas/",
        "//v1/my/businessareas",
        "/v1//my/businessareas",
        "/v1/my/../my/businessareas",
        "/v1/my/%62usinessareas/x",
        "/v1/my%2Fbusinessareas",
        "/v1/businessareas",
        "/v1/businessareas/",
        "/oauth2/token/",
        &format!("{schemas}/"),
        &format!("{records}/"),
        &format!("{records}/by-pk/a/b"),
        &format!("{records}/x/y"),
        &format!("{schemas}/{}/dataobjects", names.schema),
        "/v1/dataobjects",
        "/%00",
        "/%ff",
        "/{area}",
        "/v1/\"x\"",
    ];
    for path in paths {
        let answer = server.get(path).plain_error(404);
        assert!(answer.header("x-request-id").is_some(), "{path}");
        server.request("BREW", path).send().plain_error(404);
    }
}

#[test]
fn a_wrong_method_is_405_and_told_the_right_ones() {
    let server = TestServer::start();
    let names = &server.names;
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let records = server.records();
    let cases = [
        ("/v1/my/businessareas".to_owned(), "GET,HEAD"),
        (schemas.clone(), "GET,HEAD"),
        (format!("{schemas}/{}", names.schema), "GET,HEAD"),
        (format!("{schemas}/{}/datasets", names.schema), "GET,HEAD"),
        (records.clone(), "GET,HEAD,POST"),
        (format!("{records}/some"), "GET,HEAD,PUT,DELETE"),
        (format!("{records}/by-pk/1"), "GET,HEAD"),
        (format!("{records}/by-pk/"), "GET,HEAD"),
    ];
    for (path, allow) in cases {
        for method in [
            "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW",
        ] {
            if allow.split(',').any(|allowed| allowed == method) {
                continue;
            }
            let answer = server.request(method, &path).send().is(405);
            assert_eq!(answer.header("allow"), Some(allow), "{method} {path}");
            if method != "HEAD" {
                answer.plain_error(405);
            }
        }
    }
}

#[test]
fn a_wrong_method_is_judged_before_role_and_path() {
    let server = TestServer::start();
    let key = server.key(&[], &[]);
    let none = records_of("none", "none", "none");
    server
        .anonymous("PATCH", &none)
        .credential(&key)
        .send()
        .plain_error(405);
    server
        .anonymous("GET", &none)
        .credential(&key)
        .send()
        .plain_error(403);
    server
        .anonymous("GET", "/v1/none")
        .credential(&key)
        .send()
        .plain_error(404);
}

#[test]
fn ids_in_paths_may_be_written_with_escapes_and_are_decoded_once() {
    let server = TestServer::start();
    let names = server.names.clone();
    let target = records_of(
        &escaped(&names.area),
        &escaped(&names.schema),
        &escaped(&names.dataset),
    );
    server.get(&target).is(200);
    let made = server
        .request("POST", &target)
        .json(r#"{"Code":"1","Name":"N"}"#)
        .send()
        .is(201);
    let location = made.header("location").unwrap().to_owned();
    server
        .request("PUT", &location)
        .json(r#"{"_version":0}"#)
        .send()
        .is(204);
    let id = made.json()["_dataObjectId"].as_str().unwrap().to_owned();
    let path = format!("{target}/{}", escaped(&id));
    server.request("DELETE", &path).send().is(204);
    let twice = escaped(&names.area).replace('%', "%25");
    server
        .get(&records_of(&twice, &names.schema, &names.dataset))
        .plain_error(404);
}

#[test]
fn hostile_ids_are_not_found() {
    let server = TestServer::start();
    let names = server.names.clone();
    let long = "x".repeat(10_000);
    for id in [
        "",
        "%ff",
        "%00",
        "%2F",
        "..",
        "%2e%2e",
        "'%20OR%201=1",
        "+",
        "%20",
        "null",
        "0",
        "-1",
        "%F0%9F%98%80",
        "*",
        &long,
    ] {
        server
            .get(&records_of(id, &names.schema, &names.dataset))
            .plain_error(404);
        server
            .get(&records_of(&names.area, id, &names.dataset))
            .plain_error(404);
        server
            .get(&records_of(&names.area, &names.schema, id))
            .plain_error(404);
        server
            .get(&format!("/v1/businessareas/{}/schemas/{id}", names.area))
            .plain_error(404);
        // an id is taken as it is: nothing is trimmed, no case is folded
        server
            .get(&records_of(
                &format!("{}%20", names.area),
                &names.schema,
                &names.dataset,
            ))
            .plain_error(404);
        server
            .get(&records_of(
                &names.area.to_uppercase(),
                &names.schema,
                &names.dataset,
            ))
            .plain_error(404);
    }
}

#[test]
fn an_address_may_be_sent_whole() {
    let server = TestServer::start();
    let request = format!(
        "GET http://other.example/v1/my/businessareas HTTP/1.1\r\nHost: other.example\r\nAuthorization: {}\r\nConnection: close\r\n\r\n",
        server.names.key
    );
    exchange(server.address, request.as_bytes()).is(200);
}

#[test]
fn hostile_headers_change_nothing() {
    let server = TestServer::start();
    for (name, value) in [
        ("X-Http-Method-Override", "DELETE"),
        ("X-Original-Url", "/healthz"),
        ("X-Forwarded-For", "'; DROP TABLE records; --"),
        ("X-Request-Id", "chosen; by the client"),
        ("Traceparent", "00-nonsense"),
        ("Range", "bytes=0-1"),
        ("If-None-Match", "*"),
        ("Origin", "https://example.org"),
        ("Content-Type", "nonsense"),
        ("Cookie", "session=1"),
    ] {
        let answer = server
            .request("GET", "/v1/my/businessareas")
            .header(name, value)
            .send()
            .is(200);
        assert_eq!(answer.header("x-request-id").map(str::len), Some(16));
        assert_eq!(answer.header("access-control-allow-origin"), None);
        assert_eq!(answer.json()["items"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn an_id_of_the_path_that_is_not_there_is_told_by_its_kind_and_never_its_cause() {
    let server = TestServer::start();
    let names = &server.names;
    let said = |[area, schema, dataset]: [&str; 3]| {
        let answer = server.get(&records_of(area, schema, dataset));
        let answer = answer.plain_error(404).json();
        answer["message"].as_str().expect("a text").to_owned()
    };
    let (area, schema, dataset) = (&*names.area, &*names.schema, &*names.dataset);
    // unknown, and another tenant's
    for area in ["none", &names.foreign_area] {
        let said = said([area, schema, dataset]);
        assert_eq!(said, "there is no business area of this id");
    }
    // unknown, and another area's
    for schema in ["none", &names.foreign_schema] {
        let said = said([area, schema, dataset]);
        assert_eq!(said, "the business area has no schema of this id");
    }
    // unknown, another schema's, and another tenant's
    for dataset in ["none", &names.keyless_dataset, &names.foreign_dataset] {
        let said = said([area, schema, dataset]);
        assert_eq!(said, "the schema has no dataset of this id");
    }
    // who has no area learns of none
    let ungranted = &names.ungranted_area;
    for path in [[ungranted, "none", "none"], [ungranted, schema, dataset]] {
        let [area, schema, dataset] = path;
        let refused = server.get(&records_of(area, schema, dataset));
        refused.plain_error(403);
    }
}

#[test]
fn the_root_says_what_this_is_to_everyone() {
    let server = TestServer::start();
    let ask = |method: &str| server.anonymous(method, "/").send();
    let page = ask("GET").is(200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy");
    assert_eq!(policy, Some("default-src 'none'; frame-ancestors 'none'"));
    for part in [
        "<title>Fieldstone</title>",
        "href=\"openapi.json\"",
        "runtime/docs",
    ] {
        assert!(page.text().contains(part), "{part}: {}", page.text());
    }
    // readers of pages go to what is in it, and all of it is
    let (_, body) = page.text().split_once("<body>").expect("a body");
    let (body, _) = body.split_once("</body>").expect("its end");
    let body = body.trim();
    assert!(
        body.starts_with("<main>") && body.ends_with("</main>"),
        "{body}"
    );
    assert!(!page.text().contains(env!("CARGO_PKG_VERSION")));
    let head = ask("HEAD").is(200);
    assert!(head.body.is_empty());
    assert_eq!(head.header("content-length"), page.header("content-length"));
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        let refused = ask(method).plain_error(405);
        assert_eq!(refused.header("allow"), Some("GET,HEAD"), "{method}");
    }
    // a credential is not looked at
    let request = server.anonymous("GET", "/").credential("nonsense");
    assert_eq!(request.send().is(200).body, page.body);
}
