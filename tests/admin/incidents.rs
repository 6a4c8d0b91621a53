//! What is refused and stands in the trail: wrong passwords, too many requests, missing tokens, bad links; counted
//! together, and limited.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::requests::exchange;
use runtime::http::DoorSettings;
use runtime::service::manage::TenantContent;
use serde_json::{Value, json};
use std::time::Instant;

const SESSIONS: &str = "POST /admin/api/v1/sessions";

fn sign_in(server: &AdminServer, from: &str, username: &str, password: &str) -> u16 {
    let body = json!({"username": username, "password": password}).to_string();
    let headers = [("X-Forwarded-For", from)];
    server.send(SESSIONS, &headers, Some(&body)).status
}

/// Lets the minute pass, and reads the entries of a cause, newest first.
pub(crate) fn told(server: &AdminServer, cause: &str) -> Vec<Value> {
    server.clock.forward(60);
    let flushed = server.tokio.block_on(server.service.flush_incidents());
    flushed.expect("the store works");
    let page = server.get("/audit?pageSize=1000");
    let items = page["items"].as_array().expect("entries").iter();
    items
        .filter(|entry| entry["action"] == cause)
        .cloned()
        .collect()
}

#[test]
fn wrong_passwords_of_one_minute_and_source_are_one_entry_with_user_address_and_route() {
    let server = AdminServer::start();
    for _ in 0..3 {
        sign_in(&server, "192.0.2.1", "ada", "a wrong password");
    }
    sign_in(&server, "192.0.2.2", "ada", "a wrong password");
    sign_in(
        &server,
        "192.0.2.2",
        "typed in the wrong field",
        "another wrong one",
    );
    sign_in(&server, "192.0.2.2", "ada", PASSWORD);
    let before = server.get("/audit?pageSize=1000").to_string();
    assert!(!before.contains("sign_in_failed"), "its minute is not over");
    let entries = told(&server, "sign_in_failed");
    let mut seen: Vec<_> = entries
        .iter()
        .map(|entry| {
            let after = &entry["after"];
            assert_eq!(after["route"], "POST /admin/api/v1/sessions");
            assert_eq!(entry["actor"]["kind"], "unknown");
            let text = |value: &Value| value.as_str().expect("a text").to_owned();
            let [noun, id, from] = [&entry["noun"], &entry["id"], &after["address"]].map(text);
            (noun, id, from, after["count"].as_u64())
        })
        .collect();
    seen.sort();
    let of = |noun: &str, id: &str, from: &str, count| {
        (noun.to_owned(), id.to_owned(), from.to_owned(), Some(count))
    };
    assert_eq!(
        seen,
        [
            of("tenant", &server.tenant, "192.0.2.2", 1),
            of("user", &server.ada, "192.0.2.1", 3),
            of("user", &server.ada, "192.0.2.2", 1),
        ]
    );
    let trail = server.get("/audit?pageSize=1000").to_string();
    assert!(!trail.contains("wrong field"), "it may be a password");
    // each is told once
    assert_eq!(told(&server, "sign_in_failed").len(), 3);
}

#[test]
fn a_customer_is_one_source_whatever_address_it_takes() {
    let server = AdminServer::start();
    for last in 1..=3 {
        let from = format!("2001:db8:1:2::{last}");
        sign_in(&server, &from, "ada", "a wrong password");
    }
    let entries = told(&server, "sign_in_failed");
    let [entry] = &entries[..] else {
        panic!("{entries:?}");
    };
    assert_eq!(entry["after"]["count"], 3);
    assert_eq!(entry["after"]["address"], "2001:db8:1:2::");
}

#[test]
fn a_wrong_proof_and_a_wrong_clients_secret_are_failed_sign_ins_too() {
    let server = AdminServer::start();
    let session = server.session("ada", PASSWORD);
    for (line, body) in [
        ("POST /session/proof", json!({"password": "guessed"})),
        (
            "PUT /session/email",
            json!({"password": "guessed", "email": "a@example.org"}),
        ),
        (
            "PUT /session/password",
            json!({"password": "guessed", "newPassword": "hoped for in vain"}),
        ),
    ] {
        server.ask(&session, line, Some(body)).is(400);
    }
    let app = server
        .make("/apps", json!({"name": "app"}))
        .text("clientId");
    let body = json!({"client_id": app, "client_secret": "guessed"}).to_string();
    server.send("POST /oauth2/token", &[], Some(&body)).is(401);
    let entries = told(&server, "sign_in_failed");
    let seen = |noun: &str| entries.iter().filter(|entry| entry["noun"] == noun).count();
    assert_eq!(
        [seen("user"), seen("app"), entries.len()],
        [3, 1, 4],
        "{entries:?}"
    );
    let own = entries
        .iter()
        .filter(|entry| entry["actor"]["name"] == "ada");
    assert_eq!(own.count(), 3);
}

