//! Records that are called by a personal key: who may not see it reads a mask, and is told what that is, wherever one is named.

use crate::browser::{Browser, field, give_ada, written};
use crate::jobs::server;
use crate::pages_home::edit;
use crate::personal_dataset::{MARKER, hides, key_that_sees_none};
use crate::requests::Answer;
use serde_json::json;

/// Asserts that a page has masks, and that each that is seen says what it is.
#[track_caller]
fn marks_masks(page: &Answer, path: &str) {
    hides(page, path);
    let mut seen = 0;
    let pieces: Vec<_> = page.body.split("***").collect();
    let told = "you need the right to see personal data";
    for (before, behind) in pieces.iter().zip(&pieces[1..]) {
        let tag = before.rsplit('<').next().unwrap_or_default();
        // what a form sends is not seen
        if tag.contains("type=\"hidden\"") {
            continue;
        }
        // the name of a window has no marks, and says it in words
        if tag.starts_with("title>") {
            let title = behind.split("</title>").next().unwrap_or_default();
            assert!(title.contains(told), "{path}: {title}");
            continue;
        }
        seen += 1;
        assert!(tag.contains("masked\""), "{path}: {tag}: {}", page.body);
    }
    assert!(seen > 0, "{path}: {}", page.body);
    assert!(page.body.contains(told), "{path}: {}", page.body);
}

#[test]
fn a_masked_key_is_marked_wherever_its_record_is_named() {
    let server = server();
    let mut name = field("f-name", "Name", "string", true);
    name["isPII"] = true.into();
    let town = field("f-town", "Town", "string", false);
    let document = json!({"name": "Household", "fields": [name, town]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let household = |name: &str| json!({"Name": format!("{MARKER} {name}"), "Town": "Ulm"});
    let ids = written(&server, &dataset, &[household("here"), household("gone")]);
    let gone = json!({"delete": {"_dataObjectId": ids[1]}});
    edit(&server, &dataset, &[gone]);
    let (role, _) = key_that_sees_none(&server, &area);
    let all = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&server, "eve", &role, &all);
    let there = format!("/app/datasets/{dataset}");
    let [here, gone] = [0, 1].map(|at| format!("{there}/records/{}", ids[at]));
    for path in [
        "/app/",
        &there,
        &here,
        &format!("{here}/history"),
        &format!("{gone}/history"),
        &format!("{here}/versions/0"),
        &format!("{gone}/versions/0"),
        &format!("{there}/deleted"),
        &format!("{there}/selected?record={}", ids[0]),
        &format!("{there}/selected?all=true&q=ulm"),
        "/app/search?q=ulm",
        "/app/go?q=ulm",
    ] {
        marks_masks(&eve.get(path).is(200), path);
    }
    marks_masks(&eve.part("/app/go?q=ulm").is(200), "the palette");
    let page = eve.get(&there).is(200);
    let pasted = [
        ("field", "f-town"),
        ("record", &*ids[0]),
        ("cells", r#"[["Bonn"]]"#),
    ];
    let path = format!("{there}/paste");
    marks_masks(&eve.send(&page, &path, &pasted).is(200), &path);
    // no line asks for a key that nobody told
    let lines = eve.get(&format!("{there}/api")).is(200);
    assert!(!lines.body.contains("/by-pk/"), "{}", lines.body);
    let ada = Browser::signed_in(&server);
    let lines = ada.get(&format!("{there}/api")).is(200);
    assert!(lines.body.contains("/by-pk/"), "{}", lines.body);
}

#[test]
fn what_was_personal_once_is_marked_in_what_was_written_then() {
    let server = server();
    let mut name = field("f-name", "Name", "string", true);
    name["isPII"] = true.into();
    let document = json!({"name": "Household", "fields": [name]});
    let [area, schema, dataset] = server.places(&document);
    give_ada(&server, &area);
    let records = [json!({"Name": MARKER})];
    let id = written(&server, &dataset, &records).remove(0);
    edit(
        &server,
        &dataset,
        &[json!({"delete": {"_dataObjectId": id}})],
    );
    let name = field("f-name", "Name", "string", true);
    let document = json!({"name": "Household", "fields": [name]});
    let line = format!("PUT /schemas/{schema}");
    server
        .root(&line, Some(json!({"document": document})))
        .is(200);
    let (role, _) = key_that_sees_none(&server, &area);
    let all = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&server, "eve", &role, &all);
    let there = format!("/app/datasets/{dataset}");
    for path in [
        format!("{there}/deleted"),
        format!("{there}/records/{id}/history"),
        format!("{there}/records/{id}/versions/0"),
    ] {
        marks_masks(&eve.get(&path).is(200), &path);
    }
}
