//! What is proposed in the field for queries while one types.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, field, form, give_ada};
use serde_json::{Value, json};

/// A dataset of customers: a picklist, a name of two words, a number, and what is personal.
fn customers(server: &AdminServer) -> (String, String) {
    let status = json!({"fieldId": "f-status", "name": "Status", "active": true, "dataType": "picklist",
        "isPrimaryKey": false, "isSortKey": true, "isRequired": true, "picklistType": "static", "staticPicklist": [
            {"code": "NEW", "description": "just came"}, {"code": "ON HOLD", "description": "waits"},
            {"code": "none", "description": "odd"}]});
    let mut class = status.clone();
    class["fieldId"] = json!("f-class");
    class["name"] = json!("Class");
    class["isPII"] = json!(true);
    let document = json!({"name": "Customer", "fields": [
        field("f-number", "Number", "string", true),
        status,
        class,
        field("f-limit", "Credit Limit", "integer", false),
        field("f-date", "Statement", "date", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(server, &area);
    (area, dataset)
}

/// What is proposed behind a text: what stands there once it is taken, and from where on.
fn proposed(browser: &Browser<'_>, path: &str, typed: &str) -> Vec<(String, usize)> {
    let query = form(&[("q", typed)]);
    let page = browser.part(&format!("{path}?{query}")).is(200);
    let options = page.body.split("<li role=\"option\"").skip(1);
    let read = |option: &str| {
        let value = |name: &str| {
            let (_, rest) = option.split_once(&format!("{name}=\"")).expect(option);
            rest.split('"')
                .next()
                .expect("its end")
                .replace("&#34;", "\"")
                .replace("&#62;", ">")
                .replace("&#60;", "<")
        };
        (
            value("data-text"),
            value("data-from").parse().expect("a number"),
        )
    };
    options.map(read).collect()
}

#[test]
fn a_query_is_completed_by_fields_comparisons_codes_and_faults() {
    let server = AdminServer::start();
    let (_, dataset) = customers(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/completions");
    for (typed, from, texts) in [
        ("sta", 0, &["Status:", "Statement:"][..]),
        ("lim", 0, &["\"Credit Limit\":"]),
        ("x AND (\"credit l", 7, &["\"Credit Limit\":"]),
        ("é🙂 Num", 4, &["Number:"]),
        ("is", 0, &["is:faulty "]),
        ("is:f", 0, &["is:faulty "]),
        ("N", 0, &["NOT ", "Number:"]),
        ("a O", 2, &["OR "]),
        (
            "Status:",
            0,
            &[
                "Status:=NEW ",
                "Status:=\"ON HOLD\" ",
                "Status:=none ",
                "Status:=",
                "Status:none ",
            ],
        ),
        ("status:on", 0, &["Status:=\"ON HOLD\" "]),
        // by what a code means
        ("Status:wai", 0, &["Status:=\"ON HOLD\" "]),
        ("Status:\"on h", 0, &["Status:=\"ON HOLD\" "]),
        ("Status:=\"on h", 0, &["Status:=\"ON HOLD\" "]),
        (
            "\"Credit Limit\":",
            0,
            &[
                "\"Credit Limit\":=",
                "\"Credit Limit\":none ",
                "\"Credit Limit\":>",
                "\"Credit Limit\":>=",
                "\"Credit Limit\":<",
                "\"Credit Limit\":<=",
            ],
        ),
        // what stands there is not proposed
        ("\"Credit Limit\":>=", 0, &[]),
        ("is:faulty", 0, &[]),
        ("fault:cre", 0, &["fault:\"Credit Limit\""]),
        (
            "fault:Status",
            0,
            &[
                "fault:Status/required ",
                "fault:Status/single ",
                "fault:Status/picklist ",
            ],
        ),
        (
            "fault:\"Credit Limit\"/int",
            0,
            &["fault:\"Credit Limit\"/integer "],
        ),
        ("fault:Status/re", 0, &["fault:Status/required "]),
        ("sort=", 0, &["sort=Number ", "sort=Status ", "sort=Class "]),
        ("a sort=-st", 2, &["sort=-Status "]),
        ("Unknown:", 0, &[]),
        ("xyz", 0, &[]),
        ("\"Status\"*", 0, &[]),
    ] {
        let expected: Vec<_> = texts.iter().map(|it| ((*it).to_owned(), from)).collect();
        assert_eq!(proposed(&browser, &path, typed), expected, "{typed}");
    }
    let all = proposed(&browser, &path, "");
    assert!(
        all.len() > 5 && all.iter().any(|(text, _)| text == "Status:"),
        "{all:?}"
    );
    assert!(proposed(&browser, &path, &"x".repeat(2001)).is_empty());
    let german = [
        ("Cookie", &*browser.cookie),
        ("Accept-Language", "de"),
        ("HX-Request", "true"),
    ];
    let page = server
        .send(&format!("GET {path}?q=is"), &german, None)
        .is(200);
    assert!(page.body.contains("mit Fehlern"), "{}", page.body);
}

#[test]
fn what_is_proposed_can_be_searched_for() {
    let server = AdminServer::start();
    let (_, dataset) = customers(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let mut count = 0;
    for typed in [
        "",
        "Status:",
        "\"Credit Limit\":",
        "Statement:",
        "fault:",
        "fault:Status/",
        "sort=",
        "sort=-",
    ] {
        for (text, _) in proposed(&browser, &format!("{path}/completions"), typed) {
            // what ends in a colon or a sign asks for a value
            let is_open = text.ends_with([':', '>', '<', '=']);
            let value = if text.contains("Statement") {
                "2020-01-01"
            } else {
                "5"
            };
            let value = if is_open && text == "fault:" {
                "Status"
            } else {
                value
            };
            if text == "sort=" {
                continue;
            }
            let query = if is_open {
                format!("{text}{value}")
            } else {
                text
            };
            let page = browser
                .get(&format!("{path}?{}", form(&[("q", &query)])))
                .is(200);
            assert!(
                !page.body.contains("role=\"alert\""),
                "{query}: {}",
                page.body
            );
            count += 1;
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn values_of_personal_fields_and_what_may_not_be_seen_are_not_proposed() {
    let server = AdminServer::start();
    let (area, dataset) = customers(&server);
    let member = |name: &str, grants: Value| {
        let body = json!({"username": name, "fullName": name, "email": "one@example.org", "password": PASSWORD,
            "mustChangePassword": false, "roles": [server.role("MEMBER")], "grants": grants});
        server.make("/users", body);
        Browser::entered(&server, name, PASSWORD)
    };
    let (here, everywhere) = (
        format!("/app/datasets/{dataset}/completions"),
        "/app/search/completions",
    );
    let ada = Browser::signed_in(&server);
    assert_eq!(proposed(&ada, &here, "Class:").len(), 5);
    assert_eq!(proposed(&ada, everywhere, "Class:").len(), 5);
    let grace = member("grace", json!([{"area": area, "verbs": ["view"]}]));
    for path in [&*here, everywhere] {
        let texts = proposed(&grace, path, "Class:");
        assert_eq!(texts, [("Class:none".to_owned() + " ", 0)], "{path}");
        assert_eq!(proposed(&grace, path, "Clas"), [("Class:".to_owned(), 0)]);
        assert_eq!(proposed(&grace, path, "Status:").len(), 5);
    }
    assert!(proposed(&grace, &here, "sort=Cl").is_empty());
    // an order is of one dataset
    assert!(proposed(&grace, everywhere, "sort=").is_empty());
    let stranger = member("stranger", json!([]));
    stranger.get(&format!("{here}?q=Cl")).is(403);
    assert!(proposed(&stranger, everywhere, "Cl").is_empty());
}

#[test]
fn an_order_that_is_typed_in_the_query_becomes_that_of_the_list() {
    let server = AdminServer::start();
    let (_, dataset) = customers(&server);
    let browser = Browser::signed_in(&server);
    let query = form(&[("q", "is:faulty sort=-Status"), ("sort", "Number")]);
    let page = browser
        .get(&format!("/app/datasets/{dataset}?{query}"))
        .is(200);
    assert!(
        page.body.contains(r#"name="sort" value="-Status""#),
        "{}",
        page.body
    );
    assert!(
        page.body.contains(r#"name="q" value="is:faulty""#),
        "{}",
        page.body
    );
}
