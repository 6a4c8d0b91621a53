//! Webhooks in management: who may make them, what is shown, and what became of letters that did not arrive. How they are
//! sent, the suite of clients shows. runtime/docs/webhooks.md.

use crate::admin_server::{AdminServer, city};
use crate::rights::role;
use runtime::service::Settings;
use runtime::store::catalog::Webhook;
use runtime::store::deliveries::{DeadLetter, Delivery};
use runtime::value::Timestamp;
use serde_json::{Value, json};

fn hook(name: &str, dataset: &str) -> Value {
    json!({"name": name, "url": "https://example.org/hook", "datasets": [dataset]})
}

#[test]
fn a_secret_is_shown_by_the_answer_that_makes_it_and_nowhere_else() {
    let server = AdminServer::start();
    let [_, _, dataset] = server.places(&city());
    let made = server.make("/webhooks", hook("Warehouse", &dataset));
    let (id, secret) = (made.text("webhookId"), made.text("secret"));
    assert!(
        secret.starts_with("whsec_") && secret.len() == 50,
        "{secret}"
    );
    let line = format!("POST /webhooks/{id}/secret");
    let renewed = server.root(&line, None).is(200).text("secret");
    assert_ne!(renewed, secret);
    let shown = [
        server.get("/webhooks").to_string(),
        server.get(&format!("/webhooks/{id}")).to_string(),
        server.get("/audit").to_string(),
    ];
    for text in shown {
        assert!(!text.contains("whsec_"), "{text}");
    }
    let mut other = hook("Warehouse", &dataset);
    other["url"] = json!("https://example.org:8080/other?a=b");
    let changed = server.root(&format!("PUT /webhooks/{id}"), Some(other.clone()));
    assert_eq!(changed.is(200).json()["url"], other["url"]);
    for (verb, active) in [("disable", false), ("enable", true)] {
        let line = format!("POST /webhooks/{id}/{verb}");
        assert_eq!(server.root(&line, None).is(200).json()["active"], active);
    }
    server.root(&format!("DELETE /webhooks/{id}"), None).is(204);
    server.root(&format!("GET /webhooks/{id}"), None).is(404);
}

#[test]
fn records_travel_in_the_clear_to_this_machine_alone_unless_that_is_allowed() {
    for (plain_webhooks, status) in [(false, 400), (true, 201)] {
        let server = AdminServer::with_settings(Settings {
            plain_webhooks,
            ..Settings::default()
        });
        let [_, _, dataset] = server.places(&city());
        let to = |name: &str, url: &str| {
            let mut hook = hook(name, &dataset);
            hook["url"] = json!(url);
            hook
        };
        let far = to("Far", "http://example.org/hook");
        let answer = server.root("POST /webhooks", Some(far)).is(status);
        assert_eq!(answer.body.contains("--allow-plain-links"), status == 400);
        for (name, url) in [
            ("a", "http://localhost:1/hook"),
            ("b", "http://127.0.0.1:1/hook"),
            ("c", "http://[::1]:1/hook"),
        ] {
            server.make("/webhooks", to(name, url));
        }
        let id = server
            .make("/webhooks", to("d", "https://example.org"))
            .text("webhookId");
        let status = if plain_webhooks { 200 } else { 400 };
        let changed = to("d", "http://10.0.0.1/hook");
        server
            .root(&format!("PUT /webhooks/{id}"), Some(changed))
            .is(status);
    }
}

#[test]
fn what_is_no_address_or_no_dataset_is_told() {
    let server = AdminServer::start();
    let [_, _, dataset] = server.places(&city());
    for url in [
        "",
        "example.org",
        "ftp://example.org",
        "https://a:b@example.org",
        "https://example.org/#x",
        "file:///etc",
        "https://example.org/a\nb",
        "https://example.org/ ",
    ] {
        let mut new = hook("One", &dataset);
        new["url"] = json!(url);
        let answer = server.root("POST /webhooks", Some(new)).is(400);
        assert_eq!(answer.problems(), ["$.url"], "{url}");
    }
    let mut none = hook("One", &dataset);
    none["datasets"] = json!([]);
    let answer = server.root("POST /webhooks", Some(none)).is(400);
    assert_eq!(answer.problems(), ["$.datasets"]);
    server
        .root("POST /webhooks", Some(hook("One", "none")))
        .is(404);
    server.make("/webhooks", hook("One", &dataset));
    server
        .root("POST /webhooks", Some(hook("One", &dataset)))
        .is(409);
}

