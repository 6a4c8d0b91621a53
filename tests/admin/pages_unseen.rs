//! What someone has and its visitor does not see is told in words: roles, areas and datasets.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::rights::role;
use serde_json::{Value, json};

#[test]
fn roles_areas_and_datasets_that_one_does_not_see_are_counted_in_words() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let member = server.role("MEMBER");
    let spare = server.make("/roles", json!({"name": "Spare", "permissions": []}));
    let spare = spare.text("roleId");
    let (key, _) = server.key("Reader", &[&member, &spare], &[&area]);
    let hook = json!({"name": "Hook", "url": "https://example.org/x", "datasets": [dataset]});
    let hook = server.make("/webhooks", hook).text("webhookId");
    let sees = |name: &str, resources: &[&str]| {
        let verbs: &[&str] = &["view", "edit"];
        let allowed: Vec<_> = resources.iter().map(|it| (*it, verbs)).collect();
        let role = role(&server, name, &allowed);
        Browser::of_user(&server, name, &role, &json!([]))
    };
    let eve = sees("eve", &["API KEYS", "USERS", "APPLICATION CLIENTS"]);
    for (path, roles) in [
        ("/app/keys".to_owned(), "2 roles that you do not see"),
        (format!("/app/keys/{key}"), "2 roles that you do not see"),
        ("/app/users".to_owned(), "a role that you do not see"),
    ] {
        let page = eve.get(&path).is(200);
        for told in [roles, "an area that you do not see"] {
            assert!(page.body.contains(told), "{path}: {told}: {}", page.body);
        }
        for mark in [">…<", "…, ", ", …"] {
            assert!(!page.body.contains(mark), "{path}: {}", page.body);
        }
    }
    let page = eve.get(&format!("/app/webhooks/{hook}")).is(200);
    assert!(page.body.contains("a dataset that you do not see"));
    assert!(!page.body.contains(&dataset), "{}", page.body);
    // what is seen has its name beside
    let joe = sees("joe", &["API KEYS", "ROLES"]);
    let page = joe.get("/app/keys").is(200);
    assert!(page.body.contains("Spare") && !page.body.contains("roles that you do not see"));
    let german = eve.in_german();
    let page = german.get(&format!("/app/keys/{key}")).is(200);
    assert!(page.body.contains("2 Rollen, die Sie nicht sehen"));
}

#[test]
fn datasets_that_one_does_not_see_have_no_ids_on_a_webhooks_page_and_stay_when_it_is_changed() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let made = format!("/schemas/{}/datasets", entry.schema);
    let gone = server
        .make(&made, json!({"name": "Gone"}))
        .text("dataSetId");
    let url = "https://example.org/x";
    let hook = json!({"name": "Hook", "url": url, "datasets": [dataset, gone]});
    let hook = server.make("/webhooks", hook).text("webhookId");
    let path = format!("/app/webhooks/{hook}");
    let datasets = || server.get(&format!("/webhooks/{hook}"))["datasets"].clone();
    let view: &[&str] = &["view"];
    let grants = json!([{"area": entry.area, "verbs": ["view"]}]);
    let looks = role(&server, "Looks", &[("APPLICATION CLIENTS", view)]);
    let looks = Browser::of_user(&server, "looks", &looks, &grants);
    // who may view the records changes it without seeing which datasets there are
    let clients: &[&str] = &["view", "edit"];
    let changes = [("APPLICATION CLIENTS", clients), ("DATA OBJECTS", view)];
    let changes = role(&server, "Changes", &changes);
    let changes = Browser::of_user(&server, "changes", &changes, &grants);
    // who may change webhooks, and not view what this one sends, is shown no form that is refused
    let bare = role(&server, "Bare", &[("APPLICATION CLIENTS", clients)]);
    let bare = Browser::of_user(&server, "bare", &bare, &grants);
    for (browser, sends) in [(&looks, false), (&changes, true), (&bare, false)] {
        let page = browser.get(&path).is(200);
        assert!(page.body.contains("2 datasets that you do not see"));
        assert_eq!(
            page.body.contains(r#"data-operation="updateWebhook""#),
            sends
        );
        for id in [&dataset, &gone] {
            assert!(!page.body.contains(id.as_str()), "{}", page.body);
        }
    }
    let page = changes.get(&path).is(200);
    let sent = |name: &str, url: &str| {
        let fields = [("name", name), ("url", url), ("active", "true")];
        changes.send(&page, &path, &fields)
    };
    let refused = sent("Hook", "no address").is(400);
    assert!(refused.body.contains("2 datasets that you do not see"));
    assert!(!refused.body.contains(&dataset), "{}", refused.body);
    sent("Renamed", url).is(303);
    assert_eq!(datasets(), json!([dataset, gone]));
    // one that was deleted stays, too, whoever saves what is ticked
    server
        .root(&format!("DELETE /datasets/{gone}"), None)
        .is(204);
    sent("Renamed again", url).is(303);
    let ada = Browser::signed_in(&server);
    let page = ada.get(&path).is(200);
    let fields = [("name", "Hook"), ("url", url), ("dataset", &*dataset)];
    ada.send(&page, &path, &fields).is(303);
    assert_eq!(datasets(), json!([dataset, gone]));
    // and what one sees and does not tick goes
    let other = server
        .make(&made, json!({"name": "Other"}))
        .text("dataSetId");
    let fields = [("name", "Hook"), ("url", url), ("dataset", &*other)];
    ada.send(&page, &path, &fields).is(303);
    assert_eq!(datasets(), json!([other, gone]));
}

