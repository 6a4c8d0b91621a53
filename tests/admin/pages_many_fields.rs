//! The editor of a schema of very many fields: it shows a part of them, finds them by name, stays small, and saves no other than what was
//! changed.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, field, give_ada};
use crate::pages_size::assert_small;
use crate::requests::Answer;
use crate::schema_editor::{edited, held, published};
use serde_json::{Value, json};

const FIELDS: usize = 1000;
/// Fields of a part.
const PART: usize = 300;

/// A schema whose fields differ in their names.
fn wide() -> Value {
    let others = (1..FIELDS).map(|number| {
        let (id, name) = (
            format!("f-{number}"),
            format!("Measure {number} of the day"),
        );
        field(&id, &name, ["string", "float", "date"][number % 3], false)
    });
    let key = std::iter::once(field("f-0", "Code", "string", true));
    let fields: Vec<_> = key.chain(others).collect();
    json!({"name": "Station", "fields": fields})
}

/// The lines of fields that a page shows: the first one, the last one, and how many.
#[track_caller]
fn shown(page: &Answer) -> (usize, usize, usize) {
    let parts = page.body.split(r#" id="field-"#).skip(1);
    let indexes = parts.map(|part| part.split('"').next().expect("a quote").parse());
    let indexes: Vec<usize> = indexes.map(|it| it.expect("a number")).collect();
    let first = *indexes.first().expect("a field");
    let last = *indexes.last().expect("a field");
    (first, last, indexes.len())
}

/// Sends the form of the editor from the first part of its fields on.
fn looked(browser: &Browser<'_>, page: &Answer, area: &str, beside: &[(&str, &str)]) -> Answer {
    let first = [("of-fields", ""), ("at-fields", "0")];
    let looked = edited(browser, page, area, &[&first[..], beside].concat());
    assert_small(&looked, "the editor");
    looked.is(200)
}

#[test]
fn the_editor_of_very_many_fields_shows_a_part_and_saves_what_was_changed_in_any_of_them() {
    let server = AdminServer::start();
    let [area, schema, _] = server.places(&wide());
    give_ada(&server, &area);
    let before = server.get(&format!("/schemas/{schema}"))["document"]["fields"].clone();
    let browser = Browser::signed_in(&server);
    let path = format!("/app/schemas/{schema}/edit");
    let page = browser.get(&path).is(200);
    assert_small(&page, &path);
    assert_eq!(shown(&page), (0, PART - 1, PART));
    assert!(page.body.contains("1 to 300 of 1,000"), "{}", page.body);
    // what is stored is carried as its place
    assert!(held(&page, "document").len() < 2000, "{}", page.body);
    // another part, and what is found, by the button and by Enter; what is tried stays
    let tried = ("t-5", "2020-02-29");
    let next = looked(&browser, &page, &area, &[("look", "fields-3"), tried]);
    assert_eq!(shown(&next), (900, 999, 100));
    assert_eq!(held(&next, "t-5"), tried.1);
    for pressed in [("look", "fields"), ("do", "check")] {
        let find = ("find-fields", "measure 77");
        let found = looked(&browser, &page, &area, &[find, pressed]);
        assert_eq!(shown(&found), (77, 779, 11), "{pressed:?}");
    }
    // a field of another part is opened in it, also by its address, and moved
    let by_address = browser.get(&format!("{path}?field=777")).is(200);
    assert_eq!(shown(&by_address), (600, 899, PART));
    let opened = looked(&browser, &page, &area, &[("do", "open-777")]);
    assert_eq!(shown(&opened), (600, 899, PART));
    assert_eq!(held(&opened, "open"), "777");
    // what was typed is taken where one looks elsewhere
    let typed = [("shown", "description"), ("f-description", "Seven")];
    let elsewhere = [&typed[..], &[("look", "fields-0")]].concat();
    let page = looked(&browser, &opened, &area, &elsewhere);
    assert_eq!(shown(&page).0, 0);
    let made = looked(&browser, &page, &area, &[("do", "add")]);
    assert_eq!(shown(&made), (900, 1000, 101));
    let review = edited(&browser, &made, &area, &[("do", "review")]).is(200);
    assert_small(&review, "the review");
    published(&browser, &review, &schema).is(303);
    let after = server.get(&format!("/schemas/{schema}"))["document"]["fields"].clone();
    let (before, after) = (before.as_array(), after.as_array());
    let (before, after) = (before.expect("fields"), after.expect("fields"));
    assert_eq!(after.len(), FIELDS + 1);
    for (at, (old, new)) in before.iter().zip(after).enumerate() {
        assert_eq!(old["fieldId"], new["fieldId"]);
        assert_eq!(old["name"], new["name"]);
        let described = if at == 777 {
            json!("Seven")
        } else {
            old["description"].clone()
        };
        assert_eq!(new["description"], described, "{at}");
    }
}

#[test]
fn what_contradicts_in_a_field_that_is_not_shown_leads_to_it_and_of_very_much_a_part_is_told() {
    let server = AdminServer::start();
    let [area, _, _] = server.places(&json!({"name": "City", "fields": [
        field("f-0", "Code", "string", true)]}));
    give_ada(&server, &area);
    let mut document = wide();
    for own in document["fields"].as_array_mut().expect("fields") {
        let own = own.as_object_mut().expect("a field");
        own.remove("fieldId");
        own.insert("dataType".to_owned(), json!("integer"));
        own.insert("min".to_owned(), json!(9));
        own.insert("max".to_owned(), json!(5));
    }
    let document = document.to_string();
    let browser = Browser::signed_in(&server);
    let path = format!("/app/areas/{area}/schemas/new");
    let page = browser.get(&path).is(200);
    let page = browser.send(&page, &path, &[("document", &*document)]);
    let page = page.is(200);
    assert_small(&page, "the editor of a new one");
    assert!(page.body.contains(" more</p>"), "{}", page.body);
    assert_eq!(page.body.matches(r##"<a href="#field-"##).count(), 200);
    let next = looked(&browser, &page, &area, &[("look", "fields-1")]);
    let way = r#"<button class="link" name="do" value="open-7">"#;
    assert!(next.body.contains(way), "{}", next.body);
    let opened = looked(&browser, &next, &area, &[("do", "open-7")]);
    assert_eq!(shown(&opened), (0, PART - 1, PART));
    assert_eq!(held(&opened, "open"), "7");
}
