//! What someone may not do is not offered by pages; what may not be seen at all is told in `pages_ways.rs`.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::rights::role;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The forms of a page, by the operations that they stand for, but signing out.
fn operations(body: &str) -> BTreeSet<&str> {
    let forms = body.split(r#"data-operation=""#).skip(1);
    let forms = forms.filter_map(|rest| rest.split('"').next());
    forms.filter(|own| *own != "signOut").collect()
}

#[test]
fn who_may_only_look_is_offered_no_form() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let _ = server.key("Reader", &[], &[&area]);
    let role = role(
        &server,
        "Looks",
        &[
            ("BUSINESS AREAS", &["view"]),
            ("SCHEMA MODELS", &["view"]),
            ("DATASETS", &["view"]),
            ("API KEYS", &["view"]),
        ],
    );
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let eve = Browser::of_user(&server, "eve", &role, &grants);
    let ada = Browser::signed_in(&server);
    let place = format!("/app/areas/{area}");
    // one area more, and one that was deleted
    let page = ada.get("/app/areas").is(200);
    ada.send(&page, "/app/areas", &[("name", "Past")]).is(303);
    let list = ada.get("/app/areas").is(200);
    let (before, _) = list.body.split_once(">Past<").expect("the area");
    let past = before.rsplit("href=\"").next().expect("a link");
    let past = past.trim_end_matches('"');
    ada.send(&list, &format!("{past}/delete"), &[]).is(303);
    for (path, all) in [
        ("/app/areas", vec!["createArea", "restoreArea"]),
        (
            &*place,
            vec![
                "createManagedDataset",
                "deleteArea",
                "deleteManagedDataset",
                "updateArea",
                "updateManagedDataset",
            ],
        ),
        (
            "/app/keys",
            vec![
                "createApiKey",
                "deleteApiKey",
                "disableApiKey",
                "rotateApiKey",
            ],
        ),
    ] {
        let page = ada.get(path).is(200);
        assert_eq!(operations(&page.body), all.into_iter().collect(), "{path}");
        let page = eve.get(path).is(200);
        assert_eq!(operations(&page.body), BTreeSet::new(), "{path}");
        assert!(!page.body.contains("<summary"), "{path}: {}", page.body);
    }
    assert!(eve.get("/app/areas").body.contains("Places"));
    let page = eve.get(&place);
    assert!(page.body.contains("Europe") && page.body.contains("not change it"));
    assert!(eve.get("/app/keys").body.contains("Reader"));
    // who may change and not delete
    let change = role_that_changes(&server);
    let grants = json!([{"area": area, "verbs": ["view", "edit"]}]);
    let joe = Browser::of_user(&server, "joe", &change, &grants);
    let page = joe.get(&place).is(200);
    let own = operations(&page.body);
    assert_eq!(own, ["updateArea", "updateManagedDataset"].into());
    let page = joe.get("/app/keys").is(200);
    assert_eq!(
        operations(&page.body),
        ["disableApiKey", "rotateApiKey"].into()
    );
}

fn role_that_changes(server: &AdminServer) -> String {
    let verbs: &[&str] = &["view", "edit"];
    role(
        server,
        "Changes",
        &[
            ("BUSINESS AREAS", verbs),
            ("SCHEMA MODELS", verbs),
            ("DATASETS", verbs),
            ("API KEYS", verbs),
            ("USERS", verbs),
        ],
    )
}

#[test]
fn a_form_of_what_one_may_not_make_is_no_page_and_says_which_right_is_missing() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let view: &[&str] = &["view"];
    let seen = [
        "BUSINESS AREAS",
        "SCHEMA MODELS",
        "DATASETS",
        "DATA OBJECTS",
        "DATA DOMAINS",
        "ROLES",
        "USERS",
        "API KEYS",
        "APPLICATION CLIENTS",
    ];
    let grants = json!([{"area": entry.area, "verbs": ["view"]}]);
    let role = role(&server, "Looks", &seen.map(|it| (it, view)));
    let eve = Browser::of_user(&server, "eve", &role, &grants);
    let ada = Browser::signed_in(&server);
    let allows = "You lack the right to";
    for (path, told) in [
        ("/app/roles/new".to_owned(), format!("{allows} add roles")),
        ("/app/users/new".to_owned(), format!("{allows} add users")),
        (
            "/app/clients/new".to_owned(),
            format!("{allows} add clients and webhooks"),
        ),
        (
            "/app/webhooks/new".to_owned(),
            format!("{allows} add clients and webhooks"),
        ),
        (
            "/app/domains/new".to_owned(),
            format!("{allows} add data domains"),
        ),
        (
            format!("/app/areas/{}/schemas/new", entry.area),
            format!("{allows} add schemas"),
        ),
        (
            format!("/app/areas/{}/schemas/new?from=hand", entry.area),
            format!("{allows} add schemas"),
        ),
        (
            format!("/app/schemas/{}/edit", entry.schema),
            format!("{allows} change schemas"),
        ),
        (
            format!("/app/datasets/{dataset}/new"),
            format!("{allows} add records"),
        ),
        (
            format!("/app/datasets/{dataset}/import"),
            format!("{allows} add records"),
        ),
        (
            format!("/app/datasets/{dataset}/mend"),
            format!("{allows} change records"),
        ),
    ] {
        let page = eve.get(&path).is(403);
        assert!(page.body.contains(&told), "{path}: {}", page.body);
        assert_eq!(operations(&page.body), BTreeSet::new(), "{path}");
        ada.get(&path).is(200);
    }
}

