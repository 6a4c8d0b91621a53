//! Faulty rows that are mended outside: taken along by a page with what is wrong, and brought back by another.

use crate::browser::{Browser, between, field, give_ada};
use crate::jobs::{exported, imported, server};
use serde_json::json;

#[test]
fn the_form_of_faulty_rows_takes_along_what_mending_them_asks_for() {
    for is_keyed in [true, false] {
        let server = server();
        let fields = json!([
            field("f-meter", "Meter", "string", is_keyed),
            field("f-value", "Value", "integer", false),
        ]);
        let document = json!({"name": "Reading", "fields": fields});
        let [area, _, dataset] = server.places(&document);
        give_ada(&server, &area);
        imported(&server, &dataset, "", "Meter,Value\nM1,1\nM2,many\n");
        let browser = Browser::signed_in(&server);
        let there = format!("/app/datasets/{dataset}");
        let path = format!("{there}/export");
        let is_ticked = |page: &str, name: &str| {
            let ticked = format!(r#"name="{name}" value="true" checked"#);
            page.contains(&ticked)
        };
        let page = browser.get(&path).is(200);
        assert!(!is_ticked(&page.body, "withErrors") && !is_ticked(&page.body, "withIds"));
        let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
        assert!(is_ticked(&page.body, "withErrors"), "{}", page.body);
        assert_eq!(is_ticked(&page.body, "withIds"), !is_keyed);
        let mut ticks = vec![
            ("format", "csv"),
            ("q", "is:faulty"),
            ("withErrors", "true"),
        ];
        if !is_keyed {
            ticks.push(("withIds", "true"));
        }
        let file = browser.exported(browser.send(&page, &path, &ticks)).body;
        assert!(file.contains("_errors,Meter,Value\n"), "{file}");
        let mended = file.replace(",M2,many", ",M2,2");
        let fields = [("try", "false"), ("mode", "update")];
        let sent = browser.import(&dataset, &fields, ("mended.csv", &mended));
        let done = browser.ended_job(sent);
        assert!(
            done.body.contains("<dt>Changed</dt><dd>1</dd>"),
            "{}",
            done.body
        );
        let all = exported(&server, &dataset, json!({"format": "csv"}));
        assert_eq!(all, "Meter,Value\nM1,1\nM2,2\n");
    }
}

#[test]
fn records_are_changed_without_a_primary_key_only_by_a_file_that_has_their_ids() {
    let server = server();
    let fields = json!([field("f-meter", "Meter", "string", false)]);
    let [area, _, dataset] = server.places(&json!({"name": "Reading", "fields": fields}));
    give_ada(&server, &area);
    imported(&server, &dataset, "", "Meter\nM1\nM2\n");
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/import");
    let changes = |page: &str| {
        let modes =
            ["update", "upsert", "replace"].map(|mode| format!(r#"<option value="{mode}""#));
        modes.iter().filter(|mode| page.contains(*mode)).count()
    };
    // nobody knows the file yet
    let page = browser.get(&path).is(200);
    assert_eq!(changes(&page.body), 3, "{}", page.body);
    assert!(page.body.contains("The schema has no primary key"));
    let with_ids = exported(&server, &dataset, json!({"format": "csv", "withIds": true}));
    for (file, modes) in [("Meter\nM3\n", 0), (&*with_ids, 3)] {
        let fields = [("try", "true"), ("mode", "create")];
        let tried = browser.ended_job(browser.import(&dataset, &fields, ("meters.csv", file)));
        let again = between(&tried.body, r#"class="button primary" href=""#);
        let page = browser.get(&again.replace("&#38;", "&")).is(200);
        assert_eq!(changes(&page.body), modes, "{file}: {}", page.body);
    }
    // who may add none is told so, in place of a form of which nothing could come
    let fields = [("try", "true"), ("mode", "create")];
    let tried = browser.ended_job(browser.import(&dataset, &fields, ("more.csv", "Meter\nM4\n")));
    let again = between(&tried.body, r#"class="button primary" href=""#);
    let shown = server.get(&format!("/users/{}", server.ada));
    let grants = json!([{"area": area, "verbs": ["view", "edit"]}]);
    let body = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org", "active": true,
        "roles": shown["roles"], "grants": grants});
    let line = format!("PUT /users/{}", server.ada);
    server.root(&line, Some(body)).is(200);
    let page = browser.get(&again.replace("&#38;", "&")).is(200);
    assert!(!page.body.contains(r#"name="mode""#), "{}", page.body);
    assert!(page.body.contains("The schema has no primary key"));
    // of another file one may have the ids
    let page = browser.get(&path).is(200);
    assert_eq!(changes(&page.body), 1, "{}", page.body);
    // what is there already is made no second time
    let all = exported(&server, &dataset, json!({"format": "csv"}));
    assert_eq!(all, "Meter\nM1\nM2\n");
}
