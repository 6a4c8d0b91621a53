//! Every change of who may do what holds on the next request: for keys, clients with the tokens they have,
//! and users with the sessions they have; by holder, by role, and by what the rights are about.

use crate::admin_server::{AdminServer, PASSWORD, city};
use serde_json::{Value, json};

/// Somebody who may call: where it is managed, the rest of its properties, and what it calls with.
struct Holder {
    path: String,
    rest: Value,
    credential: String,
}

impl Holder {
    /// Gives it these roles and areas, and no others.
    fn has(&self, server: &AdminServer, roles: &[&str], grants: &Value) {
        let mut body = self.rest.clone();
        body["roles"] = json!(roles);
        body["grants"] = grants.clone();
        body["active"] = true.into();
        server
            .root(&format!("PUT {}", self.path), Some(body))
            .is(200);
    }
}

/// A key, a client and a user that may do nothing yet.
fn holders(server: &AdminServer) -> [Holder; 3] {
    let (key, secret) = server.key("k", &[], &[]);
    let app = server.make("/apps", json!({"name": "a"}));
    let (id, client_secret) = (app.text("clientId"), app.text("clientSecret"));
    let body = json!({"client_id": id, "client_secret": client_secret}).to_string();
    let token = server.send("POST /oauth2/token", &[], Some(&body));
    let user = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password"});
    let user = server.make("/users", user).text("userId");
    let body = json!({"username": "bob", "password": "bob's long password", "token": true});
    let session = server.send("POST /admin/api/v1/sessions", &[], Some(&body.to_string()));
    [
        Holder {
            path: format!("/api-keys/{key}"),
            rest: json!({"name": "k"}),
            credential: secret,
        },
        Holder {
            path: format!("/apps/{id}"),
            rest: json!({"name": "a", "tokenSeconds": 3600}),
            credential: token.is(200).text("access_token"),
        },
        Holder {
            path: format!("/users/{user}"),
            rest: json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org"}),
            credential: session.is(200).text("token"),
        },
    ]
}

fn may(resource: &str, verbs: &[&str]) -> Value {
    json!({"name": "r", "permissions": [{"resource": resource, "verbs": verbs}]})
}

#[test]
fn what_a_holder_or_its_role_is_given_and_loses_holds_at_once() {
    let server = AdminServer::start();
    let [area, ..] = server.places(&city());
    let role = server.make("/roles", may("SCHEMA MODELS", &["view"]));
    let role = role.text("roleId");
    let is_now = |body: Value| {
        let line = format!("PUT /roles/{role}");
        server.root(&line, Some(body)).is(200);
    };
    let at_data = format!("GET /v1/businessareas/{area}/schemas");
    let at_desk = format!("GET /areas/{area}/schemas");
    for holder in holders(&server) {
        let told = |status: u16, when: &str| {
            let by = holder.credential.as_str();
            let data = server.send(&at_data, &[("Authorization", by)], None);
            let desk = server.ask(by, &at_desk, None);
            let statuses = [data.status, desk.status];
            assert_eq!(statuses, [status; 2], "{}: {when}", holder.path);
        };
        let grant = |verbs: &[&str]| json!([{"area": area, "verbs": verbs}]);
        told(403, "it has nothing");
        holder.has(&server, &[&role], &json!([]));
        told(403, "it has no area");
        holder.has(&server, &[], &grant(&["view"]));
        told(403, "it has no role");
        holder.has(&server, &[&role], &grant(&["view"]));
        told(200, "it has both");
        holder.has(&server, &[&role], &grant(&["add", "edit", "delete"]));
        told(403, "the area lost the verb");
        holder.has(&server, &[&role], &grant(&["view"]));
        is_now(may("SCHEMA MODELS", &["edit"]));
        told(403, "the role lost the verb");
        is_now(may("DATASETS", &["view"]));
        told(403, "the role lost the resource");
        is_now(may("SCHEMA MODELS", &["view"]));
        told(200, "the role has it again");
        let own = &holder.path;
        server.root(&format!("POST {own}/disable"), None).is(200);
        told(401, "it is switched off");
        server.root(&format!("POST {own}/enable"), None).is(200);
        let is_key = own.starts_with("/api-keys");
        told(
            if is_key { 200 } else { 401 },
            "only a key is itself a credential",
        );
        server.root(&format!("DELETE {own}"), None).is(204);
        told(401, "it is gone");
    }
}

