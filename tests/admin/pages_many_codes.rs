//! Lists of very many codes: pages show them in parts and stay small, and whatever is saved of a part leaves all others as they
//! are, in their order.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, field, give_ada, link_of};
use crate::pages_size::{assert_small, text};
use crate::requests::Answer;
use crate::schema_editor::{edited, held, published};
use serde_json::{Value, json};

/// Codes of a list: several pages of them.
pub(crate) const CODES: usize = 2_000;
/// Codes of a list of which no page could have all and be small.
pub(crate) const CODES_LARGE: usize = 20_000;
/// Codes of one page.
const SHOWN: usize = 500;

/// A code with what it means, as a line.
pub(crate) fn line(number: usize) -> String {
    format!("C{number:05} = {}", text(number)[..10].trim())
}

pub(crate) fn code(number: usize) -> Value {
    json!({"code": format!("C{number:05}"), "description": text(number)[..10].trim()})
}

/// The codes of a schema as it is stored.
pub(crate) fn stored(server: &AdminServer, schema: &str) -> Vec<Value> {
    let shown = server.get(&format!("/schemas/{schema}"));
    let codes = shown["document"]["fields"][1]["staticPicklist"].as_array();
    codes.expect("codes").clone()
}

/// The lines of the input for codes.
pub(crate) fn lines(page: &Answer, name: &str) -> String {
    let begins = format!(r#"name="{name}""#);
    let (_, input) = page.body.split_once(&begins).expect("the input");
    let (_, lines) = input.split_once(">\n").expect("its beginning");
    let (lines, _) = lines.split_once("</textarea>").expect("its end");
    lines.to_owned()
}

/// What the editor sends of the codes that it shows, with these in their place.
pub(crate) fn typed(
    browser: &Browser<'_>,
    page: &Answer,
    area: &str,
    lines: &str,
    button: &str,
) -> Answer {
    let [from, of] = ["codes-from", "codes-of"].map(|name| held(page, name));
    let beside = [
        ("shown", "staticPicklist"),
        ("f-staticPicklist", lines),
        ("codes-from", &*from),
        ("codes-of", &*of),
        ("codes-filter", &*of),
        ("do", button),
    ];
    edited(browser, page, area, &beside)
}

/// A number as pages show it.
fn grouped(number: usize) -> String {
    format!("{},{:03}", number / 1_000, number % 1_000)
}

/// A schema with a picklist of so many codes, in no order.
pub(crate) fn trade(server: &AdminServer, count: usize) -> [String; 2] {
    let mut list = field("f-1", "Trade", "picklist", false);
    list["picklistType"] = json!("static");
    list["staticPicklist"] = (0..count).rev().map(code).collect();
    let fields = [field("f-0", "Code", "string", true), list];
    let [area, schema, _] = server.places(&json!({"name": "Worker", "fields": fields}));
    give_ada(server, &area);
    [area, schema]
}

#[test]
fn the_editor_of_very_many_codes_is_small_and_saves_no_other_than_those_it_shows() {
    edit_a_part(CODES);
}

fn edit_a_part(count: usize) {
    let server = AdminServer::start();
    let [area, schema] = trade(&server, count);
    let before = stored(&server, &schema);
    assert_eq!(before.len(), count);
    let browser = Browser::signed_in(&server);
    let page = browser
        .get(&format!("/app/schemas/{schema}/edit?field=1"))
        .is(200);
    assert_small(&page, "the editor");
    let shown = format!("1 to 500 of {} codes", grouped(count));
    assert!(page.body.contains(&shown), "{}", page.body);
    // the next part: one code less, one changed, one more
    let shown = lines(&page, "f-staticPicklist");
    assert_eq!(shown.lines().count(), SHOWN);
    let next = typed(&browser, &page, &area, &shown, "codes-500").is(200);
    assert_small(&next, "the second part");
    assert!(next.body.contains(r#"data-work="" "#), "nothing is changed");
    let shown = lines(&next, "f-staticPicklist");
    let own = |at: usize| line(count - 1 - at);
    assert!(shown.starts_with(&own(SHOWN)), "{shown}");
    let changed = format!("C{:05}", count - 1 - (SHOWN + 2));
    let other = shown
        .replace(&format!("{}\n", own(SHOWN + 1)), "")
        .replace(&own(SHOWN + 2), &format!("{changed} = Another one"))
        + "\nNEW = A new one";
    let review = typed(&browser, &next, &area, &other, "review").is(200);
    assert_small(&review, "the review");
    assert!(review.body.contains("NEW"), "{}", review.body);
    published(&browser, &review, &schema).is(303);
    let mut after = before;
    after.remove(SHOWN + 1);
    after[SHOWN + 1]["description"] = json!("Another one");
    after.insert(
        2 * SHOWN - 1,
        json!({"code": "NEW", "description": "A new one"}),
    );
    assert_eq!(stored(&server, &schema), after);
}

#[test]
fn what_else_is_saved_of_a_schema_keeps_very_many_codes_and_their_order() {
    save_something_else(CODES);
}

fn save_something_else(count: usize) {
    let server = AdminServer::start();
    let [area, schema] = trade(&server, count);
    let before = stored(&server, &schema);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
    let page = edited(&browser, &page, &area, &[("do", "open-0")]).is(200);
    assert_small(&page, "the editor with another field open");
    let beside = [("shown", "max"), ("f-max", "20"), ("do", "review")];
    let review = edited(&browser, &page, &area, &beside).is(200);
    assert_small(&review, "the review");
    // and back to the editor, and again to the review
    let page = edited(&browser, &review, &area, &[]).is(200);
    let review = edited(&browser, &page, &area, &[("do", "review")]).is(200);
    published(&browser, &review, &schema).is(303);
    assert_eq!(stored(&server, &schema), before);
    let shown = server.get(&format!("/schemas/{schema}"));
    assert_eq!(shown["document"]["fields"][0]["max"], json!(20));
    // a copy has them, too
    let path = format!("/app/areas/{area}/schemas/new?from={schema}");
    let copy = browser.get(&path).is(200);
    assert_small(&copy, "a copy");
    let review = edited(&browser, &copy, &area, &[("do", "review")]).is(200);
    assert_small(&review, "the review of a copy");
    let document = held(&review, "document");
    let fields = [("document", &*document), ("state", "draft")];
    let path = format!("/app/areas/{area}/schemas");
    let made = browser.send(&review, &path, &fields).is(303);
    let place = made.header("location").expect("a place").to_owned();
    let copy = place.rsplit('/').next().expect("an id");
    assert_eq!(stored(&server, copy), before);
}

#[test]
fn a_filter_finds_codes_of_very_many_and_lines_can_be_the_whole_list() {
    filter_codes(CODES);
}

fn filter_codes(count: usize) {
    let server = AdminServer::start();
    let [area, schema] = trade(&server, count);
    let before = stored(&server, &schema);
    let browser = Browser::signed_in(&server);
    let page = browser
        .get(&format!("/app/schemas/{schema}/edit?field=1"))
        .is(200);
    let shown = lines(&page, "f-staticPicklist");
    let filtered = [
        ("shown", "staticPicklist"),
        ("f-staticPicklist", &*shown),
        ("codes-from", "0"),
        ("codes-of", ""),
        ("codes-filter", "c0171"),
        ("do", "codes-find"),
    ];
    let found = edited(&browser, &page, &area, &filtered).is(200);
    let shown = lines(&found, "f-staticPicklist");
    let all: Vec<_> = (1710..1720).rev().map(line).collect();
    assert_eq!(shown, all.join("\n"));
    let less = all[1..].join("\n");
    let review = typed(&browser, &found, &area, &less, "review").is(200);
    published(&browser, &review, &schema).is(303);
    let mut after = before;
    after.remove(count - 1 - 1719);
    assert_eq!(stored(&server, &schema), after);
    // all of them at once
    let page = browser
        .get(&format!("/app/schemas/{schema}/edit?field=1"))
        .is(200);
    let whole = [
        ("shown", "staticPicklist"),
        ("f-staticPicklist", "A = First\nB"),
        ("codes-from", "0"),
        ("codes-whole", "true"),
        ("do", "review"),
    ];
    let review = edited(&browser, &page, &area, &whole).is(200);
    published(&browser, &review, &schema).is(303);
    let codes = stored(&server, &schema);
    let codes: Vec<_> = codes.iter().map(|it| it["code"].as_str()).collect();
    assert_eq!(codes, [Some("A"), Some("B")]);
}

#[test]
fn a_document_that_refers_to_codes_that_are_not_stored_saves_nothing() {
    refer_to_other_codes(CODES);
}

fn refer_to_other_codes(count: usize) {
    let server = AdminServer::start();
    let [area, schema] = trade(&server, count);
    let before = stored(&server, &schema);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
    let review = edited(&browser, &page, &area, &[("do", "review")]).is(200);
    let document = held(&review, "document");
    let all = format!("[[1,0,{count}]]");
    assert!(document.contains(&all), "{document}");
    for other in [
        document.replace(&all, &format!("[[1,0,{}]]", count + 1)),
        document.replace(&all, "[[1,0,9],[1,0,9]]"),
        document.replace(r#""version":1"#, r#""version":7"#),
    ] {
        assert_ne!(other, document);
        let fields = [("document", &*other), ("state", "published")];
        let path = format!("/app/schemas/{schema}");
        browser.send(&review, &path, &fields).is(400);
    }
    assert_eq!(stored(&server, &schema), before);
}

/// The codes of a domain as it is stored.
pub(crate) fn codes_of(server: &AdminServer, domain: &str) -> Vec<Value> {
    let shown = server.get(&format!("/domains/{domain}"));
    shown["codes"].as_array().expect("codes").clone()
}

/// What the page of a domain sends, with these lines in place of those that it shows.
pub(crate) fn sent(
    browser: &Browser<'_>,
    page: &Answer,
    path: &str,
    lines: &str,
    whole: &str,
) -> Answer {
    let [version, from, of] = ["version", "codes-from", "codes-of"].map(|name| held(page, name));
    let shown = held(page, "codes-shown");
    let mut fields = vec![
        ("name", "Trades"),
        ("version", &*version),
        ("codes-shown", &*shown),
        ("codes", lines),
        ("codes-from", &*from),
        ("codes-of", &*of),
        ("codes-filter", &*of),
    ];
    if !whole.is_empty() {
        fields.push(("codes-whole", whole));
    }
    browser.send(page, path, &fields)
}

#[test]
fn a_domain_of_very_many_codes_is_changed_in_parts() {
    change_a_domain(CODES);
}

fn change_a_domain(count: usize) {
    let server = AdminServer::start();
    let codes: Vec<Value> = (0..count).map(code).collect();
    let made = server.make("/domains", json!({"name": "Trades", "codes": codes}));
    let domain = made.text("dataDomainId");
    let path = format!("/app/domains/{domain}");
    let browser = Browser::signed_in(&server);
    let first = browser.get(&path).is(200);
    assert_small(&first, "the first part");
    assert_eq!(lines(&first, "codes").lines().count(), SHOWN);
    let link = link_of(&first.body, "next").expect("a second part");
    let second = browser.get(&link).is(200);
    assert_small(&second, "the second part");
    let shown = format!("501 to 1,000 of {} codes", grouped(count));
    assert!(second.body.contains(&shown), "{}", second.body);
    let shown = lines(&second, "codes");
    let other = shown.replace(&format!("{}\n", line(501)), "") + "\nC00999b = Between";
    // nothing is stored of what is counted alone, and what was typed is there again
    let counted = sent(&browser, &second, &format!("{path}/effects"), &other, "").is(200);
    assert_small(&counted, "what it would make faulty");
    assert_eq!(lines(&counted, "codes"), other);
    assert_eq!(codes_of(&server, &domain), codes);
    let saved = sent(&browser, &counted, &path, &other, "").is(303);
    let place = saved.header("location").expect("a place");
    assert!(place.ends_with("saved=1&codes-from=500"), "{place}");
    let mut after = codes;
    after.remove(501);
    after.insert(999, json!({"code": "C00999b", "description": "Between"}));
    assert_eq!(codes_of(&server, &domain), after);
    // a code that stands in another part already
    let page = browser.get(place).is(200);
    let twice = lines(&page, "codes") + "\nC00001 = Again";
    let refused = sent(&browser, &page, &path, &twice, "").is(400);
    assert_eq!(lines(&refused, "codes"), twice);
    // whose page is old changes nothing, and has its lines on what is stored by now
    let late = sent(&browser, &second, &path, &(shown + "\nLATE = Too late"), "").is(409);
    assert_small(&late, "what someone else changed");
    assert!(late.body.contains("LATE = Too late</pre>"), "{}", late.body);
    assert!(lines(&late, "codes").ends_with("\nLATE = Too late"));
    assert_eq!(codes_of(&server, &domain), after);
    let found = browser.get(&format!("{path}?codes-filter=c00999")).is(200);
    assert_eq!(
        lines(&found, "codes"),
        format!("{}\nC00999b = Between", line(999))
    );
    sent(&browser, &found, &path, "A = First\nB", "true").is(303);
    let codes = codes_of(&server, &domain);
    assert_eq!(codes.len(), 2, "{codes:?}");
}

#[test]
#[ignore = "large data: the full lane runs it"]
fn pages_of_a_large_list_of_codes_are_small_and_save_no_other_than_those_they_show() {
    edit_a_part(CODES_LARGE);
    save_something_else(CODES_LARGE);
    filter_codes(CODES_LARGE);
    refer_to_other_codes(CODES_LARGE);
    change_a_domain(CODES_LARGE);
}
