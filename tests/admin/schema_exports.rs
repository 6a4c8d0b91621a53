//! A schema given as something else: management gives what the page of a schema offers, and refuses what that refuses.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, field};
use crate::requests::Answer;
use regex::Regex;
use serde_json::json;
use std::collections::BTreeSet;

/// A schema that is called so, by its id.
fn called(server: &AdminServer, name: &str) -> String {
    let document = json!({"name": name, "fields": [field("f-code", "Code", "string", true)]});
    let area = server.make("/areas", json!({"name": name}));
    let path = format!("/areas/{}/schemas", area.text("businessAreaId"));
    let made = server.make(&path, json!({"document": document}));
    made.text("schemaId")
}

/// What the page of a schema offers it as.
fn offered(browser: &Browser<'_>, schema: &str) -> BTreeSet<String> {
    let page = browser.get(&format!("/app/schemas/{schema}")).is(200);
    let link = format!(r#"href="/app/schemas/{schema}/as/([a-z-]+)""#);
    let link = Regex::new(&link).expect("a pattern");
    let kinds = link.captures_iter(&page.body);
    kinds.map(|it| it[1].to_owned()).collect()
}

/// What the page gives, and what management does.
fn both(browser: &Browser<'_>, schema: &str, kind: &str) -> [Answer; 2] {
    let line = format!("GET /schemas/{schema}/exports/{kind}");
    [
        browser.get(&format!("/app/schemas/{schema}/as/{kind}")),
        browser.server.root(&line, None),
    ]
}

#[test]
fn management_gives_a_schema_as_whatever_its_page_does() {
    let server = AdminServer::start();
    let schema = called(&server, "City");
    let browser = Browser::signed_in(&server);
    let kinds = offered(&browser, &schema);
    assert_eq!(kinds.len(), 8, "{kinds:?}");
    let mut texts = BTreeSet::new();
    for kind in &kinds {
        let answers = both(&browser, &schema, kind);
        let [page, own] = answers.map(|answer| answer.is(200));
        for header in ["content-type", "content-disposition"] {
            assert!(own.header(header).is_some(), "{kind}: {}", own.head);
            assert_eq!(own.header(header), page.header(header), "{kind}");
        }
        assert_eq!(own.body, page.body, "{kind}");
        assert!(
            own.body.contains("Code") || own.body.contains("code"),
            "{}",
            own.body
        );
        texts.insert(own.body);
    }
    assert_eq!(texts.len(), kinds.len(), "each is another text");
    for answer in both(&browser, &schema, "cobol") {
        answer.is(404);
    }
    // the document that is kept tells what can be asked for
    let document = &crate::contract::DOCUMENT["paths"];
    let told = &document["/admin/api/v1/schemas/{id}/exports/{kind}"]["get"]["parameters"];
    let told = told.to_string();
    for kind in &kinds {
        assert!(told.contains(&format!("`{kind}`")), "{kind}: {told}");
    }
}

#[test]
fn what_a_schema_cannot_be_given_as_is_told_with_the_reason() {
    let server = AdminServer::start();
    let schema = called(&server, "sqlite_city");
    let browser = Browser::signed_in(&server);
    for answer in both(&browser, &schema, "sqlite") {
        let answer = answer.is(400);
        assert!(answer.body.contains("sqlite_"), "{}", answer.body);
    }
    for answer in both(&browser, &schema, "postgresql") {
        answer.is(200);
    }
}
