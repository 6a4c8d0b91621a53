//! Rights: every change holds on the next request, at both doors, and the last administrator stays.

use crate::admin_server::{AdminServer, RESOURCES_BUT_PERSONAL, city};
use runtime::service::Refusal;
use runtime::service::manage::{AreaContent, SignInOrigin};
use runtime::service::secrets::hash;
use serde_json::{Value, json};

const LIST: &str = "GET /v1/my/businessareas";

impl AdminServer {
    /// The status of a request at the data interface.
    fn data(&self, by: &str, line: &str) -> u16 {
        self.send(line, &[("Authorization", by)], None).status
    }
}

pub(crate) fn grants(areas: &[(&str, &[&str])]) -> Value {
    let grants = areas
        .iter()
        .map(|(area, verbs)| json!({"area": area, "verbs": verbs}));
    grants.collect()
}

pub(crate) fn permissions(list: &[(&str, &[&str])]) -> Value {
    let list = list
        .iter()
        .map(|(resource, verbs)| json!({"resource": resource, "verbs": verbs}));
    list.collect()
}

/// A role that may do this and no more; its id.
pub(crate) fn role(server: &AdminServer, name: &str, allowed: &[(&str, &[&str])]) -> String {
    let body = json!({"name": name, "permissions": permissions(allowed)});
    server.make("/roles", body).text("roleId")
}

#[test]
fn each_change_of_a_key_holds_on_the_next_request() {
    let server = AdminServer::start();
    let [area, schema, _] = server.places(&city());
    let role = server.role("MEMBER");
    let (id, key) = server.key("k", &[&role], &[&area]);
    let schemas = format!("GET /v1/businessareas/{area}/schemas");
    let set = |active: bool, roles: &[&str], grants: Value| {
        let body = json!({"name": "k", "active": active, "roles": roles, "grants": grants});
        server
            .root(&format!("PUT /api-keys/{id}"), Some(body))
            .is(200);
    };
    let own = format!("GET /schemas/{schema}");
    assert_eq!(server.data(&key, &schemas), 200);
    server.ask(&key, &own, None).is(200);
    set(true, &[&role], json!([]));
    assert_eq!(server.data(&key, &schemas), 403);
    server.ask(&key, &own, None).is(403);
    assert_eq!(server.data(&key, LIST), 200, "it may list, and sees none");
    set(true, &[], grants(&[(&area, &["view"])]));
    assert_eq!(server.data(&key, LIST), 403);
    server.ask(&key, "GET /areas", None).is(403);
    set(true, &[&role], grants(&[(&area, &["add"])]));
    assert_eq!(server.data(&key, &schemas), 403);
    set(true, &[&role], grants(&[(&area, &["view"])]));
    assert_eq!(server.data(&key, &schemas), 200);
    server
        .ask(&key, &format!("DELETE /schemas/{schema}"), None)
        .is(403);
    set(false, &[&role], grants(&[(&area, &["view"])]));
    assert_eq!(server.data(&key, LIST), 401);
    server
        .root(&format!("POST /api-keys/{id}/enable"), None)
        .is(200);
    assert_eq!(server.data(&key, LIST), 200);
    server
        .root(&format!("POST /api-keys/{id}/disable"), None)
        .is(200);
    assert_eq!(server.data(&key, LIST), 401);
    server
        .root(&format!("POST /api-keys/{id}/enable"), None)
        .is(200);
    server.root(&format!("DELETE /api-keys/{id}"), None).is(204);
    assert_eq!(server.data(&key, LIST), 401);
}