#[test]
fn one_is_made_by_who_manages_clients_and_may_view_what_is_sent() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&city());
    let role = |name: &str, resources: &[&str]| {
        let verbs: &[&str] = &["view", "add", "edit", "delete"];
        let allowed: Vec<_> = resources.iter().map(|it| (*it, verbs)).collect();
        role(&server, name, &allowed)
    };
    let both = role("both", &["APPLICATION CLIENTS", "DATA OBJECTS"]);
    let clients = role("clients", &["APPLICATION CLIENTS"]);
    let records = role("records", &["DATA OBJECTS"]);
    let make = |name: &str, role: &str, areas: &[&str]| {
        let (_, key) = server.key(name, &[role], areas);
        let made = server.ask(&key, "POST /webhooks", Some(hook(name, &dataset)));
        made.status
    };
    assert_eq!(make("may", &both, &[&area]), 201);
    assert_eq!(make("sees nothing", &clients, &[&area]), 403);
    assert_eq!(make("manages nothing", &records, &[&area]), 403);
    assert_eq!(make("is elsewhere", &both, &[]), 403);
    // who may not view what one sends does not change it either
    let (_, key) = server.key("other", &[&both], &[]);
    let made = server.make("/webhooks", hook("theirs", &dataset));
    let made = made.text("webhookId");
    for line in [
        "POST /webhooks/…/secret",
        "POST /webhooks/…/disable",
        "DELETE /webhooks/…",
    ] {
        server.ask(&key, &line.replace('…', &made), None).is(403);
    }
}

#[test]
fn a_dataset_that_is_gone_stays_in_a_webhook_that_is_changed_and_gets_into_none() {
    let server = AdminServer::start();
    let [_, schema, dataset] = server.places(&city());
    let made = format!("/schemas/{schema}/datasets");
    let gone = server
        .make(&made, json!({"name": "Gone"}))
        .text("dataSetId");
    let mut both = hook("Both", &dataset);
    both["datasets"] = json!([dataset, gone]);
    let path = format!(
        "/webhooks/{}",
        server.make("/webhooks", both.clone()).text("webhookId")
    );
    let one = server
        .make("/webhooks", hook("One", &dataset))
        .text("webhookId");
    server
        .root(&format!("DELETE /datasets/{gone}"), None)
        .is(204);
    both["description"] = json!("as it was read");
    let put = |path: &str, body: &Value| server.root(&format!("PUT {path}"), Some(body.clone()));
    let changed = put(&path, &both).is(200).json();
    assert_eq!(changed["datasets"], both["datasets"]);
    let mut more = both.clone();
    more["name"] = json!("One");
    put(&format!("/webhooks/{one}"), &more).is(404);
    server
        .root(
            "POST /webhooks",
            Some(json!({"name": "New", "url": both["url"], "datasets": [gone]})),
        )
        .is(404);
}

#[test]
fn a_webhook_that_was_stored_before_datasets_had_their_own_begin_is_read() {
    let server = AdminServer::start();
    let [_, schema, dataset] = server.places(&city());
    let mut both = hook("Both", &dataset);
    let id = server.make("/webhooks", both.clone()).text("webhookId");
    let stored = || server.service.store().catalog().webhooks[&id].clone();
    let document = |hook: &Webhook| serde_json::to_value(hook).expect("JSON");
    let before = document(&stored());
    assert_eq!(before.get("added_behind"), None);
    let read: Webhook = serde_json::from_value(before).expect("a webhook");
    assert_eq!(read.begins_behind(&dataset), read.begins_behind);
    let path = format!("/schemas/{schema}/datasets");
    let more = server.make(&path, json!({"name": "More"}));
    let more = more.text("dataSetId");
    both["datasets"] = json!([dataset, more]);
    let line = format!("PUT /webhooks/{id}");
    server.root(&line, Some(both)).is(200);
    let after = document(&stored());
    assert_eq!(after["added_behind"], json!({ more: read.begins_behind }));
}

