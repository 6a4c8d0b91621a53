//! Forms that come more than once: a second press, a resend, another server.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, form, give_ada};
use crate::requests::exchange;
use crate::undo::sent;
use serde_json::json;
use std::collections::BTreeSet;
use std::thread;

/// A dataset of records that nothing tells apart but their ids.
fn notes(server: &AdminServer) -> String {
    let text = field("f-text", "Text", "string", false);
    let [area, _, dataset] = server.places(&json!({"name": "Note", "fields": [text]}));
    give_ada(server, &area);
    dataset
}

fn count(server: &AdminServer, dataset: &str) -> u64 {
    let faults = server.get(&format!("/datasets/{dataset}/faults"));
    faults["recordCount"].as_u64().expect("a count")
}

#[test]
fn a_form_of_a_new_record_that_comes_again_leads_to_the_record_that_it_made() {
    let server = AdminServer::start();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    let mark = between(&page.body, r#"name="mark" value=""#);
    let send = |mark: &str, text: &str| {
        let fields = [("mark", mark), ("v-f-text", text)];
        let sent = browser.send(&page, &path, &fields).is(303);
        sent.header("location").expect("a place").to_owned()
    };
    let first = send(&mark, "one");
    assert_eq!(send(&mark, "one"), first);
    assert_eq!(count(&server, &dataset), 1);
    let shown = browser.get(&first).is(200);
    assert!(shown.body.contains("Saved."), "{}", shown.body);
    // whoever goes back to the form and fills in something else makes another one
    let second = send(&mark, "two");
    assert_ne!(second, first);
    assert_eq!(send(&mark, "two"), second);
    // and so does who opens the form once more
    let next = browser.get(&path).is(200);
    let next = between(&next.body, r#"name="mark" value=""#);
    assert_ne!(next, mark);
    assert_ne!(send(&next, "one"), first);
    assert_eq!(count(&server, &dataset), 3);
}

#[test]
fn a_form_that_comes_again_when_its_record_was_deleted_makes_another() {
    let server = AdminServer::start();
    server.use_job_files();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    let mark = between(&page.body, r#"name="mark" value=""#);
    let send = || {
        let fields = [("mark", &*mark), ("v-f-text", "one")];
        let sent = browser.send(&page, &path, &fields).is(303);
        sent.header("location").expect("a place").to_owned()
    };
    let first = send();
    let id = first.rsplit('/').next().expect("an id");
    let id = id.split('?').next().expect("an id");
    sent(
        &server,
        &dataset,
        &[json!({"delete": {"_dataObjectId": id}})],
    );
    assert_eq!(count(&server, &dataset), 0);
    let second = send();
    assert_ne!(second, first);
    browser.get(&second).is(200);
    // and from then on that one is the form's
    assert_eq!(send(), second);
    assert_eq!(count(&server, &dataset), 1);
}

#[test]
fn a_form_that_comes_many_times_at_once_makes_one_record() {
    let server = AdminServer::start();
    let dataset = notes(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    let value = |name: &str| between(&page.body, &format!(r#"name="{name}" value=""#));
    let (token, mark) = (value("token"), value("mark"));
    let sent = [("token", &*token), ("mark", &*mark), ("v-f-text", "one")];
    let sent = form(&sent);
    let line = format!("POST {path}");
    let headers = [
        ("Cookie", &*browser.cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let places: BTreeSet<String> = thread::scope(|scope| {
        let send = || {
            let answer = exchange(server.address, &line, &headers, Some(&sent)).is(303);
            answer.header("location").expect("a place").to_owned()
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        let ended = threads.into_iter().map(|it| it.join().expect("an answer"));
        ended.collect()
    });
    assert_eq!(places.len(), 1, "{places:?}");
    assert_eq!(count(&server, &dataset), 1);
}
