//! Deleted records in the application: seen apart, and taken back.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, HOSTILE, cities, written};
use crate::pages_home::edit;
use crate::rights::role;
use serde_json::json;

#[test]
fn a_deleted_record_is_listed_apart_and_comes_back_from_there() {
    let server = AdminServer::start();
    let (dataset, [_, faulty]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let list = format!("/app/datasets/{dataset}/deleted");
    let page = browser.get(&list).is(200);
    assert!(page.body.contains("No deleted records"), "{}", page.body);
    let record = format!("/app/datasets/{dataset}/records/{faulty}");
    browser.delete(&record);
    let page = browser.get(&list).is(200);
    // when and by whom, and what can be done, stand beside the key, also where the rest is scrolled
    let (_, row) = page
        .body
        .split_once(
            r#"<th scope="row" role="rowheader">A2</th><td data-label="Deleted" role="cell">"#,
        )
        .expect("its row");
    let (before, _) = row.split_once(r#"data-label="People""#).expect("a value");
    for told in [
        r#"data-label="Done by""#,
        r#"<span class="buttons"><a href="#,
    ] {
        assert!(before.contains(told), "{told}: {row}");
    }
    let value = r#"<td class="num" data-label="People" role="cell">many</td>"#;
    assert!(page.body.contains(value), "{}", page.body);
    let button = r#"<button aria-label="Restore A2">Restore</button>"#;
    assert!(page.body.contains(button), "{}", page.body);
    assert!(!page.body.contains("A1"), "it is not deleted");
    // when, and by whom
    let listed = server.get(&format!("/datasets/{dataset}/deleted-records"));
    let item = &listed["items"][0];
    let (at, by) = (&item["deletedAt"], &item["deletedBy"]);
    let at = at.as_str().expect("a moment")[..16].replace('T', " ");
    assert!(
        page.body.contains(&format!(r#" role="cell">{at}</td>"#)),
        "{}",
        page.body
    );
    assert!(page.body.contains(r#" role="cell">ada</td>"#));
    assert_eq!(by["name"], "ada");
    let masked = by.to_string();
    assert!(
        !masked.contains("ada@example.org") && !masked.contains("\"Ada\""),
        "{masked}"
    );
    let restore = format!("{record}/restore");
    let back = browser.send(&page, &restore, &[]).is(303);
    assert_eq!(back.header("location"), Some(&*record));
    browser.get(&record).is(200);
    let page = browser.get(&list).is(200);
    assert!(!page.body.contains("A2"), "{}", page.body);
}

#[test]
fn the_history_of_a_deleted_record_names_it_by_the_key_that_it_had() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{record}");
    browser.delete(&record);
    let page = browser.get(&format!("{record}/history")).is(200);
    assert!(page.body.contains("<h1>History: A1</h1>"), "{}", page.body);
    // it has no page to which a way leads
    let way = format!(r#"href="{record}""#);
    assert!(!page.body.contains(&way), "{}", page.body);
}

#[test]
fn a_deleted_record_comes_back_from_its_history_too_which_says_what_version_was_deleted() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{record}");
    let (history, restore) = (format!("{record}/history"), format!("{record}/restore"));
    let page = browser.get(&history).is(200);
    assert!(!page.body.contains(&restore), "it is not deleted");
    browser.delete(&record);
    let page = browser.get(&history).is(200);
    // before what can't be taken back
    let at = |part: &str| page.body.find(part).expect(part);
    assert!(at(&restore) < at(&format!("{record}/purge")));
    assert!(
        page.body
            .contains(r#"<button class="primary">Restore</button>"#)
    );
    for told in [" · at version 0</span>", " · version 0</span>"] {
        assert_eq!(page.body.matches(told).count(), 1, "{told}: {}", page.body);
    }
    let back = browser.send(&page, &restore, &[]).is(303);
    assert_eq!(back.header("location"), Some(&*record));
    browser.get(&record).is(200);
}

#[test]
fn an_administrator_removes_a_deleted_record_for_good_from_its_history() {
    let server = AdminServer::start();
    let (dataset, [first, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let list = format!("/app/datasets/{dataset}/deleted");
    let record = format!("/app/datasets/{dataset}/records/{first}");
    let history = format!("{record}/history");
    let purge = format!("{record}/purge");
    let page = browser.get(&history).is(200);
    assert!(!page.body.contains(&purge), "it is not deleted");
    browser.delete(&record);
    let page = browser.get(&list).is(200);
    let way = format!(r#"href="{history}" aria-label="History A1""#);
    let of_all = "They are no longer counted or found";
    assert!(page.body.contains(&way) && page.body.contains(of_all));
    let page = browser.get(&history).is(200);
    let told = "It can&#39;t be undone: to keep the record, close this again.";
    assert!(page.body.contains(told), "{}", page.body);
    let gone = browser.send(&page, &purge, &[]).is(303);
    assert_eq!(gone.header("location"), Some(&*list));
    let page = browser.get(&list).is(200);
    assert!(!page.body.contains("A1"), "{}", page.body);
    // of none, nothing is told
    assert!(!page.body.contains(of_all), "{}", page.body);
    browser.get(&history).is(404);
    browser.send(&page, &purge, &[]).is(404);
}

#[test]
fn who_is_no_administrator_is_offered_no_purge_and_refused_one() {
    let server = AdminServer::start();
    let (dataset, [first, _]) = cities(&server);
    let ada = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{first}");
    ada.delete(&record);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let grants = json!([{"area": area, "verbs": ["view", "delete"]}]);
    let role = role(&server, "Deletes", &[("DATA OBJECTS", &["view", "delete"])]);
    let browser = Browser::of_user(&server, "eve", &role, &grants);
    let page = browser.get(&format!("{record}/history")).is(200);
    let purge = format!("{record}/purge");
    assert!(!page.body.contains(&purge), "{}", page.body);
    browser.send(&page, &purge, &[]).is(403);
    ada.get(&format!("{record}/history")).is(200);
}

#[test]
fn a_deleted_record_whose_key_was_taken_says_so_and_stays_listed() {
    let server = AdminServer::start();
    let (dataset, [first, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{first}");
    browser.delete(&record);
    let taken = written(&server, &dataset, &[json!({"Code": "A1", "People": 3})]);
    let page = browser.get(&format!("/app/datasets/{dataset}/deleted"));
    let refused = browser.send(&page.is(200), &format!("{record}/restore"), &[]);
    let refused = refused.is(409);
    assert!(
        refused.body.contains("has the primary key by now"),
        "{}",
        refused.body
    );
    assert!(refused.body.contains(">A1</th>"), "{}", refused.body);
    // the other one is one press away
    let other = &taken[0];
    let link = format!(r#"<a href="/app/datasets/{dataset}/records/{other}">Open that record</a>"#);
    assert!(refused.body.contains(&link), "{}", refused.body);
    browser.delete(&format!("/app/datasets/{dataset}/records/{other}"));
    browser
        .send(&refused, &format!("{record}/restore"), &[])
        .is(303);
}

#[test]
fn an_earlier_version_whose_key_was_taken_leads_to_the_record_that_has_it() {
    let server = AdminServer::start();
    let (dataset, [first, _]) = cities(&server);
    let renamed = json!({"update": {"_dataObjectId": first, "_version": 0, "Code": "A9"}});
    edit(&server, &dataset, &[renamed]);
    let other = written(&server, &dataset, &[json!({"Code": "A1", "People": 3})]).remove(0);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{first}");
    let page = browser.get(&format!("{record}/history")).is(200);
    let restore = |seen: &str| {
        let path = format!("{record}/versions/0/restore");
        browser.send(&page, &path, &[("version", seen)])
    };
    let link = format!(r#"<a href="/app/datasets/{dataset}/records/{other}">Open that record</a>"#);
    let refused = restore("1").is(409);
    assert!(refused.body.contains(&link), "{}", refused.body);
    // who saw another version is not refused for the key
    let stale = restore("0").is(409);
    assert!(!stale.body.contains(&link), "{}", stale.body);
    browser.delete(&format!("/app/datasets/{dataset}/records/{other}"));
    restore("1").is(303);
}

#[test]
fn texts_of_deleted_records_are_no_markup() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let id = written(
        &server,
        &dataset,
        &[json!({"Code": HOSTILE, "People": HOSTILE})],
    )
    .remove(0);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{id}");
    browser.delete(&record);
    let page = browser
        .get(&format!("/app/datasets/{dataset}/deleted"))
        .is(200);
    assert!(page.body.contains("alert(1)"), "{}", page.body);
    assert!(
        !page.body.contains("<script>alert") && !page.body.contains("<img src=x"),
        "{}",
        page.body
    );
}

#[test]
fn what_was_filled_in_for_a_record_that_was_deleted_meanwhile_is_the_form_of_a_new_one() {
    let server = AdminServer::start();
    let (dataset, [id, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&record).is(200);
    browser
        .send(&page, &format!("{record}/delete"), &[])
        .is(303);
    let sent = [
        ("version", "0"),
        ("w-f-code", "A1"),
        ("v-f-code", "A1"),
        ("w-f-people", "12"),
        ("v-f-people", "77"),
    ];
    let told = browser.send(&page, &record, &sent).is(404);
    assert!(
        told.body.contains("was deleted in the meantime"),
        "{}",
        told.body
    );
    let new = format!("/app/datasets/{dataset}/new");
    for there in [
        format!(r#"action="{new}""#),
        format!(r#"href="/app/datasets/{dataset}/deleted""#),
        r#"value="77""#.to_owned(),
        r#"value="A1""#.to_owned(),
    ] {
        assert!(told.body.contains(&there), "{there}: {}", told.body);
    }
    // nothing counts as what was there before, so all of it is written
    assert!(!told.body.contains(r#"name="w-"#), "{}", told.body);
    let sent = [("v-f-code", "A1"), ("v-f-people", "77")];
    browser.send(&told, &new, &sent).is(303);
}

#[test]
fn what_was_deleted_last_is_seen_first() {
    let server = AdminServer::start();
    let (dataset, [first, second]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let list = format!("/app/datasets/{dataset}/deleted");
    for record in [second, first] {
        browser.delete(&format!("/app/datasets/{dataset}/records/{record}"));
    }
    let page = browser.get(&list).is(200);
    let at = |key: &str| page.body.find(&format!(">{key}</th>")).expect(key);
    assert!(at("A1") < at("A2"), "{}", page.body);
}
