//! Every change of who may do what holds on the next request, through each door and at whichever server of a store: for keys,
//! clients with the tokens they have, and users with the sessions they have; by holder, by role, by what the rights are about,
//! and by what ends a session or replaces a secret.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::at_each_server::{Asked, each};
use crate::requests::Answer;
use crate::second_factor::code;
use crate::sessions::SESSIONS;
use runtime::service::manage::ADMINISTRATOR;
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

/// The answer to a client that asks for a token.
fn token(server: &AdminServer, id: &str, secret: &str) -> Answer {
    let body = json!({"client_id": id, "client_secret": secret}).to_string();
    server.send("POST /oauth2/token", &[], Some(&body))
}

/// A key, a client and a user that may do nothing yet.
fn holders(server: &AdminServer) -> [Holder; 3] {
    let (key, secret) = server.key("k", &[], &[]);
    let app = server.make("/apps", json!({"name": "a"}));
    let (id, client_secret) = (app.text("clientId"), app.text("clientSecret"));
    let issued = token(server, &id, &client_secret);
    let user = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password"});
    let user = server.make("/users", user).text("userId");
    let session = server.session("bob", "bob's long password");
    [
        Holder {
            path: format!("/api-keys/{key}"),
            rest: json!({"name": "k"}),
            credential: secret,
        },
        Holder {
            path: format!("/apps/{id}"),
            rest: json!({"name": "a", "tokenSeconds": 3600}),
            credential: issued.is(200).text("access_token"),
        },
        Holder {
            path: format!("/users/{user}"),
            rest: json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org"}),
            credential: session,
        },
    ]
}

fn may(resource: &str, verbs: &[&str]) -> Value {
    json!({"name": "r", "permissions": [{"resource": resource, "verbs": verbs}]})
}

#[test]
fn what_a_holder_or_its_role_is_given_and_loses_holds_at_once() {
    each(|there| {
        let server = there.server;
        let [area, schema, _] = server.places(&city());
        let role = server.make("/roles", may("SCHEMA MODELS", &["view"]));
        let role = role.text("roleId");
        let is_now = |body: Value| {
            let line = format!("PUT /roles/{role}");
            server.root(&line, Some(body)).is(200);
        };
        let asked = Asked {
            data: format!("GET /v1/businessareas/{area}/schemas"),
            desk: format!("GET /admin/api/v1/areas/{area}/schemas"),
            page: format!("GET /app/schemas/{schema}"),
        };
        for holder in holders(server) {
            let own = &holder.path;
            let told = |status: u16, when: &str| {
                let when = format!("{own}: {when}");
                there.tells(status, &holder.credential, &asked, &when);
            };
            let grant = |verbs: &[&str]| json!([{"area": area, "verbs": verbs}]);
            told(403, "it has nothing");
            holder.has(server, &[&role], &json!([]));
            told(403, "it has no area");
            holder.has(server, &[], &grant(&["view"]));
            told(403, "it has no role");
            holder.has(server, &[&role], &grant(&["view"]));
            told(200, "it has both");
            holder.has(server, &[&role], &grant(&["add", "edit", "delete"]));
            told(403, "the area lost the verb");
            holder.has(server, &[&role], &grant(&["view"]));
            is_now(may("SCHEMA MODELS", &["edit"]));
            told(403, "the role lost the verb");
            is_now(may("DATASETS", &["view"]));
            told(403, "the role lost the resource");
            is_now(may("SCHEMA MODELS", &["view"]));
            told(200, "the role has it again");
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
    });
}

#[test]
fn what_is_deleted_and_restored_is_so_at_once() {
    each(|there| {
        let server = there.server;
        let [area, schema, dataset] = server.places(&city());
        let [_, _, holder] = holders(server);
        let grants = json!([{"area": area, "verbs": ["view"]}]);
        holder.has(server, &[&server.role("MEMBER")], &grants);
        let data = format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}");
        let asked = Asked {
            data: format!("GET {data}/dataobjects"),
            desk: format!("GET /admin/api/v1/datasets/{dataset}/deleted-records"),
            page: format!("GET /app/datasets/{dataset}/deleted"),
        };
        let told = |status: u16, when: &str| {
            there.tells(status, &holder.credential, &asked, when);
        };
        told(200, "at first");
        for own in [
            format!("/datasets/{dataset}"),
            format!("/schemas/{schema}"),
            format!("/areas/{area}"),
        ] {
            server.root(&format!("DELETE {own}"), None).is(204);
            told(404, &own);
            server.root(&format!("POST {own}/restore"), None).is(200);
            told(200, &own);
        }
    });
}

/// How a session ends, by its token and by that of another one of its user.
type End<'a> = &'a dyn Fn(&str, &str);

