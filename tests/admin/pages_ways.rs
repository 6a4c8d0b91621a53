//! What may not be seen at all is not shown by pages, and has no way to it.

use crate::admin_server::{AdminServer, RESOURCES_BUT_PERSONAL};
use crate::browser::{Browser, between, cities};
use crate::rights::role;
use serde_json::json;

/// The ways of the first element of this beginning.
#[track_caller]
fn ways<'p>(body: &'p str, beginning: &str) -> Vec<&'p str> {
    let (_, rest) = body.split_once(beginning).expect(beginning);
    let nav = rest.split("</nav>").next().unwrap_or_default();
    let ways = nav.split(r#"href=""#).skip(1);
    ways.filter_map(|rest| rest.split('"').next()).collect()
}

const MAIN: &str = "<nav aria-label=\"Main navigation\">";

#[test]
fn an_area_is_shown_to_who_may_not_see_what_is_in_it() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let catalog = server.service.store().catalog();
    let area = catalog.datasets[&dataset].area.clone();
    let areas: (&str, &[&str]) = ("BUSINESS AREAS", &["view"]);
    let schemas: (&str, &[&str]) = ("SCHEMA MODELS", &["view"]);
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    for (name, allowed, sees) in [
        ("eve", vec![areas], false),
        ("joe", vec![areas, schemas], true),
    ] {
        let browser = Browser::of_user(&server, name, &role(&server, name, &allowed), &grants);
        let page = browser.get(&format!("/app/areas/{area}")).is(200);
        assert!(page.body.contains("Places") && !page.body.contains("Europe"));
        assert_eq!(page.body.contains("<h3>City</h3>"), sees, "{}", page.body);
        assert!(page.body.contains("None of your roles lets you see"));
    }
}

#[test]
fn what_may_not_be_seen_has_no_way_to_it() {
    let server = AdminServer::start();
    let view: &[&str] = &["view"];
    for (at, (allowed, main)) in [
        (vec![], vec!["/app/", "/app/settings", "/app/jobs"]),
        (
            vec!["DATA DOMAINS"],
            vec!["/app/", "/app/domains", "/app/settings", "/app/jobs"],
        ),
        (
            vec!["SCHEMA MODELS"],
            vec!["/app/", "/app/settings", "/app/jobs"],
        ),
        (
            vec!["ROLES", "USERS", "AUDIT"],
            vec!["/app/", "/app/users", "/app/audit", "/app/jobs"],
        ),
        (
            RESOURCES_BUT_PERSONAL.to_vec(),
            vec![
                "/app/",
                "/app/areas",
                "/app/schemas",
                "/app/keys",
                "/app/audit",
                "/app/jobs",
            ],
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let allowed: Vec<_> = allowed.into_iter().map(|it| (it, view)).collect();
        let name = format!("eve{at}");
        let eve = Browser::of_user(&server, &name, &role(&server, &name, &allowed), &json!([]));
        let home = eve.get("/app/").is(200);
        assert_eq!(ways(&home.body, MAIN), main, "{allowed:?}");
        let finds = allowed
            .iter()
            .any(|(it, _)| *it == "DATASET OBJECTS SEARCH");
        assert_eq!(home.body.contains(r#"action="/app/search""#), finds);
        // each way leads somewhere, that of the tabs, too
        for path in main {
            let page = eve.get(path).is(200);
            if page.body.contains(r#"<nav class="tabs""#) {
                for path in ways(&page.body, r#"<nav class="tabs""#) {
                    eve.get(path).is(200);
                }
            }
        }
        let goals = eve.get("/app/go").is(200);
        for goal in goals.body.split(r#"class="line" href=""#).skip(1) {
            let goal = goal.split(['"', '#']).next().expect("it");
            // that of a language leads back
            let is_choice = goal.starts_with("/app/language/");
            eve.get(goal).is(if is_choice { 303 } else { 200 });
        }
        // a page of a refusal has the same ways
        if at == 0 {
            let refused = eve.get("/app/keys").is(403);
            assert_eq!(
                ways(&refused.body, MAIN),
                ["/app/", "/app/settings", "/app/jobs"]
            );
            assert_eq!(goals.body.matches(r#"class="line" href=""#).count(), 12);
        }
    }
    let ada = Browser::signed_in(&server);
    let keys = ada.get("/app/keys").is(200);
    assert_eq!(ways(&keys.body, r#"<nav class="tabs""#).len(), 8);
    assert_eq!(
        between(&keys.body, r#"<nav class="tabs" aria-label=""#),
        "Access"
    );
}
