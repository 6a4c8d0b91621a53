//! Tenants do not meet: whatever an administrator sends, another tenant's nouns are not there.

use crate::admin_server::{AdminServer, PASSWORD, city};
use runtime::service::manage::{ADMINISTRATOR, NewApiKey, TenantContent};
use serde_json::{Value, json};

/// Another tenant, by its administrator's key.
pub(crate) fn other(server: &AdminServer) -> String {
    let content = TenantContent {
        name: "Other".to_owned(),
    };
    let made = server.service.create_tenant(&server.operator, content);
    let tenant = server.tokio.block_on(made).expect("a tenant").id.clone();
    let by = server.service.operator(&server.operator, &tenant);
    let by = by.expect("the operator");
    let catalog = server.service.store().catalog();
    let mut roles = catalog.roles.values();
    let role = roles.find(|role| role.tenant == tenant && role.name == ADMINISTRATOR);
    let key = NewApiKey {
        name: "theirs".to_owned(),
        description: String::new(),
        expires_at: None,
        ends_with_maker: false,
        active: true,
        roles: vec![role.expect("a role").id.clone()],
        grants: Vec::new(),
    };
    let key = server.service.api_keys().mint(&by, key);
    server.tokio.block_on(key).expect("a key").secret
}

#[test]
fn an_administrator_touches_nothing_of_another_tenant() {
    let server = AdminServer::start();
    let theirs = other(&server);
    let make = |path: &str, body: Value, key: &str| {
        let answer = server.ask(&theirs, &format!("POST {path}"), Some(body));
        answer.is(201).text(key)
    };
    let area = make("/areas", json!({"name": "Places"}), "businessAreaId");
    let document = json!({"document": city()});
    let schemas = format!("/areas/{area}/schemas");
    let schema = make(&schemas, document.clone(), "schemaId");
    let datasets = format!("/schemas/{schema}/datasets");
    let named = json!({"name": "x"});
    let dataset = make(&datasets, named.clone(), "dataSetId");
    let codes = json!({"name": "x", "codes": []});
    let domain = make("/domains", codes.clone(), "dataDomainId");
    let allowed = json!({"name": "x", "permissions": []});
    let role = make("/roles", allowed.clone(), "roleId");
    let holder =
        json!({"name": "x", "active": true, "tokenSeconds": 60, "roles": [], "grants": []});
    let app = make("/apps", holder.clone(), "clientId");
    let mut content = holder.clone();
    content.as_object_mut().unwrap().remove("tokenSeconds");
    let key = make("/api-keys", content.clone(), "apiKeyId");
    let user = json!({"username": "x", "fullName": "X", "email": "x@example.org",
        "password": "x's long password", "active": true, "roles": [], "grants": []});
    let own = make("/users", user.clone(), "userId");

    for (path, change, more) in [
        (format!("/areas/{area}"), &named, &["restore"][..]),
        (format!("/schemas/{schema}"), &document, &["restore"]),
        (format!("/datasets/{dataset}"), &named, &["restore"]),
        (format!("/domains/{domain}"), &codes, &[]),
        (format!("/roles/{role}"), &allowed, &[]),
        (format!("/api-keys/{key}"), &content, &["enable", "disable"]),
        (
            format!("/apps/{app}"),
            &holder,
            &["enable", "disable", "secret"],
        ),
        (format!("/users/{own}"), &user, &["enable", "disable"]),
    ] {
        server.root(&format!("GET {path}"), None).is(404);
        let change = Some(change.clone());
        server.root(&format!("PUT {path}"), change.clone()).is(404);
        for action in more {
            server.root(&format!("POST {path}/{action}"), None).is(404);
        }
        server.root(&format!("DELETE {path}"), None).is(404);
        // all that is not for want of a thing to do it to
        server.ask(&theirs, &format!("GET {path}"), None).is(200);
        server.ask(&theirs, &format!("PUT {path}"), change).is(200);
    }
    for list in [&schemas, &datasets] {
        server.root(&format!("GET {list}"), None).is(404);
        let body = if list == &schemas { &document } else { &named };
        let line = format!("POST {list}");
        server.root(&line, Some(body.clone())).is(404);
    }
    for list in ["changes", "deleted-records", "faults", "facets"] {
        let line = format!("GET /datasets/{dataset}/{list}");
        server.root(&line, None).is(404);
    }
    for noun in [
        "areas", "domains", "roles", "users", "api-keys", "apps", "audit",
    ] {
        let page = server.get(&format!("/{noun}?pageSize=1000")).to_string();
        for id in [&area, &schema, &dataset, &domain, &role, &app, &key, &own] {
            assert!(!page.contains(id.as_str()), "{noun}: {page}");
        }
    }
    // nor may they be given
    let given = json!({"name": "y", "roles": [role], "grants": [{"area": area, "verbs": []}]});
    for noun in ["api-keys", "apps"] {
        let answer = server.root(&format!("POST /{noun}"), Some(given.clone()));
        assert_eq!(
            answer.is(400).problems(),
            ["$.roles[0]", "$.grants[0].area"]
        );
    }
}

