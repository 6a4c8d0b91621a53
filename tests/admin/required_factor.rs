//! A second factor that an administrator requires, of a user or of all who have a role: who has none sets one up before
//! anything else, by whichever door it comes, and who has one keeps it. docs/interface.md, "Second factor".

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between};
use crate::requests::Answer;
use crate::rights::role;
use crate::second_factor::code;
use serde_json::json;

const CODE: &str = "SECOND_FACTOR_SETUP_REQUIRED";

/// A user with a role; the id.
fn user(server: &AdminServer, name: &str, role: &str) -> String {
    let body = json!({"username": name, "fullName": name, "email": "one@example.org", "password": PASSWORD,
        "mustChangePassword": false, "roles": [role]});
    server.make("/users", body).text("userId")
}

/// Requires a second factor of a user, or no more.
fn require(server: &AdminServer, id: &str, required: Option<bool>) -> Answer {
    let shown = server.get(&format!("/users/{id}"));
    let mut body = json!({"active": true, "secondFactorRequired": required});
    for name in ["username", "fullName", "email", "roles", "grants"] {
        body[name] = shown[name].clone();
    }
    server.root(&format!("PUT /users/{id}"), Some(body))
}

/// Requires a second factor of all who have a role, or no more.
fn require_by_role(server: &AdminServer, id: &str, required: bool) -> Answer {
    let shown = server.get(&format!("/roles/{id}"));
    let mut body = json!({"secondFactorRequired": required});
    for name in ["name", "description", "permissions"] {
        body[name] = shown[name].clone();
    }
    server.root(&format!("PUT /roles/{id}"), Some(body))
}

/// Sets up a second factor in a session; its secret.
fn set_up(server: &AdminServer, session: &str) -> String {
    let begun = server.ask(session, "POST /session/second-factor", None);
    let secret = begun.is(200).text("secret");
    let body = json!({"code": code(server, &secret)});
    let line = "POST /session/second-factor/confirm";
    server.ask(session, line, Some(body)).is(200);
    secret
}

#[track_caller]
fn held_up(answer: &Answer) {
    let told = answer.json()["code"].clone();
    assert_eq!((answer.status, told), (403, json!(CODE)), "{}", answer.body);
}

#[test]
fn a_user_of_whom_it_is_required_sets_one_up_before_anything_else() {
    let server = AdminServer::start();
    let id = user(&server, "bob", &server.role("MEMBER"));
    let before = server.session("bob", PASSWORD);
    server.ask(&before, "GET /areas", None).is(200);
    let required = require(&server, &id, Some(true)).is(200).json();
    let both = (&required["secondFactor"], &required["secondFactorRequired"]);
    assert_eq!(both, (&json!(false), &json!(true)));
    let trail = server.get("/audit?noun=user&action=update");
    let after = &trail["items"][0]["after"];
    assert_eq!(after["secondFactorRequired"], true, "{trail}");
    // a change that does not name it leaves it as it is
    require(&server, &id, None).is(200);
    let after = server.session("bob", PASSWORD);
    for session in [&before, &after] {
        let who = server.ask(session, "GET /session", None).is(200).json();
        assert_eq!(who["secondFactorRequired"], true);
        for line in [
            "GET /areas",
            "GET /my/sessions",
            "GET /tenant",
            "DELETE /session/second-factor",
        ] {
            held_up(&server.ask(session, line, None));
        }
        let data = server.send(
            "GET /v1/my/businessareas",
            &[("Authorization", session)],
            None,
        );
        let told = data.is(403).json();
        let text = "a second factor is required of the user; set one up first";
        assert_eq!(told, json!({"message": text}));
    }
    set_up(&server, &after);
    server.ask(&after, "GET /areas", None).is(200);
    server.ask(&before, "GET /areas", None).is(401);
    let data = server.send(
        "GET /v1/my/businessareas",
        &[("Authorization", &*after)],
        None,
    );
    data.is(200);
}

#[test]
fn who_has_one_keeps_it_while_it_is_required_by_itself_or_by_a_role() {
    let server = AdminServer::start();
    let users: &[&str] = &["view", "add", "edit", "delete"];
    let manager = role(&server, "Manager", &[("USERS", users), ("ROLES", users)]);
    let id = user(&server, "bob", &manager);
    let session = server.session("bob", PASSWORD);
    set_up(&server, &session);
    let own = "DELETE /session/second-factor";
    let managed = format!("DELETE /users/{id}/second-factor");
    require(&server, &id, Some(true)).is(200);
    for line in [own, &managed] {
        let refused = server.ask(&session, line, None).is(409);
        assert!(refused.body.contains("required of you"), "{}", refused.body);
    }
    require(&server, &id, Some(false)).is(200);
    require_by_role(&server, &manager, true).is(200);
    server.ask(&session, own, None).is(409);
    // one that is lost is removed by somebody else, and the next one is set up at the next sign-in
    server.root(&managed, None).is(200);
    held_up(&server.ask(&session, "GET /users", None));
    set_up(&server, &server.session("bob", PASSWORD));
    require_by_role(&server, &manager, false).is(200);
    let shown = server.get(&format!("/users/{id}"));
    let both = (&shown["secondFactor"], &shown["secondFactorRequired"]);
    assert_eq!(both, (&json!(true), &json!(false)));
}

