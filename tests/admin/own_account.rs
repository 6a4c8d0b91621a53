//! What users change of themselves: password and e-mail address with the password they have, and their sessions.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::requests::Answer;
use serde_json::{Value, json};

/// Signs someone in for a token.
fn enter(server: &AdminServer, username: &str, password: &str) -> Answer {
    let body = json!({"username": username, "password": password, "token": true});
    let headers = [("X-Forwarded-For", "192.0.2.7")];
    let line = "POST /admin/api/v1/sessions";
    server.send(line, &headers, Some(&body.to_string()))
}

fn ada(server: &AdminServer) -> String {
    enter(server, "ada", PASSWORD).is(200).text("token")
}

/// What ada says of herself to `/users/{id}`.
fn content(server: &AdminServer) -> Value {
    let shown = server.get(&format!("/users/{}", server.ada));
    json!({"username": "ada", "fullName": "Ada Lovelace", "email": shown["email"], "active": true,
        "roles": shown["roles"], "grants": shown["grants"]})
}

fn code_of(answer: &Answer) -> Option<String> {
    answer.json()["code"].as_str().map(str::to_owned)
}

#[test]
fn ones_own_password_and_address_change_in_the_session_only() {
    let server = AdminServer::start();
    let session = ada(&server);
    let line = format!("PUT /users/{}", server.ada);
    let own = |key: &str, value: &str| {
        let mut body = content(&server);
        body[key] = json!(value);
        server.ask(&session, &line, Some(body))
    };
    own("password", "taken over by a thief").is(403);
    own("email", "thief@example.org").is(403);
    own("fullName", "Ada King").is(200);
    assert_eq!(content(&server)["email"], "ada@example.org");
    let change = |password: &str, email: &str| {
        let body = json!({"password": password, "email": email});
        server.ask(&session, "PUT /session/email", Some(body))
    };
    let wrong = change("a wrong password", "ada@example.com").is(400);
    assert_eq!(wrong.problems(), ["$.password"]);
    assert_eq!(
        change(PASSWORD, "no address").is(400).problems(),
        ["$.email"]
    );
    change(PASSWORD, "ada@example.com").is(204);
    assert_eq!(content(&server)["email"], "ada@example.com");
    server.ask(&session, "GET /session", None).is(200);
    let of_a_program = json!({"password": PASSWORD, "email": "root@example.com"});
    server
        .root("PUT /session/email", Some(of_a_program))
        .is(403);
    let tries = (0..20).map(|_| change("a wrong password", "a@example.com").status);
    assert_eq!(tries.filter(|status| *status == 429).count(), 11);
}

#[test]
fn after_a_reset_the_user_chooses_anew_and_does_nothing_else_before() {
    let server = AdminServer::start();
    let administrator = server.role("ACCOUNT ADMINISTRATOR");
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "chosen at first by him", "active": true, "roles": [administrator], "grants": []});
    let made = server.make("/users", bob.clone());
    assert_eq!(made.json()["mustChangePassword"], false);
    let before = enter(&server, "bob", "chosen at first by him").is(200);
    let mut reset = bob;
    reset["password"] = json!("chosen by another one");
    let line = format!("PUT /users/{}", made.text("userId"));
    let shown = server.root(&line, Some(reset)).is(200);
    assert_eq!(shown.json()["mustChangePassword"], true);
    server
        .ask(&before.text("token"), "GET /areas", None)
        .is(401);

    let entered = enter(&server, "bob", "chosen by another one").is(200);
    assert_eq!(entered.json()["user"]["mustChangePassword"], true);
    let session = entered.text("token");
    for line in [
        "GET /areas",
        "GET /users",
        "GET /my/sessions",
        "DELETE /my/sessions",
    ] {
        let refused = server.ask(&session, line, None).is(403);
        assert_eq!(
            code_of(&refused).as_deref(),
            Some("PASSWORD_CHANGE_REQUIRED")
        );
    }
    let data = [("Authorization", session.as_str())];
    server.send("GET /v1/my/businessareas", &data, None).is(403);
    // in process no door stands before the rights
    let caller = server.service.authenticate(&session).expect("his session");
    let late = serde_json::from_value(json!({"name": "Late"})).unwrap();
    let late = server
        .tokio
        .block_on(server.service.areas().create(&caller, "", late));
    assert!(late.is_err(), "{late:?}");
    let who = server.ask(&session, "GET /session", None).is(200);
    assert_eq!(who.json()["mustChangePassword"], true);

    let choose = |new: &str| {
        let body = json!({"password": "chosen by another one", "newPassword": new});
        server.ask(&session, "PUT /session/password", Some(body))
    };
    let same = choose("chosen by another one").is(400);
    assert_eq!(same.problems(), ["$.newPassword"]);
    choose("chosen anew by him").is(204);
    let session = enter(&server, "bob", "chosen anew by him")
        .is(200)
        .text("token");
    server.ask(&session, "GET /areas", None).is(200);
}

