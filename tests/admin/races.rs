//! Races: what must be unique is, whoever comes first.

use crate::admin_server::{AdminServer, city};
use crate::at_once::at_once;
use crate::requests::exchange;
use serde_json::{Value, json};

/// Sends one request from eight threads and counts the answers by status.
fn race(server: &AdminServer, line: &str, body: &str) -> [usize; 2] {
    let line = format!("POST /admin/api/v1{line}");
    let answers = at_once(8, |_| {
        let head = [("Authorization", server.root.as_str())];
        exchange(server.address, &line, &head, Some(body)).status
    });
    let count = |status: u16| answers.iter().filter(|answer| **answer == status).count();
    [count(201), count(409)]
}

#[test]
fn racing_for_one_name_has_one_winner() {
    let server = AdminServer::start();
    let [area, schema, _] = server.places(&city());
    let mut second = city();
    second["name"] = "Town".into();
    let cases = [
        ("/areas".to_owned(), json!({"name": "One"})),
        (
            format!("/areas/{area}/schemas"),
            json!({"document": second}),
        ),
        (
            format!("/schemas/{schema}/datasets"),
            json!({"name": "One"}),
        ),
        ("/domains".to_owned(), json!({"name": "One", "codes": []})),
        (
            "/roles".to_owned(),
            json!({"name": "One", "permissions": []}),
        ),
        ("/api-keys".to_owned(), json!({"name": "One"})),
        ("/apps".to_owned(), json!({"name": "One"})),
    ];
    for (line, body) in cases {
        assert_eq!(race(&server, &line, &body.to_string()), [1, 7], "{line}");
    }
}

#[test]
fn a_manifest_that_is_applied_several_times_at_once_is_applied_by_each() {
    let server = AdminServer::start();
    for round in 0..5 {
        let name = |what: &str| format!("{what} {round}");
        let datasets = [json!({"name": "One"}), json!({"name": "Two"})];
        let schema = json!({"document": city(), "datasets": datasets});
        let manifest = json!({"tenants": [{
            "domains": [{"name": name("Codes"), "codes": []}],
            "areas": [{"name": name("Area"), "schemas": [schema]}, {"name": name("Other")}],
            "roles": [{"name": name("Role"), "permissions": {}}],
            "apiKeys": [{"name": name("Key"), "roles": [name("Role")]}],
        }]});
        let mode = json!({"dry_run": false, "only_new": false, "existing_tenant": true});
        let body = json!({"apply": {"manifest": manifest, "mode": mode}}).to_string();
        let reports = at_once(8, |_| {
            let head = [("Authorization", server.root.as_str())];
            let line = "POST /admin/api/v1/operations";
            let answer = exchange(server.address, line, &head, Some(&body)).is(200);
            let told: Vec<Value> = serde_json::from_str(&answer.body).expect("an array");
            told.last().expect("its outcome")["outcome"]["applied"].clone()
        });
        let made = |report: &Value| {
            assert_eq!(report["failure"], Value::Null, "{report}");
            let steps = report["steps"].as_array().expect("steps");
            assert_eq!(steps.len(), 8, "{report}");
            let new = steps.iter().filter(|step| step["action"] == "create");
            new.count()
        };
        // each was made once
        assert_eq!(reports.iter().map(made).sum::<usize>(), 8);
    }
}

#[test]
fn racing_datasets_get_numbers_of_their_own() {
    let server = AdminServer::start();
    let [_, schema, _] = server.places(&city());
    let line = format!("POST /admin/api/v1/schemas/{schema}/datasets");
    at_once(8, |number| {
        let head = [("Authorization", server.root.as_str())];
        let body = format!("{{\"name\":\"set {number}\"}}");
        exchange(server.address, &line, &head, Some(&body)).is(201);
    });
    let catalog = server.service.store().catalog();
    let mut numbers: Vec<_> = catalog
        .datasets
        .values()
        .map(|dataset| dataset.number)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=9).collect::<Vec<_>>());
}

#[test]
fn two_administrators_that_remove_each_other_leave_one() {
    let server = AdminServer::start();
    let role = server.role("ACCOUNT ADMINISTRATOR");
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password", "roles": [role]});
    let bob = server.make("/users", bob).text("userId");
    let users = [&server.ada, &bob];
    let statuses = at_once(users.len(), |at| {
        let head = [("Authorization", server.root.as_str())];
        let line = format!("DELETE /admin/api/v1/users/{}", users[at]);
        exchange(server.address, &line, &head, None).status
    });
    assert!(
        statuses.contains(&204) && statuses.contains(&409),
        "{statuses:?}"
    );
    assert_eq!(server.service.store().catalog().users.len(), 1);
}
