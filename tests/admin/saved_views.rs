//! Saved views: a user's own ways of looking at a dataset, made, changed and deleted through management. On the page of a
//! dataset they are in `pages_saved_views.rs`.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::browser::{cities, give_ada};
use crate::requests::Answer;
use serde_json::{Value, json};

pub(crate) fn save(server: &AdminServer, by: &str, dataset: &str, body: Value) -> Answer {
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
    (id, server.session("grace", PASSWORD))
}

#[test]
fn a_saved_view_is_made_found_changed_and_deleted() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let ada = server.session("ada", PASSWORD);
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
    let ada = server.session("ada", PASSWORD);
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
    let ada = server.session("ada", PASSWORD);
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
    let ada = server.session("ada", PASSWORD);
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
