//! Pages with lists of very many areas, schemas or datasets: each shows a part that a filter or a button chooses, without a script, stays
//! small, and loses nothing of what is ticked or filled in.

use crate::admin_server::{AdminServer, city};
use crate::browser::{Browser, between, give_ada, link_of};
use crate::pages_size::{assert_small, text};
use serde_json::json;

/// Entries of a part.
pub(crate) const PART: usize = 100;

/// A description that is as long as one may be, about.
fn long(number: usize) -> String {
    let parts = (0..4).map(|part| text(number * 4 + part));
    parts.collect::<Vec<_>>().join("\n")
}

#[test]
fn an_area_of_many_schemas_and_datasets_is_shown_in_parts_and_a_filter_finds_them_by_name() {
    const SCHEMAS: usize = 90;
    let server = AdminServer::start();
    let [area, first, _] = server.places(&city());
    give_ada(&server, &area);
    let mut ids = Vec::new();
    for number in 0..SCHEMAS {
        let mut document = city();
        document["name"] = json!(format!("Kind {number}"));
        let made = server.make(
            &format!("/areas/{area}/schemas"),
            json!({"document": document}),
        );
        let schema = made.text("schemaId");
        let dataset = json!({"name": format!("Stock {number}"), "description": long(number)});
        let path = format!("/schemas/{schema}/datasets");
        ids.push(server.make(&path, dataset).text("dataSetId"));
    }
    let browser = Browser::signed_in(&server);
    let place = format!("/app/areas/{area}");
    // each is on one of the pages
    let (mut path, mut seen, mut pages) = (place.clone(), 0, 0);
    loop {
        let page = browser.get(&path).is(200);
        assert_small(&page, &path);
        seen += page
            .body
            .matches("data-operation=\"updateManagedDataset\"")
            .count();
        pages += 1;
        assert!(!page.body.contains("No datasets yet"), "{}", page.body);
        match link_of(&page.body, "next") {
            Some(next) => path = next,
            None => break,
        }
    }
    assert_eq!(seen, SCHEMAS + 1);
    assert!(pages > (2 * SCHEMAS + 2) / PART, "{pages} pages");
    // who finds a schema finds its datasets, and a dataset stands below its schema
    for find in ["kind+77", "Stock+77"] {
        let page = browser.get(&format!("{place}?find={find}")).is(200);
        assert!(page.body.contains("<h3>Kind 77</h3>"), "{}", page.body);
        assert!(page.body.contains(&ids[77]), "{}", page.body);
        assert!(!page.body.contains(&ids[78]), "{}", page.body);
    }
    let page = browser.get(&format!("{place}?find=nowhere")).is(200);
    assert!(page.body.contains("Nothing here has this in its name."));
    // what was changed is in view, and what was refused is, too
    let page = browser.get(&place).is(200);
    let last = ids.last().expect("one");
    let path = format!("/app/datasets/{last}/settings");
    let fields = [("name", "Renamed"), ("version", "1")];
    let saved = browser.send(&page, &path, &fields).is(303);
    let after = browser.get(saved.header("location").expect("a place"));
    assert!(after.is(200).body.contains("Renamed"));
    let refused = browser.send(&page, &path, &[("name", " "), ("version", "2")]);
    let refused = refused.is(400);
    assert!(refused.body.contains("<details open>"), "{}", refused.body);
    assert_small(&refused, "what was refused");
    // the way to a form that makes a dataset leads to the part that has it
    let form = format!("{place}?of={first}#new-{first}");
    let (page, _) = form.split_once('#').expect("a place within a page");
    let page = browser.get(page).is(200);
    assert!(page.body.contains(&format!(r#"id="new-{first}""#)));
}

/// Areas with these names and numbers behind them, by id.
pub(crate) fn regions(server: &AdminServer) -> Vec<String> {
    let made = (0..PART + 20).map(|number| {
        let area = json!({"name": format!("Region {number}"), "description": long(number)});
        server.make("/areas", area).text("businessAreaId")
    });
    made.collect()
}

#[test]
fn a_form_with_very_many_areas_shows_a_part_and_keeps_what_is_ticked_elsewhere() {
    let server = AdminServer::start();
    let areas = regions(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/keys").is(200);
    for path in ["/app/keys", "/app/users/new", "/app/clients/new"] {
        let page = browser.get(path).is(200);
        assert_small(&page, path);
        let shown = page
            .body
            .matches("type=\"checkbox\" name=\"grant\"")
            .count();
        assert_eq!(shown, 4 * PART, "{path}");
        // all areas together are one more
        assert!(page.body.contains("1 to 100 of 121"), "{}", page.body);
        assert!(page.body.contains(r#"name="enter" value="true""#), "{path}");
        // the row that ticks all of them ticks those that are shown
        let all = r#"<th scope="row">All on this page</th>"#;
        assert!(page.body.contains(all), "{path}: {}", page.body);
        assert!(page.body.contains(r#"aria-label="All on this page: "#));
    }
    let first = format!("{}:view", areas[0]);
    let last = format!("{}:view", areas[119]);
    let of_form = |look: &[(&'static str, &'static str)], ticked: &[&str]| {
        let mut fields = vec![("name", "Reader"), ("of-areas", ""), ("at-areas", "0")];
        fields.extend(look);
        fields.extend(ticked.iter().map(|value| ("grant", *value)));
        browser.send(&page, "/app/keys", &fields)
    };
    // beside the key of the administrator there is none: by the button, by Enter in the filter, and by the way to the next part
    for look in [
        &[("look", "areas"), ("find-areas", "region 119")][..],
        &[("enter", "true"), ("find-areas", "region 119")],
        &[("look", "areas-1")],
    ] {
        let looked = of_form(look, &[&first]).is(200);
        let body = &looked.body;
        assert!(body.contains(r#"name="name" value="Reader""#), "{body}");
        let hidden = format!(r#"<input type="hidden" name="grant" value="{first}">"#);
        assert!(body.contains(&hidden), "{body}");
        assert!(body.contains(&format!(r#"name="grant" value="{last}""#)));
        assert!(body.contains("Ticked, and not shown here: 1."), "{body}");
        assert!(!body.contains(&format!("{}:view", areas[1])), "{body}");
        let keys = server.get("/api-keys");
        assert_eq!(keys["items"].as_array().map(Vec::len), Some(1), "{keys}");
    }
    // Enter where nothing else is sought saves, as the button does
    let made = of_form(&[("enter", "true")], &[&first, &last]).is(200);
    assert!(
        made.body.contains(r#"<code class="secret">"#),
        "{}",
        made.body
    );
    let keys = server.get("/api-keys");
    let grants = keys["items"][1]["grants"].as_array().expect("grants");
    assert_eq!(grants.len(), 2, "{keys}");
}

#[test]
fn a_look_at_other_areas_of_a_key_changes_nothing_and_loses_nothing() {
    let server = AdminServer::start();
    let areas = regions(&server);
    let grants = [0, 119].map(|at| json!({"area": areas[at], "verbs": ["view"]}));
    let key = json!({"name": "Reader", "roles": [], "grants": grants});
    let id = server.make("/api-keys", key).text("apiKeyId");
    let stored = || server.get(&format!("/api-keys/{id}"))["grants"].clone();
    let browser = Browser::signed_in(&server);
    let path = format!("/app/keys/{id}");
    let page = browser.get(&path).is(200);
    assert_small(&page, &path);
    let last = format!("{}:view", areas[119]);
    let hidden = format!(r#"<input type="hidden" name="grant" value="{last}">"#);
    assert!(page.body.contains(&hidden), "{}", page.body);
    let middle = format!("{}:view", areas[50]);
    let seen = between(&page.body, r#"name="seen" value=""#);
    let fields = [
        ("name", "Reader"),
        ("seen", &*seen),
        ("of-areas", ""),
        ("grant", &*middle),
        ("grant", &*last),
    ];
    let before = stored();
    let look = [("look", "areas"), ("find-areas", "region 5")];
    let looked = browser.send(&page, &path, &[&fields[..], &look].concat());
    let looked = looked.is(200);
    assert_eq!(between(&looked.body, r#"name="seen" value=""#), seen);
    assert!(looked.body.contains(&hidden), "{}", looked.body);
    assert_eq!(stored(), before);
    browser.send(&looked, &path, &fields).is(303);
    let after = stored();
    let given = after.as_array().expect("grants").iter();
    let given: Vec<_> = given.map(|grant| grant["area"].as_str()).collect();
    assert_eq!(given.len(), 2, "{after}");
    assert!(given.contains(&Some(&*areas[50])), "{after}");
}

#[test]
fn lists_of_what_reaches_very_many_areas_name_some_and_how_many_more_and_stay_small() {
    let server = AdminServer::start();
    let areas = regions(&server);
    let grants = areas
        .iter()
        .map(|area| json!({"area": area, "verbs": ["view"]}));
    let grants: Vec<_> = grants.collect();
    for number in 0..30 {
        let (name, what) = (format!("Caller {number}"), long(number));
        let key = json!({"name": name, "description": what, "roles": [], "grants": grants});
        server.make("/api-keys", key);
        let app = json!({"name": name, "description": what, "roles": [], "grants": grants});
        server.make("/apps", app);
    }
    let browser = Browser::signed_in(&server);
    for path in ["/app/keys", "/app/clients", "/app/areas", "/app/schemas"] {
        assert_small(&browser.get(path).is(200), path);
    }
    let page = browser.get("/app/clients").is(200);
    assert_eq!(
        page.body.matches("and 115 more").count(),
        30,
        "{}",
        page.body
    );
    // areas without a schema are found on the page of schemas, and deleted ones on that of areas
    let page = browser.get("/app/schemas?find=region+11").is(200);
    assert!(page.body.contains(">Region 117</a>"), "{}", page.body);
    assert!(!page.body.contains(">Region 12</a>"), "{}", page.body);
    for area in &areas {
        server.root(&format!("DELETE /areas/{area}"), None).is(204);
    }
    let page = browser.get("/app/areas").is(200);
    let restored = "data-operation=\"restoreArea\"";
    assert_eq!(page.body.matches(restored).count(), PART);
    let next = link_of(&page.body, "next").expect("a next page");
    let page = browser.get(&next).is(200);
    assert_eq!(page.body.matches(restored).count(), areas.len() - PART);
}

#[test]
fn very_many_datasets_are_shown_in_parts_where_they_are_ticked_and_where_they_are_reached() {
    let server = AdminServer::start();
    let [area, schema, _] = server.places(&city());
    give_ada(&server, &area);
    let datasets = (0..PART + 20).map(|number| {
        let dataset = json!({"name": format!("Stock {number}")});
        let made = server.make(&format!("/schemas/{schema}/datasets"), dataset);
        made.text("dataSetId")
    });
    let datasets: Vec<_> = datasets.collect();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/webhooks/new").is(200);
    assert_small(&page, "a new webhook");
    let of_form = |look: &[(&'static str, &'static str)], ticked: &[&str]| {
        let url = ("url", "https://example.org/arrives");
        let mut fields = vec![("name", "Shop"), url, ("of-datasets", "")];
        fields.extend(look);
        fields.extend(ticked.iter().map(|id| ("dataset", *id)));
        browser.send(&page, "/app/webhooks", &fields)
    };
    let look = [("look", "datasets"), ("find-datasets", "stock 119")];
    let looked = of_form(&look, &[&datasets[3]]).is(200);
    let hidden = format!(
        r#"<input type="hidden" name="dataset" value="{}">"#,
        datasets[3]
    );
    assert!(looked.body.contains(&hidden), "{}", looked.body);
    assert!(looked.body.contains(&datasets[119]), "{}", looked.body);
    assert!(
        looked
            .body
            .contains(r#"value="https://example.org/arrives""#)
    );
    let hooks = server.get("/webhooks");
    assert_eq!(hooks["items"].as_array().map(Vec::len), Some(0), "{hooks}");
    of_form(&[], &[&datasets[3], &datasets[119]]).is(200);
    let hooks = server.get("/webhooks");
    let sent = hooks["items"][0]["datasets"].as_array().expect("datasets");
    assert_eq!(sent.len(), 2, "{hooks}");
    let id = hooks["items"][0]["webhookId"].as_str().expect("an id");
    assert_small(&browser.get(&format!("/app/webhooks/{id}")).is(200), "it");
    // what a key reaches
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let key = json!({"name": "Reader", "roles": [server.role("MEMBER")], "grants": grants});
    let key = server.make("/api-keys", key).text("apiKeyId");
    let path = format!("/app/keys/{key}");
    let page = browser.get(&path).is(200);
    assert_small(&page, "a key");
    assert!(page.body.contains("1 to 100 of 121"), "{}", page.body);
    let next = link_of(&page.body, "next").expect("a next page");
    assert!(
        browser
            .get(&next)
            .is(200)
            .body
            .contains("101 to 121 of 121")
    );
    let found = browser.get(&format!("{path}?find=stock+77")).is(200);
    assert!(found.body.contains("1 to 1 of 1 with “stock 77” in them"));
    assert!(found.body.contains("Stock 77<span"), "{}", found.body);
}
