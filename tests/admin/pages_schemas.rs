//! Schemas in the application: listed, made, edited with their contradictions beside the inputs, tried, compared, published and
//! taken along. Those that begin with a file are in `pages_schema_files.rs`.

use crate::admin_server::{AdminServer, city};
use crate::browser::{Browser, cities};
use crate::schema_editor::{bounded, edited, held, places};
use serde_json::{Value, json};

#[test]
fn a_schema_is_shown_with_its_rules_in_words_and_taken_along_in_every_form() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [_, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let list = browser.get("/app/schemas").is(200);
    assert!(
        list.body.contains(">City<") && list.body.contains("draft"),
        "{}",
        list.body
    );
    let page = browser.get(&format!("/app/schemas/{schema}")).is(200);
    for told in [
        "primary key",
        "whole number",
        "Europe",
        "1 faulty",
        "generator fetch http://127.0.0.1 --schema ",
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    for (kind, told) in [
        ("json", r#""dataType":"integer""#),
        ("json-schema", "https://json-schema.org/"),
        ("sqlite", "CREATE TABLE \"City\""),
        ("postgresql", "bigint"),
        ("rust", "pub struct City"),
        ("typescript", "City"),
        ("python", "City"),
        ("markdown", "People"),
    ] {
        let file = browser
            .get(&format!("/app/schemas/{schema}/as/{kind}"))
            .is(200);
        assert!(file.body.contains(told), "{kind}: {}", file.body);
        let disposition = file.header("content-disposition").expect("a name");
        assert!(
            disposition.starts_with("attachment; filename=\"city."),
            "{disposition}"
        );
    }
    browser
        .get(&format!("/app/schemas/{schema}/as/nothing"))
        .is(404);
}

#[test]
fn why_a_schema_is_no_table_is_told_in_the_language_of_the_page() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let mut document = city();
    document["name"] = json!("sqlite_own");
    let made = server.make(
        &format!("/areas/{area}/schemas"),
        json!({"document": document}),
    );
    let path = format!("/app/schemas/{}/as/sqlite", made.text("schemaId"));
    let browser = Browser::signed_in(&server).in_german();
    let page = browser.get(&path).is(400);
    for told in ["kann keine Tabelle heißen", "für sich"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}

#[test]
fn a_schema_is_made_by_hand_tried_and_published() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    browser
        .get(&format!("/app/areas/{area}/schemas/new"))
        .is(200);
    let page = browser
        .get(&format!("/app/areas/{area}/schemas/new?from=hand"))
        .is(200);
    let page = edited(
        &browser,
        &page,
        &area,
        &[("s-name", "Harbour"), ("do", "add")],
    )
    .is(200);
    // the settings are those of the type, and what contradicts stands beside its input
    let shown = [
        "name",
        "dataType",
        "isRequired",
        "isPrimaryKey",
        "min",
        "max",
    ];
    let mut beside: Vec<(&str, &str)> = shown.map(|it| ("shown", it)).into();
    beside.extend([
        ("f-name", "Depth"),
        ("f-dataType", "integer"),
        ("f-isPrimaryKey", "true"),
        ("f-isRequired", "true"),
        ("f-min", "9"),
        ("f-max", "1"),
        ("do", "review"),
    ]);
    let refused = edited(&browser, &page, &area, &beside).is(400);
    assert!(
        refused.body.contains("class=\"contradicts\""),
        "{}",
        refused.body
    );
    assert!(
        refused.body.contains(r#"name="f-min" value="9""#),
        "{}",
        refused.body
    );
    // what is empty is told in the words of the form, and beside its input
    let nameless: Vec<_> = beside
        .iter()
        .map(|(name, value)| (*name, if *name == "f-name" { "" } else { value }))
        .collect();
    let nameless = edited(&browser, &page, &area, &nameless).is(400);
    let told = r#"<p class="contradicts">Fill in “Name”: it can&#39;t stay empty.</p>"#;
    assert!(nameless.body.contains(told), "{}", nameless.body);
    assert!(!nameless.body.contains("required property"));
    let mended: Vec<_> = beside
        .iter()
        .map(|(name, value)| (*name, if *name == "f-max" { "90" } else { value }))
        .filter(|(name, _)| *name != "do")
        .collect();
    let holds = edited(&browser, &refused, &area, &mended).is(200);
    assert!(holds.body.contains("No problems found."), "{}", holds.body);
    let tried = edited(&browser, &holds, &area, &[("t-0", "100")]).is(200);
    assert!(tried.body.contains("must be at most 90"), "{}", tried.body);
    let clean = edited(&browser, &holds, &area, &[("t-0", "50")]).is(200);
    assert!(
        clean.body.contains("No faults.") && clean.body.contains("50}"),
        "{}",
        clean.body
    );
    let review = edited(&browser, &holds, &area, &[("do", "review")]).is(200);
    assert!(review.body.contains("from 9 to 90"), "{}", review.body);
    let document = held(&review, "document");
    let saved = browser.send(
        &review,
        &format!("/app/areas/{area}/schemas"),
        &[("document", &document), ("state", "published")],
    );
    let saved = saved.is(303);
    let place = saved.header("location").expect("a place").to_owned();
    let page = browser.get(&place).is(200);
    assert!(
        page.body.contains("Depth") && page.body.contains("published"),
        "{}",
        page.body
    );
    // a name that is taken: nothing is lost
    let again = browser.send(
        &review,
        &format!("/app/areas/{area}/schemas"),
        &[("document", &document), ("state", "draft")],
    );
    let again = again.is(409);
    assert_eq!(held(&again, "document"), document);
}

#[test]
fn a_change_is_told_with_whom_it_concerns_and_what_it_makes_faulty_before_it_is_saved() {
    let server = crate::jobs::server();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let review = bounded(&browser, &schema, &area);
    assert!(
        review.body.contains("numbers may be above the maximum"),
        "{}",
        review.body
    );
    let document = held(&review, "document");
    let path = format!("/app/schemas/{schema}/effects");
    let counted = browser
        .send(&review, &path, &[("document", &document)])
        .is(200);
    let adds_up = "Records checked: 2. Faulty now: 1, of which 0 would no longer be. Newly faulty: 1. Faulty after the change: 2.";
    assert!(counted.body.contains(adds_up), "{}", counted.body);
    let job = browser.send(
        &review,
        &format!("/app/datasets/{dataset}/effects"),
        &[("document", &document)],
    );
    browser.ended_job(job);
    let own = format!("/app/schemas/{schema}");
    let version = held(&review, "version");
    let fields = [
        ("document", &*document),
        ("version", &*version),
        ("state", "draft"),
    ];
    browser.send(&review, &own, &fields).is(303);
    // who comes later is told, and loses nothing
    let other = document.replace("\"max\":5", "\"max\":7");
    let fields = [
        ("document", &*other),
        ("version", &*version),
        ("state", "draft"),
    ];
    let late = browser.send(&review, &own, &fields).is(409);
    assert!(
        late.body.contains("Someone else has changed this schema"),
        "{}",
        late.body
    );
    let fields = [
        ("document", &*held(&late, "document")),
        ("version", &*held(&late, "version")),
        ("state", "published"),
    ];
    browser.send(&late, &own, &fields).is(303);
    let between = browser.get(&format!("{own}/versions?from=1&to=3")).is(200);
    assert!(between.body.contains("<ins>7</ins>"), "{}", between.body);
    let titled = "<h1>City: Version 1 to 3</h1>";
    assert!(between.body.contains(titled), "{}", between.body);
    browser.get(&format!("{own}/versions?from=1&to=9")).is(404);
    // when and by whom each was written, by the name of a user and not by the address that the version keeps
    let ada = server.get(&format!("/schemas/{schema}/versions/3"));
    assert_eq!(ada["updatedBy"], "ada@example.org", "{ada}");
    let at = ada["updatedDate"].as_str().expect("a moment")[..16].replace('T', " ");
    let shown = browser.get(&own).is(200);
    for (page, told) in [
        (&between, format!("Version 3: {at} · ada<")),
        (&shown, format!("{at} · ada<")),
    ] {
        assert!(page.body.contains(&told), "{told}: {}", page.body);
    }
    let address = "ada@example.org";
    assert!(!between.body.contains(address), "{}", between.body);
    assert!(between.body.contains("Version 1: "), "{}", between.body);
    // no version is compared with itself, neither the first one nor one that is chosen twice
    for same in ["to=1", "from=2&to=2"] {
        let page = browser.get(&format!("{own}/versions?{same}")).is(200);
        let told = "one and the same version";
        assert!(page.body.contains(told), "{same}: {}", page.body);
        assert!(!page.body.contains(" to 1<") && !page.body.contains(" to 2<"));
    }
    let first = server.get(&format!("/schemas/{schema}/versions/1"));
    assert!(first["fields"][1]["max"].is_null(), "{first}");
    assert_eq!(
        server.get(&format!("/schemas/{schema}/versions/2"))["fields"][1]["max"],
        json!(5)
    );
    server
        .root(&format!("GET /schemas/{schema}/versions/x"), None)
        .is(404);
}

#[test]
fn a_schema_is_copied_read_from_a_document_deleted_and_taken_back() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let copy = browser
        .get(&format!("/app/areas/{area}/schemas/new?from={schema}"))
        .is(200);
    let document: Value = serde_json::from_str(&held(&copy, "document")).expect("a document");
    assert_eq!(document["name"], json!("Copy of City"));
    assert!(document["fields"][0]["fieldId"].is_null() && document["schemaId"].is_null());
    let path = format!("/app/areas/{area}/schemas/new");
    let page = browser.get(&path).is(200);
    let refused = browser
        .send(&page, &path, &[("document", "{not JSON")])
        .is(400);
    assert!(refused.body.contains("{not JSON"), "{}", refused.body);
    let text =
        json!({"name": "Quay", "fields": [{"name": "No", "dataType": "tree", "active": true}]});
    let read = browser
        .send(&page, &path, &[("document", &text.to_string())])
        .is(200);
    assert!(
        read.body.contains("<h3>Problems</h3>") && read.body.contains("Quay"),
        "{}",
        read.body
    );
    let own = format!("/app/schemas/{schema}");
    let page = browser.get(&own).is(200);
    browser.send(&page, &format!("{own}/delete"), &[]).is(303);
    browser.get(&own).is(404);
    browser.send(&page, &format!("{own}/restore"), &[]).is(303);
    browser.get(&own).is(200);
}

#[test]
fn a_schema_is_switched_off_and_on_and_its_records_stay_in_use() {
    let server = AdminServer::start();
    let (dataset, ids) = cities(&server);
    let [_, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let own = format!("/app/schemas/{schema}");
    let stored = || server.get(&format!("/schemas/{schema}"));
    let before = stored();
    for (switch, is_active) in [("Switch off", false), ("Switch on", true)] {
        let page = browser.get(&own).is(200);
        let button = format!(r#"value="{is_active}">{switch}</button>"#);
        for own in [&*button, "marked as no longer in use"] {
            assert!(page.body.contains(own), "{own}: {}", page.body);
        }
        assert_eq!(page.body.contains("· switched off ·"), is_active);
        // the document stays as it is stored, and is not sent along
        assert!(!page.body.contains(r#"name="document""#), "{}", page.body);
        let is_active = is_active.to_string();
        browser.send(&page, &own, &[("active", &is_active)]).is(303);
        let after = stored();
        assert_eq!(after["active"].to_string(), is_active);
        for kept in ["state", "version"] {
            assert_eq!(after[kept], before[kept], "{kept}");
        }
        assert_eq!(after["document"]["fields"], before["document"]["fields"]);
        browser
            .get(&format!("/app/datasets/{dataset}/records/{}", ids[0]))
            .is(200);
    }
}
