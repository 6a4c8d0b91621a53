//! The audit trail: every change of every noun has its entry, and nothing else has.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::rights::role;
use runtime::service::manage::TenantContent;
use serde_json::{Value, json};

/// The newest entry.
fn newest(server: &AdminServer) -> Value {
    server.get("/audit?pageSize=1")["items"][0].clone()
}

/// Reads along in the trail: after each change there is one entry more, of the key `root`.
struct Reader<'w> {
    server: &'w AdminServer,
    number: i64,
}

impl<'w> Reader<'w> {
    fn new(server: &'w AdminServer) -> Self {
        let number = newest(server)["number"].as_i64().expect("a number");
        Reader { server, number }
    }

    /// Asserts what the newest entry says, and whether it has a before and an after.
    #[track_caller]
    fn reads(&mut self, said: [&str; 3], has: [bool; 2]) -> Value {
        let entry = newest(self.server);
        self.number += 1;
        assert_eq!(entry["number"], self.number, "one entry a change: {entry}");
        assert_eq!([&entry["action"], &entry["noun"], &entry["id"]], said);
        let is_there = |key: &str| !entry[key].is_null();
        assert_eq!([is_there("before"), is_there("after")], has, "{entry}");
        assert_eq!(entry["actor"]["name"], "root");
        assert!(entry["at"].as_str().is_some_and(|at| at.ends_with('Z')));
        entry
    }
}

#[test]
fn every_change_has_its_entry_with_who_what_before_and_after() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let mut trail = Reader::new(&server);
    let put = |path: &str, body: Value| server.root(&format!("PUT {path}"), Some(body)).is(200);
    put(&format!("/areas/{area}"), json!({"name": "Sites"}));
    let changed = trail.reads(["update", "area", &area], [true, true]);
    assert_eq!(changed["before"]["name"], "Places");
    assert_eq!(changed["after"]["name"], "Sites");
    put(&format!("/datasets/{dataset}"), json!({"name": "b"}));
    trail.reads(["update", "dataset", &dataset], [true, true]);
    put(&format!("/schemas/{schema}"), json!({"document": city()}));
    trail.reads(["update", "schema", &schema], [true, true]);
    for (noun, id) in [("dataset", &dataset), ("schema", &schema), ("area", &area)] {
        server.root(&format!("DELETE /{noun}s/{id}"), None).is(204);
        trail.reads(["delete", noun, id], [true, false]);
        let line = format!("POST /{noun}s/{id}/restore");
        server.root(&line, None).is(200);
        trail.reads(["restore", noun, id], [false, true]);
    }
}

#[test]
fn what_is_made_has_its_entry_and_so_has_the_area_its_maker_gets() {
    let server = AdminServer::start();
    let mut trail = Reader::new(&server);
    let area = server.make("/areas", json!({"name": "Places"}));
    let area = area.text("businessAreaId");
    // who makes an area gets it, and that is a change of its own
    trail.number += 1;
    let made = trail.reads(["create", "area", &area], [false, true]);
    assert_eq!(made["after"]["name"], "Places");
    let granted = server.get("/audit?pageSize=2")["items"][1].clone();
    let said = [&granted["action"], &granted["noun"]];
    assert_eq!(said, ["update", "api_key"]);
    assert_eq!(granted["after"]["grants"][0]["area"], area.as_str());
    let document = json!({"document": city()});
    let schema = server.make(&format!("/areas/{area}/schemas"), document);
    let schema = schema.text("schemaId");
    let made = trail.reads(["create", "schema", &schema], [false, true]);
    assert_eq!(made["after"]["document"]["name"], "City");
    let dataset = server.make(&format!("/schemas/{schema}/datasets"), json!({"name": "a"}));
    let dataset = dataset.text("dataSetId");
    trail.reads(["create", "dataset", &dataset], [false, true]);
}

#[test]
fn every_change_of_a_caller_has_its_entry() {
    let server = AdminServer::start();
    let user = json!({"username": "bob", "fullName": "Bob Canary", "email": "canary@example.org",
        "password": "bob's long password", "active": true, "roles": [], "grants": []});
    let mut key = json!({"name": "n", "active": true, "roles": [], "grants": []});
    for (noun, path, id_key, body) in [
        (
            "domain",
            "/domains",
            "dataDomainId",
            json!({"name": "n", "codes": []}),
        ),
        (
            "role",
            "/roles",
            "roleId",
            json!({"name": "n", "permissions": []}),
        ),
        ("user", "/users", "userId", user),
        ("api_key", "/api-keys", "apiKeyId", key.take()),
        (
            "app",
            "/apps",
            "clientId",
            json!({"name": "n", "active": true, "tokenSeconds": 60, "roles": [], "grants": []}),
        ),
    ] {
        let body = if body.is_null() {
            json!({"name": "n", "active": true, "roles": [], "grants": []})
        } else {
            body
        };
        let id = server.make(path, body.clone()).text(id_key);
        let own = format!("{path}/{id}");
        let mut expected = vec!["create"];
        server.root(&format!("PUT {own}"), Some(body)).is(200);
        expected.push(if noun == "user" {
            "change_password"
        } else {
            "update"
        });
        if !["domain", "role"].contains(&noun) {
            server.root(&format!("POST {own}/disable"), None).is(200);
            server.root(&format!("POST {own}/enable"), None).is(200);
            expected.extend(["update", "update"]);
        }
        if noun == "app" {
            server.root(&format!("POST {own}/secret"), None).is(200);
            expected.push("renew_secret");
        }
        server.root(&format!("DELETE {own}"), None).is(204);
        expected.push("delete");
        let trail = server.get("/audit?pageSize=20");
        let entries = trail["items"].as_array().unwrap().iter().rev();
        let told: Vec<_> = entries
            .filter(|entry| entry["noun"] == noun && entry["id"] == id.as_str())
            .map(|entry| entry["action"].as_str().unwrap())
            .collect();
        assert_eq!(told, expected, "{noun}");
        assert!(
            !trail.to_string().to_lowercase().contains("canary"),
            "personal: {trail}"
        );
    }
}

