//! What nobody edited stays as it was stored, whatever browsers make of it on its way through a form.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, field, give_ada, written};
use crate::schema_editor::{edited, held};
use serde_json::json;

#[test]
fn a_value_that_a_browser_would_change_stands_in_an_input_that_keeps_it() {
    let server = AdminServer::start();
    let document = json!({"name": "Contact", "fields": [
        field("f-code", "Code", "string", true),
        field("f-mail", "Mail", "email", false),
        field("f-page", "Page", "url", false),
        field("f-note", "Note", "string", false),
    ]});
    let [area, schema, dataset] = server.places(&document);
    give_ada(&server, &area);
    let records = [
        json!({"Code": "A1", "Mail": " a@b.co ", "Page": "https://x.org/ ", "Note": "cr\rhere"}),
        json!({"Code": "A2", "Mail": "a@b.co", "Page": "https://x.org/", "Note": "here"}),
    ];
    let ids = written(&server, &dataset, &records);
    let browser = Browser::signed_in(&server);
    let path = |id: &str| format!("/app/datasets/{dataset}/records/{id}");
    let odd = path(&ids[0]);
    let page = browser.get(&odd).is(200);
    // these two would be sent without the spaces around them
    for kind in ["email", "url"] {
        let input = format!(r#"type="{kind}""#);
        assert!(!page.body.contains(&input), "{kind}: {}", page.body);
        let plain = browser.get(&path(&ids[1])).is(200);
        assert!(plain.body.contains(&input), "{kind}: {}", plain.body);
    }
    assert!(page.body.contains(r#"<textarea id="f-f-note""#));
    // as a browser sends it: each end of a line is CR and LF
    let sent = [
        ("version", "0"),
        ("w-f-code", "A1"),
        ("v-f-code", "A9"),
        ("w-f-mail", " a@b.co "),
        ("v-f-mail", " a@b.co "),
        ("w-f-note", "cr\r\nhere"),
        ("v-f-note", "cr\r\nhere"),
    ];
    browser.send(&page, &odd, &sent).is(303);
    let (_, key) = server.key("reader", &[&server.role("MEMBER")], &[&area]);
    let line = format!(
        "GET /v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects/by-pk/A9"
    );
    let stored = server.send(&line, &[("Authorization", &key)], None);
    let stored = stored.is(200).json();
    let told = [
        ("Code", "A9"),
        ("Mail", " a@b.co "),
        ("Page", "https://x.org/ "),
        ("Note", "cr\rhere"),
    ];
    for (name, value) in told {
        assert_eq!(stored[name], value, "{stored}");
    }
}

#[test]
fn a_description_keeps_its_lines_where_something_else_is_saved() {
    let server = AdminServer::start();
    let text = "\nmulti\nline\n";
    let made = server.make("/areas", json!({"name": "Places", "description": text}));
    let area = made.text("businessAreaId");
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/areas/{area}");
    let page = browser.get(&path).is(200);
    // the first end of a line behind the tag is not of the text
    assert!(
        page.body.contains(">\n\nmulti\nline\n</textarea>"),
        "{}",
        page.body
    );
    let version = held(&page, "version");
    let sent = [
        ("version", &*version),
        ("name", "Places of today"),
        ("description", "\r\nmulti\r\nline\r\n"),
        ("active", "true"),
    ];
    browser.send(&page, &path, &sent).is(303);
    let stored = server.get(&format!("/areas/{area}"));
    assert_eq!(stored["name"], "Places of today");
    assert_eq!(stored["description"], text);
}

#[test]
fn a_field_of_a_document_that_does_not_say_so_is_active_and_its_lines_stay() {
    let server = AdminServer::start();
    let area = server.make("/areas", json!({"name": "Places"}));
    let area = area.text("businessAreaId");
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/areas/{area}/schemas/new"));
    let document = json!({"name": "Mini", "description": "one\ntwo", "fields": [
        {"name": "K", "dataType": "string", "isPrimaryKey": true, "max": 9},
        {"name": "I", "dataType": "integer", "description": "first\nsecond", "max": 200},
    ]});
    let path = format!("/app/areas/{area}/schemas/new");
    let document = document.to_string();
    let page = browser.send(&page.is(200), &path, &[("document", &document)]);
    let page = edited(&browser, &page.is(200), &area, &[("do", "open-1")]).is(200);
    let active = r#"<input id="f-active" type="checkbox" name="f-active" value="true" checked>"#;
    assert!(page.body.contains(active), "{}", page.body);
    let beside = [
        ("s-name", "Mini"),
        ("s-description", "one\r\ntwo"),
        ("shown", "description"),
        ("f-description", "first\r\nsecond"),
        ("shown", "active"),
        ("f-active", "true"),
        ("shown", "max"),
        ("f-max", "300"),
        ("do", "review"),
    ];
    let review = edited(&browser, &page, &area, &beside).is(200);
    let document = held(&review, "document");
    for kept in [r"one\ntwo", r"first\nsecond", r#""max":300"#] {
        assert!(document.contains(kept), "{kept}: {document}");
    }
    assert!(!document.contains(r#""active":false"#), "{document}");
}
