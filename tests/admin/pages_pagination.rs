//! Lists that have several pages: each leads on to the next page, back to the one before, and to the first.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, link_of, written};
use crate::jobs::{exported, server};
use crate::pages_home::edit;
use runtime::service::Settings;
use runtime::store::deliveries::{DeadLetter, Delivery};
use runtime::value::Timestamp;
use serde_json::{Value, json};

/// Where the links and forms of a page lead.
fn ways(body: &str) -> Vec<String> {
    let (_, main) = body.split_once("<main").expect("a page");
    let ways = main.split("=\"/app/").skip(1);
    let ways = ways.filter_map(|it| it.split('"').next());
    ways.map(str::to_owned).collect()
}

/// Goes through a list page by page to its end and all the way back, and sees the same pages again.
#[track_caller]
fn walked(browser: &Browser<'_>, first: &str) {
    let (mut ahead, mut last) = (Vec::new(), String::new());
    let mut way = Some(first.to_owned());
    while let Some(here) = way.take() {
        last = browser.get(&here).is(200).body;
        let is_first = ahead.is_empty();
        assert_eq!(last.contains("First page"), !is_first, "{here}");
        assert_eq!(link_of(&last, "prev").is_some(), !is_first, "{here}");
        ahead.push(ways(&last));
        way = link_of(&last, "next");
    }
    assert!(ahead.len() > 2, "{first} has {} pages", ahead.len());
    assert_ne!(ahead[0], ahead[1], "{first}");
    let mut back = vec![ways(&last)];
    let mut way = link_of(&last, "prev");
    while let Some(here) = way.take() {
        let page = browser.get(&here).is(200).body;
        back.push(ways(&page));
        way = link_of(&page, "prev");
    }
    back.reverse();
    assert_eq!(back, ahead, "{first}");
}

#[test]
fn lists_of_who_may_reach_what_lead_back_page_by_page() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    for name in ["One", "Two", "Three"] {
        server.make("/areas", json!({"name": name}));
        server.make("/apps", json!({"name": name, "tokenSeconds": 60}));
        server.make("/domains", json!({"name": name, "codes": [{"code": "a"}]}));
        server.make("/roles", json!({"name": name, "permissions": []}));
        let _ = server.key(name, &[], &[]);
        let hook = json!({"name": name, "url": "https://example.org/x", "datasets": [dataset]});
        server.make("/webhooks", hook);
        let user = json!({"username": name.to_lowercase(), "fullName": name, "email": format!("{name}@example.org"),
            "password": PASSWORD, "mustChangePassword": false, "roles": [], "grants": []});
        server.make("/users", user);
    }
    let browser = Browser::signed_in(&server);
    for list in [
        "areas", "clients", "domains", "keys", "roles", "users", "webhooks",
    ] {
        walked(&browser, &format!("/app/{list}?pageSize=1"));
    }
    // what is looked for stays looked for
    walked(&browser, "/app/audit?noun=area&action=create&pageSize=1");
}

#[test]
fn lists_of_what_happened_to_records_lead_back_page_by_page() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    for people in 13..17 {
        let line =
            json!({"update": {"_dataObjectId": record, "_version": people - 13, "People": people}});
        edit(&server, &dataset, &[line]);
    }
    let gone: Vec<Value> = (0..3).map(|at| json!({"Code": format!("D{at}")})).collect();
    let gone = written(&server, &dataset, &gone);
    let gone: Vec<Value> = gone
        .iter()
        .map(|id| json!({"delete": {"_dataObjectId": id, "_version": 0}}))
        .collect();
    edit(&server, &dataset, &gone);
    let many: Vec<Value> = (0..110)
        .map(|at| json!({"Code": format!("C{at:03}"), "People": at}))
        .collect();
    written(&server, &dataset, &many);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    walked(
        &browser,
        &format!("{there}/records/{record}/history?pageSize=1"),
    );
    walked(&browser, &format!("{there}/deleted?pageSize=1"));
    // the search has its own size
    walked(&browser, "/app/search?q=*");
}

#[test]
fn jobs_lead_back_page_by_page_also_those_of_one_dataset() {
    let server = server();
    let (dataset, _) = cities(&server);
    for _ in 0..3 {
        exported(&server, &dataset, json!({}));
    }
    let browser = Browser::signed_in(&server);
    walked(&browser, "/app/jobs?pageSize=1");
    walked(&browser, &format!("/app/jobs?dataset={dataset}&pageSize=1"));
}