#[test]
fn what_is_deleted_and_restored_is_so_at_once() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let (_, key) = server.key("k", &[&server.role("MEMBER")], &[&area]);
    let line =
        format!("GET /v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let status = || server.send(&line, &[("Authorization", &key)], None).status;
    assert_eq!(status(), 200);
    for own in [
        format!("/datasets/{dataset}"),
        format!("/schemas/{schema}"),
        format!("/areas/{area}"),
    ] {
        server.root(&format!("DELETE {own}"), None).is(204);
        assert_eq!(status(), 404, "{own}");
        server.root(&format!("POST {own}/restore"), None).is(200);
        assert_eq!(status(), 200, "{own}");
    }
}

#[test]
fn the_ways_in_are_a_key_a_token_and_a_session_and_each_is_told_who_it_is() {
    let server = AdminServer::start();
    let administrator = server.role(runtime::service::manage::ADMINISTRATOR);
    let mut who = Vec::new();
    for holder in holders(&server) {
        holder.has(&server, &[&administrator], &json!([]));
        let by = holder.credential.as_str();
        server
            .ask(by, "POST /areas", Some(json!({"name": holder.path})))
            .is(201);
        let told = server.ask(by, "GET /session", None).is(200).json();
        assert_eq!(told["tenantId"], server.tenant.as_str());
        who.push(told["actor"]["kind"].as_str().expect("a kind").to_owned());
    }
    assert_eq!(who, ["api_key", "app", "user"]);
    let newest = server.get("/audit?pageSize=1")["items"][0].clone();
    assert_eq!(newest["actor"]["fullName"], "***", "{newest}");
    let catalog = server.service.store().catalog();
    for user in catalog.users.values() {
        let costs = "$argon2id$v=19$m=19456,t=2,p=1$";
        assert!(user.password_hash.starts_with(costs), "{}", user.username);
    }
}

#[test]
fn uses_are_noted_without_a_write_and_shown_after_the_next_one() {
    let server = AdminServer::start();
    let holders = holders(&server);
    let flush = || {
        let flushed = server.service.flush_last_used();
        server.tokio.block_on(flushed).expect("the store works");
    };
    flush();
    let seen = |holder: &Holder| {
        let shown = server.get(&holder.path);
        (shown["lastUsedAt"].clone(), shown["updatedDate"].clone())
    };
    let before: Vec<_> = holders.iter().map(seen).collect();
    let trail = server.get("/audit?pageSize=1")["items"][0]["number"].clone();
    server.clock.forward(60);
    let catalog = server.service.store().catalog();
    for holder in &holders {
        let by = holder.credential.as_str();
        server.ask(by, "GET /session", None).is(200);
        // a request that is refused is one all the same
        server.ask(by, "GET /areas", None).is(403);
    }
    let same = server.service.store().catalog();
    assert!(
        std::sync::Arc::ptr_eq(&catalog, &same),
        "no request writes anything"
    );
    flush();
    for (holder, (used, changed)) in holders.iter().zip(&before) {
        let now = seen(holder);
        let is_later = now.0.as_str() > used.as_str();
        assert!(is_later, "{}: {used} {}", holder.path, now.0);
        assert_eq!(&now.1, changed, "a use is no change");
    }
    let now = server.get("/audit?pageSize=1")["items"][0]["number"].clone();
    assert_eq!(now, trail, "and leaves no entry");
}

#[test]
fn a_password_that_someone_else_sets_ends_the_sessions_too() {
    let server = AdminServer::start();
    let sign_in = |password: &str| {
        let body = json!({"username": "ada", "password": password, "token": true}).to_string();
        server.send("POST /admin/api/v1/sessions", &[], Some(&body))
    };
    let sessions = [(); 2].map(|()| sign_in(PASSWORD).is(200).text("token"));
    let shown = server.get(&format!("/users/{}", server.ada));
    let body = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org",
        "active": true, "roles": shown["roles"], "grants": [], "password": "ada's next password"});
    let line = format!("PUT /users/{}", server.ada);
    server.root(&line, Some(body)).is(200);
    for session in &sessions {
        server.ask(session, "GET /session", None).is(401);
    }
    sign_in(PASSWORD).is(401);
    sign_in("ada's next password").is(200);
}
