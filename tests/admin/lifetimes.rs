//! What credentials that end have made ends no later, and a key's secret is replaced without a gap.

use crate::admin_server::{AdminServer, PASSWORD};
use serde_json::{Value, json};

/// A key with all rights that ends in ten minutes.
fn ending(server: &AdminServer) -> (String, String) {
    let end = server.service.now().plus_seconds(600);
    let made = server.make("/api-keys", key(server, &json!({"expiresAt": end})));
    (made.text("key"), end.to_string())
}

fn key(server: &AdminServer, more: &Value) -> Value {
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let name = format!(
        "key {}",
        server.get("/api-keys")["items"]
            .as_array()
            .expect("keys")
            .len()
    );
    let mut body = json!({"name": name, "roles": [role]});
    let body_map = body.as_object_mut().expect("an object");
    body_map.extend(more.as_object().expect("an object").clone());
    body
}

#[test]
fn a_key_that_ends_makes_only_what_ends_with_it() {
    let server = AdminServer::start();
    let (own, end) = ending(&server);
    let later = server.service.now().plus_seconds(601);
    let make = |path: &str, body: Value| server.ask(&own, &format!("POST {path}"), Some(body));
    for more in [json!({}), json!({"expiresAt": later})] {
        let refused = make("/api-keys", key(&server, &more)).is(403);
        assert!(refused.text("message").contains(&end), "{}", refused.json());
    }
    make("/api-keys", key(&server, &json!({"expiresAt": end}))).is(201);
    let heir = make("/api-keys", key(&server, &json!({"endsWithMaker": true}))).is(201);
    assert_eq!(heir.json()["endsWithMaker"], true);

    // clients and users have no end, and a new secret would be one without
    let user = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "the long password of b"});
    make("/users", user.clone()).is(403);
    make("/apps", json!({"name": "a"})).is(403);
    let bob = server.make("/users", user).text("userId");
    let app = server.make("/apps", json!({"name": "a"})).text("clientId");
    let lasting = server
        .make("/api-keys", key(&server, &json!({})))
        .text("apiKeyId");
    make(&format!("/apps/{app}/secret"), json!({})).is(403);
    make(&format!("/api-keys/{lasting}/secret"), json!({})).is(403);
    let change = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "active": true, "roles": [], "grants": [], "password": "another long password"});
    server
        .ask(&own, &format!("PUT /users/{bob}"), Some(change))
        .is(403);

    // nor does it give rights to who has them longer
    let role = server.role("MEMBER");
    let change = json!({"name": "lasting", "active": true, "roles": [role], "grants": []});
    let line = format!("PUT /api-keys/{lasting}");
    server.ask(&own, &line, Some(change)).is(403);
    server
        .root(&format!("POST /apps/{app}/disable"), None)
        .is(200);
    make(&format!("/apps/{app}/enable"), json!({})).is(403);
    let custom = json!({"name": "custom", "permissions": []});
    let custom = server.make("/roles", custom).text("roleId");
    let wider =
        json!({"name": "custom", "permissions": [{"resource": "AUDIT", "verbs": ["view"]}]});
    server
        .ask(&own, &format!("PUT /roles/{custom}"), Some(wider))
        .is(403);

    // an heir of an heir ends with them all
    let heir = heir.text("key");
    let make = |more: Value| server.ask(&heir, "POST /api-keys", Some(key(&server, &more)));
    make(json!({"expiresAt": end})).is(403);
    let last = make(json!({"endsWithMaker": true})).is(201);
    let line = format!("POST /api-keys/{}/secret", last.text("apiKeyId"));
    let last = last.text("key");
    // what ends with its maker may give itself a new secret
    let last = server
        .ask(&last, &line, Some(json!({"graceSeconds": 0})))
        .is(200)
        .text("key");
    server.ask(&last, "GET /areas", None).is(200);
    server.clock.forward(601);
    for key in [&own, &heir, &last] {
        server.ask(key, "GET /areas", None).is(401);
    }
}

