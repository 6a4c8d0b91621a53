//! Records with a text so long that twice of it, as forms are encoded, is more than a body may have.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, field, form, give_ada, posted, written};
use crate::jobs::{exported, server};
use crate::pages_held_up::carried;
use serde_json::{Value, json};

/// Characters of the text, of two bytes each.
const CHARS: usize = 100_000;
/// Bytes that the body of a request has at most, unless the settings say otherwise.
const BODY_BYTES_MAX: usize = 1 << 20;

fn long() -> String {
    "äöüß".repeat(CHARS / 4)
}

/// A dataset of people with notes, and the one who is in it.
fn people(server: &AdminServer) -> (String, String) {
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-mail", "Mail", "email", false),
        field("f-note", "Note", "string", false),
    ];
    let [area, _, dataset] = server.places(&json!({"name": "Person", "fields": fields}));
    give_ada(server, &area);
    let own = json!({"Code": "A1", "Mail": "a@b.co", "Note": long()});
    let ids = written(server, &dataset, &[own]);
    (dataset, ids[0].clone())
}

fn stored(server: &AdminServer, dataset: &str) -> Value {
    let line = exported(server, dataset, json!({"format": "ndjson"}));
    serde_json::from_str(&line).expect(&line)
}

#[test]
fn a_record_with_a_very_long_text_is_changed_by_its_form() {
    let server = server();
    let (dataset, id) = people(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&record).is(200);
    assert_eq!(page.body.matches(&long()).count(), 1, "it is there once");
    let mark = between(&page.body, r#"name="m-f-note" value=""#);
    let sent = |mail, note| {
        [
            ("version", "0"),
            ("w-f-code", "A1"),
            ("v-f-code", "A1"),
            ("w-f-mail", "a@b.co"),
            ("v-f-mail", mail),
            ("m-f-note", &*mark),
            ("v-f-note", note),
        ]
    };
    let note = long();
    // encoded and there twice, it would be larger than a body
    assert!(2 * 3 * note.len() > BODY_BYTES_MAX);
    let both = format!("{note}{note}");
    browser.send(&page, &record, &sent("z@b.co", &note)).is(303);
    let own = stored(&server, &dataset);
    assert_eq!(
        (&own["Mail"], &own["Note"]),
        (&json!("z@b.co"), &json!(note))
    );
    // twice the text is three times as many bytes on its way, and has room
    assert!(3 * both.len() > BODY_BYTES_MAX && both.len() < BODY_BYTES_MAX);
    browser.send(&page, &record, &sent("a@b.co", &both)).is(303);
    assert_eq!(stored(&server, &dataset)["Note"], both);
    // what the interface would not take, no form brings
    let more = "x".repeat(BODY_BYTES_MAX);
    let refused = browser.send(&page, &record, &sent("a@b.co", &more));
    assert!(refused.is(413).body.contains("larger than"));
    assert_eq!(stored(&server, &dataset)["Note"], both);
}

#[test]
fn a_form_of_a_session_that_has_ended_goes_along_however_long_it_is_on_its_way() {
    let server = server();
    let (dataset, id) = people(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{id}");
    let page = browser.get(&record).is(200);
    let mark = between(&page.body, r#"name="m-f-note" value=""#);
    let both = long() + &long();
    assert!(3 * both.len() > BODY_BYTES_MAX);
    let fields = [
        ("version", "0"),
        ("w-f-code", "A1"),
        ("v-f-code", "A1"),
        ("w-f-mail", "a@b.co"),
        ("v-f-mail", "a@b.co"),
        ("m-f-note", &*mark),
        ("v-f-note", &*both),
    ];
    server.clock.forward(3 * 3600);
    let asked = browser.send(&page, &record, &fields).is(401);
    assert!(asked.body.contains("What you filled in is kept"));
    let sign_in = |password: &str, body: &str| {
        let carried = carried(body);
        let mut all = vec![("username", "ada"), ("password", password)];
        all.extend(carried.iter().map(|(name, value)| (*name, &**value)));
        posted(&server, "/app/sign-in", &browser.cookie, &form(&all))
    };
    let wrong = sign_in("wrong", &asked.body).is(401);
    let entered = sign_in(PASSWORD, &wrong.body).is(200);
    let whole = format!(r#"name="v-f-note" value="{both}""#);
    assert_eq!(entered.body.matches(&whole).count(), 1);
    // what is told of it to who looks at it before is its beginning
    assert_eq!(entered.body.matches(&long()).count(), 2);
    let own = Browser::of(&server, &entered);
    own.send(&entered, &record, &fields).is(303);
    assert_eq!(stored(&server, &dataset)["Note"], both);
}

#[test]
fn a_very_long_text_is_changed_where_it_stands_and_whoever_was_slower_is_asked() {
    let server = server();
    let (dataset, id) = people(&server);
    let browser = Browser::signed_in(&server);
    let grid = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    let cell = format!("/app/datasets/{dataset}/records/{id}/cells/f-note");
    let editor = browser.part(&format!("{cell}?columns=f-note")).is(200);
    let mark = between(&editor.body, r#"name="m-f-note" value=""#);
    let send = |version: &str, mark: &str, note: &str, more: &[(&str, &str)]| {
        let own = [
            ("version", version),
            ("columns", "f-note"),
            ("m-f-note", mark),
            ("v-f-note", note),
        ];
        browser.send_part(&grid, &cell, &[&own[..], more].concat())
    };
    let (one, other) = (long() + "one", long() + "other");
    send("0", &mark, &one, &[]).is(200);
    assert_eq!(stored(&server, &dataset)["Note"], one);
    // with the same mark, both are asked for, though the form has nothing of what was there before
    let asked = send("0", &mark, &other, &[]).is(200);
    assert_eq!(stored(&server, &dataset)["Note"], one);
    for part in [
        "ßone</b>",
        r#"name="n-f-note" value="true""#,
        r#"<fieldset class="theirs""#,
    ] {
        assert!(asked.body.contains(part), "{part}");
    }
    assert!(!asked.body.contains(r#"name="b-f-note""#));
    let version = between(&asked.body, r#"name="version" value=""#);
    let mark = between(&asked.body, r#"name="m-f-note" value=""#);
    let unanswered = send(&version, &mark, &other, &[("n-f-note", "true")]).is(200);
    assert!(unanswered.body.contains(r#"<fieldset class="theirs""#));
    assert_eq!(stored(&server, &dataset)["Note"], one);
    let mine = [("n-f-note", "true"), ("c-f-note", "mine")];
    send(&version, &mark, &other, &mine).is(200);
    assert_eq!(stored(&server, &dataset)["Note"], other);
}
