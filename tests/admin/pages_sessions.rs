//! What tells one's own sessions apart: what their browsers called themselves when they began, on the profile and in the interface.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, HOSTILE};
use crate::sessions::SESSIONS;
use serde_json::{Value, json};

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/// Signs ada in as what calls itself so does.
fn begin(server: &AdminServer, headers: &[(&str, &str)]) {
    let body = json!({"username": "ada", "password": PASSWORD, "token": true});
    server
        .send(SESSIONS, headers, Some(&body.to_string()))
        .is(200);
}

#[test]
fn sessions_are_told_apart_by_what_their_browsers_called_themselves() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let long = "x".repeat(1000);
    for called in [FIREFOX, HOSTILE, &*long] {
        server.clock.forward(1);
        begin(&server, &[("User-Agent", called)]);
    }
    let session = server.session("ada", PASSWORD);
    let listed = server.ask(&session, "GET /my/sessions", None).is(200);
    let listed = listed.json();
    let items = listed["items"].as_array().expect("sessions").iter();
    let called: Vec<Value> = items.map(|item| item["userAgent"].clone()).collect();
    for one in [json!(FIREFOX), json!(HOSTILE), json!("x".repeat(200))] {
        assert!(called.contains(&one), "{one}: {called:?}");
    }
    // ada's browser and the last session told nothing
    let silent = called.iter().filter(|one| one.is_null());
    assert_eq!(silent.count(), 2, "{called:?}");
    let page = browser.get("/app/profile").is(200);
    assert!(page.body.contains(" · Firefox on Linux<"), "{}", page.body);
    // what ends one says which, since two may have begun in one minute
    let ends = " · Firefox on Linux\">End session</";
    assert_eq!(page.body.matches(ends).count(), 2, "{}", page.body);
    assert!(!page.body.contains("<script>alert"), "{}", page.body);
    assert!(page.body.contains("script&#62;alert(1)"), "{}", page.body);
    assert!(!page.body.contains(&"x".repeat(100)), "{}", page.body);
    let german = browser.in_german().get("/app/profile").is(200);
    assert!(
        german.body.contains("Firefox unter Linux"),
        "{}",
        german.body
    );
}
