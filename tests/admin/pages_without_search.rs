//! Who may see records and not search is led to nothing that a search tells, and whoever asks for it is told which right is
//! missing, by pages and by the interfaces.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::rights::role;
use serde_json::{Value, json};

/// A role that sees records and all above them.
const LOOKS: [&str; 4] = [
    "BUSINESS AREAS",
    "SCHEMA MODELS",
    "DATASETS",
    "DATA OBJECTS",
];
const MISSING: &str =
    "You lack the right to see search results. Ask an administrator for a role that has it.";
/// What the interfaces say of it.
const LACKS: &str = "no role of the caller allows to view DATASET OBJECTS SEARCH";

fn grants(server: &AdminServer, dataset: &str) -> Value {
    let area = server.service.store().catalog().datasets[dataset]
        .area
        .clone();
    json!([{"area": area, "verbs": ["view", "add", "edit"]}])
}

/// One who sees and changes records, and may not search.
fn eve<'s>(server: &'s AdminServer, dataset: &str) -> Browser<'s> {
    let verbs: &[&str] = &["view", "add", "edit"];
    let allowed = LOOKS.map(|it| (it, verbs));
    let role = role(server, "Works", &allowed);
    Browser::of_user(server, "eve", &role, &grants(server, dataset))
}

#[test]
fn nothing_leads_to_what_a_search_tells() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let eve = eve(&server, &dataset);
    let ada = Browser::signed_in(&server);
    let schema = server.service.store().catalog().datasets[&dataset]
        .schema
        .clone();
    let there = format!("/app/datasets/{dataset}");
    for (path, ways) in [
        (
            "/app/".to_owned(),
            vec![
                format!("{there}?q=is%3Afaulty"),
                "\"/app/faults\"".to_owned(),
            ],
        ),
        (
            "/app/go?q=faults".to_owned(),
            vec![format!("{there}/faults"), "\"/app/faults\"".to_owned()],
        ),
        (
            format!("/app/schemas/{schema}"),
            vec![format!("{there}/faults")],
        ),
        (
            there.clone(),
            vec![format!("{there}?sort="), "data-completions".to_owned()],
        ),
    ] {
        let leads = |browser: &Browser<'_>| {
            let page = browser.get(&path).is(200);
            ways.iter()
                .map(|way| page.body.contains(way.as_str()))
                .collect::<Vec<_>>()
        };
        assert_eq!(leads(&ada), vec![true; ways.len()], "{path}");
        assert_eq!(leads(&eve), vec![false; ways.len()], "{path}");
    }
    // how many are faulty is told all the same
    let home = eve.get("/app/").is(200);
    assert!(home.body.contains("<dd>1</dd>"), "{}", home.body);
    let schema = eve.get(&format!("/app/schemas/{schema}")).is(200);
    let told = r#"<span class="bad">1 faulty</span>"#;
    assert!(schema.body.contains(told), "{}", schema.body);
}

#[test]
fn whoever_asks_for_it_is_told_which_right_is_missing() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let eve = eve(&server, &dataset);
    let there = format!("/app/datasets/{dataset}");
    for path in [
        "/app/faults".to_owned(),
        "/app/search".to_owned(),
        "/app/search?q=A1".to_owned(),
        format!("{there}/faults"),
        format!("{there}?q=is%3Afaulty"),
        format!("{there}?sort=Code"),
        format!("{there}/export?q=is%3Afaulty"),
        format!("{there}/mend?q=is%3Afaulty"),
    ] {
        let page = eve.get(&path).is(403);
        assert!(page.body.contains(MISSING), "{path}: {}", page.body);
        assert!(!page.body.contains("Try again"), "{path}: {}", page.body);
    }
    // who lacks the right to see records, too, is told of this one first
    let view: &[&str] = &["view"];
    let looks = role(&server, "Looks", &[("BUSINESS AREAS", view)]);
    let joe = Browser::of_user(&server, "joe", &looks, &json!([]));
    for path in [
        "/app/search".to_owned(),
        format!("{there}/export?q=is%3Afaulty"),
    ] {
        let page = joe.get(&path).is(403);
        assert!(page.body.contains(MISSING), "{path}: {}", page.body);
    }
    let german = eve.in_german();
    let page = german.get("/app/faults").is(403);
    let missing = "Ihnen fehlt das Recht, Suchergebnisse zu sehen.";
    assert!(page.body.contains(missing), "{}", page.body);
}

#[test]
fn the_interfaces_name_the_right_or_say_that_the_area_is_missing() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&crate::admin_server::city());
    let works = role(&server, "Works", &LOOKS.map(|it| (it, &["view"][..])));
    let (_, key) = server.key("works", &[&works], &[&area]);
    let faults = format!("GET /datasets/{dataset}/faults");
    let refused = server.ask(&key, &faults, None).is(403);
    assert_eq!(refused.text("message"), LACKS);
    let told = |line: &str, key: &str| {
        let answer = server.send(line, &[("Authorization", key)], None).is(403);
        answer.text("message")
    };
    let search = "GET /v1/dataobjects/search?query=A1";
    assert_eq!(told(search, &key), LACKS);
    let records = format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}");
    let deletes = format!("DELETE {records}/dataobjects/any");
    let text = "no role of the caller allows to delete DATA OBJECTS";
    assert_eq!(told(&deletes, &key), text);
    let (_, key) = server.key("elsewhere", &[&works], &[]);
    let list = format!("GET {records}/dataobjects");
    let text = "the caller may not view in this area";
    assert_eq!(told(&list, &key), text);
    // whoever may write nothing at all, too
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let headers = [
        ("Authorization", &*key),
        ("Content-Type", "application/x-ndjson"),
    ];
    let refused = server.send(&line, &headers, Some("{}")).is(403);
    let text = "no role of the caller allows to edit DATA OBJECTS";
    assert_eq!(refused.text("message"), text);
}

#[test]
fn a_query_that_was_refused_or_cannot_be_read_is_not_offered_to_be_saved() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let there = format!("/app/datasets/{dataset}");
    let offers = |browser: &Browser<'_>, query: &str, status: u16| {
        let page = browser.get(&format!("{there}?q={query}")).is(status);
        page.body.contains(r#"data-operation="createSavedView""#)
    };
    let ada = Browser::signed_in(&server);
    assert!(offers(&ada, "is%3Afaulty", 200));
    assert!(!offers(&ada, "%28", 200), "it can't be read");
    assert!(!offers(&eve(&server, &dataset), "is%3Afaulty", 403));
}
