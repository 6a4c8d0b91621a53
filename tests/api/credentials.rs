//! 401: one answer for every cause, method and path. docs/interface.md, "Credentials".

use crate::raw::{Answer, exchange};
use crate::test_server::{TestServer, everything};
use runtime::http::DoorSettings;
use runtime::service::secrets;
use runtime::store::catalog::{Kind, NounKey, Verbs};
use runtime::value::Clock;

/// An answer without what may differ: the date.
fn undated(mut answer: Answer) -> Answer {
    answer.headers.retain(|(name, _)| name != "date");
    answer
}

#[test]
fn every_cause_gives_the_same_bytes() {
    let server = TestServer::start();
    let area = server.names.area.clone();
    let new = || server.key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
    let (inactive, expired, deleted) = (new(), new(), new());
    server.change_key(&inactive, |key| key.active = false);
    server.change_key(&expired, |key| key.expires_at = Some(server.clock.now()));
    let catalog = server.service.store().catalog();
    let id = catalog.keys_by_hash[&secrets::hash(&deleted)].id.clone();
    server.decide(move |_| runtime::store::catalog::CatalogWrite {
        remove: vec![NounKey {
            kind: Kind::ApiKey,
            id: id.clone(),
        }],
        ..Default::default()
    });
    let token = server.token();
    let good = server.names.key.clone();
    server.get(&server.records()).is(200);
    let unknown = secrets::new_api_key(server.service.entropy());
    let mut mistyped = good.clone();
    mistyped.pop();
    mistyped.push('!');
    server.clock.forward(3601); // the token's time is over
    let causes: Vec<Vec<(&str, String)>> = vec![
        vec![],
        vec![("Authorization", String::new())],
        vec![("Authorization", inactive)],
        vec![("Authorization", expired)],
        vec![("Authorization", deleted)],
        vec![("Authorization", unknown)],
        vec![("Authorization", mistyped)],
        vec![("Authorization", token)],
        vec![("Authorization", format!("Bearer {good}"))],
        vec![("Authorization", format!("bearer {good}"))],
        vec![("Authorization", format!("{good} {good}"))],
        vec![("Authorization", format!("{good},{good}"))],
        vec![("Authorization", "fst_".to_owned())],
        vec![("Authorization", "fsa_".to_owned())],
        vec![("Authorization", "fsu_".to_owned())],
        vec![("Authorization", "ключ".to_owned())],
        vec![("Authorization", "x".repeat(20_000))],
        vec![
            ("Authorization", good.clone()),
            ("Authorization", good.clone()),
        ],
        vec![
            ("Authorization", good.clone()),
            ("Authorization", "another".to_owned()),
        ],
        vec![("X-Api-Key", good.clone())],
        vec![("Cookie", good.clone())],
    ];
    let mut answers = causes.into_iter().map(|headers| {
        let mut request = server.anonymous("GET", &server.records());
        for (name, value) in headers {
            request = request.header(name, &value);
        }
        undated(request.send())
    });
    let first = answers.next().unwrap().plain_error(401);
    assert_eq!(first.header("x-request-id"), None);
    for answer in answers {
        assert_eq!(answer, first);
    }
    let in_query = format!("{}?Authorization={good}", server.records());
    assert_eq!(undated(server.anonymous("GET", &in_query).send()), first);
}

#[test]
fn no_method_and_no_path_tells_more() {
    let server = TestServer::start();
    let first = undated(server.anonymous("GET", "/v1/my/businessareas").send()).plain_error(401);
    let known = server.records();
    let record = format!("{known}/some-id");
    let paths = [
        "/v1",
        "/v1/",
        "/v1/my/businessareas/",
        "/v1/nothing",
        "/V1/my/businessareas",
        "*",
        "/v1/businessareas/x/schemas",
        "/admin-not",
        "/oauth2/token/",
        "/oauth2",
        "/healthz/x",
        "/v1/%ff",
        "/v1/my/businessareas?pageKey=x",
        "//",
        "/..",
        "/v1/../healthz",
        "/v1/%2e%2e/healthz",
        &known,
        &record,
    ];
    for path in paths {
        for method in [
            "GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW",
        ] {
            if path == "*" && method != "OPTIONS" {
                continue;
            }
            let answer = undated(server.anonymous(method, path).send());
            assert_eq!(answer, first, "{method} {path}");
        }
        if path != "*" {
            let head = undated(server.anonymous("HEAD", path).send());
            assert_eq!(
                (head.status, &head.headers),
                (401, &first.headers),
                "HEAD {path}"
            );
            assert!(head.body.is_empty());
        }
    }
    let answer = undated(server.anonymous("POST", &known).json("{}").send());
    assert_eq!(answer, first);
    let preflight = server
        .anonymous("OPTIONS", &known)
        .header("Origin", "https://example.org")
        .header("Access-Control-Request-Method", "POST");
    assert_eq!(undated(preflight.send()), first);
}