/// What is filled in.
type Filled = [(&'static str, &'static str)];

/// What has roles and areas: where management makes it, what its id is called, its page, what is filled in there, and what is
/// refused.
const HOLDERS: [(&str, &str, &str, &Filled, &Filled); 3] = [
    (
        "/users",
        "userId",
        "/app/users",
        &[
            ("username", "bob"),
            ("full-name", "Bob"),
            ("email", "bob@example.com"),
        ],
        &[("email", "nowhere")],
    ),
    (
        "/apps",
        "clientId",
        "/app/clients",
        &[("name", "Warehouse"), ("token-seconds", "60")],
        &[("token-seconds", "soon")],
    ),
    (
        "/api-keys",
        "apiKeyId",
        "/app/keys",
        &[("name", "Writer")],
        &[("name", "")],
    ),
];

/// A body that makes one of them.
fn holder(path: &str, roles: &Value, grants: &Value) -> Value {
    if path == "/users" {
        return json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
            "password": "eight small foxes", "roles": roles, "grants": grants});
    }
    json!({"name": "Reader", "roles": roles, "grants": grants})
}

#[test]
fn roles_and_areas_that_one_does_not_see_have_no_ids_in_forms_and_stay_when_these_are_sent() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let spare = server.make("/roles", json!({"name": "Spare", "permissions": []}));
    let spare = spare.text("roleId");
    let (roles, grants) = (json!([spare]), json!([{"area": area, "verbs": ["view"]}]));
    let verbs: &[&str] = &["view", "edit"];
    let own = ["USERS", "APPLICATION CLIENTS", "API KEYS"].map(|it| (it, verbs));
    let eve = role(&server, "Changes", &own);
    let eve = Browser::of_user(&server, "eve", &eve, &grants);
    let sees = [&own[..], &[("ROLES", verbs)][..]].concat();
    let joe = role(&server, "Sees roles", &sees);
    let joe = Browser::of_user(&server, "joe", &joe, &grants);
    for (line, id, path, fields, wrong) in HOLDERS {
        let id = server.make(line, holder(line, &roles, &grants)).text(id);
        let (line, path) = (format!("{line}/{id}"), format!("{path}/{id}"));
        let page = eve.get(&path).is(200);
        let refused = eve.send(&page, &path, &[wrong, fields].concat()).is(400);
        for page in [&page, &refused] {
            for told in ["a role that you do not see", "an area that you do not see"] {
                assert!(page.body.contains(told), "{path}: {told}: {}", page.body);
            }
            for id in [&spare, &area] {
                assert!(!page.body.contains(id.as_str()), "{path}: {}", page.body);
            }
        }
        let stored = || {
            let stored = server.get(&line);
            [stored["roles"].clone(), stored["grants"].clone()]
        };
        eve.send(&page, &path, fields).is(303);
        assert_eq!(stored(), [roles.clone(), grants.clone()], "{path}");
        // and what one sees and does not tick goes
        let page = joe.get(&path).is(200);
        joe.send(&page, &path, fields).is(303);
        assert_eq!(stored(), [json!([]), grants.clone()], "{path}");
    }
}
