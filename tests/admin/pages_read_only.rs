//! A record's page for who may only look: all that the record holds, and nothing to fill in.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada, written};
use crate::hostile::{hostile_places, is_text};
use crate::requests::Answer;
use crate::rights::role;
use serde_json::{Value, json};

/// Whoever may look at the records of an area and do nothing else.
pub(crate) fn reader<'s>(server: &'s AdminServer, area: &str) -> Browser<'s> {
    let role = role(server, "Looks", &[("DATA OBJECTS", &["view"])]);
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    Browser::of_user(server, "reader", &role, &grants)
}

/// What stands between the bars of a page, in which there is nothing to fill in, to choose and to press.
#[track_caller]
pub(crate) fn without_form(page: &Answer) -> &str {
    let (_, main) = page.body.split_once("<main").expect("a page");
    let (main, _) = main.split_once("</main>").expect("its end");
    for element in [
        "<form",
        "<fieldset",
        "<input",
        "<select",
        "<textarea",
        "<button",
        "<output",
    ] {
        assert!(!main.contains(element), "{element}: {main}");
    }
    main
}

/// What is told of a field.
#[track_caller]
fn told<'p>(main: &'p str, label: &str) -> &'p str {
    let (_, rest) = main.split_once(&format!("<dt>{label}")).expect(label);
    rest.split("</dd>").next().expect("its end")
}

fn of_all_kinds() -> Value {
    let mut tags = field("f-tags", "Tags", "string", false);
    tags["isMultivalue"] = true.into();
    let mut country = field("f-country", "Country", "picklist", false);
    country["picklistType"] = "static".into();
    country["staticPicklist"] = json!([{"code": "DE", "description": "Germany"}]);
    let mut mayor = field("f-mayor", "Mayor", "string", false);
    mayor["isPII"] = true.into();
    mayor["description"] = "Who governs it".into();
    json!({"name": "City", "fields": [
        field("f-code", "Code", "string", true),
        field("f-people", "People", "integer", false),
        tags,
        country,
        field("f-capital", "Capital", "boolean", false),
        field("f-note", "Note", "string", false),
        field("f-rest", "Rest", "string", false),
        mayor,
    ]})
}