#[test]
fn who_makes_a_user_may_have_it_choose_its_own_password() {
    let server = AdminServer::start();
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "handed over on paper", "mustChangePassword": true});
    server.make("/users", bob);
    let session = enter(&server, "bob", "handed over on paper")
        .is(200)
        .text("token");
    server.ask(&session, "GET /areas", None).is(403);
}

#[test]
fn an_operators_password_stays() {
    let server = AdminServer::start();
    let mut body = content(&server);
    body["password"] = json!("set at the machine itself");
    let content = serde_json::from_value(body).expect("a content");
    let by = server.by_operator();
    let changed = server.service.users().change(&by, &server.ada, content);
    server.tokio.block_on(changed).expect("the operator may");
    let session = enter(&server, "ada", "set at the machine itself")
        .is(200)
        .text("token");
    server.ask(&session, "GET /areas", None).is(200);
}

#[test]
fn ones_sessions_are_seen_and_ended_one_by_one_and_all_but_this() {
    let server = AdminServer::start();
    server.end_first_session();
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "a long word of his"});
    server.make("/users", bob);
    let bobs = enter(&server, "bob", "a long word of his")
        .is(200)
        .text("token");
    let mut tokens = Vec::new();
    for _ in 0..4 {
        server.clock.forward(1);
        tokens.push(ada(&server));
    }
    let list = |token: &str| server.ask(token, "GET /my/sessions", None).is(200).json();
    let listed = list(&tokens[1]);
    let items = listed["items"].as_array().expect("sessions");
    let current: Vec<_> = items.iter().map(|one| one["current"] == true).collect();
    assert_eq!(
        current,
        [false, true, false, false],
        "in order of beginning"
    );
    for item in items {
        assert_eq!(item["address"], "192.0.2.7");
        assert!(item["createdDate"].as_str() <= item["lastUsedAt"].as_str());
    }
    for token in &tokens {
        let hash = runtime::service::secrets::hash(token);
        assert!(
            !listed.to_string().contains(&hash[..32]),
            "no hash is shown"
        );
    }
    let id = |index: usize| items[index]["sessionId"].as_str().expect("an id");
    let end = |by: &str, id: &str| server.ask(by, &format!("DELETE /my/sessions/{id}"), None);
    end(&bobs, id(0)).is(404);
    end(&tokens[1], id(0)).is(204);
    end(&tokens[1], id(0)).is(404);
    let status = |token: &String| server.ask(token, "GET /session", None).status;
    assert_eq!(
        tokens.iter().map(status).collect::<Vec<_>>(),
        [401, 200, 200, 200]
    );
    server.ask(&tokens[1], "DELETE /my/sessions", None).is(204);
    assert_eq!(
        tokens.iter().map(status).collect::<Vec<_>>(),
        [401, 200, 401, 401]
    );
    assert_eq!(status(&bobs), 200);
    assert_eq!(list(&tokens[1])["items"].as_array().map(Vec::len), Some(1));
    for line in ["GET /my/sessions", "DELETE /my/sessions"] {
        server.root(line, None).is(403);
    }
    // one that ran out is none
    server.clock.forward(3 * 3600);
    let last = ada(&server);
    assert_eq!(list(&last)["items"].as_array().map(Vec::len), Some(1));
}

#[test]
fn a_password_that_anyone_would_guess_is_refused_wherever_it_is_chosen() {
    let server = AdminServer::start();
    let session = ada(&server);
    let bob = |password: &str| {
        let body = json!({"username": "bobsleigh", "fullName": "Bob Sleigh", "email": "bob@example.org",
            "password": password, "active": true, "roles": [], "grants": []});
        server.root("POST /users", Some(body))
    };
    // one of each kind; all of them stand beside the code
    for weak in [
        "password1234",
        "fieldstone12",
        "bobsleigh123",
        "Acme Acme 2026",
    ] {
        assert_eq!(bob(weak).is(400).problems(), ["$.password"], "{weak}");
        // his names are none of hers
        if !weak.starts_with("bob") {
            let body = json!({"password": PASSWORD, "newPassword": weak});
            let own = server.ask(&session, "PUT /session/password", Some(body));
            assert_eq!(own.is(400).problems(), ["$.newPassword"], "{weak}");
        }
    }
    for fine in [
        "correct horse battery staple",
        "seven grey owls",
        "xK3!mmQ0vz4&",
    ] {
        let made = bob(fine).is(201);
        let id = made.text("userId");
        server.root(&format!("DELETE /users/{id}"), None).is(204);
    }
}

