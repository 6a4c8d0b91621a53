//! Saved views: a user's own ways of looking at a dataset, made, changed and deleted through management and on the page
//! of its records.

use crate::admin_server::{AdminServer, Answer, PASSWORD, city};
use crate::browser::{Browser, HOSTILE, between, cities, give_ada};
use serde_json::{Value, json};

/// A session of a user as a token.
fn session(server: &AdminServer, username: &str, password: &str) -> String {
    let body = json!({"username": username, "password": password, "token": true});
    let signed_in = server.ask("", "POST /sessions", Some(body)).is(200);
    signed_in.text("token")
}

fn save(server: &AdminServer, by: &str, dataset: &str, body: Value) -> Answer {
    let line = format!("POST /datasets/{dataset}/saved-views");
    server.ask(by, &line, Some(body))
}

/// The names of one's own, in their order.
fn names(server: &AdminServer, by: &str) -> Vec<String> {
    let all = server.ask(by, "GET /my/saved-views", None).is(200).json();
    let items = all["items"].as_array().expect("items").iter();
    items
        .map(|it| it["name"].as_str().expect("a name").to_owned())
        .collect()
}

/// Another user who may do what ada may.
fn grace(server: &AdminServer, area: &str) -> (String, String) {
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let body = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org", "password": PASSWORD,
        "mustChangePassword": false, "roles": [server.role("MEMBER")], "grants": grants});
    let id = server.make("/users", body).text("userId");
    (id, session(server, "grace", PASSWORD))
}

#[test]
fn a_saved_view_is_made_found_changed_and_deleted() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let ada = session(&server, "ada", PASSWORD);
    let body =
        json!({"name": "Faulty", "query": "is:faulty", "sort": "-Code", "columns": ["f-code"]});
    let made = save(&server, &ada, &dataset, body).is(201);
    let id = made.text("savedViewId");
    let path = made.header("location").expect("a place").to_owned();
    assert!(path.ends_with(&format!("/my/saved-views/{id}")), "{path}");
    let line = format!("/my/saved-views/{id}");
    let found = server
        .ask(&ada, &format!("GET {line}"), None)
        .is(200)
        .json();
    assert_eq!(found, made.json());
    assert_eq!(found["dataSetId"], json!(dataset));
    assert_eq!(
        (&found["query"], &found["sort"], &found["columns"]),
        (&json!("is:faulty"), &json!("-Code"), &json!(["f-code"]))
    );
    let body = json!({"name": "All", "query": "", "sort": "Code"});
    let changed = server.ask(&ada, &format!("PUT {line}"), Some(body)).is(200);
    let changed = changed.json();
    assert_eq!(
        (&changed["name"], &changed["columns"]),
        (&json!("All"), &json!([]))
    );
    assert_eq!(names(&server, &ada), ["All"]);
    server.ask(&ada, &format!("DELETE {line}"), None).is(204);
    server.ask(&ada, &format!("DELETE {line}"), None).is(404);
    assert!(names(&server, &ada).is_empty());
}

#[test]
fn nobody_else_sees_or_changes_a_saved_view_and_names_are_ones_own() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&city());
    give_ada(&server, &area);
    let ada = session(&server, "ada", PASSWORD);
    let (id, grace) = grace(&server, &area);
    let own = save(&server, &grace, &dataset, json!({"name": "Mine"})).is(201);
    let line = format!("/my/saved-views/{}", own.text("savedViewId"));
    assert!(names(&server, &ada).is_empty());
    for method in ["GET", "DELETE"] {
        server.ask(&ada, &format!("{method} {line}"), None).is(404);
    }
    let body = json!({"name": "Hers"});
    server.ask(&ada, &format!("PUT {line}"), Some(body)).is(404);
    save(&server, &ada, &dataset, json!({"name": "Mine"})).is(201);
    let taken = save(&server, &ada, &dataset, json!({"name": "Mine"})).is(409);
    assert!(
        taken.text("message").contains("choose another name"),
        "{}",
        taken.body
    );
    // a key is nobody's
    let refused = save(&server, &server.root, &dataset, json!({"name": "Key"})).is(403);
    assert!(
        refused.text("message").contains("only users"),
        "{}",
        refused.body
    );
    // they go with the user
    let kept = |server: &AdminServer| server.service.store().catalog().saved_views.len();
    assert_eq!(kept(&server), 2);
    server.root(&format!("DELETE /users/{id}"), None).is(204);
    assert_eq!(kept(&server), 1);
}