#[test]
fn when_a_key_ends_is_changed_and_told_in_the_trail() {
    let server = AdminServer::start();
    let end = server.service.now().plus_seconds(600);
    let made = server.make("/api-keys", key(&server, &json!({"expiresAt": end})));
    let (id, secret) = (made.text("apiKeyId"), made.text("key"));
    let line = format!("PUT /api-keys/{id}");
    let change = |more: Value| {
        let shown = server.get(&format!("/api-keys/{id}"));
        let mut body =
            json!({"name": shown["name"], "active": true, "roles": shown["roles"], "grants": []});
        let members = body.as_object_mut().expect("an object");
        members.extend(more.as_object().expect("an object").clone());
        server.root(&line, Some(body))
    };
    let expires = || server.get(&format!("/api-keys/{id}"))["expiresAt"].clone();
    // who says nothing of it changes nothing of it
    change(json!({"description": "For the report"})).is(200);
    assert_eq!(expires(), json!(end));
    let later = server.service.now().plus_seconds(1200);
    change(json!({"expiresAt": later})).is(200);
    let entry = server.get("/audit?pageSize=1")["items"][0].clone();
    assert_eq!(entry["action"], "update", "{entry}");
    assert_eq!(entry["before"]["expiresAt"], json!(end), "{entry}");
    assert_eq!(entry["after"]["expiresAt"], json!(later), "{entry}");
    let opens = || server.ask(&secret, "GET /areas", None).status == 200;
    server.clock.forward(601);
    assert!(opens());
    let past = server.service.now().plus_seconds(-1);
    let refused = change(json!({"expiresAt": past})).is(400);
    assert_eq!(refused.problems(), ["$.expiresAt"]);
    change(json!({"expiresAt": null})).is(200);
    assert_eq!(expires(), Value::Null);
    server.clock.forward(601);
    assert!(opens());

    // one that has run out stays shut out
    let end = server.service.now().plus_seconds(60);
    change(json!({"expiresAt": end})).is(200);
    server.clock.forward(61);
    let swept = server.service.remove_ended();
    server.tokio.block_on(swept).expect("it works");
    change(json!({"expiresAt": end})).is(200);
    for later in [json!(server.service.now().plus_seconds(60)), Value::Null] {
        let refused = change(json!({"expiresAt": later})).is(400);
        assert_eq!(refused.problems(), ["$.expiresAt"]);
    }
    assert!(!opens());
    // and gets no secret that would be one of nothing
    let line = format!("POST /api-keys/{id}/secret");
    let refused = server.root(&line, Some(json!({"graceSeconds": 60})));
    assert!(refused.is(409).body.contains("has ended"));
}

#[test]
fn a_key_that_was_found_to_have_ended_is_shown_so_and_given_no_other_end_when_the_clock_goes_back()
{
    let server = AdminServer::start();
    let end = server.service.now().plus_seconds(600);
    let made = server.make("/api-keys", key(&server, &json!({"expiresAt": end})));
    let (id, secret) = (made.text("apiKeyId"), made.text("key"));
    let by = server.by_operator();
    let status = || {
        let shown = server.service.api_keys().show(&by, &id);
        shown.expect("a key").status(server.service.now())
    };
    assert_eq!(status(), "Active");
    server.clock.forward(601);
    assert_eq!(status(), "Expired");
    let swept = server.service.remove_ended();
    server.tokio.block_on(swept).expect("it works");
    server.clock.forward(-601);
    server.ask(&secret, "GET /areas", None).is(401);
    assert_eq!(status(), "Expired");
    let shown = server.get(&format!("/api-keys/{id}"));
    let later = server.service.now().plus_seconds(1200);
    for expires in [json!(later), Value::Null] {
        let body = json!({"name": shown["name"], "active": true, "roles": shown["roles"], "grants": [],
            "expiresAt": expires});
        let refused = server
            .root(&format!("PUT /api-keys/{id}"), Some(body))
            .is(400);
        assert_eq!(refused.problems(), ["$.expiresAt"]);
    }
}

