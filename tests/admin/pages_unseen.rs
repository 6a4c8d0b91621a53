//! What someone has and its visitor does not see is told in words: roles, areas and datasets.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
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
        let permissions = resources.iter();
        let permissions: Vec<Value> = permissions
            .map(|it| json!({"resource": it, "verbs": ["view", "edit"]}))
            .collect();
        let body = json!({"name": name, "permissions": permissions});
        let role = server.make("/roles", body).text("roleId");
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
    // what is seen has its name beside
    let joe = sees("joe", &["API KEYS", "ROLES"]);
    let page = joe.get("/app/keys").is(200);
    assert!(page.body.contains("Spare") && !page.body.contains("roles that you do not see"));
    let german = Browser {
        language: "de",
        ..eve
    };
    let page = german.get(&format!("/app/keys/{key}")).is(200);
    assert!(page.body.contains("2 Rollen, die Sie nicht sehen"));
}
