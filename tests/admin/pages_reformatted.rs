//! Dates are written otherwise while someone fills in a form: what was typed is shown again, with how it is written by now, and
//! stored as no other day than was meant.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, field, give_ada, written};
use crate::jobs::server;
use crate::pages_paste::{filled_in, pairs, pasted};
use crate::requests::Answer;
use crate::schema_editor::held;
use serde_json::{Value, json};

const TOLD: &str = "written differently since you opened the page: Born (DD/MM/YYYY). Nothing";
pub(crate) const TYPED: &str = "04/05/1991";
const THEIRS: &str = r#"<fieldset class="theirs""#;

/// A schema of people whose birthday is written so.
fn document(format: &str) -> Value {
    let mut born = field("f-born", "Born", "date", false);
    born["dateFormat"] = json!(format);
    born["dateSeparator"] = json!("/");
    json!({"name": "Person", "fields": [
        field("f-code", "Code", "string", true),
        born,
        field("f-note", "Note", "string", false),
    ]})
}

/// A dataset of people whose birthdays are written with the month first.
pub(crate) struct People {
    pub(crate) server: AdminServer,
    schema: String,
    pub(crate) dataset: String,
    ids: Vec<String>,
}

impl People {
    pub(crate) fn on(server: AdminServer, records: &[Value]) -> Self {
        let [area, schema, dataset] = server.places(&document("MM$DD$YYYY"));
        give_ada(&server, &area);
        let ids = if records.is_empty() {
            Vec::new()
        } else {
            written(&server, &dataset, records)
        };
        People {
            server,
            schema,
            dataset,
            ids,
        }
    }

    /// Has the day come first from now on.
    pub(crate) fn put_day_first(&self) {
        let line = format!("PUT /schemas/{}", self.schema);
        let body = json!({"document": document("DD$MM$YYYY")});
        self.server.root(&line, Some(body)).is(200);
    }

    pub(crate) fn list(&self) -> String {
        format!("/app/datasets/{}", self.dataset)
    }

    fn record(&self) -> String {
        format!("{}/records/{}", self.list(), self.ids[0])
    }

    /// What a record's form has of the birthday.
    pub(crate) fn born(&self, browser: &Browser<'_>) -> String {
        let page = browser.get(&self.record()).is(200);
        between(&page.body, r#"name="v-f-born" value=""#)
    }
}

/// That a page tells it, and has what was typed, to be sent again under the version of now.
#[track_caller]
pub(crate) fn tells(page: &Answer) {
    assert!(page.body.contains(TOLD), "{}", page.body);
    assert!(page.body.contains(TYPED), "{}", page.body);
    assert_eq!(held(page, "schema"), "2");
}

#[test]
fn a_day_typed_into_the_form_of_a_record_is_not_stored_as_another() {
    let people = People::on(AdminServer::start(), &[json!({"Code": "P1"})]);
    let browser = Browser::signed_in(&people.server);
    let path = people.record();
    let page = browser.get(&path).is(200);
    assert_eq!(held(&page, "schema"), "1");
    people.put_day_first();
    let typed = |schema: &'static str| {
        [
            ("version", "0"),
            ("schema", schema),
            ("w-f-born", ""),
            ("v-f-born", TYPED),
        ]
    };
    let again = browser.send(&page, &path, &typed("1")).is(409);
    tells(&again);
    assert_eq!(people.born(&browser), "");
    assert!(!again.body.contains(THEIRS), "{}", again.body);
    // whoever changes another field is not held up, nor is who empties this one
    let note = [
        ("version", "0"),
        ("schema", "1"),
        ("v-f-born", ""),
        ("v-f-note", "a note"),
    ];
    browser.send(&page, &path, &note).is(303);
    browser.send(&again, &path, &typed("2")).is(303);
    assert_eq!(people.born(&browser), TYPED);
}

