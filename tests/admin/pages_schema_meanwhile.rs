//! Two change one schema, one of them from a page that is older than the other's change: both sides are shown, and nothing of either
//! is lost.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::requests::Answer;
use crate::schema_editor::{edited, held, opened, places, published};
use serde_json::json;

const TOLD: &str = "Someone else has changed this schema";

/// Reviews what a page of the editor holds, with this text of the field that is open.
fn reviewed(browser: &Browser<'_>, page: &Answer, area: &str, own: [&str; 2]) -> Answer {
    let [property, text] = own;
    let name = format!("f-{property}");
    let beside = [("shown", property), (&*name, text), ("do", "review")];
    edited(browser, page, area, &beside)
}

#[test]
fn a_draft_that_someone_else_changed_meanwhile_is_not_published_from_its_old_page() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [_, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let own = format!("/app/schemas/{schema}");
    let page = browser.get(&own).is(200);
    let mut document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    document["fields"][1]["max"] = json!(7);
    let line = format!("PUT /schemas/{schema}");
    server
        .root(&line, Some(json!({"document": document})))
        .is(200);
    let version = held(&page, "version");
    let fields = [("version", &*version), ("state", "published")];
    let late = browser.send(&page, &own, &fields).is(409);
    for told in [TOLD, "No differences."] {
        assert!(late.body.contains(told), "{told}: {}", late.body);
    }
    let stored = server.get(&format!("/schemas/{schema}"));
    assert_eq!(stored["state"], json!("draft"));
    // from the page that tells so it is published as it is by now
    let (document, version) = (held(&late, "document"), held(&late, "version"));
    let fields = [
        ("document", &*document),
        ("version", &*version),
        ("state", "published"),
    ];
    browser.send(&late, &own, &fields).is(303);
    let stored = server.get(&format!("/schemas/{schema}"));
    assert_eq!(stored["document"]["fields"][1]["max"], json!(7));
    assert_eq!(stored["state"], json!("published"));
}

#[test]
fn edits_that_overlap_are_a_conflict_that_shows_both_sides_and_leads_back_to_the_editor() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let open = || opened(&browser, &schema, &area);
    let review = |page: &Answer, property: &str, text: &str| {
        reviewed(&browser, page, &area, [property, text])
    };
    let publish = |review: &Answer| published(&browser, review, &schema);
    let field = |version: u32| {
        server.get(&format!("/schemas/{schema}/versions/{version}"))["fields"][1].clone()
    };
    let [theirs, mine, late] = [open(), open(), open()];
    let mine = review(&mine, "description", "Who lives there").is(200);
    publish(&review(&theirs, "max", "60").is(200)).is(303);
    // whose review is later than that is told before anything is sent
    let late = review(&late, "description", "Who lives there").is(409);
    let refused = publish(&mine).is(409);
    for page in [&refused, &late] {
        for own in [
            TOLD,
            "What they changed",
            "<ins>60</ins>",
            "<del>60</del>",
            "Who lives there</ins>",
        ] {
            assert!(page.body.contains(own), "{own}: {}", page.body);
        }
        // it is saved by no second press
        assert!(!page.body.contains(r#"name="state""#), "{}", page.body);
    }
    // what was filled in stands in the editor, and what is to stay of the other side is filled in there
    let editor = edited(&browser, &refused, &area, &[("do", "open-1")]).is(200);
    let both = review(&editor, "max", "60").is(200);
    publish(&both).is(303);
    assert_eq!(field(3)["max"], json!(60));
    assert_eq!(field(3)["description"], json!("Who lives there"));
}

#[test]
fn what_was_switched_off_or_published_meanwhile_stays_so_where_an_older_page_is_sent() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let own = format!("/app/schemas/{schema}");
    let old = browser.get(&own).is(200);
    let edit = browser.get(&format!("{own}/edit")).is(200);
    let review = edited(&browser, &edit, &area, &[("do", "review")]).is(200);
    let state = || {
        let stored = server.get(&format!("/schemas/{schema}"));
        [stored["active"].clone(), stored["state"].clone()]
    };
    browser.send(&old, &own, &[("active", "false")]).is(303);
    assert_eq!(state(), [json!(false), json!("draft")]);
    let [document, version] = ["document", "version"].map(|name| held(&review, name));
    let fields = [
        ("document", &*document),
        ("version", &*version),
        ("state", "published"),
    ];
    browser.send(&review, &own, &fields).is(303);
    assert_eq!(state(), [json!(false), json!("published")]);
    browser.send(&old, &own, &[("active", "true")]).is(303);
    assert_eq!(state(), [json!(true), json!("published")]);
}

#[test]
fn a_page_of_a_version_that_is_not_there_saves_nothing_however_often_it_is_sent() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let page = opened(&browser, &schema, &area);
    let document = held(&page, "document").replace("People", "Heads");
    let fields = [
        ("document", &*document),
        ("version", "99"),
        ("state", "published"),
    ];
    let own = format!("/app/schemas/{schema}");
    let refused = browser.send(&page, &own, &fields).is(409);
    assert_eq!(held(&refused, "version"), "99");
    published(&browser, &refused, &schema).is(409);
    let stored = server.get(&format!("/schemas/{schema}"));
    assert_eq!(stored["version"], json!(1));
}
