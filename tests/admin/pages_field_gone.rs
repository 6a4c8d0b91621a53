//! A field leaves the schema while one of its cells is open in the list: who saves it is told, nothing is stored, and what was
//! typed stays where it stands.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::pages_failed::tricky;
use crate::schema_editor::held;
use runtime::store::catalog::{SchemaEntry, SchemaVersion};
use serde_json::json;
use std::sync::Arc;

/// What is sent of a cell in which 13 was typed for 12.
const TYPED: [(&str, &str); 5] = [
    ("version", "0"),
    ("schema", "1"),
    ("columns", "f-code f-people"),
    ("w-f-people", "12"),
    ("v-f-people", "13"),
];

#[test]
fn a_cell_whose_field_is_gone_when_it_is_saved_stays_open_beside_a_message() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{record}");
    let cell = format!("{path}/cells/f-people");
    let editor = browser.part(&format!("{cell}?columns=f-code%20f-people"));
    let editor = editor.is(200);
    assert_eq!(held(&editor, "schema"), "1");
    let schema = server.service.store().catalog().datasets[&dataset]
        .schema
        .clone();
    let line = format!("/schemas/{schema}");
    let mut document = server.get(&line)["document"].clone();
    let fields = document["fields"].as_array_mut().expect("fields");
    fields.retain(|field| field["fieldId"] != "f-people");
    let line = format!("PUT {line}");
    server
        .root(&line, Some(json!({"document": document})))
        .is(200);
    for (browser, told) in [
        (&browser, "There is no such field"),
        (&browser.in_german(), "Das gibt es nicht oder nicht mehr"),
    ] {
        let saved = browser.send_part(&editor, &cell, &TYPED).is(404);
        assert!(saved.body.contains(told), "{}", saved.body);
        // the row with the editor is left as it is
        assert_eq!(saved.header("hx-retarget"), Some("#failure"));
        assert_eq!(saved.header("hx-reswap"), Some("innerHTML"));
        assert!(!saved.body.contains("<tr"), "{}", saved.body);
    }
    let page = browser.get(&path).is(200);
    assert_eq!(held(&page, "version"), "0", "nothing was stored");
}

/// A schema whose next version has no people.
fn without_people(entry: &SchemaEntry) -> SchemaEntry {
    let mut schema = entry.current().schema.clone();
    schema.fields.retain(|field| field.name != "People");
    schema.version = Some(entry.current().number + 1);
    let version = SchemaVersion::new(schema).expect("no contradictions");
    let mut next = entry.clone();
    next.versions.push(Arc::new(version));
    next
}

#[test]
fn a_cell_whose_field_goes_while_it_is_saved_is_shown_again_as_it_was_typed() {
    for is_german in [false, true] {
        let server = AdminServer::start();
        let (dataset, [record, _]) = cities(&server);
        let (server, store) = tricky(server);
        let mut browser = Browser::signed_in(&server);
        let mut told = "the schema has no field of this name";
        if is_german {
            browser = browser.in_german();
            told = "das Schema hat kein Feld dieses Namens";
        }
        let path = format!("/app/datasets/{dataset}/records/{record}");
        let cell = format!("{path}/cells/f-people");
        let editor = browser.part(&format!("{cell}?columns=f-code%20f-people"));
        let editor = editor.is(200);
        let catalog = server.opened.store.catalog();
        let entry = &catalog.schemas[&catalog.datasets[&dataset].schema];
        store.put_before_write(vec![without_people(entry).into()]);
        let saved = browser.send_part(&editor, &cell, &TYPED).is(200);
        assert_eq!(store.waiting(), 0, "it was judged before");
        assert_eq!(saved.header("hx-retarget"), Some("closest form"));
        for part in [told, "People", r#"value="13""#] {
            assert!(saved.body.contains(part), "{part}: {}", saved.body);
        }
        // where a value stands in what a page sends is nobody's matter
        assert!(!saved.body.contains(" byte "), "{}", saved.body);
        let page = browser.get(&path).is(200);
        assert_eq!(held(&page, "version"), "0", "nothing was stored");
    }
}