#[test]
fn user_names_are_unique_within_a_tenant_however_they_are_written() {
    let server = AdminServer::start();
    let theirs = other(&server);
    let user = |name: &str| {
        json!({"username": name, "fullName": "A", "email": "a@example.org",
            "password": "the long password of a"})
    };
    for taken in ["ada", "ADA", "ａｄａ"] {
        server.root("POST /users", Some(user(taken))).is(409);
    }
    let bob = server.make("/users", user("Bob")).text("userId");
    let change = |name: &str| {
        json!({"username": name, "fullName": "B", "email": "b@example.org", "active": true,
            "roles": [], "grants": []})
    };
    let line = format!("PUT /users/{bob}");
    server.root(&line, Some(change("Ada"))).is(409);
    server.root(&line, Some(change("BOB"))).is(200);
    // what is taken here says nothing there
    let made = server.ask(&theirs, "POST /users", Some(user("Ada")));
    made.is(201);
}

#[test]
fn where_there_are_several_tenants_a_sign_in_names_its_own() {
    let server = AdminServer::start();
    let sign_in = |body: Value| {
        let line = "POST /admin/api/v1/sessions";
        server.send(line, &[], Some(&body.to_string()))
    };
    let ada = json!({"username": "ADA", "password": PASSWORD});
    sign_in(ada.clone()).is(200);

    let theirs = other(&server);
    let password = "ada's other long password";
    let user = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org",
        "password": password});
    server.ask(&theirs, "POST /users", Some(user)).is(201);
    let answer = sign_in(ada).is(400);
    assert_eq!(answer.json()["problems"][0]["path"], "$.tenant");
    let with = |tenant: &str, password: &str| {
        sign_in(json!({"tenant": tenant, "username": "ada", "password": password}))
    };
    with("Acme", PASSWORD).is(200);
    with("Other", password).is(200);
    for (tenant, password) in [("Acme", password), ("Other", PASSWORD), ("Third", PASSWORD)] {
        with(tenant, password).is(401);
    }
}

#[test]
fn no_name_holds_what_nobody_sees() {
    let server = AdminServer::start();
    let area = server
        .make("/areas", json!({"name": "Orte 👩\u{200D}🔬"}))
        .text("businessAreaId");
    let hidden = "ad\u{200B}a";
    let holder = json!({"name": hidden, "roles": [], "grants": []});
    let user = json!({"username": hidden, "fullName": "\u{202E}Ada", "email": "a@example.org",
        "password": "the long password of a"});
    for (path, body) in [
        ("/areas", json!({"name": hidden})),
        ("/domains", json!({"name": hidden, "codes": []})),
        ("/roles", json!({"name": hidden, "permissions": []})),
        ("/api-keys", holder.clone()),
        ("/apps", holder),
        ("/users", user),
    ] {
        let refused = server.root(&format!("POST {path}"), Some(body)).is(400);
        let message = refused.json()["problems"][0]["message"].to_string();
        assert!(message.contains("U+200B"), "{path}: {message}");
    }
    let mut document = city();
    document["fields"][0]["name"] = json!(hidden);
    let schemas = format!("POST /areas/{area}/schemas");
    let refused = server
        .root(&schemas, Some(json!({"document": document})))
        .is(400);
    assert_eq!(refused.json()["problems"][0]["path"], "$.fields[0].name");
}
