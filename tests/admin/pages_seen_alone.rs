//! What a page is for and what comes next, as who sees it alone is told: figures that add up, a way that leads on, a heading
//! that says what there is, and nothing offered that has nothing to work on.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, field, give_ada, written};
use crate::jobs::server;
use crate::pages_home::edit;
use crate::rights::role;
use crate::schema_editor::{edited, places};
use serde_json::json;

#[test]
fn what_a_repair_does_to_faulty_records_adds_up_where_one_has_other_faults() {
    let server = server();
    let document = json!({"name": "Tower", "fields": [
        field("f-code", "Code", "string", true),
        field("f-floors", "Floors", "integer", false),
        field("f-height", "Height", "integer", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let records = [
        json!({"Code": "T1", "Floors": "-", "Height": "high"}),
        json!({"Code": "T2", "Floors": "-"}),
        json!({"Code": "T3"}),
    ];
    written(&server, &dataset, &records);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}/mend");
    let page = browser.get(&format!("{there}?field=Floors")).is(200);
    let tried = |with: &str| {
        let fields = [("field", "Floors"), ("action", "set"), ("with", with)];
        browser.ended_job(browser.send(&page, &there, &fields)).body
    };
    let body = tried("7");
    for (name, count) in [
        ("Faulty before the change", 2),
        ("No longer faulty", 1),
        ("Become faulty", 0),
        ("Faulty after the change", 1),
    ] {
        let figure = format!("<dt>{name}</dt><dd>{count}</dd>");
        assert!(body.contains(&figure), "{figure}: {body}");
    }
    // two lose the fault, and one of them has another one
    let lost = r#" role="cell">0</td><td class="num" data-label="Records that lose this fault" role="cell">2</td></tr>"#;
    assert!(body.contains(lost), "{body}");
    assert!(
        body.contains("also counts records that are faulty for another reason"),
        "{body}"
    );
    assert!(!body.contains("Examples"), "nobody gets a fault: {body}");
    // a value that is a dash is another thing than none
    assert_eq!(body.matches(r#"<del class="spaces">-</del>"#).count(), 2);
    let none = r#" role="cell"><span class="muted">no value</span></td>"#;
    assert_eq!(body.matches(none).count(), 1, "{body}");
    // one that was not faulty becomes so, and has an example
    let body = tried("many");
    for told in [
        "<dt>No longer faulty</dt><dd>0</dd>",
        "<dt>Become faulty</dt><dd>1</dd>",
        "Examples",
        ">T3</a>",
    ] {
        assert!(body.contains(told), "{told}: {body}");
    }
}

#[test]
fn home_leads_first_to_why_records_are_faulty_where_some_are_and_one_may_see_it() {
    let server = AdminServer::start();
    let (dataset, [_, faulty]) = cities(&server);
    let lead = r#"<a class="button primary" href="/app/faults">1 faulty record: see why</a>"#;
    let browser = Browser::signed_in(&server);
    let home = browser.get("/app/").is(200);
    assert!(home.body.contains(lead), "{}", home.body);
    // who may not search is shown no faults
    let viewed = [
        "BUSINESS AREAS",
        "SCHEMA MODELS",
        "DATASETS",
        "DATA OBJECTS",
    ];
    let looks = role(&server, "Looks", &viewed.map(|it| (it, &["view"][..])));
    let [area, _] = places(&server, &dataset);
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let eve = Browser::of_user(&server, "eve", &looks, &grants);
    let seen = eve.get("/app/").is(200);
    assert!(seen.body.contains("Europe"), "{}", seen.body);
    assert!(!seen.body.contains(lead), "{}", seen.body);
    let mended = json!({"update": {"_dataObjectId": faulty, "_version": 0, "People": 13}});
    edit(&server, &dataset, &[mended]);
    let home = browser.get("/app/").is(200);
    assert!(!home.body.contains("button primary"), "{}", home.body);
}

#[test]
fn who_was_invited_is_called_so_on_its_page_and_in_its_form() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/users/new").is(200);
    let fields = [
        ("full-name", "Grace"),
        ("username", "grace"),
        ("email", "grace@example.org"),
    ];
    let made = browser.send(&page, "/app/users", &fields).is(200);
    let invited = r#"<option value="true">invited</option>"#;
    assert!(made.body.contains(invited), "{}", made.body);
    let list = browser.get("/app/users").is(200);
    assert!(list.body.contains(">invited<p"), "{}", list.body);
    // it is so still where it is switched off
    let id = between(&made.body, r#"action="/app/users/"#);
    let place = format!("/app/users/{id}");
    let seen = between(&made.body, r#"name="seen" value=""#);
    let off = [&fields[..], &[("seen", &*seen), ("active", "false")]].concat();
    browser.send(&made, &place, &off).is(303);
    let off = browser.get(&place).is(200);
    for option in [invited, r#"<option value="false" selected>switched off"#] {
        assert!(off.body.contains(option), "{option}: {}", off.body);
    }
    let own = format!("/app/users/{}", server.ada);
    let own = browser.get(&own).is(200);
    let active = r#"<option value="true">active</option>"#;
    assert!(own.body.contains(active), "{}", own.body);
}

#[test]
fn a_field_without_a_name_is_called_by_its_place_where_it_stands_and_where_it_is_told_of() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, schema] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/schemas/{schema}/edit?field=1"));
    let beside = [("shown", "name"), ("f-name", ""), ("do", "check")];
    let told = edited(&browser, &page.is(200), &area, &beside).is(200);
    for own in [
        "<b>Field 2</b>",
        r##"<a href="#field-1">Field 2</a>"##,
        r#"aria-label="Remove: Field 2""#,
    ] {
        assert!(told.body.contains(own), "{own}: {}", told.body);
    }
}

#[test]
fn who_can_give_no_area_is_told_why_and_led_to_where_one_is_made_and_back() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let why = "and there is none yet: create one first.";
    let verbs: &[&str] = &["view", "add"];
    let nouns = ["USERS", "API KEYS", "APPLICATION CLIENTS"];
    let hires = role(&server, "Hires", &nouns.map(|it| (it, verbs)));
    let eve = Browser::of_user(&server, "eve", &hires, &json!([]));
    for (path, back) in [
        ("/app/keys", "%2Fapp%2Fkeys%23new"),
        ("/app/users/new", "%2Fapp%2Fusers%2Fnew"),
        ("/app/clients/new", "%2Fapp%2Fclients%2Fnew"),
    ] {
        let way = format!(r#"href="/app/areas?next={back}#new">Create an area</a>"#);
        let page = browser.get(path).is(200);
        for told in [why, &way] {
            assert!(page.body.contains(told), "{path}: {told}: {}", page.body);
        }
        let page = eve.get(path).is(200);
        let told = "you have none yet: ask an administrator for access to one.";
        assert!(page.body.contains(told), "{path}: {}", page.body);
        assert!(
            !page.body.contains("Create an area"),
            "{path}: {}",
            page.body
        );
    }
    // where there are some, and one reaches none, someone else may give access, too
    server.make("/areas", json!({"name": "Finance"}));
    let makes = [&nouns[..], &["BUSINESS AREAS"]].concat();
    let makes: Vec<_> = makes.into_iter().map(|it| (it, verbs)).collect();
    let makes = role(&server, "Makes", &makes);
    let sue = Browser::of_user(&server, "sue", &makes, &json!([]));
    let why = "you have none yet: create an area first, or ask an administrator for access to one.";
    let page = sue.get("/app/users/new").is(200);
    for told in [why, "Create an area"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
}

#[test]
fn what_works_on_what_is_found_is_not_offered_where_nothing_is() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    for (query, is_found) in [("A1", true), ("nowhere", false), ("%22", false)] {
        let page = browser.get(&format!("{there}?q={query}")).is(200);
        for offered in [
            r#"<form id="columns""#,
            "/mend?action=trim",
            "/export?q=",
            "Export found",
            "Clear the filter",
        ] {
            assert_eq!(page.body.contains(offered), is_found, "{query}: {offered}");
        }
        // the way back is said once where there is nothing
        let all = ">Show all records</a>";
        assert_eq!(page.body.contains(all), !is_found, "{query}");
    }
}

#[test]
fn a_new_webhook_and_a_new_domain_say_what_one_is_for() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    for (path, told) in [
        (
            "/app/webhooks/new",
            "A webhook tells another program of changes",
        ),
        ("/app/webhooks/new", "Each change is sent there as a POST"),
        ("/app/domains/new", "A data domain is a list of codes"),
    ] {
        let page = browser.get(path).is(200);
        assert!(page.body.contains(told), "{path}: {told}: {}", page.body);
    }
}

#[test]
fn each_way_to_a_new_schema_names_what_it_begins_with() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let [area, _] = places(&server, &dataset);
    let browser = Browser::signed_in(&server);
    let page = browser.get(&format!("/app/areas/{area}/schemas/new"));
    let page = page.is(200);
    for way in ["by hand", "from a copy", "from this file", "from this text"] {
        let way = format!(">Begin {way}</");
        assert_eq!(page.body.matches(&way).count(), 1, "{way}: {}", page.body);
    }
}

#[test]
fn each_rule_of_a_field_names_it_where_they_stand_below_one_another() {
    let server = server();
    let mut people = field("f-people", "People", "integer", false);
    people["isRequired"] = true.into();
    let document =
        json!({"name": "City", "fields": [field("f-code", "Code", "string", true), people]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let records = [
        json!({"Code": "A1"}),
        json!({"Code": "A2", "People": "many"}),
    ];
    written(&server, &dataset, &records);
    let path = format!("/app/datasets/{dataset}/faults");
    let page = Browser::signed_in(&server).get(&path).is(200);
    for head in [
        r#"<th scope="rowgroup" rowspan="2" role="rowheader">People</th>"#,
        r#"<th scope="row" class="again" role="rowheader">People</th>"#,
    ] {
        assert_eq!(page.body.matches(head).count(), 1, "{head}: {}", page.body);
    }
}

#[test]
fn the_link_to_the_records_has_a_place_whatever_is_found() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    for query in ["", "?q=A1", "?q=nowhere", "?q=%28"] {
        let path = format!("/app/datasets/{dataset}{query}");
        let page = browser.get(&path);
        for part in [r##"href="#records""##, r#"id="records""#] {
            assert_eq!(page.body.matches(part).count(), 1, "{path}: {}", page.body);
        }
    }
}
