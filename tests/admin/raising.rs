//! Nobody gives what it does not have, to itself or to others, and nobody takes over who has more.

use crate::admin_server::{AdminServer, city};
use crate::rights::{forbidden, grants, permissions, role};
use runtime::service::manage::SignInOrigin;
use serde_json::{Value, json};

/// A key that manages callers and nothing else, with its id and its role's.
fn clerk(server: &AdminServer) -> [String; 3] {
    let all: &[&str] = &["view", "add", "edit", "delete"];
    let resources = ["ROLES", "USERS", "API KEYS", "APPLICATION CLIENTS"];
    let role = role(server, "clerk", &resources.map(|resource| (resource, all)));
    let (id, key) = server.key("clerk", &[&role], &[]);
    [key, id, role]
}

#[test]
fn nobody_gives_what_it_does_not_have() {
    let server = AdminServer::start();
    let [area, ..] = server.places(&city());
    let [key, own, role] = clerk(&server);
    let administrator = server.role("ACCOUNT ADMINISTRATOR");
    let more = permissions(&[("DATA OBJECTS", &["view"])]);
    let raised =
        json!({"name": "clerk", "active": true, "roles": [role, administrator], "grants": []});
    let high = json!({"name": "x", "roles": [administrator]});
    let far = json!({"name": "x", "grants": grants(&[(&area, &["view"])])});
    let user = json!({"username": "x", "fullName": "X", "email": "x@example.org",
        "password": "a long phrase of x", "roles": [administrator]});
    let lines = [
        (
            "POST /roles".to_owned(),
            json!({"name": "x", "permissions": more}),
        ),
        (
            format!("PUT /roles/{role}"),
            json!({"name": "x", "permissions": more}),
        ),
        (format!("PUT /api-keys/{own}"), raised),
        ("POST /api-keys".to_owned(), high.clone()),
        ("POST /api-keys".to_owned(), far.clone()),
        ("POST /apps".to_owned(), high),
        ("POST /apps".to_owned(), far),
        ("POST /users".to_owned(), user),
    ];
    forbidden(&server, &key, &lines.map(|(line, body)| (line, Some(body))));
    for noun in ["api-keys", "apps"] {
        let same = json!({"name": "x", "roles": [role]});
        server
            .ask(&key, &format!("POST /{noun}"), Some(same))
            .is(201);
    }
}

#[test]
fn a_user_who_edits_users_does_not_raise_itself() {
    let server = AdminServer::start();
    let [area, ..] = server.places(&city());
    let role = role(&server, "r", &[("USERS", &["view", "edit"])]);
    let mut bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password", "active": true, "roles": [role], "grants": []});
    let id = server.make("/users", bob.clone()).text("userId");
    let origin = SignInOrigin::default();
    let password = "bob's long password".into();
    let session = server.service.sign_in("bob".into(), &password, &origin);
    let session = server.tokio.block_on(session).expect("his password").secret;
    let own = format!("PUT /users/{id}");
    bob.as_object_mut().unwrap().remove("password");
    let with = |key: &str, value: Value| {
        let mut body = bob.clone();
        body[key] = value;
        (own.clone(), Some(body))
    };
    let administrator = server.role("ACCOUNT ADMINISTRATOR");
    let lines = [
        with("roles", json!([role, administrator])),
        with("roles", json!([role, server.role("MEMBER")])),
        with("grants", grants(&[(&area, &["view"])])),
        (
            format!("PUT /roles/{role}"),
            Some(json!({"name": "r", "permissions": permissions(&[("ROLES", &["view"])])})),
        ),
    ];
    forbidden(&server, &session, &lines);
    server.ask(&session, &own, Some(bob.clone())).is(200);
}

#[test]
fn nobody_takes_over_who_has_more() {
    let server = AdminServer::start();
    let [key, ..] = clerk(&server);
    let (ada, administrator) = (&server.ada, server.role("ACCOUNT ADMINISTRATOR"));
    let taken_over = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org",
        "password": "known to the clerk", "active": true, "roles": [], "grants": []});
    let (high, _) = server.key("high", &[&administrator], &[]);
    let app = server.make("/apps", json!({"name": "high", "roles": [administrator]}));
    let app = app.text("clientId");
    let lines = [
        (format!("PUT /users/{ada}"), Some(taken_over)),
        (format!("DELETE /users/{ada}"), None),
        (format!("POST /users/{ada}/disable"), None),
        (format!("DELETE /api-keys/{high}"), None),
        (format!("POST /api-keys/{high}/disable"), None),
        (format!("POST /apps/{app}/secret"), None),
        (format!("POST /apps/{app}/disable"), None),
        (format!("DELETE /apps/{app}"), None),
    ];
    forbidden(&server, &key, &lines);
}