#[test]
fn a_grant_of_all_areas_holds_in_later_ones_and_is_given_by_who_has_it() {
    let server = AdminServer::start();
    let [area, ..] = server.places(&city());
    let (id, key) = server.key("k", &[&server.role("MEMBER")], &[]);
    let set = |grants: Value| {
        let roles = [server.role("MEMBER")];
        let body = json!({"name": "k", "active": true, "roles": roles, "grants": grants});
        server.root(&format!("PUT /api-keys/{id}"), Some(body))
    };
    let all = grants(&[("*", &["view"])]);
    assert_eq!(set(all.clone()).is(200).json()["grants"], all);
    let later = server.make("/areas", json!({"name": "Later"}));
    let later = later.text("businessAreaId");
    for area in [&area, &later] {
        let schemas = format!("GET /v1/businessareas/{area}/schemas");
        assert_eq!(server.data(&key, &schemas), 200);
    }
    let listed = server.send(LIST, &[("Authorization", &key)], None);
    assert_eq!(listed.json()["items"].as_array().map(Vec::len), Some(2));
    let made = format!("POST /areas/{later}/schemas");
    server
        .ask(&key, &made, Some(json!({"document": city()})))
        .is(403);
    // twice is once too often, and what else is no id is no area
    set(json!([all[0], all[0]])).is(400);
    set(grants(&[("**", &["view"])])).is(400);
    // each area by itself is less than all of them
    let clerk = role(&server, "Clerk", &[("API KEYS", &["view", "add"])]);
    let give = |by: &str, area: &str| {
        let grants = grants(&[(area, &["view"])]);
        let body = json!({"name": format!("of {area}"), "roles": [], "grants": grants});
        server.ask(by, "POST /api-keys", Some(body))
    };
    let (_, by_each) = server.key("by each", &[&clerk], &[&area, &later]);
    let (_, by_all) = server.key("by all", &[&clerk], &["*"]);
    let refused = give(&by_each, "*").is(403).text("message");
    assert!(refused.contains("view in all areas"), "{refused}");
    give(&by_all, &later).is(201);
    give(&by_all, "*").is(201);
}

#[test]
fn each_change_of_a_role_holds_on_the_next_request() {
    let server = AdminServer::start();
    let role = role(&server, "r", &[("BUSINESS AREAS", &["view"])]);
    let (_, key) = server.key("k", &[&role], &[]);
    assert_eq!(server.data(&key, LIST), 200);
    let none = json!({"name": "r", "permissions": []});
    server
        .root(&format!("PUT /roles/{role}"), Some(none))
        .is(200);
    assert_eq!(server.data(&key, LIST), 403);
}

#[test]
fn a_key_expires_on_time() {
    let server = AdminServer::start();
    let soon = json!({"name": "k", "roles": [server.role("MEMBER")], "expiresAt": "2026-02-03T00:00:00.000Z"});
    let key = server.make("/api-keys", soon).text("key");
    assert_eq!(server.data(&key, LIST), 200);
    server.clock.forward(30 * 24 * 3600);
    assert_eq!(server.data(&key, LIST), 401);
    // it has ended: no switch and no change puts it off any more
    let id = &server.service.store().catalog().keys_by_hash[&hash(&key)]
        .id
        .clone();
    let own = format!("/api-keys/{id}");
    server.root(&format!("POST {own}/enable"), None).is(200);
    assert_eq!(server.data(&key, LIST), 401);
    let mut body = json!({"name": "k", "active": true, "roles": [], "grants": []});
    server
        .root(&format!("PUT {own}"), Some(body.clone()))
        .is(200);
    assert_eq!(server.get(&own)["expiresAt"], "2026-02-03T00:00:00.000Z");
    body["expiresAt"] = "2036-02-03T00:00:00.000Z".into();
    let refused = server.root(&format!("PUT {own}"), Some(body)).is(400);
    assert_eq!(refused.problems(), ["$.expiresAt"]);
}

