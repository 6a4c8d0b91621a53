//! Endpoint 1. docs/interface.md, "Tokens" and "Credentials".

use crate::raw::{Answer, Request};
use crate::test_server::{TestServer, everything};
use runtime::store::catalog::{App, Verbs};
use serde_json::json;

const FORM: &str = "application/x-www-form-urlencoded";

impl TestServer {
    fn ask(&self) -> Request {
        self.anonymous("POST", "/oauth2/token")
    }

    fn ask_json(&self, body: &str) -> Answer {
        self.ask().json(body).send()
    }

    fn ask_form(&self, body: &str) -> Request {
        self.ask().header("Content-Type", FORM).body(body)
    }

    fn change_app(&self, change: impl FnOnce(&mut App)) {
        let mut app = (*self.service.store().catalog().apps[&self.names.app]).clone();
        change(&mut app);
        self.put(app);
    }

    fn works(&self, token: &str) -> u16 {
        let areas = self.anonymous("GET", "/v1/my/businessareas");
        areas.credential(token).send().status
    }
}

/// Asserts an error as RFC 6749, section 5.2, has it, beside the interface's `message`.
#[track_caller]
fn refused(answer: Answer, status: u16, error: &str) -> Answer {
    let answer = answer.is(status);
    let json = answer.json();
    let mut keys: Vec<_> = json.as_object().expect("an object").keys().collect();
    keys.sort();
    assert_eq!(keys, ["error", "error_description", "message"]);
    assert_eq!(json["error"], error, "{json}");
    assert_eq!(json["error_description"], json["message"]);
    let text = json["message"].as_str().expect("a text");
    // what RFC 6749 lets stand in a description
    let is_plain = |c: char| matches!(c, ' ' | '!' | '#'..='[' | ']'..='~');
    assert!(!text.is_empty() && text.chars().all(is_plain), "{text}");
    answer
}

/// A Basic header of a client.
fn basic(id: &str, secret: &str) -> String {
    use base64::Engine as _;
    let pair = format!("{id}:{secret}");
    let pair = base64::engine::general_purpose::STANDARD.encode(pair);
    format!("Basic {pair}")
}

/// The token of an answer that has the interface's form.
fn token_of(answer: Answer) -> String {
    let answer = answer.is(200);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let json = answer.json();
    assert_eq!(json.as_object().unwrap().len(), 3);
    assert_eq!(json["expires_in"], 3600);
    assert_eq!(json["token_type"], "Bearer");
    json["access_token"].as_str().unwrap().to_owned()
}

#[test]
fn client_credentials_become_a_token() {
    let server = TestServer::start();
    let body = json!({"client_id": server.names.app, "client_secret": server.names.app_secret});
    let token = token_of(server.ask_json(&body.to_string()));
    assert_eq!(server.works(&token), 200);
    assert_eq!(server.works(&format!("Bearer {token}")), 401);
    let another = token_of(server.ask_json(&body.to_string()));
    assert_ne!(token, another);
    assert_eq!(server.works(&token), 200);
}

#[test]
fn a_token_runs_out_after_its_seconds() {
    let server = TestServer::start();
    server.change_app(|app| app.token_seconds = 60);
    let body = json!({"client_id": server.names.app, "client_secret": server.names.app_secret});
    let answer = server.ask_json(&body.to_string()).is(200).json();
    assert_eq!(answer["expires_in"], 60);
    let token = answer["access_token"].as_str().unwrap();
    assert_eq!(server.works(token), 200);
    server.clock.forward(60);
    assert_eq!(server.works(token), 401);
}

#[test]
fn a_token_dies_with_its_client() {
    let server = TestServer::start();
    let token = server.token();
    assert_eq!(server.works(&token), 200);
    server.change_app(|app| app.active = false);
    assert_eq!(server.works(&token), 401);
    let body = json!({"client_id": server.names.app, "client_secret": server.names.app_secret});
    refused(server.ask_json(&body.to_string()), 401, "invalid_client");
    server.change_app(|app| app.active = true);
    assert_eq!(server.works(&token), 200);
    let id = server.names.app.clone();
    server.decide(move |_| runtime::store::catalog::CatalogWrite {
        remove: vec![runtime::store::catalog::NounKey {
            kind: runtime::store::catalog::Kind::App,
            id: id.clone(),
        }],
        ..Default::default()
    });
    assert_eq!(server.works(&token), 401);
}

#[test]
fn a_wrong_id_and_a_wrong_secret_give_one_answer() {
    let server = TestServer::start();
    let ask = |id: &str, secret: &str| {
        let body = json!({"client_id": id, "client_secret": secret});
        let mut answer = refused(server.ask_json(&body.to_string()), 401, "invalid_client");
        // nothing was sent there
        assert!(
            !answer.text().contains("Authorization"),
            "{}",
            answer.text()
        );
        assert_eq!(answer.header("www-authenticate"), None);
        assert_eq!(answer.header("x-request-id"), None);
        answer.headers.retain(|(name, _)| name != "date");
        answer
    };
    let first = ask("nobody", &server.names.app_secret);
    assert_eq!(ask(&server.names.app, "wrong"), first);
    assert_eq!(
        ask(&server.names.app, &format!("{} ", server.names.app_secret)),
        first
    );
    assert_eq!(ask("nobody", "wrong"), first);
}