#[test]
fn a_key_that_ends_puts_off_no_end_and_not_its_own() {
    let server = AdminServer::start();
    let (own, end) = ending(&server);
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let keys = server.get("/api-keys");
    let keys = keys["items"].as_array().expect("keys").iter();
    let mut keys = keys.filter(|key| key["expiresAt"] == json!(end));
    let id = keys.next().expect("the key")["apiKeyId"].clone();
    let line = format!("PUT /api-keys/{}", id.as_str().expect("an id"));
    let change = |line: &str, expires: Value| {
        let body = json!({"name": line, "active": true, "roles": [role], "grants": [], "expiresAt": expires});
        server.ask(&own, line, Some(body))
    };
    let at = |seconds| json!(server.service.now().plus_seconds(seconds));
    for later in [at(601), Value::Null] {
        change(&line, later).is(403);
    }
    change(&line, at(599)).is(200);
    let body = key(&server, &json!({"expiresAt": at(60)}));
    let other = server.make("/api-keys", body).text("apiKeyId");
    let other = format!("PUT /api-keys/{other}");
    change(&other, at(600)).is(403);
    change(&other, at(500)).is(200);
}

#[test]
fn a_key_that_ends_with_its_maker_is_switched_off_and_on_with_it() {
    let server = AdminServer::start();
    let maker = server.make("/api-keys", key(&server, &json!({})));
    let (id, maker) = (maker.text("apiKeyId"), maker.text("key"));
    let heir = key(&server, &json!({"endsWithMaker": true}));
    let heir = server
        .ask(&maker, "POST /api-keys", Some(heir))
        .is(201)
        .text("key");
    let free = key(&server, &json!({}));
    let free = server
        .ask(&maker, "POST /api-keys", Some(free))
        .is(201)
        .text("key");
    let opens = |key: &str| server.ask(key, "GET /areas", None).status == 200;
    assert!(opens(&heir) && opens(&free));
    server
        .root(&format!("POST /api-keys/{id}/disable"), None)
        .is(200);
    assert!(!opens(&heir) && opens(&free));
    server
        .root(&format!("POST /api-keys/{id}/enable"), None)
        .is(200);
    assert!(opens(&heir));
    server.root(&format!("DELETE /api-keys/{id}"), None).is(204);
    assert!(!opens(&heir) && opens(&free));
}

#[test]
fn a_key_gets_a_new_secret_and_the_old_one_works_for_a_while() {
    let server = AdminServer::start();
    let made = server.make("/api-keys", key(&server, &json!({})));
    let (id, old) = (made.text("apiKeyId"), made.text("key"));
    let line = format!("POST /api-keys/{id}/secret");
    let rotate = |body: Value| server.root(&line, Some(body));
    for wrong in [-1, 30 * 24 * 3600 + 1] {
        rotate(json!({"graceSeconds": wrong})).is(400);
    }
    let rotated = rotate(json!({"graceSeconds": 60})).is(200);
    assert_eq!(rotated.header("cache-control"), Some("no-store"));
    let new = rotated.text("key");
    let opens = |key: &str| server.ask(key, "GET /areas", None).status == 200;
    assert!(new != old && opens(&old) && opens(&new));
    let shown = server.get(&format!("/api-keys/{id}"));
    assert!(shown["earlierSecretUntil"].is_string(), "{shown}");
    let entry = server.get("/audit?pageSize=1")["items"][0].clone();
    assert_eq!(entry["action"], "renew_secret");
    server.clock.forward(60);
    assert!(!opens(&old) && opens(&new));

    let last = rotate(json!({"graceSeconds": 0})).is(200).text("key");
    assert!(!opens(&new) && opens(&last));
    server.root(&format!("DELETE /api-keys/{id}"), None).is(204);
    assert!(!opens(&last));
}

