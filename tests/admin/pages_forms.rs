//! What every form has in common: a way back beside its button, and buttons of rows that say what they are about.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::pages_home::edit;
use serde_json::json;

#[test]
fn a_page_with_a_form_has_a_way_back_beside_its_button() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let browser = Browser::signed_in(&server);
    let (area, schema) = (&entry.area, &entry.schema);
    let there = format!("/app/datasets/{dataset}");
    for path in [
        "/app/clients/new".to_owned(),
        "/app/domains/new".to_owned(),
        "/app/roles/new".to_owned(),
        "/app/users/new".to_owned(),
        "/app/webhooks/new".to_owned(),
        "/app/password".to_owned(),
        format!("/app/areas/{area}"),
        format!("/app/areas/{area}/schemas/new"),
        format!("/app/areas/{area}/schemas/new?from=hand"),
        format!("/app/schemas/{schema}/edit"),
        format!("/app/users/{}", server.ada),
        format!("{there}/export"),
        format!("{there}/import"),
        format!("{there}/mend"),
        format!("{there}/new"),
        format!("{there}/records/{record}"),
    ] {
        let page = browser.get(&path).is(200);
        let (_, main) = page.body.split_once("<main").expect("a main part");
        let (main, _) = main.split_once("</main>").expect("its end");
        let (_, behind) = main.split_once(r#"class="primary"#).expect(&path);
        let mut ways = behind.split("</a>").map(|way| way.rsplit('>').next());
        let is_way = |text: &str| text == "Cancel" || text.starts_with("Back to");
        assert!(ways.any(|way| way.is_some_and(is_way)), "{path}: {main}");
    }
}

#[test]
fn a_button_of_a_row_says_what_it_is_about() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let _ = server.key("Reader", &[], &[]);
    let browser = Browser::signed_in(&server);
    let keys = browser.get("/app/keys").is(200);
    for name in ["Change Reader", "Switch off Reader", "New secret: Reader"] {
        let label = format!(r#"aria-label="{name}""#);
        assert!(keys.body.contains(&label), "{name}: {}", keys.body);
    }
    let line = json!({"update": {"_dataObjectId": record, "_version": 1, "People": 13}});
    edit(&server, &dataset, &[line]);
    let place = format!("/app/datasets/{dataset}/records/{record}");
    let page = browser.get(&place).is(200);
    browser.send(&page, &format!("{place}/delete"), &[]).is(303);
    let deleted = browser.get(&format!("/app/datasets/{dataset}/deleted"));
    let deleted = deleted.is(200);
    assert!(deleted.body.contains(r#"aria-label="Restore A1""#));
    browser
        .send(&deleted, &format!("{place}/restore"), &[])
        .is(303);
    let history = browser.get(&format!("{place}/history")).is(200);
    let label = r#"aria-label="Restore this version: version 1""#;
    assert!(history.body.contains(label), "{}", history.body);
}
