//! What lacks before there is a dataset is made in one step from where one stands, and one comes back from there.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::browser::Browser;
use crate::requests::Answer;
use crate::rights::role;
use serde_json::{Value, json};

const NO_DATASET: &str = "There is no dataset yet";

/// Asks management as ada, who reaches what she made herself.
fn made_by_ada(server: &AdminServer, line: &str, body: Value) -> Answer {
    let session = server.session("ada", PASSWORD);
    server.ask(&session, line, Some(body)).is(201)
}

/// The page at an address, which says all of this.
#[track_caller]
fn told(browser: &Browser<'_>, path: &str, parts: &[&str]) -> Answer {
    let page = browser.get(path).is(200);
    for part in parts {
        assert!(page.body.contains(part), "{path}: {part}: {}", page.body);
    }
    page
}

/// Where a form leads that was sent.
#[track_caller]
fn place_of(sent: Answer) -> String {
    let sent = sent.is(303);
    sent.header("location").expect("a place").to_owned()
}

#[test]
fn from_the_form_of_a_key_one_makes_the_area_then_the_schema_then_the_dataset_and_is_back() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let back = "next=%2Fapp%2Fkeys%23new";
    let step = |place: &str, label: &str| {
        format!(r#"<a class="button primary" href="{place}">{label}</a>"#)
    };
    let area = step(&format!("/app/areas?{back}#new"), "Create an area");
    let page = told(&browser, "/app/keys", &[NO_DATASET, &area, r#"id="new""#]);
    assert_eq!(page.body.matches(&*area).count(), 1, "{}", page.body);
    // whoever may make the first one is sent to nobody who would give access to one
    let none = "and there is none yet: create one first.";
    assert!(page.body.contains(none), "{}", page.body);
    assert!(!page.body.contains("ask an administrator"));
    let then = "Once it is there, you go on with what you came for.";
    let next = r#"name="next" value="/app/keys#new""#;
    let page = told(
        &browser,
        &format!("/app/areas?{back}"),
        &[then, next, r#"id="new""#],
    );
    // what was refused comes back with the way on
    let nameless = [("name", ""), ("next", "/app/keys#new")];
    let refused = browser.send(&page, "/app/areas", &nameless).is(400);
    assert!(refused.body.contains(next), "{}", refused.body);
    let fields = [("name", "Finance"), ("next", "/app/keys#new")];
    let made = browser.send(&refused, "/app/areas", &fields);
    assert_eq!(place_of(made), "/app/keys#new");
    let areas = server.get("/areas");
    let id = areas["items"][0]["businessAreaId"].as_str().expect("an id");
    let schema = step(&format!("/app/areas/{id}/schemas/new"), "Create a schema");
    told(&browser, "/app/keys", &[NO_DATASET, &schema]);
    let line = format!("POST /areas/{id}/schemas");
    let document = json!({"document": city()});
    let schema = made_by_ada(&server, &line, document).text("schemaId");
    let there = format!("/app/areas/{id}?of={schema}&#38;{back}#new-{schema}");
    let dataset = step(&there, "Create a dataset");
    told(&browser, "/app/keys", &[NO_DATASET, &dataset]);
    let there = format!("/app/areas/{id}?of={schema}&{back}");
    let form = format!(r#"id="new-{schema}""#);
    // of several schemas, the form of the one that is meant stands open
    let mut other = city();
    other["name"] = json!("Village");
    made_by_ada(&server, &line, json!({"document": other}));
    let page = told(&browser, &there, &[next, &form, ">Village</h3>"]);
    let (before, _) = page.body.split_once(&form).expect("a form");
    assert!(before.contains("<details open>"), "{}", page.body);
    assert_eq!(page.body.matches("<details open>").count(), 1);
    let place = format!("/app/schemas/{schema}/datasets");
    let fields = [("name", "Europe"), ("next", "/app/keys#new")];
    assert_eq!(
        place_of(browser.send(&page, &place, &fields)),
        "/app/keys#new"
    );
    let page = told(&browser, "/app/keys", &["createApiKey"]);
    assert!(!page.body.contains(NO_DATASET), "{}", page.body);
}

#[test]
fn whoever_makes_an_area_for_the_first_schema_goes_on_with_that() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let way = "/app/areas?next=%2Fapp%2Fareas%2F%7B%7D%2Fschemas%2Fnew#new";
    let way = format!(r#"<a class="button primary" href="{way}">Create an area</a>"#);
    told(&browser, "/app/schemas", &["No schemas yet", &way]);
    let next = "/app/areas/{}/schemas/new";
    let page = told(&browser, "/app/areas", &[]);
    let fields = [("name", "Finance"), ("next", next)];
    let place = place_of(browser.send(&page, "/app/areas", &fields));
    let areas = server.get("/areas");
    let id = areas["items"][0]["businessAreaId"].as_str().expect("an id");
    assert_eq!(place, next.replace("{}", id));
    told(&browser, &place, &["Finance", "Begin by hand"]);
    // who may make schemas and no area is told who may
    let server = AdminServer::start();
    let resources = ["BUSINESS AREAS", "SCHEMA MODELS"];
    let verbs: [&[&str]; 2] = [&["view"], &["view", "add"]];
    let models = role(
        &server,
        "Models",
        &[(resources[0], verbs[0]), (resources[1], verbs[1])],
    );
    let eve = Browser::of_user(&server, "eve", &models, &json!([]));
    let ask = "A schema stands in an area, and there is none yet. Ask an administrator";
    let page = told(&eve, "/app/schemas", &["No schemas yet", ask]);
    assert!(!page.body.contains("Create an area"), "{}", page.body);
}

#[test]
fn a_form_leads_on_to_no_other_site() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    for (name, next) in [
        ("One", "https://example.org/app/keys"),
        ("Two", "//example.org/keys"),
        ("Three", "/app//example.org"),
        ("Four", "/elsewhere"),
        ("Five", ""),
    ] {
        let page = browser.get(&format!("/app/areas?next={next}")).is(200);
        let own = r#"name="next" value="""#;
        assert!(page.body.contains(own), "{next}: {}", page.body);
        let sent = browser.send(&page, "/app/areas", &[("name", name), ("next", next)]);
        let place = place_of(sent);
        assert!(place.starts_with("/app/areas/"), "{next}: {place}");
    }
}

#[test]
fn clients_and_webhooks_say_what_comes_before_them_too_and_who_may_make_it_where_one_may_not() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    for (path, back) in [
        ("/app/clients", "clients"),
        ("/app/webhooks", "webhooks"),
        ("/app/webhooks/new", "webhooks"),
    ] {
        let way = format!(r#"href="/app/areas?next=%2Fapp%2F{back}%2Fnew#new">Create an area</a>"#);
        let way = format!(r#"<a class="button primary" {way}"#);
        let page = told(&browser, path, &[NO_DATASET, &way]);
        assert_eq!(page.body.matches("primary").count(), 1, "{}", page.body);
    }
    let verbs: &[&str] = &["view", "add"];
    let links = role(&server, "Links", &[("APPLICATION CLIENTS", verbs)]);
    let eve = Browser::of_user(&server, "eve", &links, &json!([]));
    let ask = "Ask an administrator to create one.";
    for path in ["/app/clients", "/app/webhooks", "/app/webhooks/new"] {
        let page = told(&eve, path, &[NO_DATASET, ask]);
        assert!(!page.body.contains("/app/areas"), "{path}: {}", page.body);
    }
    let german = eve.in_german();
    told(
        &german,
        "/app/webhooks",
        &["Noch gibt es keinen Datenbestand"],
    );
    // where there is one, nothing lacks, whether it is seen or not
    let _ = server.places(&city());
    for by in [&browser, &eve] {
        for path in ["/app/clients", "/app/webhooks", "/app/webhooks/new"] {
            let page = told(by, path, &[]);
            assert!(!page.body.contains(NO_DATASET), "{path}: {}", page.body);
        }
    }
}

#[test]
fn nobody_is_led_to_make_an_area_whom_the_page_of_areas_refuses() {
    let server = AdminServer::start();
    let add: &[&str] = &["add"];
    let see: &[&str] = &["view", "add"];
    let blind = role(
        &server,
        "Blind",
        &[("BUSINESS AREAS", add), ("SCHEMA MODELS", see)],
    );
    let sees = role(
        &server,
        "Sees",
        &[("BUSINESS AREAS", see), ("SCHEMA MODELS", see)],
    );
    let (eve, grace) = (
        Browser::of_user(&server, "eve", &blind, &json!([])),
        Browser::of_user(&server, "grace", &sees, &json!([])),
    );
    eve.get("/app/areas").is(403);
    let offers = |browser: &Browser<'_>| {
        let home = browser.get("/app/").is(200);
        home.body.contains(r#"href="/app/areas?next="#)
    };
    assert!(!offers(&eve) && offers(&grace));
}
