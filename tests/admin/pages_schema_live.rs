//! What the editor of a schema tells again while one types: what stands beside inputs and fields is never older than what is told
//! of the whole, and a value that is tried is judged by what is set by now.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::requests::Answer;
use crate::schema_editor::{edited, held, opened, places};

/// What is told again of a page whose second field is open, with these bounds and what stands beside.
fn told(browser: &Browser<'_>, page: &Answer, area: &str, beside: &[(&str, &str)]) -> String {
    let [document, schema, version] = ["document", "schema", "version"].map(|it| held(page, it));
    let mut fields = vec![
        ("document", &*document),
        ("schema", &*schema),
        ("version", &*version),
        ("open", "1"),
        ("shown", "min"),
        ("shown", "max"),
    ];
    fields.extend(beside);
    let path = format!("/app/areas/{area}/schemas/editor?part=told");
    browser.send_part(page, &path, &fields).is(200).body
}

#[test]
fn what_stands_beside_inputs_and_fields_goes_when_it_is_settled() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let opened = opened(&browser, &schema, &area);
    let bounds = [
        ("shown", "min"),
        ("shown", "max"),
        ("f-min", "9"),
        ("f-max", "5"),
        ("t-0", "A3"),
        ("do", "check"),
    ];
    let checked = edited(&browser, &opened, &area, &bounds).is(200);
    let (before, _) = checked
        .body
        .split_once(r#"name="said-"#)
        .expect("a message");
    assert!(before.ends_with(r#"<input type="hidden" "#));
    let (_, said) = checked
        .body
        .split_once(r#"name="said-"#)
        .expect("a message");
    let property = said.split('"').next().expect("its property");
    let name = format!("said-{property}");
    let message = held(&checked, &name);
    assert_eq!(held(&checked, "marked"), "1");
    // what is tried is there still once nothing contradicts
    assert_eq!(held(&checked, "t-0"), "A3");
    let beside = |min: &'static str| {
        let shown = [(&*name, &*message), ("marked", "1"), ("t-0", "A3")];
        let bounds = [("f-min", min), ("f-max", "5")];
        told(&browser, &checked, &area, &[&shown[..], &bounds].concat())
    };
    let still = beside("8");
    for part in [
        &*format!(r#"<div id="c-{property}" hx-swap-oob="true">"#),
        r#"<p class="contradicts">"#,
        r#"<span class="mark warn" id="mark-1" hx-swap-oob="true">"#,
        r#"<section id="tried" role="status" hx-swap-oob="true">"#,
        "Solve the problems first",
    ] {
        assert!(still.contains(part), "{part}: {still}");
    }
    assert!(!still.contains(r#"id="try""#), "its inputs stay: {still}");
    let settled = beside("1");
    for part in [
        "No problems found",
        r#"<p class="contradicts settled">"#,
        r#"<span class="mark warn settled" id="mark-1" hx-swap-oob="true">"#,
        r#"<div id="try" hx-swap-oob="outerMorph">"#,
        r#"name="t-0" value="A3""#,
    ] {
        assert!(settled.contains(part), "{part}: {settled}");
    }
    // what a button has not shown beside its input is told of the whole alone, so that nothing moves
    let bounds = [("f-min", "9"), ("f-max", "5")];
    let new = told(&browser, &opened, &area, &bounds);
    assert!(new.contains("<h3>Problems</h3>") && !new.contains(r#"class="contradicts"#));
}

#[test]
fn a_value_that_is_tried_is_judged_again_when_a_setting_or_a_name_changes() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let opened = opened(&browser, &schema, &area);
    let values = [("t-0", "A3"), ("t-1", "978")];
    let clean = told(&browser, &opened, &area, &values);
    assert!(clean.contains("No faults"), "{clean}");
    let bounded = [&values[..], &[("f-max", "5")]].concat();
    let faulty = told(&browser, &opened, &area, &bounded);
    let (_, verdict) = faulty.split_once(r#"id="tried""#).expect("a verdict");
    assert!(verdict.contains(r#"<span class="why">"#), "{faulty}");
    assert!(!verdict.contains("No faults"), "{faulty}");
    let renamed = [&values[..], &[("shown", "name"), ("f-name", "Souls")]].concat();
    let renamed = told(&browser, &opened, &area, &renamed);
    assert!(renamed.contains(r#"<label for="t-1">Souls "#), "{renamed}");
}

#[test]
fn inputs_of_what_is_tried_come_again_only_where_the_page_shows_others() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let opened = opened(&browser, &schema, &area);
    let tried = held(&opened, "tried");
    let values = [("tried", &*tried), ("t-0", "A3"), ("t-1", "978")];
    let same = [&values[..], &[("f-max", "5")]].concat();
    let same = told(&browser, &opened, &area, &same);
    assert!(!same.contains(r#"id="try""#), "{same}");
    assert!(same.contains(r#"<span class="why">"#), "{same}");
    let renamed = [&values[..], &[("shown", "name"), ("f-name", "Souls")]].concat();
    let renamed = told(&browser, &opened, &area, &renamed);
    let input = r#"aria-describedby="tried" hx-morph-skip>"#;
    for part in [r#"<label for="t-1">Souls "#, input] {
        assert!(renamed.contains(part), "{part}: {renamed}");
    }
}