#[test]
fn a_view_of_what_may_not_be_seen_is_not_made_and_one_of_what_is_gone_is_not_there() {
    let server = AdminServer::start();
    let [area, _, dataset] = server.places(&city());
    let (user, grace) = grace(&server, &area);
    let made = save(&server, &grace, &dataset, json!({"name": "Mine"})).is(201);
    let line = format!("/my/saved-views/{}", made.text("savedViewId"));
    server
        .root(&format!("DELETE /datasets/{dataset}"), None)
        .is(204);
    assert!(names(&server, &grace).is_empty());
    server.ask(&grace, &format!("GET {line}"), None).is(404);
    save(&server, &grace, &dataset, json!({"name": "More"})).is(404);
    server
        .root(&format!("POST /datasets/{dataset}/restore"), None)
        .is(200);
    assert_eq!(names(&server, &grace), ["Mine"]);
    let body = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org", "active": true,
        "roles": [server.role("MEMBER")], "grants": []});
    server
        .root(&format!("PUT /users/{user}"), Some(body))
        .is(200);
    assert!(names(&server, &grace).is_empty());
    save(&server, &grace, &dataset, json!({"name": "More"})).is(403);
}

#[test]
fn what_is_too_long_or_too_many_is_refused_with_how_much_may_be() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let ada = session(&server, "ada", PASSWORD);
    let refused = |body: Value, place: &str, what: &str| {
        let answer = save(&server, &ada, &dataset, body).is(400);
        assert_eq!(answer.problems(), [place]);
        assert!(answer.body.contains(what), "{}", answer.body);
    };
    refused(json!({"name": ""}), "$.name", "1 to 100 characters");
    refused(
        json!({"name": "n".repeat(101)}),
        "$.name",
        "shorten it to 100",
    );
    refused(
        json!({"name": "A", "query": "q".repeat(2001)}),
        "$.query",
        "shorten it to 2000",
    );
    refused(
        json!({"name": "A", "sort": "s".repeat(501)}),
        "$.sort",
        "shorten it to 500",
    );
    let columns = vec!["f"; 501];
    refused(
        json!({"name": "A", "columns": columns}),
        "$.columns",
        "choose 500 at most",
    );
    refused(
        json!({"name": "A", "columns": ["f", ""]}),
        "$.columns[1]",
        "the id of a field",
    );
    for number in 1..=100 {
        save(
            &server,
            &ada,
            &dataset,
            json!({"name": format!("View {number}")}),
        )
        .is(201);
    }
    let full = save(&server, &ada, &dataset, json!({"name": "One more"})).is(409);
    assert!(
        full.text("message").contains("100 saved views"),
        "{}",
        full.body
    );
}

#[test]
fn the_trail_tells_of_saved_views_without_what_they_look_for() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let ada = session(&server, "ada", PASSWORD);
    let body = json!({"name": "Faulty", "query": "Code:secret-of-hers"});
    let id = save(&server, &ada, &dataset, body)
        .is(201)
        .text("savedViewId");
    let line = format!("/my/saved-views/{id}");
    let body = json!({"name": "Renamed", "query": "Code:secret-of-hers"});
    server.ask(&ada, &format!("PUT {line}"), Some(body)).is(200);
    server.ask(&ada, &format!("DELETE {line}"), None).is(204);
    let trail = server.get("/audit?noun=saved_view");
    let items = trail["items"].as_array().expect("items");
    let told: Vec<_> = items
        .iter()
        .map(|it| it["action"].as_str().expect("one"))
        .collect();
    assert_eq!(told, ["delete", "update", "create"]);
    assert_eq!(items[1]["after"]["name"], json!("Renamed"));
    assert!(items.iter().all(|it| it["area"].is_string()), "{trail}");
    assert!(!trail.to_string().contains("secret-of-hers"), "{trail}");
}