#[test]
fn a_key_or_client_of_ones_own_changes_neither_password_nor_address_nor_second_factor() {
    let server = AdminServer::start();
    let session = ada(&server);
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let make = |by: &str, path: &str, name: &str| {
        let body = json!({"name": name, "roles": [role]});
        server.ask(by, &format!("POST {path}"), Some(body)).is(201)
    };
    let first = make(&session, "/api-keys", "of ada");
    let second = make(&first.text("key"), "/api-keys", "of the key of ada");
    let foreign = make(&server.root, "/api-keys", "of another one");
    let rotate = format!("POST /api-keys/{}/secret", foreign.text("apiKeyId"));
    let rotated = server.ask(&session, &rotate, Some(json!({"graceSeconds": 0})));
    let app = make(&first.text("key"), "/apps", "an app of the key of ada");
    let [client, secret] = ["clientId", "clientSecret"].map(|name| app.text(name));
    let issued = server.service.issue_token(&client, &secret);
    let token = server.tokio.block_on(issued).expect("a token").token;
    let line = format!("PUT /users/{}", server.ada);
    let factor = format!("DELETE /users/{}/second-factor", server.ada);
    let is_kept_from = |by: &str| {
        for (key, value) in [
            ("password", "taken over by a thief"),
            ("email", "thief@example.org"),
        ] {
            let mut body = content(&server);
            body[key] = json!(value);
            let refused = server.ask(by, &line, Some(body)).is(403);
            assert!(
                refused.text("message").contains("made this key"),
                "{}",
                refused.body
            );
        }
        server.ask(by, &factor, None).is(403);
        let mut body = content(&server);
        body["fullName"] = json!("Ada King");
        server.ask(by, &line, Some(body)).is(200);
    };
    let keys = [
        first.text("key"),
        second.text("key"),
        rotated.is(200).text("key"),
        token,
    ];
    for by in &keys {
        is_kept_from(by);
    }
    // one between them that is gone makes it no other's
    let delete = format!("DELETE /api-keys/{}", first.text("apiKeyId"));
    server.ask(&session, &delete, None).is(204);
    is_kept_from(&second.text("key"));
    // others' keys may, as before
    let mut body = content(&server);
    body["password"] = json!("reset by the machine's own");
    server.root(&line, Some(body)).is(200);
}

#[test]
fn who_made_something_is_told_by_the_name_and_address_of_today() {
    let server = AdminServer::start();
    let mut bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "active": true,
        "password": "chosen at first by him", "roles": [server.role("ACCOUNT ADMINISTRATOR")], "grants": []});
    let made = server.make("/users", bob.clone());
    let user = format!("/users/{}", made.text("userId"));
    let session = enter(&server, "bob", "chosen at first by him")
        .is(200)
        .text("token");
    let make = |path: &str, body: Value| {
        let made = server.ask(&session, &format!("POST {path}"), Some(body));
        made.is(201)
    };
    let area = make("/areas", json!({"name": "Places"})).text("businessAreaId");
    let schemas = format!("/areas/{area}/schemas");
    let schema = make(&schemas, json!({"document": city()})).text("schemaId");
    make(
        &format!("/schemas/{schema}/datasets"),
        json!({"name": "Europe"}),
    );
    bob["grants"] = server.get(&user)["grants"].clone();
    bob["fullName"] = json!("Robert");
    bob["email"] = json!("robert@example.org");
    bob.as_object_mut().expect("an object").remove("password");
    server.root(&format!("PUT {user}"), Some(bob)).is(200);

    let data = [("Authorization", session.as_str())];
    let list = format!("GET /v1/businessareas/{area}/schemas");
    let listed = server.send(&list, &data, None).is(200).json();
    assert_eq!(listed["items"][0]["createdByEmail"], "robert@example.org");
    assert_eq!(listed["items"][0]["updatedByEmail"], "robert@example.org");
    let document = format!("{list}/{schema}");
    let document = server.send(&document, &data, None).is(200).json();
    assert_eq!(document["createdBy"], "robert@example.org");
    assert_eq!(document["updatedBy"], "robert@example.org");
    let datasets = format!("{list}/{schema}/datasets");
    let datasets = server.send(&datasets, &data, None).is(200).json();
    let dataset = &datasets["items"][0];
    assert_eq!(dataset["createdByEmail"], "robert@example.org");
    assert_eq!(dataset["createdByName"], "Robert");
    assert_eq!(dataset["updatedByName"], "Robert");

    // of one who is gone, it is what it was when it was written
    server.root(&format!("DELETE {user}"), None).is(204);
    let listed = server.get(&schemas);
    assert_eq!(listed["items"][0]["createdByEmail"], "bob@example.org");
}