#[test]
fn refused_changes_leave_no_entry_and_sessions_do() {
    let server = AdminServer::start();
    let before = newest(&server)["number"].clone();
    server
        .root("POST /areas", Some(json!({"name": ""})))
        .is(400);
    server.root("DELETE /areas/none", None).is(404);
    server.enter("ada", "wrong, but long enough").is(401);
    assert_eq!(newest(&server)["number"], before);
    let token = server.session("ada", PASSWORD);
    assert_eq!(
        (
            newest(&server)["action"].clone(),
            newest(&server)["actor"]["name"].clone()
        ),
        (json!("sign_in"), json!("ada"))
    );
    server.ask(&token, "DELETE /session", None).is(204);
    assert_eq!(newest(&server)["action"], "sign_out");
    let token = server.session("ada", PASSWORD);
    let change = json!({"password": PASSWORD, "newPassword": "ada's next password"});
    server
        .ask(&token, "PUT /session/password", Some(change))
        .is(204);
    let entry = newest(&server);
    assert_eq!(entry["action"], "change_password");
    assert_eq!(entry["id"], server.ada.as_str());
    assert!(!entry.to_string().contains("argon2"), "{entry}");
}

#[test]
fn the_trail_is_paged_newest_first_and_needs_its_permission() {
    let server = AdminServer::start();
    for number in 0..5 {
        server.make("/areas", json!({"name": format!("Area {number}")}));
    }
    let (mut numbers, mut next) = (Vec::new(), String::new());
    loop {
        let page = server.get(&format!("/audit?pageSize=2{next}"));
        let items = page["items"].as_array().unwrap().iter();
        numbers.extend(items.map(|item| item["number"].as_i64().unwrap()));
        let Some(key) = page["nextPageKey"].as_str() else {
            break;
        };
        next = format!("&pageKey={key}");
    }
    assert!(
        numbers.len() >= 9 && numbers.is_sorted_by(|a, b| a > b),
        "{numbers:?}"
    );
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[]);
    server.ask(&member, "GET /audit", None).is(403);
}

#[test]
fn an_auditor_sees_entries_of_granted_areas_and_of_the_tenants_own_nouns() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let other = server.make("/areas", json!({"name": "Secret"}));
    let other = other.text("businessAreaId");
    let hidden = json!({"document": city()});
    let hidden = server.make(&format!("/areas/{other}/schemas"), hidden);
    let hidden = hidden.text("schemaId");
    for number in 0..30 {
        let name = json!({"name": format!("Secret {number}")});
        server
            .root(&format!("PUT /areas/{other}"), Some(name))
            .is(200);
    }
    server
        .root(&format!("DELETE /schemas/{hidden}"), None)
        .is(204);
    let role = role(&server, "auditor", &[("AUDIT", &["view"])]);
    let key = |name: &str, grants: Value| {
        let body = json!({"name": name, "roles": [role], "grants": grants});
        server.make("/api-keys", body).text("key")
    };
    let of_area = key("of the area", json!([{"area": area, "verbs": ["view"]}]));
    let of_none = key("of none", json!([]));
    let walk = |key: &str| {
        let (mut items, mut next) = (Vec::new(), String::new());
        loop {
            let line = format!("GET /audit?pageSize=3{next}");
            let page = server.ask(key, &line, None).is(200).json();
            items.extend(page["items"].as_array().expect("a page").clone());
            let Some(key) = page["nextPageKey"].as_str() else {
                return items;
            };
            next = format!("&pageKey={key}");
        }
    };
    let has = |items: &[Value], id: &str| items.iter().any(|entry| entry["id"] == id);
    let (all, some, none) = (walk(&server.root), walk(&of_area), walk(&of_none));
    for id in [&area, &schema, &dataset] {
        let seen = [has(&all, id), has(&some, id), has(&none, id)];
        assert_eq!(seen, [true, true, false]);
    }
    for id in [&other, &hidden] {
        let seen = [has(&all, id), has(&some, id), has(&none, id)];
        assert_eq!(seen, [true, false, false]);
    }
    assert!(!Value::from(some.clone()).to_string().contains("Secret"));
    for items in [&all, &some, &none] {
        assert!(has(items, &role) && has(items, &server.ada));
    }
    let of_area = |entry: &&Value| entry["area"] == area.as_str();
    // making each, and that its maker got the area is an entry of the key
    assert_eq!(all.iter().filter(of_area).count(), 3);
}