/// What stands above the grid for its saved views.
#[track_caller]
fn views_of(page: &Answer) -> &str {
    let (_, rest) = page
        .body
        .split_once(r#"<div class="views">"#)
        .expect("views");
    rest.split_once("<section id=\"grid\"").expect("a grid").0
}

#[test]
fn what_a_page_shows_is_saved_under_a_name_and_is_a_link_above_the_grid() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&path).is(200);
    assert!(
        !views_of(&page).contains("<form"),
        "there is nothing to save"
    );
    let state = "?q=is%3Afaulty&sort=-Code&columns=f-people";
    let page = browser.get(&format!("{path}{state}")).is(200);
    assert!(views_of(&page).contains("Save this view"), "{}", page.body);
    let views = format!("{path}/views");
    let state_of_form = [
        ("q", "is:faulty"),
        ("sort", "-Code"),
        ("columns", "f-people"),
    ];
    let name = [("name", "To mend <now>")];
    let saved = browser.send(&page, &views, &[&state_of_form[..], &name].concat());
    let place = saved
        .is(303)
        .header("location")
        .expect("a place")
        .to_owned();
    assert_eq!(place, format!("{path}{state}"));
    let page = browser.get(&place).is(200);
    let link = format!(
        r#"<a href="{}" aria-current="true">To mend &#60;now&#62;</a>"#,
        place.replace('&', "&#38;")
    );
    assert!(
        views_of(&page).contains(&link),
        "{link}\n{}",
        views_of(&page)
    );
    assert!(!views_of(&page).contains("Save this view"), "it is saved");
    // elsewhere it is a link that is not where one is
    let other = browser.get(&path).is(200);
    assert!(views_of(&other).contains("To mend") && !views_of(&other).contains("aria-current"));
    // the palette leads there
    let found = browser.part("/app/go?q=to+mend").is(200);
    assert!(
        found.body.contains(&place.replace('&', "&#38;")),
        "{}",
        found.body
    );
    // the same name once more is refused, with what was filled in
    let page = browser.get(&format!("{path}?q=Code%3AA1")).is(200);
    let again = browser.send(
        &page,
        &views,
        &[("q", "Code:A1"), ("name", "To mend <now>")],
    );
    let again = again.is(409);
    assert!(again.body.contains("choose another name"), "{}", again.body);
    assert!(
        again.body.contains(r#"value="To mend &#60;now&#62;""#),
        "{}",
        again.body
    );
    assert!(
        again.body.contains("<th scope=\"row\""),
        "the grid is there"
    );
    browser
        .send(&page, &views, &[("q", "Code:A1"), ("name", " ")])
        .is(400);
}

#[test]
fn a_saved_view_is_given_what_another_filter_shows_and_keeps_its_name() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let views = format!("{path}/views");
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    assert!(!page.body.contains("/views/replace"), "there is none yet");
    let saved = [("q", "is:faulty"), ("name", "To mend")];
    browser.send(&page, &views, &saved).is(303);
    let state = "?q=Code%3AA1&sort=-Code&columns=f-people";
    let page = browser.get(&format!("{path}{state}")).is(200);
    let id = between(views_of(&page), "<option value=\"");
    let replaced = [
        ("view", &*id),
        ("q", "Code:A1"),
        ("sort", "-Code"),
        ("columns", "f-people"),
    ];
    let over = format!("{views}/replace");
    let place = browser.send(&page, &over, &replaced).is(303);
    let place = place.header("location").expect("a place").to_owned();
    assert_eq!(place, format!("{path}{state}"));
    let page = browser.get(&place).is(200);
    let shown = views_of(&page);
    assert!(
        shown.contains(r#"aria-current="true">To mend</a>"#),
        "{shown}"
    );
    assert_eq!(shown.matches("</a>").count(), 1, "{shown}");
    browser.send(&page, &over, &[("view", "none")]).is(404);
    // what can't be kept is told above the grid, and the view is as it was
    let long = "x".repeat(2001);
    let refused = [("view", &*id), ("q", &*long)];
    let refused = browser.send(&page, &over, &refused).is(400);
    assert!(refused.body.contains("2000"), "{}", refused.body);
    assert!(views_of(&browser.get(&place).is(200)).contains("aria-current"));
}