#[test]
fn a_session_that_somebody_ends_opens_nothing_any_more() {
    const NEXT: &str = "seven grey owls";
    each(|there| {
        let server = there.server;
        let role = server.role(ADMINISTRATOR);
        let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
            "password": PASSWORD, "roles": [role]});
        let bob = server.make("/users", bob).text("userId");
        let ends: [(&str, &str, End<'_>); 6] = [
            ("it signs out", PASSWORD, &|ended, _| {
                server.ask(ended, "DELETE /session", None).is(204);
            }),
            ("its user ends it", PASSWORD, &|_, own| {
                let line = format!("DELETE /my/sessions/{}", last_other(server, own));
                server.ask(own, &line, None).is(204);
            }),
            ("its user ends all others", PASSWORD, &|_, own| {
                server.ask(own, "DELETE /my/sessions", None).is(204);
            }),
            ("somebody ends all of its user", PASSWORD, &|_, _| {
                let line = format!("DELETE /users/{bob}/sessions");
                server.root(&line, None).is(204);
            }),
            ("its user chooses a password", PASSWORD, &|_, own| {
                let body = json!({"password": PASSWORD, "newPassword": NEXT});
                let line = "PUT /session/password";
                server.ask(own, line, Some(body)).is(204);
            }),
            ("its user has a second factor", NEXT, &|_, own| {
                let line = "POST /session/second-factor";
                let secret = server.ask(own, line, None).is(200).text("secret");
                let body = json!({"code": code(server, &secret)});
                let line = "POST /session/second-factor/confirm";
                server.ask(own, line, Some(body)).is(200);
            }),
        ];
        let asked = Asked::of_everyone();
        for (when, password, end) in ends {
            let enter = || server.session("bob", password);
            let (ended, own) = (enter(), enter());
            there.tells(200, &ended, &asked, when);
            end(&ended, &own);
            there.tells(401, &ended, &asked, when);
        }
    });
}

/// The session of the same user that began last before this one.
fn last_other(server: &AdminServer, own: &str) -> String {
    let all = server.ask(own, "GET /my/sessions", None).is(200).json();
    let mut others = all["items"].as_array().expect("sessions").iter().rev();
    let other = others.find(|one| one["current"] == false);
    let id = other.expect("another")["sessionId"].as_str();
    id.expect("an id").to_owned()
}

#[test]
fn a_secret_that_is_replaced_opens_nothing_any_more_and_the_new_one_does() {
    each(|there| {
        let server = there.server;
        let member = server.role("MEMBER");
        let asked = Asked::of_everyone();
        let (key, old) = server.key("k", &[&member], &[]);
        there.tells(200, &old, &asked, "a key");
        let line = format!("POST /api-keys/{key}/secret");
        let new = server.root(&line, Some(json!({"graceSeconds": 0})));
        there.tells(401, &old, &asked, "the key of before");
        there.tells(200, &new.is(200).text("key"), &asked, "the new one");

        let app = server.make("/apps", json!({"name": "a", "roles": [member]}));
        let (id, old) = (app.text("clientId"), app.text("clientSecret"));
        let of_old = token(server, &id, &old).is(200).text("access_token");
        there.tells(200, &of_old, &asked, "a token");
        let new = server.root(&format!("POST /apps/{id}/secret"), None);
        let new = new.is(200).text("clientSecret");
        there.tells(401, &of_old, &asked, "a token of before");
        let ask = |secret: &str| {
            let body = json!({"client_id": id, "client_secret": secret});
            there.send("POST /oauth2/token", &body)
        };
        ask(&old).is(401);
        let of_new = ask(&new).is(200).text("access_token");
        there.tells(200, &of_new, &asked, "a token of the new secret");
    });
}

#[test]
fn the_ways_in_are_a_key_a_token_and_a_session_and_each_is_told_who_it_is() {
    let server = AdminServer::start();
    let administrator = server.role(ADMINISTRATOR);
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
    each(|there| {
        let server = there.server;
        let enter = |password: &str| {
            let body = json!({"username": "ada", "password": password, "token": true});
            there.send(SESSIONS, &body)
        };
        let asked = Asked::of_everyone();
        let sessions = [(); 2].map(|()| enter(PASSWORD).is(200).text("token"));
        let shown = server.get(&format!("/users/{}", server.ada));
        let body = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org",
            "active": true, "roles": shown["roles"], "grants": [], "password": "ada's next password"});
        let line = format!("PUT /users/{}", server.ada);
        server.root(&line, Some(body)).is(200);
        for session in &sessions {
            there.tells(401, session, &asked, "the password of before");
        }
        enter(PASSWORD).is(401);
        enter("ada's next password").is(200);
    });
}