#[test]
fn what_a_webhook_gave_up_leads_back_page_by_page() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let hook = json!({"name": "Hook", "url": "https://example.org/x", "datasets": [dataset], "active": false});
    let id = server.make("/webhooks", hook).text("webhookId");
    let number = server.service.store().catalog().datasets[&dataset].number;
    for at in 0..50 {
        let dead = DeadLetter {
            dataset: number,
            after: at,
            last: at + 1,
            changes: 1,
            at: Timestamp::from_millis(0),
            error: format!("it answered {}", 500 + at),
        };
        server.note_delivery(&id, Delivery::default(), Some(dead));
    }
    let browser = Browser::signed_in(&server);
    // what was done just now is told once
    let page = browser.get(&format!("/app/webhooks/{id}?saved=1")).is(200);
    let next = link_of(&page.body, "next").expect("a next page");
    assert!(!next.contains("saved"), "{next}");
    walked(&browser, &format!("/app/webhooks/{id}"));
}

#[test]
fn a_list_that_answers_a_refused_form_leads_to_pages_that_are_there() {
    let server = AdminServer::with_settings(Settings {
        page_size: 1,
        ..Settings::default()
    });
    let (dataset, [first, second]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    // a grid, with a name for its view that can't be
    let more: Vec<Value> = (0..60)
        .map(|at| json!({"Code": format!("C{at}")}))
        .collect();
    written(&server, &dataset, &more);
    let page = browser.get(&format!("{there}?sort=Code")).is(200);
    let sent = [("sort", "Code"), ("name", " ")];
    let refused = browser.send(&page, &format!("{there}/views"), &sent);
    let refused = refused.is(400);
    let next = link_of(&refused.body, "next").expect("a next page");
    browser.get(&next).is(200);
    let (_, head) = refused.body.split_once("<thead>").expect("a grid");
    browser
        .get(&between(head, "<a href=\"").replace("&#38;", "&"))
        .is(200);
    // deleted records, of which one can't come back
    for id in [&first, &second] {
        let delete = format!("{there}/records/{id}/delete");
        browser.send(&page, &delete, &[]).is(303);
    }
    written(&server, &dataset, &[json!({"Code": "A1"})]);
    let list = format!("{there}/deleted");
    let page = browser.get(&list).is(200);
    let restore = format!("{there}/records/{first}/restore");
    let refused = browser.send(&page, &restore, &[]).is(409);
    let next = link_of(&refused.body, "next").expect("a next page");
    browser.get(&next).is(200);
}

#[test]
fn a_page_whose_entries_are_gone_meanwhile_says_so_and_leads_back() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let more: Vec<Value> = (0..49)
        .map(|at| json!({"Code": format!("C{at}")}))
        .collect();
    let ids = written(&server, &dataset, &more);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&there).is(200);
    let next = link_of(&page.body, "next").expect("a second page");
    let last = ids.last().expect("a record");
    for id in [last, &ids[0]] {
        let delete = format!("{there}/records/{id}/delete");
        browser.send(&page, &delete, &[]).is(303);
    }
    let empty = browser.get(&next).is(200);
    assert!(!empty.body.contains("No records yet"), "{}", empty.body);
    let back = link_of(&empty.body, "prev").expect("a way back");
    browser.get(&back).is(200);
    // of the two that are deleted, the one of the second page comes back
    let list = format!("{there}/deleted?pageSize=1");
    let first = browser.get(&list).is(200);
    let next = link_of(&first.body, "next").expect("a second page");
    let restore = format!("{there}/records/{last}/restore");
    browser.send(&page, &restore, &[]).is(303);
    let empty = browser.get(&next).is(200);
    assert!(!empty.body.contains("No deleted records"), "{}", empty.body);
    let back = link_of(&empty.body, "prev").expect("a way back");
    assert_eq!(back, list);
    // a page that never was one leads to the first one
    let none = browser.get("/app/audit?noun=area&pageKey=nonsense").is(400);
    let first = r#"<a href="/app/audit?noun=area">First page</a>"#;
    assert!(none.body.contains(first), "{}", none.body);
}
