//! Access in the application: keys are made, shown once, switched, rotated and deleted; the trail tells of it.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities};

#[test]
fn a_key_is_shown_once_and_does_what_its_form_says_until_it_is_switched_off() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/keys").is(200);
    let role = between(&page.body, r#"name="role" value=""#);
    let area = between(&page.body, r#"<select id=""#);
    let fields = [
        ("name", "Report"),
        ("role", &*role),
        (&*area, "view"),
        ("expires", "2099-12-31"),
    ];
    let made = browser.send(&page, "/app/keys", &fields).is(200);
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let secret = shown_key(&made.body);
    let by_key = [("Authorization", &*secret)];
    let asked = || server.send("GET /admin/api/v1/areas", &by_key, None);
    asked().is(200);
    let list = browser.get("/app/keys").is(200);
    assert!(!list.body.contains(&secret) && list.body.contains("2099-12-31 23:59"));
    let (_, own) = list.body.split_once(">Report<").expect("the key");
    let id = between(own, r#"action="/app/keys/"#);
    let id = id.split('/').next().expect("an id").to_owned();
    browser
        .send(&list, &format!("/app/keys/{id}/disable"), &[])
        .is(303);
    asked().is(401);
    browser
        .send(&list, &format!("/app/keys/{id}/enable"), &[])
        .is(303);
    asked().is(200);
    let rotated = browser
        .send(&list, &format!("/app/keys/{id}/secret"), &[])
        .is(200);
    let newer = shown_key(&rotated.body);
    assert_ne!(newer, secret);
    server
        .send(
            "GET /admin/api/v1/areas",
            &[("Authorization", &*newer)],
            None,
        )
        .is(200);
    browser
        .send(&list, &format!("/app/keys/{id}/delete"), &[])
        .is(303);
    asked().is(401);
    // the trail tells of it, without the secret
    let trail = browser.get("/app/audit").is(200);
    assert!(
        trail.body.contains("API key created") && trail.body.contains("Report"),
        "{}",
        trail.body
    );
    assert!(!trail.body.contains(&secret));
}

/// The key that a page shows in whole.
#[track_caller]
fn shown_key(body: &str) -> String {
    let (_, rest) = body.split_once(r#"<code class="secret">"#).expect(body);
    rest.split('<').next().expect("its end").to_owned()
}

#[test]
fn a_key_that_can_not_be_made_says_why() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/keys").is(200);
    for (fields, told) in [
        ([("name", ""), ("expires", "")], "name"),
        ([("name", "Late"), ("expires", "never")], "role=\"alert\""),
    ] {
        let refused = browser.send(&page, "/app/keys", &fields).is(400);
        assert!(refused.body.contains("role=\"alert\"") && refused.body.contains(told));
    }
}

#[test]
fn areas_and_datasets_are_made_renamed_deleted_and_taken_back_by_forms() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let fields = [("name", "Finance"), ("description", "Money")];
    let made = browser.send(&page, "/app/areas", &fields).is(303);
    let finance = made.header("location").expect("a place").to_owned();
    browser.send(&page, "/app/areas", &fields).is(409);
    let places = between(&page.body, r#"<li class="line"><a href=""#);
    let area = browser.get(&places).is(200);
    assert!(area.body.contains("Europe"), "{}", area.body);
    let renamed = [("name", "World"), ("description", "")];
    let path = format!("/app/datasets/{dataset}");
    browser
        .send(&area, &format!("{path}/settings"), &renamed)
        .is(303);
    assert!(browser.get(&places).body.contains("World"));
    // the form of before is of a version that is past
    let stale = [("name", "Elsewhere"), ("description", ""), ("version", "1")];
    browser
        .send(&area, &format!("{path}/settings"), &stale)
        .is(409);
    browser.send(&area, &format!("{path}/delete"), &[]).is(303);
    browser.get(&path).is(404);
    browser.send(&area, &format!("{path}/restore"), &[]).is(303);
    browser.get(&path).is(200);
    let schema = between(&area.body, r#"action="/app/schemas/"#);
    let schema = format!("/app/schemas/{schema}");
    browser.send(&area, &schema, &[("name", "Asia")]).is(303);
    assert!(browser.get(&places).body.contains("Asia"));
    let off = [("name", "Places"), ("description", ""), ("active", "false")];
    browser.send(&area, &places, &off).is(303);
    assert!(browser.get("/app/areas").body.contains("switched off"));
    browser
        .send(&page, &format!("{places}/delete"), &[])
        .is(303);
    browser.get(&path).is(404);
    browser
        .send(&page, &format!("{places}/restore"), &[])
        .is(303);
    browser.get(&path).is(200);
    let finance = browser.get(&finance).is(200);
    assert!(finance.body.contains("Finance") && finance.body.contains("Money"));
}
