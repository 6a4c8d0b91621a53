//! A field leaves the schema, or is switched off, while someone fills it in: in a cell of the list, in the form of a record, in a
//! paste or for ticked records. Who saves it is told, nothing is stored, and what was typed is on the page, to be copied.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada, written};
use crate::jobs;
use crate::pages_failed::tricky;
use crate::pages_paste::{filled_in, pairs, pasted};
use crate::requests::Answer;
use crate::schema_editor::held;
use runtime::store::catalog::{SchemaEntry, SchemaVersion};
use serde_json::{Value, json};
use std::sync::Arc;

/// What is sent of a cell in which 13 was typed for 12.
const TYPED: [(&str, &str); 5] = [
    ("version", "0"),
    ("schema", "1"),
    ("columns", "f-code f-people"),
    ("w-f-people", "12"),
    ("v-f-people", "13"),
];

const TOLD: &str = "be filled in any more: People. Nothing was saved.";
/// What stands of it in the form of a record.
const KEPT: &str = r#"<dt>People</dt><dd><p class="spaces">13</p></dd>"#;

/// Publishes the schema of a dataset with these fields changed, as another person does.
fn change_fields(server: &AdminServer, dataset: &str, change: impl Fn(&mut Vec<Value>)) {
    let schema = server.service.store().catalog().datasets[dataset]
        .schema
        .clone();
    let line = format!("/schemas/{schema}");
    let mut document = server.get(&line)["document"].clone();
    change(document["fields"].as_array_mut().expect("fields"));
    let body = json!({"document": document});
    server.root(&format!("PUT {line}"), Some(body)).is(200);
}

/// Takes a field out of the schema of a dataset.
fn take_out(server: &AdminServer, dataset: &str, id: &str) {
    change_fields(server, dataset, |fields| {
        fields.retain(|field| field["fieldId"] != id);
    });
}

/// A dataset of towns with a field beside the one that goes, and two records.
fn towns(server: &AdminServer) -> (String, Vec<String>) {
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-people", "People", "integer", false),
        field("f-note", "Note", "string", false),
        field("f-photo", "Photo", "image", false),
    ];
    let [area, _, dataset] = server.places(&json!({"name": "Town", "fields": fields}));
    give_ada(server, &area);
    let records = [
        json!({"Code": "A1", "People": 12}),
        json!({"Code": "A2", "People": 7}),
    ];
    let ids = written(server, &dataset, &records);
    (dataset, ids)
}

/// That a page has all of these.
#[track_caller]
fn has(page: &Answer, parts: &[&str]) {
    for part in parts {
        assert!(page.body.contains(part), "{part}: {}", page.body);
    }
}

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
    take_out(&server, &dataset, "f-people");
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

