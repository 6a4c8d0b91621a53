//! The lives of those who may call, and of what says what they may: roles, keys, clients, users, tenants.

use crate::admin_server::{AdminServer, names};
use runtime::service::manage::TenantContent;
use serde_json::json;

#[test]
fn a_role_lives_until_nobody_has_it_and_built_in_ones_stay() {
    let server = AdminServer::start();
    let listed = server.get("/roles");
    assert_eq!(names(&listed, "name").len(), 2);
    let member = server.role("MEMBER");
    let change = json!({"name": "MEMBER", "permissions": []});
    server
        .root(&format!("PUT /roles/{member}"), Some(change))
        .is(409);
    server
        .root(&format!("DELETE /roles/{member}"), None)
        .is(409);
    let permissions = json!([{"resource": "DATA OBJECTS", "verbs": ["view", "add"]}]);
    let body = json!({"name": "Reader", "permissions": permissions});
    let id = server.make("/roles", body.clone()).text("roleId");
    server.root("POST /roles", Some(body)).is(409);
    let (key, _) = server.key("k", &[&id], &[]);
    server.root(&format!("DELETE /roles/{id}"), None).is(409);
    server
        .root(&format!("DELETE /api-keys/{key}"), None)
        .is(204);
    let renamed = json!({"name": "Writer", "permissions": []});
    let renamed = server
        .root(&format!("PUT /roles/{id}"), Some(renamed))
        .is(200)
        .json();
    assert_eq!(renamed["name"], "Writer");
    server.root(&format!("DELETE /roles/{id}"), None).is(204);
    server.root(&format!("GET /roles/{id}"), None).is(404);
}

#[test]
fn a_key_lives_and_is_shown_masked() {
    let server = AdminServer::start();
    let (id, key) = server.key("loader", &[], &[]);
    let path = format!("/api-keys/{id}");
    let shown = server.get(&path);
    let masked = shown["maskedKey"].as_str().unwrap();
    assert!(masked.starts_with("fst_") && masked.ends_with(&key[40..]) && masked.len() < 12);
    let late = json!({"name": "late", "expiresAt": "2020-01-01T00:00:00.000Z"});
    assert_eq!(
        server.root("POST /api-keys", Some(late)).is(400).problems(),
        ["$.expiresAt"]
    );
    let again = json!({"name": "loader"});
    server.root("POST /api-keys", Some(again)).is(409);
    let renamed = json!({"name": "reader", "active": true, "roles": [], "grants": []});
    assert_eq!(
        server
            .root(&format!("PUT {path}"), Some(renamed))
            .is(200)
            .json()["name"],
        "reader"
    );
    server.root(&format!("POST {path}/disable"), None).is(200);
    assert_eq!(server.get(&path)["active"], false);
    server.root(&format!("DELETE {path}"), None).is(204);
    server.root(&format!("GET {path}"), None).is(404);
    assert_eq!(names(&server.get("/api-keys"), "name"), ["root"]);
}

#[test]
fn a_client_lives_and_what_it_may_is_judged() {
    let server = AdminServer::start();
    let made = server.make("/apps", json!({"name": "sync", "tokenSeconds": 60}));
    let id = made.text("clientId");
    let path = format!("/apps/{id}");
    assert_eq!(server.get(&path)["tokenSeconds"], 60);
    // what is not said is not taken for said: a client that is off stays off
    server.root(&format!("POST {path}/disable"), None).is(200);
    let short = json!({"name": "sync"});
    let refused = server.root(&format!("PUT {path}"), Some(short)).is(400);
    assert_eq!(refused.problems(), ["$"]);
    assert_eq!(server.get(&path)["active"], false);
    let never =
        json!({"name": "sync", "active": true, "tokenSeconds": 0, "roles": ["none"], "grants": []});
    assert_eq!(
        server
            .root(&format!("PUT {path}"), Some(never))
            .is(400)
            .problems(),
        ["$.tokenSeconds"]
    );
    let unknown = json!({"name": "sync", "active": true, "tokenSeconds": 60, "roles": ["none"], "grants": [{"area": "no", "verbs": ["view"]}]});
    let answer = server.root(&format!("PUT {path}"), Some(unknown)).is(400);
    assert_eq!(answer.problems(), ["$.roles[0]", "$.grants[0].area"]);
    let area = server
        .make("/areas", json!({"name": "Places"}))
        .text("businessAreaId");
    let (role, grant) = (server.role("MEMBER"), json!({"area": area, "verbs": []}));
    let twice = json!({"name": "sync", "active": true, "tokenSeconds": 60,
        "roles": [role, role], "grants": [grant, grant]});
    let answer = server.root(&format!("PUT {path}"), Some(twice)).is(400);
    assert_eq!(answer.problems(), ["$.roles[1]", "$.grants[1].area"]);
    server.root(&format!("DELETE {path}"), None).is(204);
    assert!(names(&server.get("/apps"), "name").is_empty());
}

