//! Lists of codes that are pasted whole: pages save what management takes, and tell at the first step what is too long, with its
//! lines kept.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, field, give_ada};
use crate::pages_many_codes::{CODES, CODES_LARGE, lines, stored, trade};
use crate::schema_editor::{edited, held, published};
use runtime::service::Settings;
use serde_json::{Value, json};

/// Bytes of a body where it may have few.
const FEW: usize = 64 << 10;

/// So many codes that are stored nowhere, as lines.
fn pasted(count: usize) -> String {
    let lines: Vec<String> = (0..count)
        .map(|at| format!("Q{at:05} = Nr. {at} ä"))
        .collect();
    lines.join("\n")
}

/// The same as management has them.
fn codes(count: usize) -> Vec<Value> {
    (0..count)
        .map(|at| json!({"code": format!("Q{at:05}"), "description": format!("Nr. {at} ä")}))
        .collect()
}

#[test]
fn very_many_codes_are_pasted_reviewed_and_saved() {
    paste(CODES);
}

#[test]
#[ignore = "large data: the full lane runs it"]
fn a_large_list_of_codes_is_pasted_reviewed_and_saved() {
    paste(CODES_LARGE);
}

fn paste(count: usize) {
    let server = AdminServer::start();
    let [area, schema] = trade(&server, count);
    let browser = Browser::signed_in(&server);
    let page = browser
        .get(&format!("/app/schemas/{schema}/edit?field=1"))
        .is(200);
    let all = pasted(count);
    let whole = [
        ("shown", "staticPicklist"),
        ("f-staticPicklist", &*all),
        ("codes-from", "0"),
        ("codes-of", ""),
        ("codes-whole", "true"),
        ("do", "check"),
    ];
    let page = edited(&browser, &page, &area, &whole).is(200);
    // none of it is stored, so that the page has all of it
    let last = format!("Q{:05}", count - 1);
    assert!(held(&page, "document").contains(&last));
    let review = edited(&browser, &page, &area, &[("do", "review")]).is(200);
    published(&browser, &review, &schema).is(303);
    assert_eq!(stored(&server, &schema), codes(count));
    // management takes the same
    let shown = server.get(&format!("/schemas/{schema}"));
    let body = json!({"document": shown["document"]});
    let line = format!("PUT /schemas/{schema}");
    server.root(&line, Some(body)).is(200);
}

/// A server whose bodies have few bytes.
fn narrow() -> AdminServer {
    AdminServer::with_settings(Settings {
        body_bytes_max: FEW,
        ..Settings::default()
    })
}

#[test]
fn a_picklist_that_is_too_long_is_told_at_once_and_its_lines_are_kept() {
    let server = narrow();
    let mut list = field("f-1", "Trade", "picklist", false);
    list["picklistType"] = json!("static");
    list["staticPicklist"] = json!([{"code": "A"}, {"code": "B"}]);
    let fields = [field("f-0", "Code", "string", true), list];
    let [area, schema, _] = server.places(&json!({"name": "Worker", "fields": fields}));
    give_ada(&server, &area);
    let before = stored(&server, &schema);
    let browser = Browser::signed_in(&server);
    let page = browser
        .get(&format!("/app/schemas/{schema}/edit?field=1"))
        .is(200);
    let long = pasted(3_000);
    for button in ["check", "review", "open-0"] {
        let typed = [
            ("shown", "staticPicklist"),
            ("f-staticPicklist", &*long),
            ("do", button),
        ];
        let refused = edited(&browser, &page, &area, &typed).is(400);
        let told = "too long to be saved: it may have 64 KiB";
        assert!(refused.body.contains(told), "{button}: {}", refused.body);
        assert_eq!(lines(&refused, "f-staticPicklist"), long, "{button}");
        assert_eq!(held(&refused, "document"), held(&page, "document"));
    }
    // no more than management takes is taken of who sends it all the same
    let mut document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    document["fields"][1]["staticPicklist"] = codes(3_000).into();
    let line = format!("PUT /schemas/{schema}");
    let body = json!({"document": document});
    server.root(&line, Some(body)).is(413);
    let document = document.to_string();
    let fields = [("document", &*document), ("state", "published")];
    let path = format!("/app/schemas/{schema}");
    browser.send(&page, &path, &fields).is(413);
    assert_eq!(stored(&server, &schema), before);
    let short = pasted(400);
    let typed = [
        ("shown", "staticPicklist"),
        ("f-staticPicklist", &*short),
        ("do", "review"),
    ];
    let review = edited(&browser, &page, &area, &typed).is(200);
    published(&browser, &review, &schema).is(303);
    assert_eq!(stored(&server, &schema), codes(400));
}

#[test]
fn what_is_too_long_to_be_published_is_neither_counted_nor_judged() {
    let server = narrow();
    let document = json!({"name": "Worker", "fields": [field("f-0", "Code", "string", true)]});
    let [area, schema, dataset] = server.places(&document);
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/schemas/{schema}/edit")).is(200);
    let mut document = server.get(&format!("/schemas/{schema}"))["document"].clone();
    document["description"] = json!("x".repeat(FEW));
    let document = document.to_string();
    let fields = [("document", &*document), ("state", "published")];
    let told = format!(
        "The form is larger than {FEW} bytes: it has {}, and nothing",
        document.len()
    );
    for path in [
        format!("/app/schemas/{schema}"),
        format!("/app/schemas/{schema}/effects"),
        format!("/app/datasets/{dataset}/effects"),
        format!("/app/areas/{area}/schemas"),
    ] {
        let refused = browser.send(&page, &path, &fields).is(413);
        assert!(refused.body.contains(&told), "{path}: {}", refused.body);
        let textarea = r#"<textarea name="document""#;
        assert!(refused.body.contains(textarea), "{path}");
    }
}

#[test]
fn a_domain_that_is_too_long_is_judged_in_no_dataset() {
    let server = narrow();
    let document = json!({"name": "Worker", "fields": [field("f-0", "Code", "string", true)]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/domains/new").is(200);
    let fields = [("name", "Trades"), ("codes", "A = a")];
    let made = browser.send(&page, "/app/domains", &fields).is(303);
    let place = made.header("location").expect("a domain");
    let domain = place.rsplit('/').next().expect("an id");
    let domain = domain.split('?').next().expect("an id");
    let long = pasted(6_000);
    let fields = [("domain", domain), ("name", "Trades"), ("codes", &*long)];
    let path = format!("/app/datasets/{dataset}/domain-effects");
    let refused = browser.send(&page, &path, &fields).is(400);
    let told = "too long to be saved: it may have 64 KiB";
    assert!(refused.body.contains(told), "{}", refused.body);
    assert_eq!(lines(&refused, "codes"), long);
}

#[test]
fn a_domain_that_is_too_long_is_told_and_its_lines_are_kept() {
    let server = narrow();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/domains/new").is(200);
    let long = pasted(6_000);
    let fields = [("name", "Trades"), ("codes", &*long)];
    let refused = browser.send(&page, "/app/domains", &fields).is(400);
    let told = "too long to be saved: it may have 64 KiB";
    assert!(refused.body.contains(told), "{}", refused.body);
    assert_eq!(lines(&refused, "codes"), long);
    // lines that take more as browsers write them than what they mean does are saved
    let short = pasted(2_900);
    assert!(short.len() < FEW);
    let fields = [("name", "Trades"), ("codes", &*short)];
    browser.send(&refused, "/app/domains", &fields).is(303);
}