#[test]
fn what_was_typed_for_a_field_that_is_gone_comes_back_before_anything_of_a_record_is_saved() {
    let server = AdminServer::start();
    let (dataset, ids) = towns(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&path).is(200);
    assert_eq!(held(&page, "schema"), "1");
    take_out(&server, &dataset, "f-people");
    let typed = |people: &'static str, note: &'static str| {
        [
            ("version", "0"),
            ("schema", "1"),
            ("w-f-code", "A1"),
            ("v-f-code", "A1"),
            ("w-f-people", "12"),
            ("v-f-people", people),
            ("v-f-note", note),
        ]
    };
    // who left it as it was is not held up
    browser.send(&page, &path, &typed("12", "")).is(303);
    let german = "Diese Felder lassen sich nicht mehr ausfüllen: People.";
    for (browser, told) in [(&browser, TOLD), (&browser.in_german(), german)] {
        let again = browser.send(&page, &path, &typed("13", "a harbour"));
        let again = again.is(409);
        has(&again, &[told, KEPT, r#"value="a harbour""#]);
        assert!(!again.body.contains("v-f-people"), "{}", again.body);
    }
    let emptied = browser.send(&page, &path, &typed("", "")).is(409);
    let nothing = r#"<dt>People</dt><dd><p class="muted">no value</p></dd>"#;
    has(&emptied, &[TOLD, nothing]);
    // so it is with a cell that is sent without a script
    let cell = format!("{path}/cells/f-people");
    has(&browser.send(&page, &cell, &TYPED).is(409), &[TOLD, KEPT]);
    let now = browser.get(&path).is(200);
    assert_eq!(held(&now, "version"), "0", "nothing was stored");
    // sent from there, all else is saved
    let again = browser.send(&page, &path, &typed("13", "a harbour"));
    let again = again.is(409);
    let [version, schema] = ["version", "schema"].map(|name| held(&again, name));
    assert_eq!(schema, "2");
    let fields = [
        ("version", &*version),
        ("schema", &*schema),
        ("v-f-note", "a harbour"),
    ];
    browser.send(&again, &path, &fields).is(303);
    let now = browser.get(&path).is(200);
    has(&now, &[r#"value="a harbour""#]);
    assert_eq!(held(&now, "version"), "1");
}

#[test]
fn a_field_that_was_switched_off_is_told_by_the_name_that_the_form_had() {
    let server = AdminServer::start();
    let (dataset, ids) = towns(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&path).is(200);
    change_fields(&server, &dataset, |fields| {
        fields[1]["name"] = json!("Inhabitants");
        fields[1]["active"] = json!(false);
    });
    has(&browser.send(&page, &path, &TYPED).is(409), &[TOLD, KEPT]);
}

#[test]
fn a_new_record_is_made_once_it_is_known_what_of_it_can_not_be_stored() {
    let server = AdminServer::start();
    let (dataset, _) = towns(&server);
    let browser = Browser::signed_in(&server);
    let list = format!("/app/datasets/{dataset}");
    let path = format!("{list}/new");
    let page = browser.get(&path).is(200);
    take_out(&server, &dataset, "f-people");
    let send = |page: &Answer, people: &str| {
        let [mark, schema] = ["mark", "schema"].map(|name| held(page, name));
        let fields = [
            ("mark", &*mark),
            ("schema", &*schema),
            ("v-f-code", "B1"),
            ("v-f-people", people),
        ];
        browser.send(page, &path, &fields)
    };
    let again = send(&page, "13").is(409);
    has(&again, &[TOLD, KEPT, r#"value="B1""#]);
    let there = browser.get(&list).is(200);
    assert!(!there.body.contains(">B1<"), "{}", there.body);
    // what is empty is no value that would be lost
    send(&again, "").is(303);
    has(&browser.get(&list).is(200), &[">B1<"]);
}

#[test]
fn of_a_record_that_is_deleted_meanwhile_what_was_typed_for_a_field_that_is_gone_is_told_too() {
    let server = AdminServer::start();
    let (dataset, ids) = towns(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&path).is(200);
    take_out(&server, &dataset, "f-people");
    browser.delete(&path);
    let fields = [&TYPED[..], &[("v-f-note", "a harbour")]].concat();
    let told = browser.send(&page, &path, &fields).is(404);
    has(&told, &[TOLD, KEPT, r#"value="a harbour""#]);
}

#[test]
fn a_value_that_is_set_in_ticked_records_goes_into_no_other_field_where_its_own_is_gone() {
    let server = jobs::server();
    let (dataset, ids) = towns(&server);
    let browser = Browser::signed_in(&server);
    let list = format!("/app/datasets/{dataset}");
    let there = format!("{list}/selected");
    let record = &*ids[0];
    let page = browser.get(&format!("{there}?record={record}")).is(200);
    let look = |page: &Answer| {
        let schema = held(page, "schema");
        let fields = [
            ("record", record),
            ("schema", &*schema),
            ("field", "f-people"),
            ("v-f-people", "13"),
            ("show", "true"),
        ];
        browser.send(page, &format!("{there}/look"), &fields)
    };
    let preview = look(&page).is(200);
    assert!(!preview.body.contains(TOLD), "{}", preview.body);
    take_out(&server, &dataset, "f-people");
    let shown = format!("{record}:0");
    let fields = [
        ("record", &*shown),
        ("schema", "1"),
        ("field", "f-people"),
        ("value", "13"),
    ];
    let set = browser.send(&preview, &format!("{there}/set"), &fields);
    for told in [look(&page).is(200), set.is(409)] {
        let parts = [
            TOLD,
            r#"<option value="f-people" selected>People</option>"#,
            r#"<output id="gone-value" class="spaces">13</output>"#,
            // it goes along, whatever is pressed next
            r#"<input type="hidden" name="v-f-people" value="13">"#,
        ];
        has(&told, &parts);
        assert!(!told.body.contains(r#"id="f-f-"#), "{}", told.body);
    }
    let now = browser.get(&format!("{list}/records/{record}")).is(200);
    assert_eq!(held(&now, "version"), "0", "nothing was stored");
}

#[test]
fn cells_that_were_pasted_are_not_written_without_those_whose_field_is_gone_until_that_is_known() {
    let server = jobs::server();
    let (dataset, ids) = towns(&server);
    let browser = Browser::signed_in(&server);
    let list = format!("/app/datasets/{dataset}");
    let grid = browser.get(&list).is(200);
    let cells = r#"[["13","one"],["8","two"]]"#;
    let mut fields = pasted(&["f-people", "f-note"], &ids, cells);
    fields.push(("schema", "1"));
    let look = || browser.send(&grid, &format!("{list}/paste"), &fields);
    let preview = look().is(200);
    assert!(!preview.body.contains(TOLD), "{}", preview.body);
    take_out(&server, &dataset, "f-people");
    let write = |page: &Answer| {
        let inputs = filled_in(&page.body);
        browser.send(page, &format!("{list}/paste/write"), &pairs(&inputs))
    };
    let again = write(&preview).is(409);
    for told in [&again, &look().is(200)] {
        has(told, &[TOLD, "<code>13\n8</code>", ">one</ins>"]);
    }
    let record = format!("{list}/records/{}", ids[0]);
    let now = browser.get(&record).is(200);
    assert_eq!(held(&now, "version"), "0", "nothing was stored");
    write(&again).is(303);
    has(&browser.get(&record).is(200), &[r#"value="one""#]);
}

#[test]
fn a_file_for_a_field_that_is_gone_is_refused_with_the_record_as_it_is() {
    let server = AdminServer::start();
    let (dataset, ids) = towns(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let page = browser.get(&path).is(200);
    take_out(&server, &dataset, "f-photo");
    let upload = format!("{path}/files/f-photo");
    let file = ("photo.png", "a picture");
    let told = browser.send_file(&page, &upload, &[("version", "0")], file);
    has(&told.is(404), &["There is no such field"]);
    let now = browser.get(&path).is(200);
    assert_eq!(held(&now, "version"), "0", "nothing was stored");
}