#[test]
fn a_user_lives_and_all_that_is_wrong_is_told_at_once() {
    let server = AdminServer::start();
    let wrong = json!({"username": " bob", "fullName": "", "email": "bob", "password": "short"});
    let answer = server.root("POST /users", Some(wrong)).is(400);
    assert_eq!(
        answer.problems(),
        ["$.username", "$.fullName", "$.email", "$.password"]
    );
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "password": "bob's long password"});
    let id = server.make("/users", bob.clone()).text("userId");
    server.root("POST /users", Some(bob)).is(409);
    let path = format!("/users/{id}");
    let changed = json!({"username": "rob", "fullName": "Rob", "email": "rob@example.org", "active": false, "roles": [], "grants": []});
    let changed = server
        .root(&format!("PUT {path}"), Some(changed))
        .is(200)
        .json();
    assert_eq!(
        (&changed["username"], &changed["active"]),
        (&json!("rob"), &json!(false))
    );
    assert_eq!(
        server
            .root(&format!("POST {path}/enable"), None)
            .is(200)
            .json()["active"],
        true
    );
    server.root(&format!("DELETE {path}"), None).is(204);
    assert_eq!(names(&server.get("/users"), "username"), ["ada"]);
}

#[test]
fn a_tenant_is_made_by_the_operator_and_sees_itself_alone() {
    let server = AdminServer::start();
    let content = |name: &str| TenantContent {
        name: name.to_owned(),
    };
    let taken = server
        .service
        .create_tenant(&server.operator, content("Acme"));
    assert!(server.tokio.block_on(taken).is_err());
    let other = server
        .service
        .create_tenant(&server.operator, content("Other"));
    let other = server
        .tokio
        .block_on(other)
        .expect("a free name")
        .id
        .clone();
    assert_eq!(server.get("/tenant")["tenantId"], server.tenant.as_str());
    server
        .root("PUT /tenant", Some(json!({"name": "Acme 2"})))
        .is(405);
    let rename = |name: &str| {
        let to = content(name);
        let renamed = server
            .service
            .rename_tenant(&server.operator, &server.tenant, to);
        server.tokio.block_on(renamed)
    };
    assert!(rename("Other").is_err() && rename(" ").is_err());
    rename("Acme 2").expect("a free name");
    assert_eq!(server.get("/tenant")["name"], "Acme 2");
    let entry = server.get("/audit?pageSize=1")["items"][0].clone();
    assert_eq!([&entry["action"], &entry["noun"]], ["update", "tenant"]);
    assert_eq!(
        [&entry["before"]["name"], &entry["after"]["name"]],
        ["Acme", "Acme 2"]
    );

    // another tenant's nouns are not there
    let by = server
        .service
        .operator(&server.operator, &other)
        .expect("the operator");
    let area = serde_json::from_value(json!({"name": "Theirs"})).unwrap();
    let area = server
        .tokio
        .block_on(server.service.areas().create(&by, "", area))
        .expect("an area");
    server
        .root(&format!("GET /areas/{}", area.id), None)
        .is(404);
    server
        .root(&format!("DELETE /areas/{}", area.id), None)
        .is(404);
    let grant = json!({"name": "k", "grants": [{"area": area.id, "verbs": ["view"]}]});
    assert_eq!(
        server
            .root("POST /api-keys", Some(grant))
            .is(400)
            .problems(),
        ["$.grants[0].area"]
    );
    let kept = server.service.delete_tenant(&server.operator, &other);
    assert!(server.tokio.block_on(kept).is_err(), "it has an area");
    let empty = server
        .service
        .create_tenant(&server.operator, content("Empty"));
    let empty = server.tokio.block_on(empty).expect("a tenant").id.clone();
    let gone = server.service.delete_tenant(&server.operator, &empty);
    server.tokio.block_on(gone).expect("it never had an area");
    assert_eq!(server.service.tenants(&server.operator).len(), 2);
}