#[test]
fn a_field_that_is_missing_empty_or_no_string_is_400() {
    let server = TestServer::start();
    let id = &server.names.app;
    let bodies = [
        String::new(),
        "{}".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "{".to_owned(),
        r#"{"client_id":"a"}"#.to_owned(),
        r#"{"client_secret":"a"}"#.to_owned(),
        json!([id, server.names.app_secret]).to_string(),
        format!(r#"{{"client_id":"{id}","client_secret":""}}"#),
        r#"{"client_id":"","client_secret":"a"}"#.to_owned(),
        format!(r#"{{"client_id":"{id}","client_secret":null}}"#),
        format!(r#"{{"client_id":"{id}","client_secret":5}}"#),
        r#"{"client_id":["a"],"client_secret":"a"}"#.to_owned(),
        r#"{"client_id":"a","client_id":"a","client_secret":"a"}"#.to_owned(),
        r#"{"client_id":"a","client_secret":"a"} x"#.to_owned(),
        "\u{feff}{\"client_id\":\"a\",\"client_secret\":\"a\"}".to_owned(),
    ];
    for body in bodies {
        refused(server.ask_json(&body), 400, "invalid_request");
    }
    let bytes = b"{\"client_id\":\"\xff\",\"client_secret\":\"a\"}".to_vec();
    refused(server.ask().json(bytes).send(), 400, "invalid_request");
}

#[test]
fn method_media_type_and_size_are_judged_before_the_fields() {
    let server = TestServer::start();
    for method in ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let answer = server
            .anonymous(method, "/oauth2/token")
            .send()
            .plain_error(405);
        assert_eq!(answer.header("allow"), Some("POST"));
    }
    assert_eq!(server.anonymous("HEAD", "/oauth2/token").send().status, 405);
    let body = json!({"client_id": server.names.app, "client_secret": server.names.app_secret})
        .to_string();
    let announced = |kind: &str, body: &str| {
        let request = server.ask().header("Content-Type", kind);
        request.body(body).send()
    };
    let wrong = "invalid_request";
    refused(server.ask().body(body.clone()).send(), 415, wrong);
    refused(announced("text/plain", "{}"), 415, wrong);
    let large = format!("{}{}", " ".repeat(2 << 20), body);
    refused(server.ask_json(&large), 413, wrong);
    refused(announced("text/plain", &large), 415, wrong);
    let named = server
        .ask()
        .header("Content-Type", "application/json; charset=utf-8")
        .body(body);
    token_of(named.send());
}

#[test]
fn the_token_endpoint_reads_no_credential() {
    let server = TestServer::start();
    let body = json!({"client_id": server.names.app, "client_secret": server.names.app_secret})
        .to_string();
    for credential in ["nonsense", "Bearer x", server.names.key.as_str()] {
        token_of(
            server
                .ask()
                .credential(credential)
                .json(body.clone())
                .send(),
        );
    }
}

#[test]
fn stock_oauth_clients_send_a_form() {
    let server = TestServer::start();
    let (id, secret) = (&server.names.app, "a+secret+of+the+client%27s");
    let form =
        format!("grant_type=client_credentials&client_id={id}&client_secret={secret}&scope=any");
    let token = token_of(server.ask_form(&form).send());
    assert_eq!(server.works(&token), 200);
    let ask = |form: &str| server.ask_form(form).send();
    for (wrong, error) in [
        (
            format!("client_id={id}&client_secret={secret}"),
            "invalid_request",
        ),
        (
            format!("grant_type=password&client_id={id}&client_secret={secret}"),
            "unsupported_grant_type",
        ),
        (
            format!("grant_type=client_credentials&client_id={id}"),
            "invalid_request",
        ),
        (
            format!("grant_type=client_credentials&client_secret={secret}"),
            "invalid_request",
        ),
        (
            format!("grant_type=client_credentials&client_id=&client_secret={secret}"),
            "invalid_request",
        ),
        (format!("{form}&client_id={id}"), "invalid_request"),
        (String::new(), "invalid_request"),
    ] {
        refused(ask(&wrong), 400, error);
    }
    let answer = refused(ask(&form.replace(secret, "wrong")), 401, "invalid_client");
    assert_eq!(answer.header("www-authenticate"), None);
}

#[test]
fn stock_oauth_clients_send_basic() {
    let server = TestServer::start();
    let form = "grant_type=client_credentials";
    let (id, secret) = (server.names.app.clone(), "a+secret+of+the+client%27s");
    let good = basic(&id, secret);
    token_of(server.ask_form(form).credential(&good).send());
    token_of(
        server
            .ask_form(form)
            .credential(&good.replace("Basic", "bASIC"))
            .send(),
    );
    let same = format!("{form}&client_id={id}");
    token_of(server.ask_form(&same).credential(&good).send());
    let other = format!("{form}&client_id=another");
    let wrong = basic(&id, "wrong");
    for (form, credential) in [
        (other.as_str(), good.as_str()),
        (form, wrong.as_str()),
        (form, "Basic ###"),
    ] {
        let answer = server.ask_form(form).credential(credential).send();
        let answer = refused(answer, 401, "invalid_client");
        assert_eq!(
            answer.header("www-authenticate"),
            Some("Basic realm=\"fieldstone\", charset=\"UTF-8\"")
        );
    }
    let twice = format!("{same}&client_secret={secret}");
    let twice = server.ask_form(&twice).credential(&good).send();
    refused(twice, 400, "invalid_request");
    // JSON is the interface's own form, and has both in the body
    let bare = server.ask().credential(&good).json("{}").send();
    refused(bare, 400, "invalid_request");
}

#[test]
fn a_role_given_to_a_client_holds_for_the_tokens_it_has() {
    let server = TestServer::start();
    let token = server.token();
    let role = server.role(&everything(Verbs::NONE));
    server.change_app(|app| app.roles = vec![role]);
    assert_eq!(server.works(&token), 403);
}
