//! Races: what must be unique is, whoever comes first.

use crate::admin_server::{AdminServer, city, exchange};
use serde_json::json;
use std::thread;

/// Sends one request from eight threads and counts the answers by status.
fn race(server: &AdminServer, line: &str, body: &str) -> [usize; 2] {
    let line = format!("POST /admin/api/v1{line}");
    let answers: Vec<u16> = thread::scope(|scope| {
        let send = || {
            let head = [("Authorization", server.root.as_str())];
            exchange(server.address, &line, &head, Some(body)).status
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(send)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("an answer"))
            .collect()
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
fn racing_datasets_get_numbers_of_their_own() {
    let server = AdminServer::start();
    let [_, schema, _] = server.places(&city());
    let line = format!("POST /admin/api/v1/schemas/{schema}/datasets");
    thread::scope(|scope| {
        for number in 0..8 {
            let (server, line) = (&server, &line);
            scope.spawn(move || {
                let head = [("Authorization", server.root.as_str())];
                let body = format!("{{\"name\":\"set {number}\"}}");
                exchange(server.address, line, &head, Some(&body)).is(201);
            });
        }
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
    let statuses: Vec<u16> = thread::scope(|scope| {
        let threads: Vec<_> = [&server.ada, &bob]
            .into_iter()
            .map(|user| {
                let server = &server;
                scope.spawn(move || {
                    let head = [("Authorization", server.root.as_str())];
                    let line = format!("DELETE /admin/api/v1/users/{user}");
                    exchange(server.address, &line, &head, None).status
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("an answer"))
            .collect()
    });
    assert!(
        statuses.contains(&204) && statuses.contains(&409),
        "{statuses:?}"
    );
    assert_eq!(server.service.store().catalog().users.len(), 1);
}