#[test]
fn a_view_of_another_dataset_is_not_replaced_from_here() {
    let server = AdminServer::start();
    let [area, schema, dataset] = server.places(&city());
    give_ada(&server, &area);
    let other = json!({"name": "Others"});
    let other = server.make(&format!("/schemas/{schema}/datasets"), other);
    let other = other.text("dataSetId");
    let ada = session(&server, "ada", PASSWORD);
    let there = save(&server, &ada, &other, json!({"name": "There"})).is(201);
    let id = there.text("savedViewId");
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&path).is(200);
    let fields = [("view", &*id), ("q", "is:faulty")];
    let over = format!("{path}/views/replace");
    browser.send(&page, &over, &fields).is(404);
    let line = format!("GET /my/saved-views/{id}");
    let kept = server.ask(&ada, &line, None).is(200).json();
    assert_eq!(kept["query"], json!(""));
}

#[test]
fn a_name_that_a_view_cannot_have_is_told_in_the_language_of_the_page() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser {
        language: "de",
        ..Browser::signed_in(&server)
    };
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    let views = format!("{path}/views");
    let saved = [("q", "is:faulty"), ("name", "Offen")];
    browser.send(&page, &views, &saved).is(303);
    let taken = [("q", "Code:A1"), ("name", "Offen")];
    let taken = browser.send(&page, &views, &taken).is(409);
    let own = "Sie haben hier schon eine Ansicht mit dem Namen &#34;Offen&#34;";
    assert!(taken.body.contains(own), "{}", taken.body);
    let empty = browser.send(&page, &views, &[("q", "Code:A1"), ("name", " ")]);
    let empty = empty.is(400);
    let told = between(views_of(&empty), r#"role="alert">"#);
    assert!(told.contains("Zeichen"), "{told}");
}

#[test]
fn a_saved_view_is_renamed_and_deleted_where_it_is_shown() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}");
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    for (query, name) in [("is:faulty", "Faulty"), ("Code:A1", HOSTILE)] {
        let fields = [("q", query), ("name", name)];
        browser
            .send(&page, &format!("{path}/views"), &fields)
            .is(303);
    }
    let page = browser.get(&format!("{path}?q=is%3Afaulty")).is(200);
    let shown = views_of(&page);
    assert!(shown.contains("Rename or delete “Faulty”"), "{shown}");
    assert!(
        !shown.contains("<script>") && !shown.contains("<img"),
        "{shown}"
    );
    let one = between(shown, "action=\"");
    assert!(one.starts_with(&format!("{path}/views/")), "{one}");
    let refused = browser.send(&page, &one, &[("name", HOSTILE)]).is(409);
    assert!(
        views_of(&refused).contains("<details open>"),
        "{}",
        refused.body
    );
    let renamed = browser.send(&page, &one, &[("name", "To mend")]).is(303);
    let place = renamed.header("location").expect("a place").to_owned();
    assert_eq!(
        place,
        format!("{path}?q=is%3Afaulty"),
        "what it shows is as it was"
    );
    assert!(views_of(&browser.get(&place).is(200)).contains(">To mend</a>"));
    let deleted = browser.send(&page, &format!("{one}/delete"), &[]).is(303);
    assert_eq!(deleted.header("location"), Some(&*place));
    let page = browser.get(&place).is(200);
    assert!(!views_of(&page).contains("To mend") && views_of(&page).contains("Save this view"));
    browser.send(&page, &format!("{one}/delete"), &[]).is(404);
}
