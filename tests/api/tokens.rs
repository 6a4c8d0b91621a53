//! Endpoint 1. Interface, "Token" and "Client credentials and access token"; decisions sections 1 and 5.

use crate::raw::{Answer, Request};
use crate::world::{World, everything};
use runtime::store::catalog::{App, Verbs};
use serde_json::json;

const FORM: &str = "application/x-www-form-urlencoded";

impl World {
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
    let world = World::start();
    let body = json!({"client_id": world.names.app, "client_secret": world.names.app_secret});
    let token = token_of(world.ask_json(&body.to_string()));
    assert_eq!(world.works(&token), 200);
    assert_eq!(world.works(&format!("Bearer {token}")), 401);
    let another = token_of(world.ask_json(&body.to_string()));
    assert_ne!(token, another);
    assert_eq!(world.works(&token), 200);
}

#[test]
fn a_token_runs_out_after_its_seconds() {
    let world = World::start();
    world.change_app(|app| app.token_seconds = 60);
    let body = json!({"client_id": world.names.app, "client_secret": world.names.app_secret});
    let answer = world.ask_json(&body.to_string()).is(200).json();
    assert_eq!(answer["expires_in"], 60);
    let token = answer["access_token"].as_str().unwrap();
    assert_eq!(world.works(token), 200);
    world.clock.forward(60);
    assert_eq!(world.works(token), 401);
}

#[test]
fn a_token_dies_with_its_client() {
    let world = World::start();
    let token = world.token();
    assert_eq!(world.works(&token), 200);
    world.change_app(|app| app.active = false);
    assert_eq!(world.works(&token), 401);
    let body = json!({"client_id": world.names.app, "client_secret": world.names.app_secret});
    world.ask_json(&body.to_string()).plain(401);
    world.change_app(|app| app.active = true);
    assert_eq!(world.works(&token), 200);
    let id = world.names.app.clone();
    world.decide(move |_| runtime::store::catalog::CatalogWrite {
        remove: vec![runtime::store::catalog::NounKey {
            kind: runtime::store::catalog::Kind::App,
            id: id.clone(),
        }],
        ..Default::default()
    });
    assert_eq!(world.works(&token), 401);
}

#[test]
fn a_wrong_id_and_a_wrong_secret_give_one_answer() {
    let world = World::start();
    let ask = |id: &str, secret: &str| {
        let body = json!({"client_id": id, "client_secret": secret});
        let mut answer = world.ask_json(&body.to_string()).plain(401);
        assert_eq!(answer.header("x-request-id"), None);
        answer.headers.retain(|(name, _)| name != "date");
        answer
    };
    let first = ask("nobody", &world.names.app_secret);
    assert_eq!(ask(&world.names.app, "wrong"), first);
    assert_eq!(
        ask(&world.names.app, &format!("{} ", world.names.app_secret)),
        first
    );
    assert_eq!(ask("nobody", "wrong"), first);
}

#[test]
fn a_field_that_is_missing_empty_or_no_string_is_400() {
    let world = World::start();
    let id = &world.names.app;
    let bodies = [
        String::new(),
        "{}".to_owned(),
        "null".to_owned(),
        "[]".to_owned(),
        "{".to_owned(),
        r#"{"client_id":"a"}"#.to_owned(),
        r#"{"client_secret":"a"}"#.to_owned(),
        json!([id, world.names.app_secret]).to_string(),
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
        world.ask_json(&body).plain(400);
    }
    world
        .ask()
        .json(b"{\"client_id\":\"\xff\",\"client_secret\":\"a\"}".to_vec())
        .send()
        .plain(400);
}

#[test]
fn method_media_type_and_size_are_judged_before_the_fields() {
    let world = World::start();
    for method in ["GET", "PUT", "DELETE", "OPTIONS", "PATCH"] {
        let answer = world.anonymous(method, "/oauth2/token").send().plain(405);
        assert_eq!(answer.header("allow"), Some("POST"));
    }
    assert_eq!(world.anonymous("HEAD", "/oauth2/token").send().status, 405);
    let body =
        json!({"client_id": world.names.app, "client_secret": world.names.app_secret}).to_string();
    world.ask().body(body.clone()).send().plain(415);
    world
        .ask()
        .header("Content-Type", "text/plain")
        .body("{}")
        .send()
        .plain(415);
    let large = format!("{}{}", " ".repeat(2 << 20), body);
    world.ask_json(&large).plain(413);
    world
        .ask()
        .header("Content-Type", "text/plain")
        .body(large)
        .send()
        .plain(415);
    let named = world
        .ask()
        .header("Content-Type", "application/json; charset=utf-8")
        .body(body);
    token_of(named.send());
}

#[test]
fn the_token_endpoint_reads_no_credential() {
    let world = World::start();
    let body =
        json!({"client_id": world.names.app, "client_secret": world.names.app_secret}).to_string();
    for credential in ["nonsense", "Bearer x", world.names.key.as_str()] {
        token_of(world.ask().credential(credential).json(body.clone()).send());
    }
}

#[test]
fn stock_oauth_clients_send_a_form() {
    let world = World::start();
    let (id, secret) = (&world.names.app, "a+secret+of+the+client%27s");
    let form =
        format!("grant_type=client_credentials&client_id={id}&client_secret={secret}&scope=any");
    let token = token_of(world.ask_form(&form).send());
    assert_eq!(world.works(&token), 200);
    for wrong in [
        format!("client_id={id}&client_secret={secret}"),
        format!("grant_type=password&client_id={id}&client_secret={secret}"),
        format!("grant_type=client_credentials&client_id={id}"),
        format!("grant_type=client_credentials&client_secret={secret}"),
        format!("grant_type=client_credentials&client_id=&client_secret={secret}"),
        format!("{form}&client_id={id}"),
        String::new(),
    ] {
        world.ask_form(&wrong).send().plain(400);
    }
    world
        .ask_form(&form.replace(secret, "wrong"))
        .send()
        .plain(401);
}

#[test]
fn stock_oauth_clients_send_basic() {
    let world = World::start();
    let form = "grant_type=client_credentials";
    let basic = |id: &str, secret: &str| {
        use base64::Engine as _;
        let pair = format!("{id}:{secret}");
        format!(
            "Basic {}",
            base64::engine::general_purpose::STANDARD.encode(pair)
        )
    };
    let (id, secret) = (world.names.app.clone(), "a+secret+of+the+client%27s");
    let good = basic(&id, secret);
    token_of(world.ask_form(form).credential(&good).send());
    token_of(
        world
            .ask_form(form)
            .credential(&good.replace("Basic", "bASIC"))
            .send(),
    );
    let same = format!("{form}&client_id={id}");
    token_of(world.ask_form(&same).credential(&good).send());
    let other = format!("{form}&client_id=another");
    world.ask_form(&other).credential(&good).send().plain(401);
    world
        .ask_form(form)
        .credential(&basic(&id, "wrong"))
        .send()
        .plain(401);
    world
        .ask_form(form)
        .credential("Basic ###")
        .send()
        .plain(401);
    let twice = format!("{same}&client_secret={secret}");
    world.ask_form(&twice).credential(&good).send().plain(400);
    // JSON is the interface's own form, and has both in the body
    world.ask().credential(&good).json("{}").send().plain(400);
}

#[test]
fn a_role_given_to_a_client_holds_for_the_tokens_it_has() {
    let world = World::start();
    let token = world.token();
    let role = world.role(&everything(Verbs::NONE));
    world.change_app(|app| app.roles = vec![role]);
    assert_eq!(world.works(&token), 403);
}