#[test]
fn who_acted_is_masked_as_its_own_entry_is() {
    let server = AdminServer::start();
    let session = server.session("ada", PASSWORD);
    let area = json!({"name": "Places"});
    let area = server.ask(&session, "POST /areas", Some(area)).is(201);
    let area = area.text("businessAreaId");
    let made = server.ask(
        &session,
        &format!("POST /areas/{area}/schemas"),
        Some(json!({"document": city()})),
    );
    let schema = made.is(201).text("schemaId");
    let line = format!("POST /schemas/{schema}/datasets");
    let dataset = server
        .ask(&session, &line, Some(json!({"name": "d"})))
        .is(201);
    let dataset = dataset.text("dataSetId");
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let by = [("Authorization", session.as_str())];
    server
        .send(&format!("POST {records}"), &by, Some(r#"{"Code": "A"}"#))
        .is(201);
    let changes = server.get(&format!("/datasets/{dataset}/changes"));
    for page in [server.get("/audit"), changes] {
        let text = page.to_string();
        assert!(
            !text.contains("Lovelace") && !text.contains("ada@example.org"),
            "{text}"
        );
        let actors = page["items"].as_array().expect("items").iter();
        let mut own = actors.filter(|entry| entry["actor"]["name"] == "ada");
        let actor = &own.next().expect("an entry of hers")["actor"];
        assert_eq!([&actor["email"], &actor["fullName"]], ["***", "***"]);
    }
}

#[test]
fn numbers_of_the_trail_and_of_changes_tell_nothing_of_other_tenants() {
    let server = AdminServer::start();
    let name = "Other".to_owned();
    let other = server
        .service
        .create_tenant(&server.operator, TenantContent { name });
    let other = server.tokio.block_on(other).expect("a tenant");
    let by = server.service.operator(&server.operator, &other.id);
    let by = by.expect("the operator");
    let [area, schema, dataset] = server.places(&city());
    let first = newest(&server)["number"].as_i64().expect("a number");
    let others = || {
        let name = json!({"name": format!("Area {}", server.service.store().catalog().version())});
        let new = serde_json::from_value(name).expect("an area");
        let made = server
            .tokio
            .block_on(server.service.areas().create(&by, "", new));
        made.expect("the operator may");
    };
    let (_, writer) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
    let records = |schema: &str, dataset: &str| {
        format!("POST /v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects")
    };
    let line = format!("/schemas/{schema}/datasets");
    let beside = server
        .make(&line, json!({"name": "beside"}))
        .text("dataSetId");
    let write = |dataset: &str, code: usize| {
        let body = json!({"Code": code.to_string()}).to_string();
        let by = [("Authorization", writer.as_str())];
        server
            .send(&records(&schema, dataset), &by, Some(&body))
            .is(201);
    };
    for code in 0..5 {
        others();
        write(&beside, code);
        write(&dataset, code);
        write(&beside, code + 100);
    }
    // a key and a dataset were made meanwhile, each one entry
    assert_eq!(newest(&server)["number"], first + 2);
    let (mut numbers, mut next) = (Vec::new(), String::new());
    loop {
        let page = server.get(&format!("/datasets/{dataset}/changes?pageSize=2{next}"));
        let items = page["items"].as_array().expect("a page").iter();
        numbers.extend(items.map(|item| item["number"].as_i64().expect("a number")));
        let Some(key) = page["nextPageKey"].as_str() else {
            break;
        };
        for wrong in [&key[..22], &key[22..], &format!("{key}x")] {
            let line = format!("GET /datasets/{dataset}/changes?pageKey={wrong}");
            server.root(&line, None).is(400);
        }
        next = format!("&pageKey={key}");
    }
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

#[test]
fn changes_of_records_are_told_to_who_may_view_the_records_too() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&city());
    let auditor = role(&server, "Auditor", &[("AUDIT", &["view"])]);
    let reader = role(&server, "Reader", &[("DATA OBJECTS", &["view"])]);
    let line = format!("GET /datasets/{dataset}/changes");
    let (_, key) = server.key("auditor", &[&auditor], &[&area]);
    let refused = server.ask(&key, &line, None).is(403);
    assert!(
        refused.body.contains("view DATA OBJECTS"),
        "{}",
        refused.body
    );
    server.ask(&key, "GET /audit", None).is(200);
    let (_, key) = server.key("both", &[&auditor, &reader], &[&area]);
    server.ask(&key, &line, None).is(200);
}
