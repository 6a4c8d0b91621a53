//! Nobody gives what it does not have, to itself or to others, and nobody takes over who has more.

use crate::rights::{forbidden, grants, permissions};
use crate::world::{World, city};
use runtime::service::manage::SignInOrigin;
use serde_json::{Value, json};

/// A key that manages callers and nothing else, with its id and its role's.
fn clerk(world: &World) -> [String; 3] {
    let all: &[&str] = &["view", "add", "edit", "delete"];
    let resources = ["ROLES", "USERS", "API KEYS", "APPLICATION CLIENTS"];
    let clerk = permissions(&resources.map(|resource| (resource, all)));
    let body = json!({"name": "clerk", "permissions": clerk});
    let role = world.make("/roles", body).text("roleId");
    let (id, key) = world.key("clerk", &[&role], &[]);
    [key, id, role]
}

#[test]
fn nobody_gives_what_it_does_not_have() {
    let world = World::start();
    let [area, ..] = world.places(&city());
    let [key, own, role] = clerk(&world);
    let administrator = world.role("ACCOUNT ADMINISTRATOR");
    let more = permissions(&[("DATA OBJECTS", &["view"])]);
    let raised =
        json!({"name": "clerk", "active": true, "roles": [role, administrator], "grants": []});
    let high = json!({"name": "x", "roles": [administrator]});
    let far = json!({"name": "x", "grants": grants(&[(&area, &["view"])])});
    let user = json!({"username": "x", "fullName": "X", "email": "x@example.org",
        "password": "a long password", "roles": [administrator]});
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
    forbidden(&world, &key, &lines.map(|(line, body)| (line, Some(body))));
    for noun in ["api-keys", "apps"] {
        let same = json!({"name": "x", "roles": [role]});
        world
            .ask(&key, &format!("POST /{noun}"), Some(same))
            .is(201);
    }
}

#[test]
fn a_user_who_edits_users_does_not_raise_itself() {
    let world = World::start();
    let [area, ..] = world.places(&city());
    let edits = json!({"name": "r", "permissions": permissions(&[("USERS", &["view", "edit"])])});
    let role = world.make("/roles", edits).text("roleId");
    let mut bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password", "active": true, "roles": [role], "grants": []});
    let id = world.make("/users", bob.clone()).text("userId");
    let origin = SignInOrigin::default();
    let password = "bob's long password".into();
    let session = world.service.sign_in("bob", &password, &origin);
    let session = world.tokio.block_on(session).expect("his password").secret;
    let own = format!("PUT /users/{id}");
    bob.as_object_mut().unwrap().remove("password");
    let with = |key: &str, value: Value| {
        let mut body = bob.clone();
        body[key] = value;
        (own.clone(), Some(body))
    };
    let administrator = world.role("ACCOUNT ADMINISTRATOR");
    let lines = [
        with("roles", json!([role, administrator])),
        with("roles", json!([role, world.role("MEMBER")])),
        with("grants", grants(&[(&area, &["view"])])),
        (
            format!("PUT /roles/{role}"),
            Some(json!({"name": "r", "permissions": permissions(&[("ROLES", &["view"])])})),
        ),
    ];
    forbidden(&world, &session, &lines);
    world.ask(&session, &own, Some(bob.clone())).is(200);
}

#[test]
fn nobody_takes_over_who_has_more() {
    let world = World::start();
    let [key, ..] = clerk(&world);
    let (ada, administrator) = (&world.ada, world.role("ACCOUNT ADMINISTRATOR"));
    let taken_over = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org",
        "password": "known to the clerk", "active": true, "roles": [], "grants": []});
    let (high, _) = world.key("high", &[&administrator], &[]);
    let app = world.make("/apps", json!({"name": "high", "roles": [administrator]}));
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
    forbidden(&world, &key, &lines);
}