#[test]
fn who_asks_too_often_is_told_of_by_door_and_credential() {
    let server = AdminServer::start();
    for _ in 0..12 {
        sign_in(&server, "192.0.2.1", "ada", "a wrong password");
    }
    let address = server.beside(&DoorSettings {
        requests_per_second_max: Some(1),
        ..DoorSettings::default()
    });
    let by = [("Authorization", server.root.as_str())];
    let line = "GET /v1/my/businessareas";
    let (mut statuses, began) = (Vec::<u16>::new(), Instant::now());
    let of = |statuses: &[u16], status| statuses.iter().filter(|it| **it == status).count();
    while of(&statuses, 429) < 2 {
        statuses.push(exchange(address, line, &by, None).status);
        assert!(statuses.len() < 100, "{statuses:?}");
    }
    // a database counts by its own clock, and lets in one more each second
    let most = 1 + began.elapsed().as_secs();
    let let_in = of(&statuses, 200);
    assert!(statuses[0] == 200 && let_in as u64 <= most, "{statuses:?}");
    assert_eq!(let_in + 2, statuses.len(), "{statuses:?}");
    let entries = told(&server, "too_many_requests");
    let counts: Vec<_> = entries
        .iter()
        .map(|entry| {
            (
                &entry["noun"],
                &entry["actor"]["name"],
                &entry["after"]["count"],
            )
        })
        .collect();
    assert_eq!(counts.len(), 2, "{counts:?}");
    assert!(
        counts.contains(&(&json!("user"), &json!(""), &json!(2))),
        "{counts:?}"
    );
    assert!(
        counts.contains(&(&json!("api_key"), &json!("root"), &json!(2))),
        "{counts:?}"
    );
}

#[test]
fn a_change_without_the_token_and_a_bad_link_are_told_of() {
    let server = AdminServer::start();
    let [.., dataset] = server.places(&city());
    let body = json!({"username": "ada", "password": PASSWORD}).to_string();
    let signed_in = server.send(SESSIONS, &[], Some(&body)).is(200);
    let cookie = signed_in.header("set-cookie").expect("a cookie");
    let pair = cookie.split(';').next().expect("a pair");
    let line = "POST /admin/api/v1/areas";
    server
        .send(line, &[("Cookie", pair)], Some(r#"{"name":"x"}"#))
        .is(403);
    let link = format!("GET /v1/files/none?dataset={dataset}&expires=9&signature=forged");
    server.send(&link, &[], None).is(403);
    let csrf = told(&server, "csrf_refused");
    assert_eq!(csrf.len(), 1);
    assert_eq!(
        [&csrf[0]["actor"]["name"], &csrf[0]["noun"]],
        ["ada", "user"]
    );
    let links = told(&server, "link_refused");
    assert_eq!(links.len(), 1);
    assert_eq!(
        [&links[0]["noun"], &links[0]["id"]],
        ["dataset", dataset.as_str()]
    );
    assert_eq!(links[0]["after"]["route"], "GET /v1/files/{id}");
}

#[test]
fn what_belongs_to_no_tenant_is_shown_to_none_of_several() {
    let server = AdminServer::start();
    let name = "Other".to_owned();
    let other = server
        .service
        .create_tenant(&server.operator, TenantContent { name });
    server.tokio.block_on(other).expect("a tenant");
    for (tenant, username) in [
        ("Acme", "ada"),
        ("Acme", "nobody"),
        ("None", "ada"),
        ("Other", "ada"),
    ] {
        let body = json!({"tenant": tenant, "username": username, "password": "a wrong password"});
        let answer = server.send(SESSIONS, &[], Some(&body.to_string()));
        answer.is(401);
    }
    let entries = told(&server, "sign_in_failed");
    let about: Vec<_> = entries.iter().map(|entry| &entry["noun"]).collect();
    assert_eq!(about.len(), 2, "{about:?}");
}

#[test]
fn so_many_sources_in_a_minute_fill_no_disk() {
    let server = AdminServer::start();
    for number in 0..150 {
        let from = format!("192.0.2.{number}");
        sign_in(
            &server,
            &from,
            &format!("nobody {number}"),
            "a wrong password",
        );
    }
    let entries = told(&server, "sign_in_failed");
    assert_eq!(entries.len(), 101);
    let counts = entries
        .iter()
        .map(|entry| entry["after"]["count"].as_u64().expect("a count"));
    assert_eq!(counts.sum::<u64>(), 150);
}

#[test]
fn what_was_refused_before_the_clock_was_set_back_is_told_all_the_same() {
    let server = AdminServer::start();
    sign_in(&server, "192.0.2.1", "ada", "a wrong password");
    server.clock.forward(-24 * 3600);
    assert_eq!(told(&server, "sign_in_failed").len(), 1);
}

#[test]
fn entries_stand_in_the_order_of_their_moments_and_tell_which_minute_they_are_of() {
    let server = AdminServer::start();
    sign_in(&server, "192.0.2.1", "ada", "a wrong password");
    // an entry of the next minute is written before that one is over
    server.clock.forward(60);
    server.make("/areas", json!({"name": "Vault"}));
    let entries = told(&server, "sign_in_failed");
    let [refused] = &entries[..] else {
        panic!("{entries:?}");
    };
    let page = server.get("/audit?pageSize=1000");
    let items = page["items"].as_array().expect("entries");
    let moments: Vec<_> = items
        .iter()
        .map(|entry| entry["at"].as_str().expect("a moment"))
        .collect();
    assert!(
        moments.is_sorted_by(|newer, older| newer >= older),
        "{moments:?}"
    );
    // which is the newest one, and tells when that was
    assert_eq!(items[0]["action"], "sign_in_failed");
    let minute = refused["after"]["minute"].as_str().expect("a minute");
    assert!(minute.ends_with(":00.000Z"), "{minute}");
    assert!(minute < moments[1], "{minute}: {moments:?}");
}