#[test]
fn what_is_missing_for_records_is_named_and_only_what_one_may_do_is_offered() {
    let server = AdminServer::start();
    let (dataset, ids) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let there = format!("/app/datasets/{dataset}");
    let all = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let only_view = json!([{"area": area, "verbs": ["view"]}]);
    let user = |name: &str, verbs: &[&str], grants: &Value| {
        let allowed = (!verbs.is_empty()).then_some(("DATA OBJECTS", verbs));
        let role = role(&server, name, allowed.as_slice());
        Browser::of_user(&server, name, &role, grants)
    };
    let nobody = user("nobody", &[], &all);
    for path in ["", "/export", "/import", "/mend", "/new", "/deleted"] {
        let page = nobody.get(&format!("{there}{path}")).is(403);
        let verb = if path == "/mend" { "change" } else { "see" };
        let told = format!("You lack the right to {verb} records. Ask an administrator");
        assert!(page.body.contains(&told), "{path}: {}", page.body);
        assert_eq!(operations(&page.body), BTreeSet::new(), "{path}");
    }
    // where a role allows it, the area must, too
    let outside = user("outside", &["view", "add", "edit"], &only_view);
    for (path, verb) in [("/new", "add"), ("/import", "add"), ("/mend", "change")] {
        let page = outside.get(&format!("{there}{path}")).is(403);
        let told = format!("You lack the right to {verb} anything in this area");
        assert!(page.body.contains(&told), "{path}: {}", page.body);
    }
    let nowhere = user("nowhere", &["view"], &json!([]));
    let page = nowhere.get(&there).is(403);
    assert!(page.body.contains("the right to see anything in this area"));
    for (name, verbs, offered, left) in [
        ("adds", vec!["view", "add"], "create", "update"),
        ("edits", vec!["view", "edit"], "update", "create"),
    ] {
        let browser = user(name, &verbs, &all);
        let page = browser.get(&format!("{there}/import")).is(200);
        for (mode, is) in [
            (offered, true),
            (left, false),
            ("upsert", false),
            ("replace", false),
        ] {
            let option = format!(r#"<option value="{mode}""#);
            assert_eq!(page.body.contains(&option), is, "{name}: {mode}");
        }
    }
    // a form that comes all the same is refused in the same words
    let home = outside.get("/app/").is(200);
    let fields = [("field", "People"), ("action", "set"), ("set-of", "Code")];
    let sent = outside.send(&home, &format!("{there}/mend"), &fields);
    let told = "You lack the right to change anything in this area";
    let sent = sent.is(403).body;
    assert!(sent.contains(told), "{sent}");
    // who may only look sees a record and has nothing to send
    let record = format!("{there}/records/{}", ids[1]);
    let page = outside.get(&record).is(200);
    assert_eq!(operations(&page.body), BTreeSet::new(), "{}", page.body);
    assert!(page.body.contains(">A2<") && !page.body.contains("<button name="));
    // a query takes the right to search
    let edits = user("mends", &["view", "edit"], &all);
    let path = format!("{there}/mend?q=is%3Afaulty");
    let refused = edits.get(&path).is(403).body;
    let told = "You lack the right to see search results";
    assert!(refused.contains(told), "{refused}");
    let whole = edits.get(&format!("{there}/mend")).is(200).body;
    assert!(whole.contains(r#"<output id="q">"#), "{whole}");
    let ada = Browser::signed_in(&server);
    assert!(ada.get(&path).is(200).body.contains(r#"value="is:faulty""#));
}

#[test]
fn who_may_only_look_at_a_user_a_client_or_a_webhook_has_nothing_to_send() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let client = server.make("/apps", json!({"name": "Shop"}));
    let hook = json!({"name": "Hook", "url": "https://example.org/x", "datasets": [dataset]});
    let hook = server.make("/webhooks", hook);
    let view: &[&str] = &["view"];
    let seen = [("USERS", view), ("APPLICATION CLIENTS", view)];
    let eve = Browser::of_user(&server, "eve", &role(&server, "Looks", &seen), &json!([]));
    let ada = Browser::signed_in(&server);
    for (path, name) in [
        (format!("/app/users/{}", server.ada), "Ada"),
        (format!("/app/clients/{}", client.text("clientId")), "Shop"),
        (format!("/app/webhooks/{}", hook.text("webhookId")), "Hook"),
    ] {
        let page = eve.get(&path).is(200);
        let has_it = page.body.contains(name) && page.body.contains("but not change it");
        assert!(has_it, "{path}: {}", page.body);
        assert_eq!(operations(&page.body), BTreeSet::new(), "{path}");
        let own = ada.get(&path).is(200);
        assert!(operations(&own.body).len() > 2 && !own.body.contains("but not change it"));
    }
}