#[test]
fn what_was_there_is_no_change_of_someone_else_because_it_is_written_otherwise() {
    let born = json!({"Code": "P1", "Born": "12/31/1990"});
    let people = People::on(AdminServer::start(), &[born]);
    let browser = Browser::signed_in(&people.server);
    let path = people.record();
    let page = browser.get(&path).is(200);
    assert_eq!(people.born(&browser), "12/31/1990");
    people.put_day_first();
    let typed = [
        ("version", "0"),
        ("schema", "1"),
        ("w-f-born", "12/31/1990"),
        ("v-f-born", TYPED),
    ];
    let again = browser.send(&page, &path, &typed).is(409);
    tells(&again);
    assert!(!again.body.contains(THEIRS), "{}", again.body);
    assert_eq!(held(&again, "w-f-born"), "31/12/1990");
    // what someone else made of it is told beside, with what both began with as it is written by now
    let other = [
        ("version", "0"),
        ("schema", "2"),
        ("w-f-born", "31/12/1990"),
        ("v-f-born", "01/02/2000"),
    ];
    browser.send(&again, &path, &other).is(303);
    let both = browser.send(&page, &path, &typed).is(409);
    tells(&both);
    for told in [
        "Someone else has changed this record",
        "<b>31/12/1990</b>",
        "<b>01/02/2000</b>",
        // and who did that
        "Changed last by ada · 2",
    ] {
        assert!(both.body.contains(told), "{told}: {}", both.body);
    }
    assert_eq!(people.born(&browser), "01/02/2000");
    let version = held(&both, "version");
    let mine = [
        ("version", &*version),
        ("schema", "2"),
        ("w-f-born", "01/02/2000"),
        ("b-f-born", "31/12/1990"),
        ("c-f-born", "mine"),
        ("v-f-born", TYPED),
    ];
    browser.send(&both, &path, &mine).is(303);
    assert_eq!(people.born(&browser), TYPED);
}