#[test]
fn a_secret_works_for_its_own_time_however_often_its_key_gets_another() {
    let server = AdminServer::start();
    let made = server.make("/api-keys", key(&server, &json!({})));
    let (id, first) = (made.text("apiKeyId"), made.text("key"));
    let line = format!("POST /api-keys/{id}/secret");
    let rotate = |seconds: i64| server.root(&line, Some(json!({"graceSeconds": seconds})));
    let opens = |key: &str| server.ask(key, "GET /areas", None).status == 200;
    let until = || server.get(&format!("/api-keys/{id}"))["earlierSecretUntil"].clone();
    let second = rotate(3600).is(200).text("key");
    let end = until();
    server.clock.forward(600);
    let third = rotate(60).is(200).text("key");
    assert!(opens(&first) && opens(&second) && opens(&third));
    assert_eq!(until(), end, "the last of them");
    server.clock.forward(60);
    assert!(opens(&first) && !opens(&second) && opens(&third));
    let removed = server.service.remove_ended();
    server.tokio.block_on(removed).expect("it works");
    assert!(opens(&first) && !opens(&second) && opens(&third));
    server.clock.forward(2940);
    assert!(!opens(&first) && opens(&third));

    let all: Vec<_> = (0..8).map(|_| rotate(3600).is(200).text("key")).collect();
    let refused = rotate(3600).is(409).text("message");
    assert!(refused.starts_with("8 earlier secrets"), "{refused}");
    assert!(opens(&third) && all.iter().all(|key| opens(key)));
    let last = rotate(0).is(200).text("key");
    assert!(opens(&last) && !opens(&third) && !all.iter().any(|key| opens(key)));
}

#[test]
fn what_the_operator_makes_ends_with_nobody() {
    let server = AdminServer::start();
    let by = server.by_operator();
    let new = serde_json::from_value(json!({"name": "k", "endsWithMaker": true})).unwrap();
    let made = server.service.api_keys().mint(&by, new);
    let refused = server.tokio.block_on(made).expect_err("no maker");
    assert!(
        format!("{refused:?}").contains("$.endsWithMaker"),
        "{refused:?}"
    );
}

#[test]
fn what_runs_out_while_nobody_asks_stays_ended_when_the_clock_goes_back() {
    let server = AdminServer::start();
    let enter = || server.session("ada", PASSWORD);
    let status = |token: &str| server.ask(token, "GET /areas", None).status;
    let (unused, used) = (enter(), enter());
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let end = server.service.now().plus_seconds(3600);
    let key = |name: &str, end: &Value| {
        let body = json!({"name": name, "roles": [role], "expiresAt": end});
        server.make("/api-keys", body)
    };
    let short = key("short", &json!(end)).text("key");
    let lasting = key("lasting", &Value::Null);
    let rotate = format!("POST /api-keys/{}/secret", lasting.text("apiKeyId"));
    let rotated = server
        .root(&rotate, Some(json!({"graceSeconds": 3600})))
        .is(200);
    let app = server.make(
        "/apps",
        json!({"name": "a", "roles": [role], "tokenSeconds": 3600}),
    );
    let [client, secret] = ["clientId", "clientSecret"].map(|name| app.text(name));
    let issued = server.service.issue_token(&client, &secret);
    let token = server.tokio.block_on(issued).expect("a token").token;
    let all = [
        &*unused,
        &*used,
        &*short,
        &lasting.text("key"),
        &rotated.text("key"),
        &*token,
    ];
    let statuses = || all.map(status);
    let sweep = || {
        server
            .tokio
            .block_on(server.service.remove_ended())
            .expect("it works");
    };
    sweep();
    assert_eq!(statuses(), [200; 6]);
    // in use, though its use is noted in memory alone
    server.clock.forward(3500);
    assert_eq!(status(&used), 200);
    server.clock.forward(3900);
    sweep();
    server.clock.forward(-7400);
    assert_eq!(statuses(), [401, 200, 401, 401, 200, 401]);
    // what ends by its time alone, too
    server.clock.forward(13 * 3600);
    sweep();
    server.clock.forward(-13 * 3600);
    assert_eq!(statuses(), [401, 401, 401, 401, 200, 401]);
    let trail = server.get("/audit?pageSize=1");
    assert_ne!(
        trail["items"][0]["action"], "UPDATE",
        "nobody did it: {trail}"
    );
}
