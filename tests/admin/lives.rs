//! The life of every noun: made, listed, read, changed, switched off, deleted, restored.

use crate::admin_server::{AdminServer, city, field, names};
use runtime::service::manage::TenantContent;
use serde_json::json;

#[test]
fn a_change_that_changes_nothing_is_no_other_version() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let domain = server
        .make(
            "/domains",
            json!({"name": "Levels", "codes": [{"code": "A"}]}),
        )
        .text("dataDomainId");
    let document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    let state = server.get(&format!("/schemas/{schema}"))["state"].clone();
    for (path, same, other) in [
        (
            format!("/areas/{area}"),
            json!({"name": "Places"}),
            json!({"name": "Places", "description": "where"}),
        ),
        (
            format!("/schemas/{schema}"),
            json!({"document": document, "state": state}),
            json!({"document": {"name": "City", "fields": [field("f-code", "Code", true)]}, "state": state}),
        ),
        (
            format!("/datasets/{dataset}"),
            json!({"name": server.get(&format!("/datasets/{dataset}"))["dataSetName"]}),
            json!({"name": "Asia"}),
        ),
        (
            format!("/domains/{domain}"),
            json!({"name": "Levels", "codes": [{"code": "A"}]}),
            json!({"name": "Levels", "codes": [{"code": "B"}]}),
        ),
    ] {
        let put = |body: serde_json::Value| {
            let changed = server.root(&format!("PUT {path}"), Some(body));
            changed.is(200).json()["version"].clone()
        };
        assert_eq!(put(same.clone()), 1, "{path}");
        assert_eq!(put(same), 1, "{path}");
        assert_eq!(put(other.clone()), 2, "{path}");
        assert_eq!(put(other), 2, "{path}");
    }
}

#[test]
fn an_area_lives_and_comes_back() {
    let server = AdminServer::start();
    let made = server.make("/areas", json!({"name": "Places", "description": "where"}));
    let id = made.text("businessAreaId");
    let location = format!("/admin/api/v1/areas/{id}");
    assert_eq!(made.header("location"), Some(location.as_str()));
    assert_eq!(made.json()["version"], 1);
    assert_eq!(made.json()["createdBy"], "root");
    assert_eq!(names(&server.get("/areas"), "name"), ["Places"]);

    let path = format!("/areas/{id}");
    let change = json!({"name": "Sites", "active": false, "version": 1});
    let changed = server
        .root(&format!("PUT {path}"), Some(change.clone()))
        .is(200)
        .json();
    assert_eq!(
        (&changed["version"], &changed["active"]),
        (&json!(2), &json!(false))
    );
    server.root(&format!("PUT {path}"), Some(change)).is(409);
    assert_eq!(server.get(&path)["name"], "Sites");

    server.root(&format!("DELETE {path}"), None).is(204);
    server.root(&format!("GET {path}"), None).is(404);
    server.root(&format!("DELETE {path}"), None).is(404);
    assert!(names(&server.get("/areas"), "name").is_empty());

    // its name is free while it is deleted, and it does not come back over another
    let other = server
        .make("/areas", json!({"name": "Sites"}))
        .text("businessAreaId");
    server.root(&format!("POST {path}/restore"), None).is(409);
    server.root(&format!("DELETE /areas/{other}"), None).is(204);
    assert_eq!(
        server
            .root(&format!("POST {path}/restore"), None)
            .is(200)
            .json()["version"],
        4
    );
    assert_eq!(server.get(&path)["name"], "Sites");
}

#[test]
fn a_schema_and_its_datasets_live_and_come_back() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let path = format!("/schemas/{schema}");
    assert_eq!(server.get(&path)["document"]["name"], "City");
    assert_eq!(
        names(&server.get(&format!("/areas/{area}/schemas")), "schemaId"),
        [schema.as_str()]
    );
    let published = json!({"document": city(), "state": "published", "active": false});
    let changed = server
        .root(&format!("PUT {path}"), Some(published))
        .is(200)
        .json();
    assert_eq!(changed["state"], "published");
    assert_eq!(changed["version"], 1, "the structure is the same");

    let listed = server.get(&format!("{path}/datasets"));
    assert_eq!(names(&listed, "dataSetName"), ["Europe"]);
    assert_eq!(listed["items"][0]["recordCount"], 0);
    let own = format!("/datasets/{dataset}");
    let renamed = json!({"name": "Asia", "description": "far"});
    let renamed = server
        .root(&format!("PUT {own}"), Some(renamed))
        .is(200)
        .json();
    assert_eq!(
        (&renamed["dataSetName"], &renamed["version"]),
        (&json!("Asia"), &json!(2))
    );
    server
        .root(
            &format!("POST {path}/datasets"),
            Some(json!({"name": "Asia"})),
        )
        .is(409);

    server.root(&format!("DELETE {own}"), None).is(204);
    server.root(&format!("GET {own}"), None).is(404);
    server.root(&format!("POST {own}/restore"), None).is(200);
    server.root(&format!("GET {own}"), None).is(200);

    // what is below something deleted is not found either, and comes back with it
    server.root(&format!("DELETE {path}"), None).is(204);
    server.root(&format!("GET {own}"), None).is(404);
    server.root(&format!("DELETE {own}"), None).is(404);
    server.root(&format!("POST {path}/restore"), None).is(200);
    server.root(&format!("GET {own}"), None).is(200);
    server.root(&format!("DELETE /areas/{area}"), None).is(204);
    server.root(&format!("GET {own}"), None).is(404);
    server.root(&format!("GET {path}"), None).is(404);
    server
        .root(
            &format!("POST /schemas/{schema}/datasets"),
            Some(json!({"name": "x"})),
        )
        .is(404);
}

#[test]
fn a_domain_lives_until_nothing_names_it() {
    let server = AdminServer::start();
    let codes = json!([{"code": "S"}, {"code": "N", "description": "north"}]);
    let made = server.make("/domains", json!({"name": "Regions", "codes": codes}));
    let id = made.text("dataDomainId");
    assert_eq!(made.json()["codes"][0]["code"], "N", "sorted");
    let path = format!("/domains/{id}");
    let twice = json!({"name": "Regions", "codes": [{"code": "N"}, {"code": "N"}, {"code": " "}]});
    let answer = server.root(&format!("PUT {path}"), Some(twice)).is(400);
    assert_eq!(answer.problems(), ["$.codes[1].code", "$.codes[2].code"]);
    let more = json!({"name": "Regions", "codes": [{"code": "W"}]});
    assert_eq!(
        server
            .root(&format!("PUT {path}"), Some(more))
            .is(200)
            .json()["version"],
        2
    );

    let mut document = city();
    document["fields"][1]["dataType"] = "picklist".into();
    document["fields"][1]["picklistType"] = "dynamic".into();
    document["fields"][1]["dataDomainId"] = id.as_str().into();
    let [_, schema, _] = server.places(&document);
    server.root(&format!("DELETE {path}"), None).is(409);
    let back = json!({"document": city()});
    server
        .root(&format!("PUT /schemas/{schema}"), Some(back))
        .is(200);
    server.root(&format!("DELETE {path}"), None).is(204);
    server.root(&format!("GET {path}"), None).is(404);
}

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