#[test]
fn a_new_record_gets_no_other_day_than_was_typed() {
    let people = People::on(AdminServer::start(), &[]);
    let browser = Browser::signed_in(&people.server);
    let path = format!("{}/new", people.list());
    let page = browser.get(&path).is(200);
    people.put_day_first();
    let typed = |page: &Answer| {
        let (mark, schema) = (held(page, "mark"), held(page, "schema"));
        let fields = [
            ("mark", &*mark),
            ("schema", &*schema),
            ("v-f-code", "P1"),
            ("v-f-born", TYPED),
        ];
        browser.send(page, &path, &fields)
    };
    let again = typed(&page).is(409);
    tells(&again);
    assert!(again.body.contains(r#"value="P1""#), "{}", again.body);
    let list = browser.get(&people.list()).is(200);
    assert!(!list.body.contains(">P1<"), "{}", list.body);
    typed(&again).is(303);
    let list = browser.get(&people.list()).is(200);
    assert!(list.body.contains(TYPED), "{}", list.body);
}

#[test]
fn what_was_typed_for_a_record_that_is_deleted_is_told_as_well() {
    let born = json!({"Code": "P1", "Born": "12/31/1990"});
    let people = People::on(AdminServer::start(), &[born]);
    let browser = Browser::signed_in(&people.server);
    let path = people.record();
    let page = browser.get(&path).is(200);
    people.put_day_first();
    browser.delete(&path);
    let untouched = [
        ("version", "0"),
        ("schema", "1"),
        ("w-f-born", "12/31/1990"),
        ("v-f-born", "12/31/1990"),
        ("w-f-note", ""),
        ("v-f-note", "a note"),
    ];
    let gone = browser.send(&page, &path, &untouched).is(404);
    assert!(!gone.body.contains(TOLD), "{}", gone.body);
    assert!(gone.body.contains(r#"value="31/12/1990""#), "{}", gone.body);
    let typed = [
        ("version", "0"),
        ("schema", "1"),
        ("w-f-born", "12/31/1990"),
        ("v-f-born", TYPED),
    ];
    let gone = browser.send(&page, &path, &typed).is(404);
    tells(&gone);
}

#[test]
fn a_cell_of_the_list_is_left_as_it_was_and_so_is_what_a_proposal_was_for() {
    let faulty = json!({"Code": "P1", "Born": "5.4.1991"});
    let people = People::on(AdminServer::start(), &[faulty]);
    let browser = Browser::signed_in(&people.server);
    let cell = format!("{}/cells/f-born", people.record());
    let editor = browser.part(&format!("{cell}?columns=f-code%20f-born"));
    let editor = editor.is(200);
    assert_eq!(held(&editor, "schema"), "1");
    let list = browser.get(&people.list()).is(200);
    let (_, proposals) = list
        .body
        .split_once(r#"<form class="proposals""#)
        .expect("proposals");
    let schema = r#"<input type="hidden" name="schema" value="1">"#;
    assert!(proposals.contains(schema), "{proposals}");
    people.put_day_first();
    let typed = |schema: &'static str| {
        [
            ("version", "0"),
            ("schema", schema),
            ("columns", "f-code f-born"),
            ("w-f-born", "5.4.1991"),
            ("v-f-born", TYPED),
        ]
    };
    let again = browser.send_part(&editor, &cell, &typed("1")).is(200);
    tells(&again);
    assert_eq!(again.header("hx-retarget"), Some("closest form"));
    assert_eq!(people.born(&browser), "5.4.1991");
    // a proposal that was made for the format of before
    let taken = |schema: &'static str| {
        [
            ("schema", schema),
            ("was", "5.4.1991"),
            ("value", TYPED),
            ("columns", "f-code f-born"),
        ]
    };
    let path = format!("{cell}/mend");
    browser.send_part(&list, &path, &taken("1")).is(200);
    assert_eq!(people.born(&browser), "5.4.1991");
    browser.send_part(&list, &path, &taken("2")).is(200);
    assert_eq!(people.born(&browser), TYPED);
}

#[test]
fn days_that_were_pasted_are_no_others_than_their_preview_showed() {
    let people = People::on(server(), &[json!({"Code": "P1"})]);
    let browser = Browser::signed_in(&people.server);
    let there = people.list();
    let grid = browser.get(&there).is(200);
    let own = r#"<input type="hidden" name="schema" value="1" data-own><button>"#;
    assert!(grid.body.contains(own), "{}", grid.body);
    let cells = format!("[[\"{TYPED}\"]]");
    let mut fields = pasted(&["f-born"], &people.ids, &cells);
    fields.push(("schema", "1"));
    let look = || browser.send(&grid, &format!("{there}/paste"), &fields);
    let preview = look().is(200);
    assert!(!preview.body.contains(TOLD), "{}", preview.body);
    people.put_day_first();
    let write = |page: &Answer| {
        let inputs = filled_in(&page.body);
        browser.send(page, &format!("{there}/paste/write"), &pairs(&inputs))
    };
    let again = write(&preview).is(409);
    tells(&again);
    assert_eq!(people.born(&browser), "");
    // a list that is as old has its paste told before it is written
    tells(&look().is(200));
    write(&again).is(303);
    assert_eq!(people.born(&browser), TYPED);
}

#[test]
fn a_day_that_is_set_in_ticked_records_is_no_other_than_was_shown() {
    let people = People::on(server(), &[json!({"Code": "P1"})]);
    let browser = Browser::signed_in(&people.server);
    let there = format!("{}/selected", people.list());
    let record = &*people.ids[0];
    let page = browser.get(&format!("{there}?record={record}")).is(200);
    let look = |page: &Answer| {
        let schema = held(page, "schema");
        let fields = [
            ("record", record),
            ("schema", &*schema),
            ("field", "f-born"),
            ("v-f-born", TYPED),
            ("show", "true"),
        ];
        browser.send(page, &format!("{there}/look"), &fields)
    };
    let set = |page: &Answer| {
        let schema = held(page, "schema");
        let shown = format!("{record}:0");
        let fields = [
            ("record", &*shown),
            ("schema", &*schema),
            ("field", "f-born"),
            ("value", TYPED),
        ];
        browser.send(page, &format!("{there}/set"), &fields)
    };
    let preview = look(&page).is(200);
    assert!(!preview.body.contains(TOLD), "{}", preview.body);
    people.put_day_first();
    let again = set(&preview).is(409);
    tells(&again);
    let after = format!(">{TYPED}</ins>");
    assert!(again.body.contains(&after), "{}", again.body);
    assert_eq!(people.born(&browser), "");
    tells(&look(&page).is(200));
    set(&again).is(303);
    assert_eq!(people.born(&browser), TYPED);
}