#[test]
fn a_body_is_not_waited_for_without_a_credential() {
    let server = TestServer::start();
    let head = format!(
        "POST {} HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n",
        server.records()
    );
    exchange(server.address, head.as_bytes()).plain_error(401);
}

#[test]
fn public_addresses_ask_for_no_credential() {
    let server = TestServer::start();
    for path in ["/healthz", "/readyz"] {
        let answer = server.anonymous("GET", path).send().is(200);
        assert!(answer.header("x-request-id").is_some());
        server
            .anonymous("GET", path)
            .credential("nonsense")
            .send()
            .is(200);
        server.anonymous("POST", path).send().plain_error(405);
    }
}

#[test]
fn a_key_is_sent_without_a_prefix_and_switched_on_again_it_works() {
    let server = TestServer::start();
    let key = server.names.key.clone();
    server.change_key(&key, |key| key.active = false);
    server.get("/v1/my/businessareas").plain_error(401);
    server.change_key(&key, |key| key.active = true);
    server.get("/v1/my/businessareas").is(200);
    let padded = server
        .anonymous("GET", "/v1/my/businessareas")
        .header("aUTHORIZATION", &format!("  {key}  "));
    padded.send().is(200);
}

#[test]
fn an_expiry_date_ends_a_key_at_its_moment() {
    let server = TestServer::start();
    let key = server.names.key.clone();
    let end = server.clock.now().plus_seconds(60);
    server.change_key(&key, |key| key.expires_at = Some(end));
    server.get("/v1/my/businessareas").is(200);
    server.clock.forward(60);
    server.get("/v1/my/businessareas").plain_error(401);
}

#[test]
fn each_key_records_when_it_was_last_used() {
    let server = TestServer::start();
    let key = server.names.key.clone();
    let hash = secrets::hash(&key);
    assert_eq!(
        server.service.store().catalog().keys_by_hash[&hash]
            .last_used_at
            .get(),
        None
    );
    let before = server.clock.now();
    server.get("/v1/my/businessareas").is(200);
    server
        .runtime
        .block_on(server.service.flush_last_used())
        .unwrap();
    let used = server.service.store().catalog().keys_by_hash[&hash]
        .last_used_at
        .get();
    assert!(used > Some(before), "{used:?}");
}

/// A server that was told to accept the prefix.
fn accepting_bearer() -> TestServer {
    TestServer::with_door(&DoorSettings {
        accept_bearer: true,
        ..DoorSettings::default()
    })
}

#[test]
fn with_the_setting_a_credential_may_have_the_prefix_of_stock_oauth_clients() {
    let (off, on) = (TestServer::start(), accepting_bearer());
    for scheme in ["Bearer ", "bearer ", "BEARER  ", ""] {
        let status = |server: &TestServer, credential: &str| {
            let request = server.anonymous("GET", "/v1/my/businessareas");
            let request = request.credential(&format!("{scheme}{credential}"));
            request.send().status
        };
        for server in [&off, &on] {
            let is_taken = scheme.is_empty() || std::ptr::eq(server, &raw const on);
            let expected = if is_taken { 200 } else { 401 };
            assert_eq!(status(server, &server.names.key), expected, "{scheme:?}");
            assert_eq!(status(server, &server.token()), expected, "{scheme:?}");
        }
    }
}

#[test]
fn with_the_setting_what_is_no_credential_is_refused_as_without_it() {
    let (off, on) = (TestServer::start(), accepting_bearer());
    let key = on.names.key.clone();
    let ask = |server: &TestServer, headers: &[&str]| {
        let mut request = server.anonymous("GET", "/v1/my/businessareas");
        for value in headers {
            request = request.credential(value);
        }
        undated(request.send())
    };
    let told = |answer: &Answer| answer.json()["message"].to_string();
    let first = ask(&on, &[]).plain_error(401);
    assert!(told(&first).contains("alone or behind `Bearer`"));
    let without = ask(&off, &[]).plain_error(401);
    assert!(told(&without).contains("without a prefix"));
    let with = |prefix: &str| format!("{prefix}{key}");
    for headers in [
        &[][..],
        &[""],
        &["Bearer"],
        &["Bearer "],
        &[&with("Bearer")],
        &[&with("Bearer Bearer ")],
        &[&with("Bearer,")],
        &[&with("Basic ")],
        &[&with("Token ")],
        &[&with("Bearer x")],
        &[&format!("Bearer {key} {key}")],
        &[&with("Bearer "), &with("Bearer ")],
        &[&with("Bearer "), &key],
    ] {
        assert_eq!(ask(&on, headers), first, "{headers:?}");
    }
}
