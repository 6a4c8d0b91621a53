//! Changes of many records by what is longer than an address may be: a repair that was tried is changed, and a long value of
//! ticked records is looked at first.

use crate::browser::{Browser, cities, field, form, give_ada, written};
use crate::jobs::{exported, server};
use serde_json::{Value, json};

/// Lines of a list, which make 60 KB of it: more than a head may have.
const LINES: usize = 4_000;

/// A list of values that no record has, each with its successor.
fn long_list() -> String {
    let lines = (0..LINES).map(|at| format!("x{at:05} = y{at:05}"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_repair_with_a_long_list_is_changed_after_its_trial_also_where_nothing_would_change() {
    let server = server();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&path).is(200);
    let again = format!(r#"href="{path}?trial="#);
    for (more, count, may_be_done) in [("", 0, false), ("A1 = B1\n", 1, true)] {
        let list = format!("{more}{}", long_list());
        let fields = [("field", "Code"), ("action", "map"), ("map", &*list)];
        let tried = browser.ended_job(browser.send(&page, &path, &fields));
        let told = format!("Would change</dt><dd>{count}<");
        assert!(tried.body.contains(&told), "{}", tried.body);
        let has_form = tried.body.contains(r#"name="trial""#);
        assert_eq!(has_form, may_be_done, "{}", tried.body);
        let (_, rest) = tried.body.split_once(&again).expect("a way back to it");
        let trial = rest.split('"').next().expect("a quote");
        let filled = browser.get(&format!("{path}?trial={trial}")).is(200);
        for part in [
            r#"<option value="map" selected>"#,
            "<option selected>Code</option>",
            &format!("\n{list}</textarea>"),
        ] {
            assert!(filled.body.contains(part), "{part}");
        }
    }
}

#[test]
fn a_value_that_was_to_be_set_by_a_trial_stands_in_its_form_again() {
    let server = server();
    let (dataset, [first, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&path).is(200);
    let fields = [
        ("field", "People"),
        ("q", "Code:A1"),
        ("action", "set"),
        ("v-f-people", "77"),
    ];
    let tried = browser.ended_job(browser.send(&page, &path, &fields));
    let (_, rest) = tried.body.split_once("mend?trial=").expect("a way back");
    let trial = rest.split('"').next().expect("a quote");
    let again = browser.get(&format!("{path}?trial={trial}")).is(200);
    for part in [r#"name="v-f-people" value="77""#, r#"value="Code:A1""#] {
        assert!(again.body.contains(part), "{part}: {}", again.body);
    }
    assert!(
        browser
            .get(&format!("/app/datasets/{dataset}/records/{first}"))
            .is(200)
            .body
            .contains(r#"value="12""#)
    );
    // what is no trial, or nobody's, is none of this dataset
    browser.get(&format!("{path}?trial=none")).is(404);
    let sent = browser.send(&tried, &path, &[("trial", trial)]);
    let done = sent.is(303).header("location").expect("a job").to_owned();
    let done = done.rsplit('/').next().expect("its id");
    browser.get(&format!("{path}?trial={done}")).is(404);
    // another one, who sees the job of neither
    let joe = Browser::of_user(&server, "joe", &server.role("MEMBER"), &json!([]));
    let refused = joe.get(&format!("{path}?trial={trial}"));
    assert!([403, 404].contains(&refused.status), "{}", refused.status);
    assert!(!refused.body.contains(r#"value="77""#), "{}", refused.body);
}

#[test]
fn a_value_that_is_longer_than_an_address_is_looked_at_before_ticked_records_have_it() {
    let server = server();
    let (dataset, ids) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let ticked: Vec<_> = ids.iter().map(|id| ("record", &**id)).collect();
    let page = browser.get(&format!("{there}/selected?{}", form(&ticked)));
    let page = page.is(200);
    let look = format!("{there}/selected/look");
    assert!(
        page.body
            .contains(&format!(r#"method="post" action="{look}""#))
    );
    let long = "many lines\n".repeat(6_000) + "the-end";
    let own = [
        ("field", "f-people"),
        ("v-f-people", &*long),
        ("show", "true"),
    ];
    let shown = browser.send(&page, &look, &[&ticked[..], &own].concat());
    let shown = shown.is(200);
    assert_eq!(shown.body.matches("</ins>").count(), 2, "{}", shown.body);
    assert!(
        shown
            .body
            .contains("<dt>Faulty after the change</dt><dd>2</dd>")
    );
    assert!(
        shown
            .body
            .contains(&format!(r#"action="{there}/selected/set""#))
    );
    let stored = || {
        let lines = exported(&server, &dataset, json!({"format": "ndjson"}));
        let read = |line: &str| serde_json::from_str::<Value>(line).expect(line)["People"].clone();
        lines.lines().map(read).collect::<Vec<_>>()
    };
    assert_eq!(stored(), [json!(12), json!("many")], "nothing is written");
    let versions: Vec<_> = ids.iter().map(|id| format!("{id}:0")).collect();
    let versions = versions.iter().map(|own| ("record", &**own));
    let own = [("field", "f-people"), ("value", &*long)];
    let fields: Vec<_> = versions.chain(own).collect();
    let set = format!("{there}/selected/set");
    browser.send(&shown, &set, &fields).is(303);
    assert_eq!(stored(), [json!(long), json!(long)]);
}

#[test]
fn a_trial_of_a_field_that_is_gone_is_shown_as_one_and_fills_no_other_input() {
    let server = server();
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-name", "Name", "string", false),
        field("f-town", "Town", "string", false),
    ];
    let [area, schema, dataset] = server.places(&json!({"name": "Branch", "fields": fields}));
    give_ada(&server, &area);
    written(&server, &dataset, &[json!({"Code": "A1", "Town": "Bonn"})]);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&path).is(200);
    let fields = [("field", "Town"), ("action", "set"), ("v-f-town", "Ulm")];
    let tried = browser.ended_job(browser.send(&page, &path, &fields));
    let (_, rest) = tried.body.split_once("mend?trial=").expect("a way back");
    let trial = rest.split('"').next().expect("a quote");
    let mut document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    let left = document["fields"].as_array_mut().expect("fields");
    left.retain(|own| own["name"] != "Town");
    let line = format!("PUT /schemas/{schema}");
    let body = json!({"document": document});
    server.root(&line, Some(body)).is(200);
    let told = "“Town” is no field that can be mended here";
    let again = browser.get(&format!("{path}?trial={trial}")).is(200);
    for part in [
        told,
        "<option selected>Town</option>",
        r#"<output id="gone-value">Ulm</output>"#,
    ] {
        assert!(again.body.contains(part), "{part}: {}", again.body);
    }
    assert!(!again.body.contains(r#"name="v-"#), "{}", again.body);
    // sent as it is, it is refused; with another field, that begins empty
    let sent = [("action", "set"), ("set-of", "Town"), ("with", "Ulm")];
    let same = [&[("field", "Town")][..], &sent].concat();
    let refused = browser.send(&again, &path, &same).is(400);
    assert!(refused.body.contains(told), "{}", refused.body);
    let other = [&[("field", "Name")][..], &sent].concat();
    let asked = browser.send(&again, &path, &other).is(200);
    let input = r#"name="v-f-name" value="""#;
    assert!(asked.body.contains(input), "{}", asked.body);
}