#[test]
fn a_key_that_expires_while_its_request_is_under_way_changes_nothing() {
    let server = AdminServer::start();
    let administrator = server.role("ACCOUNT ADMINISTRATOR");
    let new =
        json!({"name": "k", "roles": [administrator], "expiresAt": "2026-02-03T00:00:00.000Z"});
    let key = server.make("/api-keys", new).text("key");
    let caller = server
        .service
        .authenticate(&key)
        .expect("it is not expired yet");
    let content = |name: &str| AreaContent {
        name: name.to_owned(),
        description: String::new(),
        active: true,
        version: None,
    };
    let create = |name: &str| {
        let created = server.service.areas().create(&caller, "", content(name));
        server.tokio.block_on(created)
    };
    let area = create("in time").expect("it may").id.clone();
    server.clock.forward(30 * 24 * 3600);
    let areas = || server.service.areas();
    let changed = server
        .tokio
        .block_on(areas().update(&caller, &area, content("other")));
    let deleted = server.tokio.block_on(areas().delete(&caller, &area));
    for refused in [create("too late").map(drop), changed.map(drop), deleted] {
        assert!(
            matches!(refused, Err(Refusal::Unauthenticated)),
            "{refused:?}"
        );
    }
    let catalog = server.service.store().catalog();
    let names: Vec<&str> = catalog
        .areas
        .values()
        .map(|area| area.name.as_str())
        .collect();
    assert_eq!(names, ["in time"]);
}

#[test]
fn the_tokens_of_a_client_die_with_it_and_do_not_come_back() {
    let server = AdminServer::start();
    let made = server.make(
        "/apps",
        json!({"name": "sync", "roles": [server.role("MEMBER")]}),
    );
    let (id, secret) = (made.text("clientId"), made.text("clientSecret"));
    let token = |secret: &str| {
        let body = json!({"client_id": id, "client_secret": secret}).to_string();
        server.send("POST /oauth2/token", &[], Some(&body))
    };
    let first = token(&secret).is(200).text("access_token");
    assert_eq!(server.data(&first, LIST), 200);
    server
        .root(&format!("POST /apps/{id}/disable"), None)
        .is(200);
    assert_eq!(server.data(&first, LIST), 401);
    token(&secret).is(401);
    server
        .root(&format!("POST /apps/{id}/enable"), None)
        .is(200);
    assert_eq!(server.data(&first, LIST), 401);
    let second = token(&secret).is(200).text("access_token");
    let renewed = server
        .root(&format!("POST /apps/{id}/secret"), None)
        .is(200)
        .text("clientSecret");
    assert_eq!(server.data(&second, LIST), 401);
    token(&secret).is(401);
    let third = token(&renewed).is(200).text("access_token");
    server.root(&format!("DELETE /apps/{id}"), None).is(204);
    assert_eq!(server.data(&third, LIST), 401);
    token(&renewed).is(401);
}

/// Asserts that each of these is refused to this credential.
#[track_caller]
pub(crate) fn forbidden(server: &AdminServer, by: &str, lines: &[(String, Option<Value>)]) {
    for (line, body) in lines {
        let status = server.ask(by, line, body.clone()).status;
        assert_eq!(status, 403, "{line}");
    }
}

#[test]
fn management_asks_for_role_and_area_at_every_address_of_data() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let (_, bare) = server.key("bare", &[], &[]);
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[]);
    let (name, document) = (json!({"name": "x"}), json!({"document": city()}));
    let lines = [
        (format!("GET /areas/{area}"), None),
        (format!("PUT /areas/{area}"), Some(name.clone())),
        (format!("DELETE /areas/{area}"), None),
        (format!("GET /areas/{area}/schemas"), None),
        (
            format!("POST /areas/{area}/schemas"),
            Some(document.clone()),
        ),
        (format!("GET /schemas/{schema}"), None),
        (format!("PUT /schemas/{schema}"), Some(document)),
        (format!("DELETE /schemas/{schema}"), None),
        (format!("GET /schemas/{schema}/datasets"), None),
        (
            format!("POST /schemas/{schema}/datasets"),
            Some(name.clone()),
        ),
        (format!("GET /datasets/{dataset}"), None),
        (format!("PUT /datasets/{dataset}"), Some(name.clone())),
        (format!("DELETE /datasets/{dataset}"), None),
        (format!("GET /datasets/{dataset}/changes"), None),
        (format!("GET /datasets/{dataset}/deleted-records"), None),
        (format!("GET /datasets/{dataset}/faults"), None),
        (format!("GET /datasets/{dataset}/facets"), None),
        (
            format!("POST /datasets/{dataset}/deleted-records/x/restore"),
            None,
        ),
        (
            format!("DELETE /datasets/{dataset}/deleted-records/x"),
            None,
        ),
    ];
    forbidden(&server, &bare, &lines);
    forbidden(&server, &member, &lines);
    forbidden(&server, &bare, &[("POST /areas".to_owned(), Some(name))]);
    let listed = server.ask(&member, "GET /areas", None).is(200).json();
    assert_eq!(listed["items"], json!([]));
}

