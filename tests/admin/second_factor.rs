//! A second factor: enrolled with a code, asked for at sign-in, good once, a way past those who guess, and removed by
//! who proves to have it.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::guessing::at_a_moment;
use crate::requests::Answer;
use runtime::service::Clock as _;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};

/// The code that an authenticator with this secret shows now.
pub(crate) fn code(server: &AdminServer, secret: &str) -> String {
    let secret = Secret::try_from_base32(secret).expect("base 32");
    let made = Builder::new().with_secret(secret).build();
    let seconds = u64::try_from(server.clock.now().millis() / 1000).expect("after 1970");
    made.expect("a good secret").generate(seconds).to_string()
}

/// Tries to sign ada in from an address.
fn enter(server: &AdminServer, from: &str, password: &str, code: Option<&str>) -> Answer {
    let mut body = json!({"username": "ada", "password": password, "token": true});
    if let Some(code) = code {
        body["code"] = json!(code);
    }
    let headers = [("X-Forwarded-For", from)];
    let line = "POST /admin/api/v1/sessions";
    server.send(line, &headers, Some(&body.to_string()))
}

const HOME: &str = "192.0.2.1";

/// Gives ada a second factor: her session, its secret and the recovery codes.
pub(crate) fn enrolled(server: &AdminServer) -> (String, String, Vec<String>) {
    let session = enter(server, HOME, PASSWORD, None).is(200).text("token");
    let begun = server.ask(&session, "POST /session/second-factor", None);
    let begun = begun.is(200);
    assert_eq!(begun.header("cache-control"), Some("no-store"));
    let secret = begun.text("secret");
    let url = begun.text("otpauthUrl");
    assert!(
        url.starts_with("otpauth://totp/") && url.contains(&secret),
        "{url}"
    );
    let confirm = |code: &str| {
        let body = Some(json!({"code": code}));
        server.ask(&session, "POST /session/second-factor/confirm", body)
    };
    assert_eq!(confirm("000000").is(400).problems(), ["$.code"]);
    let confirmed = confirm(&code(server, &secret)).is(200).json();
    confirm(&code(server, &secret)).is(409);
    server
        .ask(&session, "POST /session/second-factor", None)
        .is(409);
    let codes = confirmed["recoveryCodes"].as_array().expect("codes").iter();
    let codes = codes.map(|code| code.as_str().expect("a text").to_owned());
    (session, secret, codes.collect())
}

fn is_coded(answer: &Answer, code: &str) {
    assert_eq!(
        (answer.status, answer.json()["code"].as_str()),
        (403, Some(code))
    );
}

#[test]
fn what_was_begun_and_not_confirmed_is_not_asked_for() {
    let server = AdminServer::start();
    let session = enter(&server, HOME, PASSWORD, None).is(200).text("token");
    server
        .ask(&session, "POST /session/second-factor", None)
        .is(200);
    enter(&server, HOME, PASSWORD, None).is(200);
}

#[test]
fn signing_in_asks_for_a_code_and_takes_each_once() {
    let server = AdminServer::start();
    let (_, secret, _) = enrolled(&server);
    let now = code(&server, &secret);
    enter(&server, HOME, PASSWORD, Some(&now)).is(401);
    server.clock.forward(30);
    is_coded(
        &enter(&server, HOME, PASSWORD, None),
        "SECOND_FACTOR_REQUIRED",
    );
    let next = code(&server, &secret);
    let wrong = enter(&server, HOME, "a wrong password", Some(&next)).is(401);
    let wrong_code = enter(&server, HOME, PASSWORD, Some("000000")).is(401);
    assert_eq!(wrong.body, wrong_code.body);
    enter(&server, HOME, PASSWORD, Some(&next)).is(200);
    enter(&server, HOME, PASSWORD, Some(&next)).is(401);
    server.clock.forward(30);
    enter(&server, HOME, PASSWORD, Some(&next)).is(401);
    let shown = server.get(&format!("/users/{}", server.ada));
    assert_eq!(shown["secondFactor"], true);
}

#[test]
fn a_code_that_was_taken_by_a_clock_that_was_ahead_keeps_out_no_other() {
    let server = AdminServer::start();
    let (_, secret, _) = enrolled(&server);
    let year = 365 * 24 * 3600;
    let enter_now = || enter(&server, HOME, PASSWORD, Some(&code(&server, &secret)));
    server.clock.forward(year);
    enter_now().is(200);
    server.clock.forward(60 - year);
    enter_now().is(200);
    enter_now().is(401);
    // the try that was wrong comes back
    server.clock.forward(60);
    enter_now().is(200);
}

#[test]
fn a_recovery_code_stands_in_for_a_lost_authenticator_once() {
    let server = AdminServer::start();
    let (_, _, codes) = enrolled(&server);
    assert_eq!(codes.len(), 10);
    enter(&server, HOME, PASSWORD, Some(&codes[3])).is(200);
    enter(&server, HOME, PASSWORD, Some(&codes[3])).is(401);
    enter(&server, HOME, PASSWORD, Some(&codes[4])).is(200);
}

