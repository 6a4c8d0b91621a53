//! The audit trail: every change of every noun has its entry, and nothing else has.

use crate::world::{PASSWORD, World, city};
use serde_json::{Value, json};

/// The newest entry.
fn newest(world: &World) -> Value {
    world.get("/audit?pageSize=1")["items"][0].clone()
}

/// Reads along in the trail: after each change there is one entry more, of the key `root`.
struct Reader<'w> {
    world: &'w World,
    number: i64,
}

impl<'w> Reader<'w> {
    fn new(world: &'w World) -> Self {
        let number = newest(world)["number"].as_i64().expect("a number");
        Reader { world, number }
    }

    /// Asserts what the newest entry says, and whether it has a before and an after.
    #[track_caller]
    fn reads(&mut self, said: [&str; 3], has: [bool; 2]) -> Value {
        let entry = newest(self.world);
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
    let world = World::start();
    let [area, schema, dataset] = world.places(&city());
    let mut trail = Reader::new(&world);
    let put = |path: &str, body: Value| world.root(&format!("PUT {path}"), Some(body)).is(200);
    put(&format!("/areas/{area}"), json!({"name": "Sites"}));
    let changed = trail.reads(["update", "area", &area], [true, true]);
    assert_eq!(changed["before"]["name"], "Places");
    assert_eq!(changed["after"]["name"], "Sites");
    put(&format!("/datasets/{dataset}"), json!({"name": "b"}));
    trail.reads(["update", "dataset", &dataset], [true, true]);
    put(&format!("/schemas/{schema}"), json!({"document": city()}));
    trail.reads(["update", "schema", &schema], [true, true]);
    for (noun, id) in [("dataset", &dataset), ("schema", &schema), ("area", &area)] {
        world.root(&format!("DELETE /{noun}s/{id}"), None).is(204);
        trail.reads(["delete", noun, id], [true, false]);
        let line = format!("POST /{noun}s/{id}/restore");
        world.root(&line, None).is(200);
        trail.reads(["restore", noun, id], [false, true]);
    }
    put("/tenant", json!({"name": "Acme 2"}));
    trail.reads(["update", "tenant", &world.tenant], [true, true]);
}

#[test]
fn what_is_made_has_its_entry_and_so_has_the_area_its_maker_gets() {
    let world = World::start();
    let mut trail = Reader::new(&world);
    let area = world.make("/areas", json!({"name": "Places"}));
    let area = area.text("businessAreaId");
    // who makes an area gets it, and that is a change of its own
    trail.number += 1;
    let made = trail.reads(["create", "area", &area], [false, true]);
    assert_eq!(made["after"]["name"], "Places");
    let granted = world.get("/audit?pageSize=2")["items"][1].clone();
    let said = [&granted["action"], &granted["noun"]];
    assert_eq!(said, ["update", "api_key"]);
    assert_eq!(granted["after"]["grants"][0]["area"], area.as_str());
    let document = json!({"document": city()});
    let schema = world.make(&format!("/areas/{area}/schemas"), document);
    let schema = schema.text("schemaId");
    let made = trail.reads(["create", "schema", &schema], [false, true]);
    assert_eq!(made["after"]["document"]["name"], "City");
    let dataset = world.make(&format!("/schemas/{schema}/datasets"), json!({"name": "a"}));
    let dataset = dataset.text("dataSetId");
    trail.reads(["create", "dataset", &dataset], [false, true]);
}

#[test]
fn every_change_of_a_caller_has_its_entry() {
    let world = World::start();
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
        let id = world.make(path, body.clone()).text(id_key);
        let own = format!("{path}/{id}");
        let mut expected = vec!["create"];
        world.root(&format!("PUT {own}"), Some(body)).is(200);
        expected.push(if noun == "user" {
            "change_password"
        } else {
            "update"
        });
        if !["domain", "role"].contains(&noun) {
            world.root(&format!("POST {own}/disable"), None).is(200);
            world.root(&format!("POST {own}/enable"), None).is(200);
            expected.extend(["update", "update"]);
        }
        if noun == "app" {
            world.root(&format!("POST {own}/secret"), None).is(200);
            expected.push("renew_secret");
        }
        world.root(&format!("DELETE {own}"), None).is(204);
        expected.push("delete");
        let trail = world.get("/audit?pageSize=20");
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
    let world = World::start();
    let before = newest(&world)["number"].clone();
    world.root("POST /areas", Some(json!({"name": ""}))).is(400);
    world.root("DELETE /areas/none", None).is(404);
    let body = json!({"username": "ada", "password": "wrong, but long enough"}).to_string();
    world
        .send("POST /admin/api/v1/sessions", &[], Some(&body))
        .is(401);
    assert_eq!(newest(&world)["number"], before);
    let body = json!({"username": "ada", "password": PASSWORD, "token": true}).to_string();
    let token = world
        .send("POST /admin/api/v1/sessions", &[], Some(&body))
        .is(200)
        .text("token");
    assert_eq!(
        (
            newest(&world)["action"].clone(),
            newest(&world)["actor"]["name"].clone()
        ),
        (json!("sign_in"), json!("ada"))
    );
    world.ask(&token, "DELETE /session", None).is(204);
    assert_eq!(newest(&world)["action"], "sign_out");
    let token = world
        .send("POST /admin/api/v1/sessions", &[], Some(&body))
        .is(200)
        .text("token");
    let change = json!({"password": PASSWORD, "newPassword": "ada's next password"});
    world
        .ask(&token, "PUT /session/password", Some(change))
        .is(204);
    let entry = newest(&world);
    assert_eq!(entry["action"], "change_password");
    assert_eq!(entry["id"], world.ada.as_str());
    assert!(!entry.to_string().contains("argon2"), "{entry}");
}

#[test]
fn the_trail_is_paged_newest_first_and_needs_its_permission() {
    let world = World::start();
    for number in 0..5 {
        world.make("/areas", json!({"name": format!("Area {number}")}));
    }
    let (mut numbers, mut next) = (Vec::new(), String::new());
    loop {
        let page = world.get(&format!("/audit?pageSize=2{next}"));
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
    let (_, member) = world.key("member", &[&world.role("MEMBER")], &[]);
    world.ask(&member, "GET /audit", None).is(403);
}
