//! What pages say to people who read them for the first time: one way to each thing, no empty cell, and what to do next
//! where there is nothing yet.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada};
use crate::rights::role;
use serde_json::json;

#[test]
fn the_page_of_the_search_has_one_field_for_queries() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let fields = |body: &str| body.matches(r#"aria-label="Search all records""#).count();
    let home = browser.get("/app/").is(200);
    assert!(home.body.contains(r#"class="find""#), "{}", home.body);
    for path in ["/app/search", "/app/search?q=A1"] {
        let page = browser.get(path).is(200);
        assert!(!page.body.contains(r#"class="find""#), "{}", page.body);
        assert_eq!(fields(&page.body), 1, "{path}: {}", page.body);
    }
}

#[test]
fn a_record_that_is_gone_is_called_a_record() {
    let server = AdminServer::start();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    browser.delete(&record);
    let gone = browser.get(&record).is(404);
    let told = "This record is not in the dataset; it may have been deleted";
    assert!(gone.body.contains(told), "{}", gone.body);
    assert!(!gone.body.contains("data object"), "{}", gone.body);
}

#[test]
fn where_nothing_is_ticked_the_list_says_what_comes_first() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let list = browser.get(&there).is(200);
    for part in [
        r#"<button aria-describedby="select-first">"#,
        r#"id="select-first" class="reason muted small">Tick records in the list first."#,
    ] {
        assert!(list.body.contains(part), "{part}: {}", list.body);
    }
    // without a script the button is there always, and leads to a page that says the same
    let none = browser.get(&format!("{there}/selected")).is(200);
    assert!(none.body.contains("No records are selected. Tick some"));
    let list = browser.in_german().get(&there).is(200);
    assert!(list.body.contains("Kreuzen Sie zuerst Datensätze"));
}

#[test]
fn who_has_no_role_and_no_area_is_told_to_have_none() {
    let server = AdminServer::start();
    let (key, _) = server.key("Bare", &[], &[]);
    let app =
        json!({"name": "Depot", "tokenSeconds": 60, "active": true, "roles": [], "grants": []});
    server.make("/apps", app);
    let browser = Browser::signed_in(&server);
    for (path, name) in [("/app/keys", "Bare"), ("/app/clients", "Depot")] {
        for (browser, none) in [(&browser, "none"), (&browser.in_german(), "keine")] {
            let page = browser.get(path).is(200);
            let (_, row) = page.body.split_once(&format!(">{name}</a>")).expect(name);
            let row = row.split("</tr>").next().expect("its end");
            let told = format!(r#"<span class="muted">{none}</span></td>"#);
            assert_eq!(row.matches(&told).count(), 2, "{path}: {row}");
        }
    }
    let looks = role(&server, "Looks", &[("APPLICATION CLIENTS", &["view"])]);
    let eve = Browser::of_user(&server, "eve", &looks, &json!([]));
    let list = eve.get("/app/clients").is(200);
    let (before, _) = list.body.split_once(">Depot</a>").expect("the client");
    let place = before.rsplit("href=\"").next().expect("a link");
    let page = eve.get(place.trim_end_matches(['"', '>'])).is(200);
    assert_eq!(
        page.body.matches(r#"<p class="muted">none</p>"#).count(),
        2,
        "{}",
        page.body
    );
    browser.get(&format!("/app/keys/{key}")).is(200);
}

#[test]
fn keys_and_clients_say_which_of_both_is_for_what_with_a_link_to_the_other() {
    let server = AdminServer::start();
    let english = Browser::signed_in(&server);
    let in_german = english.in_german();
    for (browser, path, what, other) in [
        (
            &english,
            "/app/keys",
            "Use an API key where",
            r#"<a href="/app/clients">Clients</a> instead.</p>"#,
        ),
        (
            &english,
            "/app/clients",
            "A client is a program",
            r#"<a href="/app/keys">API keys</a>.</p>"#,
        ),
        (
            &in_german,
            "/app/keys",
            "Ein API-Schlüssel ist für",
            r#"<a href="/app/clients">Anwendungen</a> an.</p>"#,
        ),
        (
            &in_german,
            "/app/clients",
            "Eine Anwendung ist hier ein Programm",
            r#"<a href="/app/keys">API-Schlüssel</a> an.</p>"#,
        ),
    ] {
        let page = browser.get(path).is(200);
        for told in [what, other] {
            assert!(page.body.contains(told), "{path}: {told}: {}", page.body);
        }
    }
}

#[test]
fn where_there_is_nothing_yet_a_page_says_so_with_the_next_step_for_who_may_take_it() {
    let server = AdminServer::start();
    let empty = server.make("/areas", json!({"name": "Fresh"}));
    let empty = empty.text("businessAreaId");
    let document = json!({"name": "City", "fields": [field("f-code", "Code", "string", true)]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let view: &[&str] = &["view"];
    let seen = [
        "BUSINESS AREAS",
        "SCHEMA MODELS",
        "DATASETS",
        "DATA OBJECTS",
    ];
    let looks = role(&server, "Looks", &seen.map(|it| (it, view)));
    let grants = [&empty, &area].map(|area| json!({"area": area, "verbs": ["view"]}));
    let eve = Browser::of_user(&server, "eve", &looks, &json!(grants));
    let ada = Browser::signed_in(&server);
    let in_area = format!("/app/areas/{empty}");
    let in_dataset = format!("/app/datasets/{dataset}");
    for (path, told, own, steps) in [
        (
            &in_area,
            "No datasets yet",
            "Noch keine Datenbestände",
            vec![format!("{in_area}/schemas/new")],
        ),
        (
            &in_dataset,
            "No records yet",
            "Noch keine Datensätze",
            vec![format!("{in_dataset}/new"), format!("{in_dataset}/import")],
        ),
    ] {
        for (browser, told) in [(&ada, told), (&eve, told), (&ada.in_german(), own)] {
            let page = browser.get(path).is(200);
            assert!(page.body.contains(told), "{path}: {}", page.body);
            assert!(!page.body.contains("Nothing found"), "{path}");
        }
        let (page, looked) = (ada.get(path).body, eve.get(path).body);
        for step in steps {
            let link = format!(r#"href="{step}""#);
            assert!(page.contains(&link), "{link}: {page}");
            assert!(!looked.contains(&link), "{link}: {looked}");
        }
    }
    // what a filter does not find is another matter
    let searched = ada.get(&format!("{in_dataset}?q=nowhere")).is(200);
    assert!(searched.body.contains("Nothing found"));
}

#[test]
fn a_right_that_is_lacking_is_named_in_ordinary_words_in_both_languages() {
    let server = AdminServer::start();
    let looks = role(&server, "Looks", &[("USERS", &["view"])]);
    let eve = Browser::of_user(&server, "eve", &looks, &json!([]));
    for (browser, told) in [
        (
            &eve,
            "You lack the right to see areas. Ask an administrator",
        ),
        (
            &eve.in_german(),
            "Ihnen fehlt das Recht, Bereiche zu sehen. Bitten Sie",
        ),
    ] {
        let page = browser.get("/app/areas").is(403);
        assert!(page.body.contains(told), "{told}: {}", page.body);
        assert!(!page.body.contains("BUSINESS AREAS"), "{}", page.body);
    }
}

#[test]
fn a_page_says_in_its_heading_whose_it_is_and_a_filter_what_it_stands_for() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let name = server.service.store().catalog().datasets[&dataset]
        .name
        .clone();
    let faults = format!("/app/datasets/{dataset}/faults");
    let found = format!("/app/datasets/{dataset}/selected?q=is%3Afaulty&all=true");
    for (path, told) in [
        (&*faults, format!("<h1>Faults: {name}</h1>")),
        ("/app/profile", "<h1>Your account</h1>".to_owned()),
        ("/app/password", "<h1>Change your password</h1>".to_owned()),
        ("/app/password", "At least 12 characters".to_owned()),
        (
            &*found,
            "<h1>1 record found with the filter <code>is:faulty</code></h1>".to_owned(),
        ),
    ] {
        let page = browser.get(path).is(200);
        assert!(page.body.contains(&told), "{told}: {}", page.body);
    }
}
