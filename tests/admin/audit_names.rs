//! What is looked for in the trail by what it is or was called, and by where it is.

use crate::admin_server::{AdminServer, city};
use crate::browser::Browser;
use crate::rights::role;
use serde_json::json;

#[test]
fn the_trail_is_narrowed_by_a_name_of_now_or_of_then_and_by_an_area() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&city());
    server.make("/areas", json!({"name": "Elsewhere"}));
    let line = format!("PUT /areas/{area}");
    server.root(&line, Some(json!({"name": "Sites"}))).is(200);
    let by_area = format!("area={area}");
    let by_id = format!("id={dataset}");
    for (query, count) in [
        // its making and its new name
        ("name=PLACES&noun=area", 2),
        ("name=sites&noun=area", 2),
        ("name=ite&noun=area", 2),
        ("name=europe", 1),
        ("name=nothing", 0),
        (&*by_area, 4),
        ("area=sITES", 4),
        ("area=places", 0),
        ("area=Elsewhere", 1),
        ("area=sites&name=city", 1),
        (&*by_id, 1),
        ("name=&area=&noun=dataset", 1),
        // a plus as it is typed, and as it is meant to be sent
        ("noun=dataset&from=1970-01-01T01:00:00+01:00", 1),
        ("noun=dataset&from=1970-01-01T01:00:00%2B01:00", 1),
        ("noun=dataset&to=1970-01-01T01:00:00.500+01:00", 0),
        ("noun=dataset&from=1970-01-01%2000:00:00Z", 1),
    ] {
        let page = server.get(&format!("/audit?{query}"));
        let items = page["items"].as_array().expect("items");
        assert_eq!(items.len(), count, "{query}: {page}");
    }
}

#[test]
fn the_page_of_the_trail_looks_for_names_ids_and_areas_and_keeps_them() {
    let server = AdminServer::start();
    let [area, _, _] = server.places(&city());
    let browser = Browser::signed_in(&server);
    let count = |body: &str| body.matches("<tr id=\"n").count();
    let found = browser.get("/app/audit?name=euro&area=Places").is(200);
    assert_eq!(count(&found.body), 1, "{}", found.body);
    for kept in [
        r#"name="name" value="euro""#,
        r#"name="area" value="Places""#,
        "/audit/export?name=euro&#38;area=Places",
        "<b>Europe</b>",
    ] {
        assert!(found.body.contains(kept), "{kept}: {}", found.body);
    }
    let found = browser.get(&format!("/app/audit?id={area}")).is(200);
    assert_eq!(count(&found.body), 1, "{}", found.body);
    let file = browser.get("/app/audit/export?name=euro").is(200);
    assert_eq!(file.body.lines().count(), 1, "{}", file.body);
}

#[test]
fn what_an_entry_does_not_name_has_its_name_and_its_page_while_it_is_there() {
    let server = AdminServer::start();
    let [area, _, _] = server.places(&city());
    let (key, _) = server.key("Reader", &[], &[&area]);
    let line = format!("POST /api-keys/{key}/disable");
    assert!(server.root(&line, None).status < 300);
    let browser = Browser::signed_in(&server);
    let trail = format!("/app/audit?id={key}");
    let page = browser.get(&trail).is(200);
    let link = format!(r#"<a href="/app/keys/{key}"><b>Reader</b></a>"#);
    let rows = page.body.matches("<tr id=\"n").count();
    assert!(rows > 1, "{}", page.body);
    assert_eq!(page.body.matches(&*link).count(), rows, "{}", page.body);
    // who may not see keys has no way to one
    let role = role(&server, "Auditor", &[("AUDIT", &["view"])]);
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let eve = Browser::of_user(&server, "eve", &role, &grants);
    let way = format!(r#"href="/app/keys/{key}""#);
    assert!(!eve.get(&trail).is(200).body.contains(&way));
    server
        .root(&format!("DELETE /api-keys/{key}"), None)
        .is(204);
    let page = browser.get(&trail).is(200);
    assert!(!page.body.contains(&way) && page.body.contains("<b>Reader</b>"));
}