#[test]
fn who_may_only_look_at_a_record_reads_all_of_it_and_finds_nothing_to_fill_in() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&of_all_kinds());
    give_ada(&server, &area);
    let record = json!({"Code": "A1", "People": "many", "Tags": ["old", "new"], "Country": "DE", "Capital": true,
        "Note": "first\nsecond", "Mayor": "zyxwomarker"});
    let id = written(&server, &dataset, &[record]).remove(0);
    let eve = reader(&server, &area);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = eve.get(&path).is(200);
    let main = without_form(&page);
    assert!(!page.body.contains("zyxwomarker"), "{main}");
    for (label, shown) in [
        ("Code", r#"<span class="mark">key</span>"#),
        ("Code", r#"<p class="spaces">A1</p>"#),
        ("People", r#"<p class="spaces">many</p>"#),
        ("People", r#"<p class="why">"#),
        (
            "Tags",
            r#"<ul><li class="spaces">old</li><li class="spaces">new</li></ul>"#,
        ),
        ("Country", r#"<p class="spaces">DE · Germany</p>"#),
        ("Capital", r#"<p class="spaces">yes</p>"#),
        ("Note", "first\nsecond"),
        ("Rest", r#"<p class="muted">no value</p>"#),
        ("Mayor", "***"),
        ("Mayor", "the right to see personal data"),
        ("Mayor", "Who governs it"),
    ] {
        let told = told(main, label);
        assert!(told.contains(shown), "{label}: {shown}: {told}");
    }
    assert_eq!(main.matches(r#"class="why""#).count(), 1, "{main}");
    // what is to be done of the fault, and by whom
    let whom = "ask someone who may change records of the area <b>Places</b>.";
    assert!(main.contains(whom), "{main}");
    // below all fields it is seen what a mask stands for, and beside each it is heard
    let hint = "Personal data: to see it";
    let heard = format!(r#"<span class="sr">{hint}"#);
    assert!(told(main, "Mayor").contains(&heard), "{main}");
    assert_eq!(main.matches(&format!(">{hint}")).count(), 2, "{main}");
    let german = eve.in_german();
    let page = german.get(&path).is(200);
    assert!(told(without_form(&page), "Rest").contains("kein Wert"));
    // who may change it has its form
    let own = Browser::signed_in(&server).get(&path).is(200);
    assert!(
        own.body.contains(r#"name="v-f-people""#) && !own.body.contains("<dl class=\"record\"")
    );
}

#[test]
fn hostile_values_are_text_for_who_may_only_look() {
    let server = AdminServer::start();
    let [area, _, dataset, id] = hostile_places(&server);
    let page = reader(&server, &area).get(&format!("/app/datasets/{dataset}/records/{id}"));
    let page = page.is(200);
    is_text(&page);
    let values = without_form(&page).matches("<dd>").count();
    assert_eq!(values, 3, "{}", page.body);
}

#[test]
fn who_may_only_look_at_users_clients_and_webhooks_reads_them_and_finds_nothing_to_fill_in() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&of_all_kinds());
    let view: &[&str] = &["view"];
    let resources = ["USERS", "APPLICATION CLIENTS", "ROLES", "BUSINESS AREAS"];
    let looks = role(&server, "Looks", &resources.map(|it| (it, view)));
    let grants = json!([{"area": area, "verbs": ["view", "edit"]}]);
    let app = json!({"name": "Depot", "tokenSeconds": 60, "active": false, "roles": [looks], "grants": grants});
    let app = server.make("/apps", app).text("clientId");
    let hook = json!({"name": "Hook", "url": "https://example.org/x", "datasets": [dataset]});
    let hook = server.make("/webhooks", hook).text("webhookId");
    let eve = Browser::of_user(&server, "eve", &looks, &grants);
    let users = server.get("/users");
    let own = users["items"].as_array().expect("users");
    let own = own.iter().find(|user| user["username"] == "eve");
    let own = own.expect("eve")["userId"].as_str().expect("an id");
    let [user, client, webhook] = [
        format!("/app/users/{own}"),
        format!("/app/clients/{app}"),
        format!("/app/webhooks/{hook}"),
    ];
    for (path, label, shown) in [
        (&user, "Full name", r#"<p class="spaces">eve</p>"#),
        (&user, "Status", "active"),
        (&user, "Roles", "<li>Looks"),
        (&user, "Areas", "see, change"),
        (&client, "Description", r#"<p class="muted">no value</p>"#),
        (&client, "Status", "switched off"),
        (&client, "Roles", "<li>Looks"),
        (&client, "Areas", "see, change"),
        (&webhook, "Address", "https://example.org/x"),
        (&webhook, "Datasets", "a dataset that you do not see"),
    ] {
        let page = eve.get(path).is(200);
        let told = told(without_form(&page), label);
        assert!(told.contains(shown), "{path}: {label}: {told}");
    }
    let german = eve.in_german();
    let page = german.get(&user).is(200);
    assert!(told(without_form(&page), "Bereiche").contains("sehen, ändern"));
}

#[test]
fn whoever_may_only_look_ticks_records_and_exports_them_alone() {
    let server = AdminServer::start();
    let (dataset, ids) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let eve = reader(&server, &entry.area);
    let there = format!("/app/datasets/{dataset}");
    let list = eve.get(&there).is(200);
    assert_eq!(list.body.matches(r#"class="pick""#).count(), ids.len());
    let (_, bar) = list.body.split_once(r#"id="selection""#).expect("a bar");
    assert!(bar.contains(">Export selected<"), "{bar}");
    assert!(!bar.contains("delete selected"), "{bar}");
    let page = eve.get(&format!("{there}/selected?record={}", ids[0]));
    let page = page.is(200);
    let (_, main) = page.body.split_once("<main").expect("a page");
    let (main, _) = main.split_once("</main>").expect("its end");
    let export = format!(r#"action="{there}/export""#);
    assert_eq!(main.matches("<form").count(), 1, "{main}");
    assert!(
        main.contains(&export) && !main.contains("<details"),
        "{main}"
    );
    let form = eve.get(&format!("{there}/export?record={}", ids[0]));
    assert!(form.is(200).body.contains(&ids[0]));
}