/// One change that was put aside.
fn letter(dataset: u32, after: u64) -> DeadLetter {
    DeadLetter {
        dataset,
        after,
        last: after + 1,
        changes: 1,
        at: Timestamp::from_millis(0),
        error: "it answered 500".to_owned(),
    }
}

#[test]
fn letters_that_were_put_aside_are_listed_and_sent_once_more() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    let mut off = hook("Warehouse", &dataset);
    off["active"] = json!(false);
    let id = server.make("/webhooks", off.clone()).text("webhookId");
    let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[&area]);
    let records =
        format!("POST /v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let by = [("Authorization", key.as_str())];
    server.send(&records, &by, Some(r#"{"Code": "A"}"#)).is(201);
    let number = server.service.store().catalog().datasets[&dataset].number;
    let head = server.tokio.block_on(server.service.store().log_head());
    let head = head.expect("a number");
    // one whose change is there, and one whose change is not
    for after in [head - 1, head + 7] {
        let delivery = Delivery::default();
        server.note_delivery(&id, delivery, Some(letter(number, after)));
    }
    let path = format!("/webhooks/{id}/dead-letters");
    let page = server.get(&format!("{path}?pageSize=1"));
    let told = &page["items"][0];
    assert_eq!(
        (&told["dataset"], &told["changes"]),
        (&json!(dataset), &json!(1))
    );
    assert_eq!(told["error"], "it answered 500");
    let next = page["nextPageKey"].as_str().expect("one more");
    let rest = server.get(&format!("{path}?pageSize=1&pageKey={next}"));
    let numbers = [&told["number"], &rest["items"][0]["number"]].map(Value::to_string);
    let resend = |number: &str| {
        let line = format!("POST {path}/{number}/resend");
        server.root(&line, None).status
    };
    let both = || [resend(&numbers[0]), resend(&numbers[1])];
    assert_eq!(both(), [409, 409], "nobody is home");
    off["url"] = json!("https://example.org/arrives");
    server
        .root(&format!("PUT /webhooks/{id}"), Some(off))
        .is(200);
    assert_eq!(both(), [204, 409]);
    assert_eq!([resend(&numbers[0]), resend("0"), resend("x")], [404; 3]);
    // the trail tells of the one that arrived, and of no try
    let trail = server.get("/audit?action=resend");
    let told = trail["items"].as_array().expect("entries");
    assert_eq!(told.len(), 1, "{trail}");
    assert_eq!(told[0]["id"], id.as_str(), "{trail}");
    let before = &told[0]["before"];
    assert_eq!(before["number"].to_string(), numbers[0], "{trail}");
    assert_eq!(before["dataset"], dataset.as_str(), "{trail}");
    let left = server.get(&path);
    assert_eq!(left["items"].as_array().map(Vec::len), Some(1));
    let delivery = server.get(&format!("/webhooks/{id}/delivery"));
    assert_eq!(
        (&delivery["tries"], &delivery["failingSince"]),
        (&json!(0), &json!(null))
    );
}

#[test]
fn a_letter_whose_dataset_is_not_sent_any_more_says_so_and_is_discarded() {
    let server = AdminServer::start();
    let [_, schema, dataset] = server.places(&city());
    let made = format!("/schemas/{schema}/datasets");
    let other = server.make(&made, json!({"name": "Other"}));
    let other = other.text("dataSetId");
    let mut off = hook("Warehouse", &dataset);
    off["active"] = json!(false);
    let id = server.make("/webhooks", off.clone()).text("webhookId");
    let number = server.service.store().catalog().datasets[&dataset].number;
    // the second one is of changes that went by their age
    for changes in [1, 0] {
        let dead = DeadLetter {
            changes,
            ..letter(number, 0)
        };
        server.note_delivery(&id, Delivery::default(), Some(dead));
    }
    let path = format!("/webhooks/{id}/dead-letters");
    let listed = || server.get(&path)["items"].clone();
    let numbers = [0_usize, 1].map(|at| listed()[at]["number"].to_string());
    let resend = || {
        let line = format!("POST {path}/{}/resend", numbers[0]);
        server.root(&line, None).is(409).body
    };
    server
        .root(&format!("DELETE /datasets/{dataset}"), None)
        .is(204);
    assert!(resend().contains("is deleted; restore it"), "{}", resend());
    server
        .root(&format!("POST /datasets/{dataset}/restore"), None)
        .is(200);
    off["datasets"] = json!([other]);
    server
        .root(&format!("PUT /webhooks/{id}"), Some(off))
        .is(200);
    let told = resend();
    assert!(told.contains("not one of the webhook any more"), "{told}");
    let discard = |number: &str| server.root(&format!("DELETE {path}/{number}"), None).status;
    assert_eq!([&*numbers[0], &*numbers[1]].map(discard), [204; 2]);
    assert_eq!(listed(), json!([]));
    assert_eq!([&*numbers[0], "0", "x"].map(discard), [404; 3]);
    // the trail tells of each once, and who did it
    let trail = server.get("/audit?action=discard&noun=webhook");
    let told = trail["items"].as_array().expect("entries").iter();
    let told = told.map(|entry| {
        assert!(entry["actor"]["id"].is_string(), "{entry}");
        assert_eq!(entry["id"], id.as_str(), "{entry}");
        entry["before"]["number"].to_string()
    });
    let told: Vec<_> = told.collect();
    assert_eq!(told, [numbers[1].clone(), numbers[0].clone()]);
    // who may not change the webhook discards nothing of it
    let sees: &[&str] = &["view"];
    let role = role(&server, "sees", &[("APPLICATION CLIENTS", sees)]);
    let (_, key) = server.key("sees", &[&role], &[]);
    server
        .ask(&key, &format!("DELETE {path}/{}", numbers[0]), None)
        .is(403);
}

#[test]
fn a_webhook_that_is_deleted_leaves_nothing_of_its_deliveries_though_it_was_switched_off() {
    let server = AdminServer::start();
    let [_, _, dataset] = server.places(&city());
    let id = server
        .make("/webhooks", hook("Warehouse", &dataset))
        .text("webhookId");
    server
        .root(&format!("POST /webhooks/{id}/disable"), None)
        .is(200);
    let dead = DeadLetter {
        dataset: 1,
        after: 0,
        last: 1,
        changes: 1,
        at: Timestamp::from_millis(0),
        error: "nobody is home".to_owned(),
    };
    server.note_delivery(&id, Delivery::default(), Some(dead));
    server.root(&format!("DELETE /webhooks/{id}"), None).is(204);
    let delivery = server.tokio.block_on(server.deliveries.delivery(&id));
    assert!(delivery.expect("read").is_none());
    let letters = server
        .tokio
        .block_on(server.deliveries.dead_letters(&id, 0, 10));
    assert!(letters.expect("read").is_empty());
}

#[test]
fn values_of_an_address_are_shown_to_who_may_change_it_and_to_nobody_else() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&city());
    let mut secret = hook("Warehouse", &dataset);
    secret["url"] = json!("https://example.org/hook?token=hunter2&kind=city&hunter3");
    let id = server.make("/webhooks", secret.clone()).text("webhookId");
    let apps = |name: &str, verbs: &[&str]| {
        let view: &[&str] = &["view"];
        let others = ["DATA OBJECTS", "AUDIT"].map(|it| (it, view));
        let allowed = [&[("APPLICATION CLIENTS", verbs)], &others[..]].concat();
        let role = role(&server, name, &allowed);
        (role, format!("{name} key"))
    };
    let (sees, changes) = (apps("Sees", &["view"]), apps("Changes", &["view", "edit"]));
    let (_, seer) = server.key(&sees.1, &[&sees.0], &[&area]);
    let (_, stranger) = server.key("stranger", &[&changes.0], &[]);
    let (_, changer) = server.key(&changes.1, &[&changes.0], &[&area]);
    let shown = |by: &str| {
        let one = server.ask(by, &format!("GET /webhooks/{id}"), None).is(200);
        let all = server.ask(by, "GET /webhooks", None).is(200).json();
        assert_eq!(all["items"][0]["url"], one.json()["url"]);
        one.json()["url"].clone()
    };
    assert_eq!(shown(&changer), secret["url"]);
    let masked = "https://example.org/hook?token=…&kind=…&…";
    assert_eq!(shown(&seer), masked);
    assert_eq!(shown(&stranger), masked, "who may not view its datasets");
    let trail = server.get("/audit").to_string();
    assert!(!trail.contains("hunter"), "{trail}");
}