#[test]
fn a_member_manages_no_callers_and_everything_in_an_area_of_its_making() {
    let server = AdminServer::start();
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[]);
    let nouns = ["domains", "roles", "users", "api-keys", "apps"].into_iter();
    let lines: Vec<_> = nouns
        .flat_map(|noun| {
            [
                format!("GET /{noun}"),
                format!("GET /{noun}/x"),
                format!("DELETE /{noun}/x"),
            ]
        })
        .chain(["GET /audit".to_owned()])
        .map(|line| (line, None))
        .collect();
    forbidden(&server, &member, &lines);
    let mine = json!({"name": "Mine"});
    let own = server.ask(&member, "POST /areas", Some(mine)).is(201);
    let own = own.text("businessAreaId");
    let line = format!("GET /areas/{own}");
    server.ask(&member, &line, None).is(200);
    let line = format!("GET /v1/businessareas/{own}/schemas");
    assert_eq!(server.data(&member, &line), 200);
}

#[test]
fn the_last_administrator_stays_and_the_operator_may_do_even_that() {
    let server = AdminServer::start();
    let ada = server.ada.clone();
    server.root(&format!("DELETE /users/{ada}"), None).is(409);
    server
        .root(&format!("POST /users/{ada}/disable"), None)
        .is(409);
    let without = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org",
        "active": true, "roles": [server.role("MEMBER")], "grants": []});
    server
        .root(&format!("PUT /users/{ada}"), Some(without))
        .is(409);

    // one by a role of its own is one, as long as the role says so
    let all: &[&str] = &["view", "add", "edit", "delete"];
    let everything = RESOURCES_BUT_PERSONAL.map(|resource| (resource, all));
    let owner = role(&server, "owner", &everything);
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password", "roles": [owner]});
    server.make("/users", bob);
    server.root(&format!("DELETE /users/{ada}"), None).is(204);
    let less = json!({"name": "owner", "permissions": permissions(&[("AUDIT", &["view"])])});
    server
        .root(&format!("PUT /roles/{owner}"), Some(less))
        .is(409);

    let catalog = server.service.store().catalog();
    let by = server.by_operator();
    let bob = catalog
        .user_named(by.tenant(), "bob")
        .expect("bob")
        .id
        .clone();
    let gone = server.service.users().delete(&by, &bob);
    server.tokio.block_on(gone).expect("the operator may");
}

#[test]
fn rights_are_those_of_the_moment_a_change_is_decided() {
    let server = AdminServer::start();
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let (id, key) = server.key("k", &[&role], &[]);
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password", "roles": [role]});
    let bob = server.make("/users", bob).text("userId");
    let password = "bob's long password".into();
    let origin = SignInOrigin::default();
    let signed_in = server.service.sign_in("bob".into(), &password, &origin);
    let signed_in = server.tokio.block_on(signed_in).expect("his password");
    // the callers were let in, and both are out before their change is decided
    let callers = [key, signed_in.secret].map(|credential| {
        let caller = server.service.authenticate(&credential);
        caller.expect("a good credential")
    });
    server.root(&format!("DELETE /api-keys/{id}"), None).is(204);
    let line = format!("POST /users/{bob}/disable");
    server.root(&line, None).is(200);
    for caller in &callers {
        let area = serde_json::from_value(json!({"name": "Late"})).unwrap();
        let late = server.service.areas().create(caller, "", area);
        let late = server.tokio.block_on(late);
        assert!(matches!(late, Err(Refusal::Unauthenticated)), "{late:?}");
    }
}
