//! Fresh proofs: a session that changes users, roles, keys or clients shows the password now and then; programs are
//! never asked. And users that have to choose a password first: asked of every operation that the document names.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::contract::DOCUMENT;
use crate::refusals::{AdminSetup, Asked};
use runtime::service::Settings;
use serde_json::{Value, json};
use std::time::Duration;

/// The operations that name a code.
fn naming(setup: &AdminSetup, code: &str) -> (Vec<Asked>, Vec<Asked>) {
    let names = |asked: &Asked| {
        let path = format!("/admin/api/v1{}", asked.template);
        let described = &DOCUMENT["paths"][path][asked.method.to_lowercase()];
        described["responses"]["403"].to_string().contains(code)
    };
    setup.operations().into_iter().partition(names)
}

/// Asserts that each is refused with the code.
fn all_are_coded(setup: &AdminSetup, asked: &[Asked], session: &str, code: &str) {
    for asked in asked {
        let body = asked.body(setup);
        let headers = [("Authorization", session)];
        let answer = setup.server.send(&asked.line(), &headers, body.as_deref());
        let is_coded = answer.status == 403 && answer.json()["code"] == code;
        assert!(
            is_coded,
            "{}: {} {}",
            asked.line(),
            answer.status,
            answer.body
        );
    }
}

#[test]
fn whoever_has_to_choose_a_password_may_do_nothing_else() {
    const CODE: &str = "PASSWORD_CHANGE_REQUIRED";
    let setup = AdminSetup::start();
    let administrator = setup.server.role("ACCOUNT ADMINISTRATOR");
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "handed over on paper", "mustChangePassword": true, "roles": [administrator]});
    setup.server.make("/users", bob);
    let session = setup.server.session("bob", "handed over on paper");
    let (naming, others) = naming(&setup, CODE);
    all_are_coded(&setup, &naming, &session, CODE);
    let others: Vec<_> = others.iter().map(Asked::line).collect();
    assert_eq!(
        others,
        [
            "POST /admin/api/v1/invitations/accept",
            "DELETE /admin/api/v1/session",
            "GET /admin/api/v1/session",
            "PUT /admin/api/v1/session/password",
            "POST /admin/api/v1/sessions",
            "POST /admin/api/v1/setup",
        ]
    );
}

#[test]
fn whoever_has_to_set_up_a_second_factor_may_do_nothing_else() {
    const CODE: &str = "SECOND_FACTOR_SETUP_REQUIRED";
    let setup = AdminSetup::start();
    let administrator = setup.server.role("ACCOUNT ADMINISTRATOR");
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "password": PASSWORD,
        "mustChangePassword": false, "secondFactorRequired": true, "roles": [administrator]});
    setup.server.make("/users", bob);
    let session = setup.server.session("bob", PASSWORD);
    let (naming, others) = naming(&setup, CODE);
    assert!(naming.len() > 100, "{}", naming.len());
    all_are_coded(&setup, &naming, &session, CODE);
    let others: Vec<_> = others.iter().map(Asked::line).collect();
    for line in ["GET /admin/api/v1/session", "DELETE /admin/api/v1/session"] {
        assert!(others.iter().any(|it| it == line), "{others:?}");
    }
}

#[test]
fn after_a_quarter_of_an_hour_a_change_of_rights_asks_a_session_for_the_password() {
    const CODE: &str = "PROOF_REQUIRED";
    let setup = AdminSetup::start();
    let server = &setup.server;
    server.clock.forward(14 * 60);
    let role = |name: &str| json!({"name": name, "permissions": []});
    let make = |name: &str| server.ask(&setup.session, "POST /roles", Some(role(name)));
    make("still fresh").is(201);
    server.clock.forward(60);
    let (naming, _) = naming(&setup, CODE);
    assert!(naming.len() > 15, "{}", naming.len());
    all_are_coded(&setup, &naming, &setup.session, CODE);
    // reading goes on, and so does what gives nobody rights
    for line in ["GET /users", "GET /roles", "GET /api-keys", "GET /apps"] {
        server.ask(&setup.session, line, None).is(200);
    }
    let domain = json!({"name": "d", "codes": []});
    server
        .ask(&setup.session, "POST /domains", Some(domain))
        .is(201);
    let area = json!({"name": "a"});
    server
        .ask(&setup.session, "POST /areas", Some(area))
        .is(201);
    // nor are programs asked
    server.root("POST /roles", Some(role("by a key"))).is(201);

    let prove = |password: &str| {
        let body = Some(json!({"password": password}));
        server.ask(&setup.session, "POST /session/proof", body)
    };
    let wrong = prove("a wrong password").is(400);
    assert_eq!(wrong.problems(), ["$.password"]);
    make("too early").is(403);
    prove(PASSWORD).is(204);
    make("proved").is(201);
    server.pass(15 * 60);
    make("too late").is(403);
    let tries = (0..20).map(|_| prove("a wrong password").status);
    assert_eq!(tries.filter(|status| *status == 429).count(), 10);
}

#[test]
fn a_proof_is_of_one_session_and_ends_with_it() {
    let server = AdminServer::start();
    let enter = || server.session("ada", PASSWORD);
    let [one, other] = [enter(), enter()];
    server.clock.forward(20 * 60);
    let prove = |token: &str| {
        let body = Some(json!({"password": PASSWORD}));
        server.ask(token, "POST /session/proof", body)
    };
    prove(&one).is(204);
    let make = |token: &str, name: &str| {
        let body = json!({"name": name, "permissions": []});
        server.ask(token, "POST /roles", Some(body)).status
    };
    assert_eq!([make(&one, "a"), make(&other, "b")], [201, 403]);
    // who is in and out at the same moment stays out
    let caller = server.service.authenticate(&one).expect("a session");
    server.ask(&one, "DELETE /session", None).is(204);
    let password = PASSWORD.into();
    let late = server.service.prove_session(&caller, &password, None);
    assert!(server.tokio.block_on(late).is_err());
    server.ask(&one, "GET /session", None).is(401);
}

#[test]
fn who_may_not_do_it_at_all_is_told_that_and_asked_for_no_password() {
    let server = AdminServer::start();
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "a long word of his", "roles": [server.role("MEMBER")]});
    server.make("/users", bob);
    let session = server.session("bob", "a long word of his");
    server.clock.forward(20 * 60);
    let body = json!({"name": "r", "permissions": []});
    let refused = server.ask(&session, "POST /roles", Some(body)).is(403);
    assert_eq!(refused.json()["code"], Value::Null);
}

#[test]
fn how_long_a_proof_is_fresh_is_a_setting() {
    let server = AdminServer::with_settings(Settings {
        proof_age_max: Duration::from_secs(5),
        ..Settings::default()
    });
    let session = server.session("ada", PASSWORD);
    server.clock.forward(5);
    let body = json!({"name": "r", "permissions": []});
    server.ask(&session, "POST /roles", Some(body)).is(403);
}
