//! Invitations over management: a code is shown once, works once and in time, and only whoever may change a user gives one.

use crate::admin_server::AdminServer;
use crate::requests::Answer;
use crate::rights::role;
use serde_json::json;

pub(crate) fn invitee(username: &str) -> serde_json::Value {
    json!({"username": username, "fullName": "Grace", "email": "grace@example.org"})
}

pub(crate) fn accept(server: &AdminServer, code: &str, password: &str) -> Answer {
    let body = json!({"invitation": code, "password": password});
    server.ask("", "POST /invitations/accept", Some(body))
}

#[test]
fn an_invitation_lets_its_user_choose_a_password_once_and_in_time() {
    let server = AdminServer::start();
    let made = server.make("/invitations", invitee("grace"));
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let (code, id) = (made.text("invitation"), made.text("userId"));
    assert!(code.starts_with("fsi_"));
    let place = made.header("location").expect("a place");
    assert!(place.ends_with(&format!("/users/{id}")), "{place}");
    let user = server.get(&format!("/users/{id}"));
    assert_eq!(user["mustChangePassword"], true);
    assert!(user["invitationEndsAt"].is_string() && !user.to_string().contains("fsi_"));
    assert_eq!(
        accept(&server, &code, "short").is(400).problems(),
        ["$.password"]
    );
    accept(&server, &format!("{code}x"), "seven grey owls").is(404);
    accept(&server, "fsi_", "seven grey owls").is(404);
    accept(&server, &code, "seven grey owls").is(204);
    accept(&server, &code, "eight grey owls").is(404);
    let session = server.session("grace", "seven grey owls");
    let user = server.get(&format!("/users/{id}"));
    assert!(user["invitationEndsAt"].is_null() && user["mustChangePassword"] == false);
    // another one ends what there was, and its own time ends, too
    let again = server
        .root(&format!("POST /users/{id}/invitation"), None)
        .is(200);
    server.ask(&session, "GET /session", None).is(401);
    server.enter("grace", "seven grey owls").is(401);
    server.clock.forward(7 * 24 * 3600);
    accept(&server, &again.text("invitation"), "seven grey owls").is(404);
    // the trail tells of it without the code
    let trail = server.get("/audit?pageSize=20").to_string();
    assert!(
        trail.contains("change_password") && !trail.contains("fsi_"),
        "{trail}"
    );
    server.make("/invitations", invitee("other"));
    server
        .root("POST /invitations", Some(invitee("grace")))
        .is(409);
}

#[test]
fn a_password_set_meanwhile_and_a_user_switched_off_end_an_invitation() {
    let server = AdminServer::start();
    let made = server.make("/invitations", invitee("grace"));
    let (code, id) = (made.text("invitation"), made.text("userId"));
    server
        .root(&format!("POST /users/{id}/disable"), None)
        .is(200);
    accept(&server, &code, "seven grey owls").is(404);
    server
        .root(&format!("POST /users/{id}/enable"), None)
        .is(200);
    let mut content = invitee("grace");
    content["active"] = json!(true);
    content["roles"] = json!([]);
    content["grants"] = json!([]);
    content["password"] = json!("chosen by another one");
    server
        .root(&format!("PUT /users/{id}"), Some(content))
        .is(200);
    accept(&server, &code, "seven grey owls").is(404);
    let session = server.session("grace", "chosen by another one");
    server
        .root(&format!("DELETE /users/{id}/sessions"), None)
        .is(204);
    server.ask(&session, "GET /session", None).is(401);
    server.enter("grace", "chosen by another one").is(200);
}

#[test]
fn nobody_invites_who_has_more_than_it_has_itself() {
    let server = AdminServer::start();
    let usher = role(&server, "Usher", &[("USERS", &["view", "add", "edit"])]);
    let (_, key) = server.key("usher", &[&usher], &[]);
    let mut mighty = invitee("grace");
    mighty["roles"] = json!([server.role("ACCOUNT ADMINISTRATOR")]);
    server.ask(&key, "POST /invitations", Some(mighty)).is(403);
    server
        .ask(&key, "POST /invitations", Some(invitee("grace")))
        .is(201);
    let line = |end: &str| format!("{end} /users/{}", server.ada);
    server
        .ask(&key, &format!("{}/invitation", line("POST")), None)
        .is(403);
    server
        .ask(&key, &format!("{}/sessions", line("DELETE")), None)
        .is(403);
}
