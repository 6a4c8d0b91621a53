//! The audit trail: every change of every noun has its entry, and nothing else has.

use crate::world::{PASSWORD, World, city};
use serde_json::{Value, json};

/// The newest entry.
fn newest(world: &World) -> Value {
    world.get("/audit?pageSize=1")["items"][0].clone()
}

#[test]
fn every_change_has_its_entry_with_who_what_before_and_after() {
    let world = World::start();
    let mut count = world.get("/audit?pageSize=1")["items"][0]["number"]
        .as_i64()
        .unwrap();
    let mut check = |action: &str, noun: &str, id: &str, has: [bool; 2]| {
        let entry = newest(&world);
        // who makes an area gets it, and that is a change of its own
        count += if (action, noun) == ("create", "area") {
            2
        } else {
            1
        };
        assert_eq!(
            entry["number"].as_i64(),
            Some(count),
            "one entry for each change: {entry}"
        );
        assert_eq!(
            [&entry["action"], &entry["noun"], &entry["id"]],
            [action, noun, id],
            "{entry}"
        );
        assert_eq!(
            [!entry["before"].is_null(), !entry["after"].is_null()],
            has,
            "{entry}"
        );
        assert_eq!(entry["actor"]["name"], "root");
        assert!(entry["at"].as_str().is_some_and(|at| at.ends_with('Z')));
        entry
    };
    let area = world
        .make("/areas", json!({"name": "Places"}))
        .text("businessAreaId");
    let made = check("create", "area", &area, [false, true]);
    assert_eq!(made["after"]["name"], "Places");
    let granted = world.get("/audit?pageSize=2")["items"][1].clone();
    assert_eq!(
        [&granted["action"], &granted["noun"]],
        ["update", "api_key"]
    );
    assert_eq!(granted["after"]["grants"][0]["area"], area.as_str());
    world
        .root(
            &format!("PUT /areas/{area}"),
            Some(json!({"name": "Sites"})),
        )
        .is(200);
    let changed = check("update", "area", &area, [true, true]);
    assert_eq!(
        (&changed["before"]["name"], &changed["after"]["name"]),
        (&json!("Places"), &json!("Sites"))
    );
    let schema = world
        .make(
            &format!("/areas/{area}/schemas"),
            json!({"document": city()}),
        )
        .text("schemaId");
    check("create", "schema", &schema, [false, true]);
    let dataset = world
        .make(&format!("/schemas/{schema}/datasets"), json!({"name": "a"}))
        .text("dataSetId");
    check("create", "dataset", &dataset, [false, true]);
    world
        .root(
            &format!("PUT /datasets/{dataset}"),
            Some(json!({"name": "b"})),
        )
        .is(200);
    check("update", "dataset", &dataset, [true, true]);
    world
        .root(
            &format!("PUT /schemas/{schema}"),
            Some(json!({"document": city()})),
        )
        .is(200);
    check("update", "schema", &schema, [true, true]);
    for (noun, path) in [
        ("dataset", format!("/datasets/{dataset}")),
        ("schema", format!("/schemas/{schema}")),
        ("area", format!("/areas/{area}")),
    ] {
        let id = path.rsplit('/').next().unwrap();
        world.root(&format!("DELETE {path}"), None).is(204);
        check("delete", noun, id, [true, false]);
        world.root(&format!("POST {path}/restore"), None).is(200);
        check("restore", noun, id, [false, true]);
    }
    world
        .root("PUT /tenant", Some(json!({"name": "Acme 2"})))
        .is(200);
    check("update", "tenant", &world.tenant, [true, true]);
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
        ("app", "/apps", "clientId", json!({"name": "n"})),
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