#[test]
fn codes_are_confirmed_and_taken_as_people_type_them() {
    let server = AdminServer::start();
    let session = enter(&server, HOME, PASSWORD, None).is(200).text("token");
    let begun = server.ask(&session, "POST /session/second-factor", None);
    let secret = begun.is(200).text("secret");
    let in_halves = |code: String| format!("{} {}", &code[..3], &code[3..]);
    let typed = json!({"code": in_halves(code(&server, &secret))});
    let line = "POST /session/second-factor/confirm";
    let confirmed = server.ask(&session, line, Some(typed)).is(200).json();
    server.clock.forward(30);
    let typed = in_halves(code(&server, &secret));
    enter(&server, HOME, PASSWORD, Some(&typed)).is(200);
    let recovery = confirmed["recoveryCodes"][0].as_str().expect("a code");
    let typed = format!("{}-{}", &recovery[..8], &recovery[8..]).to_uppercase();
    enter(&server, HOME, PASSWORD, Some(&typed)).is(200);
    enter(&server, HOME, PASSWORD, Some(recovery)).is(401);
}

#[test]
fn codes_run_out_as_passwords_do() {
    let server = AdminServer::start();
    enrolled(&server);
    let tries = (0..20).map(|_| enter(&server, HOME, PASSWORD, Some("000000")).status);
    let looked_at: Vec<_> = tries.take_while(|status| *status == 401).collect();
    assert_eq!(looked_at.len(), 10);
}

#[test]
fn a_code_is_a_way_past_those_who_guess_from_everywhere() {
    let server = AdminServer::start();
    let (_, secret, _) = enrolled(&server);
    server.clock.forward(30);
    at_a_moment(&server, || {
        for number in 60..70 {
            let from = format!("192.0.2.{number}");
            for _ in 0..10 {
                enter(&server, &from, "a wrong password", None).is(401);
            }
        }
    });
    enter(&server, HOME, PASSWORD, None).is(429);
    let now = code(&server, &secret);
    enter(&server, HOME, PASSWORD, Some(&now)).is(200);
}

#[test]
fn codes_can_not_be_guessed_by_who_knows_the_password() {
    let server = AdminServer::start();
    let (_, secret, _) = enrolled(&server);
    server.clock.forward(30);
    let now = code(&server, &secret);
    let wrong = if now == "000000" { "000001" } else { "000000" };
    for _ in 0..10 {
        enter(&server, HOME, PASSWORD, Some(wrong)).is(401);
    }
    // from here on not even the right one is looked at, and nothing tells it from a wrong one
    enter(&server, HOME, PASSWORD, Some(wrong)).is(429);
    enter(&server, HOME, PASSWORD, Some(&now)).is(429);
    enter(&server, HOME, "a wrong password", Some(&now)).is(429);
}

#[test]
fn sessions_that_were_begun_without_a_code_end_when_one_is_asked_for() {
    let server = AdminServer::start();
    let other = enter(&server, "192.0.2.2", PASSWORD, None).is(200);
    let other = other.text("token");
    server.ask(&other, "GET /session", None).is(200);
    let (session, _, _) = enrolled(&server);
    let line = "DELETE /session/second-factor";
    server.ask(&other, line, None).is(401);
    let shown = server.get(&format!("/users/{}", server.ada));
    assert_eq!(shown["secondFactor"], true);
    server.ask(&session, line, None).is(204);
}

#[test]
fn it_is_removed_by_who_proves_to_have_it() {
    let server = AdminServer::start();
    let (session, secret, codes) = enrolled(&server);
    server.clock.forward(20 * 60);
    let remove = || server.ask(&session, "DELETE /session/second-factor", None);
    is_coded(&remove(), "PROOF_REQUIRED");
    let prove = |body: Value| server.ask(&session, "POST /session/proof", Some(body));
    is_coded(
        &prove(json!({"password": PASSWORD})),
        "SECOND_FACTOR_REQUIRED",
    );
    let wrong = prove(json!({"password": PASSWORD, "code": "000000"}));
    assert_eq!(wrong.is(400).problems(), ["$.code"]);
    let now = code(&server, &secret);
    prove(json!({"password": PASSWORD, "code": now})).is(204);
    prove(json!({"password": PASSWORD, "code": now})).is(400);
    prove(json!({"password": PASSWORD, "code": codes[0]})).is(204);
    remove().is(204);
    enter(&server, HOME, PASSWORD, None).is(200);
    let trail = server.get("/audit?pageSize=20");
    let items = trail["items"].as_array().expect("entries").iter();
    let told = items.filter(|entry| entry["action"] == "change_second_factor");
    assert_eq!(told.count(), 2, "{trail}");
    for secret in codes.iter().chain([&secret]) {
        assert!(!trail.to_string().contains(secret), "{trail}");
    }
}

#[test]
fn an_administrator_removes_it_for_who_lost_everything() {
    let server = AdminServer::start();
    enrolled(&server);
    let line = format!("DELETE /users/{}/second-factor", server.ada);
    let (_, powerless) = server.key("powerless", &[&server.role("MEMBER")], &[]);
    server.ask(&powerless, &line, None).is(403);
    let shown = server.root(&line, None).is(200);
    assert_eq!(shown.json()["secondFactor"], false);
    enter(&server, HOME, PASSWORD, None).is(200);
    for line in [
        "POST /session/second-factor",
        "DELETE /session/second-factor",
    ] {
        server.root(line, None).is(403);
    }
}
