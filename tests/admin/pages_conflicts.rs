//! Two change one record at a time, by forms that began with the same version.

use crate::admin_server::{AdminServer, names};
use crate::at_once::at_once;
use crate::browser::{Browser, between, cities, field, give_ada, written};
use crate::jobs::{ended, server, thing};
use runtime::service::catalog::{Resource, Verb};
use serde_json::json;

#[test]
fn who_was_first_on_the_services_own_machine_is_told_as_that() {
    let server = AdminServer::start();
    let (dataset, [id, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let own = server.service.store().catalog().datasets[&dataset].clone();
    let place = [&*own.area, &*own.schema, &*dataset];
    let by = server.by_operator();
    let permit = by.permit_dataset(Resource::Records, Verb::Edit, place);
    let permit = permit.expect("the operator may");
    let body = br#"{"_version":0,"People":13}"#;
    let change = server.service.update_record(&permit, &id, body);
    server.tokio.block_on(change).expect("it is written");
    let people = [("version", "0"), ("w-f-people", "12"), ("v-f-people", "14")];
    let conflict = browser.send(&page, &path, &people).is(409).body;
    let told = "Changed last by a test (on the server) · 2";
    assert!(conflict.contains(told), "{conflict}");
}

#[test]
fn what_two_changed_in_different_fields_is_merged_and_in_the_same_is_chosen() {
    let server = AdminServer::start();
    let (dataset, [id, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let people = [("version", "0"), ("w-f-people", "12"), ("v-f-people", "13")];
    browser.send(&page, &path, &people).is(303);
    // who began with the same version changes another field: both are there
    let code = [
        ("version", "0"),
        ("w-f-code", "A1"),
        ("v-f-code", "A9"),
        ("w-f-people", "12"),
        ("v-f-people", "12"),
    ];
    browser.send(&page, &path, &code).is(303);
    let merged = browser.get(&path).is(200);
    assert!(merged.body.contains(r#"value="A9""#) && merged.body.contains(r#"value="13""#));
    // one field of two is contested: nothing is written until one is chosen, and the other change goes along
    let both = [
        ("version", "0"),
        ("w-f-code", "A9"),
        ("v-f-code", "B1"),
        ("w-f-people", "12"),
        ("v-f-people", "14"),
    ];
    let conflict = browser.send(&page, &path, &both).is(409);
    for text in ["<b>12</b>", "<b>13</b>", r#"value="14""#, r#"value="B1""#] {
        assert!(conflict.body.contains(text), "{text} in {}", conflict.body);
    }
    assert_eq!(
        conflict.body.matches("<fieldset class=\"theirs\"").count(),
        1
    );
    // what nobody can overlook stands above: which field it is, and who was first
    for told in [
        r##"Both of you changed: <a href="#f-f-people">People</a>"##,
        "Changed last by ada · 2",
        "Both of you changed this field: choose one.",
        r#"value="mine" required>"#,
    ] {
        assert!(conflict.body.contains(told), "{told}: {}", conflict.body);
    }
    assert!(
        browser.get(&path).body.contains(r#"value="A9""#),
        "nothing is written"
    );
    let version = between(&conflict.body, r#"name="version" value=""#);
    let chosen = [
        ("version", &*version),
        ("w-f-code", "A9"),
        ("v-f-code", "B1"),
        ("w-f-people", "13"),
        ("v-f-people", "14"),
        ("c-f-people", "theirs"),
    ];
    browser.send(&conflict, &path, &chosen).is(303);
    let page = browser.get(&path).is(200);
    assert!(page.body.contains(r#"value="B1""#) && page.body.contains(r#"value="13""#));
}

#[test]
fn a_conflict_shows_what_both_wrote_and_loses_neither() {
    let server = AdminServer::start();
    let (dataset, [id, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let change = |people: &str| {
        let fields = [
            ("version", "0"),
            ("w-f-people", "12"),
            ("v-f-people", people),
        ];
        browser.send(&page, &path, &fields)
    };
    change("13").is(303);
    let conflict = change("14").is(409);
    assert!(
        conflict
            .body
            .contains("Someone else has changed this record")
    );
    assert!(conflict.body.contains("<b>13</b>") && conflict.body.contains(r#"value="14""#));
    let version = between(&conflict.body, r#"name="version" value=""#);
    let fields = [
        ("version", &*version),
        ("w-f-people", "13"),
        ("v-f-people", "14"),
    ];
    browser.send(&conflict, &path, &fields).is(303);
    let history = browser.get(&format!("{path}/history")).is(200);
    assert!(
        history.body.contains("<h1>History: A1</h1>"),
        "it names its record: {}",
        history.body
    );
    for value in ["12", "13", "14"] {
        assert!(
            history.body.contains(&format!(">{value}<")),
            "{value} in {}",
            history.body
        );
    }
}

#[test]
fn a_conflict_asks_for_each_field_that_both_changed_until_it_is_answered() {
    let server = AdminServer::start();
    let (dataset, [id, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let sent = |code: &'static str, people: &'static str| {
        let fields = [
            ("version", "0"),
            ("w-f-code", "A1"),
            ("v-f-code", code),
            ("w-f-people", "12"),
            ("v-f-people", people),
        ];
        browser.send(&page, &path, &fields)
    };
    sent("B1", "13").is(303);
    let conflict = sent("C1", "14").is(409);
    // what saves is the merge, it says so, and it is the one thing that the page is for
    let body = &conflict.body;
    assert!(body.contains(r#"<button class="primary">Merge and save</button>"#));
    assert_eq!(body.matches(r#"class="primary"#).count(), 1, "{body}");
    assert!(body.contains("Discard all my changes and show the stored record"));
    assert!(body.contains("keeps that change"), "{body}");
    // nothing is chosen beforehand
    assert!(!body.contains(" checked"), "{body}");
    let version = between(body, r#"name="version" value=""#);
    let mut fields = vec![
        ("version", &*version),
        ("w-f-code", "B1"),
        ("v-f-code", "C1"),
        ("b-f-code", "A1"),
        ("w-f-people", "13"),
        ("v-f-people", "14"),
        ("b-f-people", "12"),
        ("c-f-people", "mine"),
    ];
    let again = browser.send(&conflict, &path, &fields).is(409);
    assert_eq!(again.body.matches("<fieldset class=\"theirs\"").count(), 2);
    // what was chosen is kept, and what was before both
    let (_, people) = again
        .body
        .split_once(r#"name="c-f-people" value="mine""#)
        .expect("the choice");
    assert!(people.starts_with(" required checked"), "{}", again.body);
    assert_eq!(again.body.matches(" checked").count(), 1);
    assert!(again.body.contains(r#"name="b-f-code" value="A1""#));
    let stored = browser.get(&path).is(200);
    assert!(stored.body.contains(r#"value="B1""#), "nothing is written");
    fields.push(("c-f-code", "theirs"));
    browser.send(&again, &path, &fields).is(303);
    let stored = browser.get(&path).is(200);
    for value in [r#"value="B1""#, r#"value="14""#] {
        assert!(stored.body.contains(value), "{value}: {}", stored.body);
    }
    let german = browser.in_german();
    let conflict = german.send(&page, &path, &fields[..7]).is(409);
    assert!(conflict.body.contains("Zusammenführen und speichern"));
}

#[test]
fn many_that_save_at_once_each_another_field_are_all_written() {
    const AT_ONCE: usize = 12;
    let server = AdminServer::start();
    let own = |at: usize| field(&format!("f-{at}"), &format!("Field{at}"), "string", at == 0);
    let fields: Vec<_> = (0..=AT_ONCE).map(own).collect();
    let [area, _, dataset] = server.places(&json!({"name": "Wide", "fields": fields}));
    give_ada(&server, &area);
    let id = written(&server, &dataset, &[json!({"Field0": "A"})]).remove(0);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let save = |at: usize| {
        let (was, now) = (format!("w-f-{at}"), format!("v-f-{at}"));
        let value = format!("value {at}");
        let fields = [("version", "0"), (&*was, ""), (&*now, &*value)];
        browser.send(&page, &path, &fields).status
    };
    assert_eq!(at_once(AT_ONCE, |at| save(at + 1)), [303; AT_ONCE]);
    let stored = browser.get(&path).is(200);
    for at in 1..=AT_ONCE {
        let value = format!(r#"value="value {at}""#);
        assert!(stored.body.contains(&value), "{value}: {}", stored.body);
    }
}

#[test]
fn who_changed_a_record_last_is_whoever_wrote_it_and_no_judgement_behind_that() {
    let server = server();
    let [area, schema, dataset] = server.places(&thing());
    give_ada(&server, &area);
    let id = written(&server, &dataset, &[json!({"Code": "1", "Size": 20})]).remove(0);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let change = |size: &str| {
        let fields = [
            ("version", "0"),
            ("schema", "1"),
            ("w-f-size", "20"),
            ("v-f-size", size),
        ];
        browser.send(&page, &path, &fields)
    };
    change("30").is(303);
    // now it is too large
    let mut document = thing();
    document["fields"][2]["max"] = json!(25);
    let body = json!({"document": document});
    server
        .root(&format!("PUT /schemas/{schema}"), Some(body))
        .is(200);
    for job in names(&server.get("/jobs"), "jobId") {
        ended(&server, &job);
    }
    let history = server.get(&format!("/datasets/{dataset}/records/{id}/history"));
    let entries = history["items"].as_array().expect("entries").len();
    assert_eq!(entries, 3, "the judgement is one: {history}");
    let conflict = change("40").is(409).body;
    assert!(conflict.contains("Changed last by ada · 2"), "{conflict}");
}
