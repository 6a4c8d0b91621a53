//! Fields of several values in forms: what is filled in for them is as many values as it looks like, and what nobody changed
//! of them stays to the letter.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, give_ada, written};
use crate::jobs::{exported, server};
use serde_json::{Value, json};

/// A dataset of records with tags and ages, of each several, and one record.
fn tagged(server: &AdminServer, record: &Value) -> (String, String) {
    let mut tags = field("f-tags", "Tags", "string", false);
    tags["isMultivalue"] = json!(true);
    let mut ages = field("f-ages", "Ages", "integer", false);
    ages["isMultivalue"] = json!(true);
    let fields = [field("f-code", "Code", "string", true), tags, ages];
    let [area, _, dataset] = server.places(&json!({"name": "Tagged", "fields": fields}));
    give_ada(server, &area);
    let ids = written(server, &dataset, std::slice::from_ref(record));
    (dataset, ids[0].clone())
}

/// The last record that was made, as it is stored.
fn last(server: &AdminServer, dataset: &str) -> Value {
    let lines = exported(server, dataset, json!({"format": "ndjson"}));
    let line = lines.lines().last().expect("a record");
    serde_json::from_str(line).expect(line)
}

#[test]
fn each_line_is_a_value_in_the_form_in_a_cell_and_in_a_new_record() {
    let server = server();
    let (dataset, id) = tagged(&server, &json!({"Code": "T1"}));
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let path = format!("{there}/records/{id}");
    let page = browser.get(&path).is(200);
    let fields = [
        ("version", "0"),
        ("v-f-tags", "[A] one\r\n[B] two"),
        ("v-f-ages", "[1]\r\n 2"),
    ];
    browser.send(&page, &path, &fields).is(303);
    let now = last(&server, &dataset);
    assert_eq!(now["Tags"], json!(["[A] one", "[B] two"]));
    assert_eq!(now["Ages"], json!(["[1]", 2]));
    let cell = format!("{path}/cells/f-tags");
    let editor = browser.part(&format!("{cell}?columns=f-code%20f-tags"));
    let fields = [
        ("version", "1"),
        ("columns", "f-code f-tags"),
        ("w-f-tags", "[A] one\r\n[B] two"),
        ("v-f-tags", "[A] one\r\n  [C] three "),
    ];
    browser.send_part(&editor.is(200), &cell, &fields).is(200);
    let now = last(&server, &dataset);
    assert_eq!(now["Tags"], json!(["[A] one", "  [C] three "]));
    let path = format!("{there}/new");
    let page = browser.get(&path).is(200);
    let fields = [("v-f-code", "T2"), ("v-f-tags", "[A] one\r\n[B] two")];
    browser.send(&page, &path, &fields).is(303);
    let now = last(&server, &dataset);
    assert_eq!(now["Code"], "T2");
    assert_eq!(now["Tags"], json!(["[A] one", "[B] two"]));
}

#[test]
fn what_nobody_changed_of_several_values_stays() {
    let server = server();
    let tags = json!(["a", "b\nc", "  d ", "\"q\""]);
    let (dataset, id) = tagged(&server, &json!({"Code": "T1", "Tags": tags}));
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&path).is(200);
    let was = between(&page.body, r#"name="w-f-tags" value=""#).replace("&#34;", "\"");
    let now = was.replace("\"a\"", "\"a2\"");
    assert_ne!(now, was, "it is an array: {was}");
    let fields = [("version", "0"), ("w-f-tags", &*was), ("v-f-tags", &*now)];
    browser.send(&page, &path, &fields).is(303);
    let now = last(&server, &dataset);
    assert_eq!(now["Tags"], json!(["a2", "b\nc", "  d ", "\"q\""]));
    // lines, where they say the same
    let lines = "[\"a\"]\r\nnull\r\n5";
    let page = browser.get(&path).is(200);
    let was = between(&page.body, r#"name="w-f-tags" value=""#).replace("&#34;", "\"");
    let fields = [("version", "1"), ("w-f-tags", &*was), ("v-f-tags", lines)];
    browser.send(&page, &path, &fields).is(303);
    assert_eq!(
        last(&server, &dataset)["Tags"],
        json!(["[\"a\"]", "null", "5"])
    );
    let sixth = "[\"a\"]\r\nnull\r\n6";
    let fields = [("version", "2"), ("w-f-tags", lines), ("v-f-tags", sixth)];
    browser.send(&page, &path, &fields).is(303);
    assert_eq!(
        last(&server, &dataset)["Tags"],
        json!(["[\"a\"]", "null", "6"])
    );
}