#[test]
fn a_role_requires_it_of_users_and_of_no_program() {
    let server = AdminServer::start();
    let member = server.role("MEMBER");
    let made = json!({"name": "Clerk", "permissions": [], "secondFactorRequired": true});
    let clerk = server.make("/roles", made).is(201);
    assert_eq!(clerk.json()["secondFactorRequired"], true);
    let clerk = clerk.text("roleId");
    let body = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "password": PASSWORD,
        "roles": [clerk, member]});
    let bob = server.make("/users", body).json();
    assert_eq!(bob["secondFactorRequired"], false, "its role does");
    let (_, key) = server.key("shop", &[&clerk, &member], &[]);
    server.ask(&key, "GET /areas", None).is(200);
    let session = server.session("bob", PASSWORD);
    held_up(&server.ask(&session, "GET /areas", None));
    // built-in ones stay as they are but for this
    let administrator = server.role("ACCOUNT ADMINISTRATOR");
    require_by_role(&server, &administrator, true).is(200);
    let ada = server.session("ada", PASSWORD);
    held_up(&server.ask(&ada, "GET /users", None));
    set_up(&server, &ada);
    server.ask(&ada, "GET /users", None).is(200);
    let mut other = server.get(&format!("/roles/{administrator}"));
    let line = format!("PUT /roles/{administrator}");
    other["description"] = json!("mine");
    let body =
        json!({"name": other["name"], "description": "mine", "permissions": other["permissions"]});
    server.root(&line, Some(body)).is(409);
    server
        .root(&format!("DELETE /roles/{administrator}"), None)
        .is(409);
}

#[test]
fn an_old_session_shows_its_password_once_more_and_then_sets_one_up() {
    let server = AdminServer::start();
    let id = user(&server, "bob", &server.role("MEMBER"));
    let session = server.session("bob", PASSWORD);
    require(&server, &id, Some(true)).is(200);
    server.clock.forward(20 * 60);
    let begin = server.ask(&session, "POST /session/second-factor", None);
    assert_eq!(begin.is(403).text("code"), "PROOF_REQUIRED");
    let proof = json!({"password": PASSWORD});
    server
        .ask(&session, "POST /session/proof", Some(proof))
        .is(204);
    set_up(&server, &session);
    server.ask(&session, "GET /areas", None).is(200);
}

#[test]
fn pages_lead_to_the_set_up_and_on_from_there() {
    let server = AdminServer::start();
    let id = user(&server, "bob", &server.role("MEMBER"));
    let ada = Browser::signed_in(&server);
    let page = ada.get(&format!("/app/users/{id}")).is(200);
    let fields = [
        ("full-name", "Bob"),
        ("username", "bob"),
        ("email", "bob@example.org"),
        ("active", "true"),
        ("role", &*server.role("MEMBER")),
        ("second-factor", "required"),
    ];
    ada.send(&page, &format!("/app/users/{id}"), &fields)
        .is(303);
    let page = ada.get(&format!("/app/users/{id}")).is(200);
    let ticked = r#"name="second-factor" value="required" checked"#;
    assert!(page.body.contains(ticked), "{}", page.body);
    let bob = Browser::entered(&server, "bob", PASSWORD);
    for path in ["/app/", "/app/areas", "/app/jobs"] {
        let led = bob.get(path).is(303);
        assert_eq!(led.header("location"), Some("/app/profile"), "{path}");
    }
    let page = bob.get("/app/profile").is(200);
    assert!(page.body.contains("A second factor is required of you"));
    for other in ["/app/profile/email", "/app/password", "Your sessions"] {
        assert!(!page.body.contains(other), "{other}");
    }
    // one whose password was shown too long ago is asked for it on the way
    server.clock.forward(20 * 60);
    let asked = bob.send(&page, "/app/profile/second-factor", &[]).is(403);
    let (to, kept) = (
        between(&asked.body, r#"name="kept-to" value=""#),
        between(&asked.body, r#"name="kept" value=""#),
    );
    let fields = [("password", PASSWORD), ("kept-to", &*to), ("kept", &*kept)];
    let again = bob.send(&asked, "/app/proof", &fields).is(200);
    let begun = bob.send(&again, "/app/profile/second-factor", &[]).is(200);
    let secret = between(&begun.body, r#"name="setup-secret" value=""#);
    let url = between(&begun.body, r#"name="setup-url" value=""#);
    let code = code(&server, &secret);
    let fields = [
        ("setup-secret", &*secret),
        ("setup-url", &*url),
        ("code", &*code),
    ];
    let done = bob.send(&begun, "/app/profile/second-factor/confirm", &fields);
    assert!(done.is(200).body.contains("The second factor is on"));
    bob.get("/app/areas").is(200);
    let page = bob.get("/app/profile").is(200);
    assert!(page.body.contains("It is required of you"));
    assert!(!page.body.contains("/app/profile/second-factor/remove"));
}

#[test]
fn the_page_of_a_role_requires_it_also_of_a_built_in_one() {
    let server = AdminServer::start();
    let ada = Browser::signed_in(&server);
    let page = ada.get("/app/roles/new").is(200);
    let fields = [
        ("name", "Clerk"),
        ("allow", "DATA OBJECTS:view"),
        ("second-factor", "required"),
    ];
    let made = ada.send(&page, "/app/roles", &fields).is(303);
    let place = made.header("location").expect("its page").to_owned();
    let ticked = r#"name="second-factor" value="required" checked"#;
    let page = ada.get(&place).is(200);
    assert!(page.body.contains(ticked), "{}", page.body);
    assert!(
        page.body
            .contains("API keys and clients read whole records there")
    );
    let path = format!("/app/roles/{}", server.role("MEMBER"));
    let page = ada.get(&path).is(200);
    ada.send(&page, &path, &[("second-factor", "required")])
        .is(303);
    let member = server.get(&format!("/roles/{}", server.role("MEMBER")));
    assert_eq!(member["secondFactorRequired"], true, "{member}");
    assert!(ada.get(&path).is(200).body.contains(ticked));
}
