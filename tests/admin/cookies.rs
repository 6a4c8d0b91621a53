//! The cookies of a session: which site and which address they go to, and what becomes of the one before.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{form, with_form_cookie, with_form_token};
use crate::requests::exchange;
use crate::sessions::{SESSIONS, browser, sign_in};
use runtime::http::DoorSettings;
use runtime::service::Settings;
use serde_json::json;

#[test]
fn behind_https_the_cookie_travels_nowhere_else() {
    let settings = Settings {
        public_url: "https://data.example.org".to_owned(),
        ..Settings::default()
    };
    let server = AdminServer::with_settings(settings);
    let answer = sign_in(&server, &json!({"username": "ada", "password": PASSWORD})).is(200);
    let cookies: Vec<&str> = answer
        .head
        .lines()
        .filter_map(|line| line.split_once(": "))
        .filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"))
        .map(|(_, cookie)| cookie)
        .collect();
    let [session, browser] = cookies[..] else {
        panic!("{cookies:?}");
    };
    assert!(session.starts_with("__Host-fieldstone_session=fsu_"));
    assert!(browser.starts_with("__Host-fieldstone_browser="));
    for cookie in [session, browser] {
        assert!(cookie.contains("; Path=/;") && cookie.ends_with("; Secure"));
        assert!(!cookie.contains("Domain"));
    }
    let page = server.send("GET /app/sign-in", &[], None).is(200);
    let own = page.header("set-cookie").expect("a cookie");
    assert!(own.starts_with("__Host-fieldstone_form="), "{own}");
    assert!(own.ends_with("; Path=/; HttpOnly; SameSite=Lax; Secure"));
    let pair = session.split(';').next().expect("a pair");
    let status = |cookie: &str| {
        let line = "GET /admin/api/v1/session";
        server.send(line, &[("Cookie", cookie)], None).status
    };
    assert_eq!(status(pair), 200);
    // one that any neighbouring host could have put there is not looked at
    let unguarded = pair.trim_start_matches("__Host-");
    assert_eq!(status(unguarded), 401);
    assert_eq!(status(&format!("{unguarded}; {pair}")), 200);
}

#[test]
fn a_browser_that_signs_in_again_leaves_no_session_behind() {
    let server = AdminServer::start();
    let (old, _) = browser(&server);
    let (other, _) = browser(&server);
    let body = json!({"username": "ada", "password": PASSWORD}).to_string();
    let status = |cookie: &str| {
        let line = "GET /admin/api/v1/session";
        server.send(line, &[("Cookie", cookie)], None).status
    };
    let wrong = body.replace("long", "wrong");
    let again = |body: &str| server.send(SESSIONS, &[("Cookie", &old)], Some(body));
    again(&wrong).is(401);
    assert_eq!(status(&old), 200, "a failed one ends nothing");
    // a page that signs in for a token beside it gets no other cookie
    again(&body.replace('}', r#","token":true}"#)).is(200);
    assert_eq!(status(&old), 200);
    let new = again(&body).is(200);
    let new = new.header("set-cookie").expect("a cookie");
    let new = new.split(';').next().expect("a pair");
    assert_ne!(new, old);
    assert_eq!([new, &old, &other].map(status), [200, 401, 200]);
}

#[test]
fn a_sign_in_through_a_proxy_that_does_not_pass_on_the_host_is_known_by_the_public_address() {
    let server = AdminServer::start();
    let door = DoorSettings {
        public_url: Some("http://data.example.org/masters".to_owned()),
        ..DoorSettings::default()
    };
    let address = server.beside(&door);
    let body = with_form_token(&form(&[("username", "ada"), ("password", PASSWORD)]));
    let cookie = with_form_cookie("");
    let sent_by = |origin: &str, language: &str| {
        let headers = [
            ("Origin", origin),
            ("Cookie", &*cookie),
            ("Accept-Language", language),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        exchange(address, "POST /app/sign-in", &headers, Some(&body))
    };
    sent_by("http://data.example.org", "en").is(303);
    // the one that was asked, as `exchange` says it
    sent_by("http://test", "en").is(303);
    // a browser names it where the page that has the form lets it
    let page = exchange(address, "GET /app/sign-in", &[], None).is(200);
    assert_eq!(page.header("referrer-policy"), Some("same-origin"));
    sent_by("null", "en").is(403);
    for (language, told) in [
        ("en", "a proxy stands between"),
        ("de", "so steht ein Proxy dazwischen"),
    ] {
        let refused = sent_by("http://elsewhere.example", language).is(403);
        let is_told = refused.body.contains(told) && refused.body.contains("--public-url");
        assert!(is_told, "{}", refused.body);
    }
}

#[test]
fn an_origin_that_may_ask_for_data_may_not_ask_for_management() {
    const ORIGIN: &str = "https://app.example.org";
    let server = AdminServer::start();
    let address = server.beside(&DoorSettings {
        cors_origins: vec![ORIGIN.to_owned()],
        ..DoorSettings::default()
    });
    let (cookie, _) = browser(&server);
    let asks = [
        ("Origin", ORIGIN),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "x-csrf-token"),
        ("Cookie", &cookie),
    ];
    let allowed = "access-control-allow-origin";
    let data = exchange(address, "OPTIONS /v1/my/businessareas", &asks, None);
    assert_eq!(data.header(allowed), Some(ORIGIN));
    for line in [
        "OPTIONS /admin/api/v1/areas",
        "OPTIONS /admin/api/v1/sessions",
        "GET /admin/api/v1/session",
        "POST /admin/api/v1/areas",
    ] {
        let answer = exchange(address, line, &asks, None);
        assert_eq!(answer.header(allowed), None, "{line} {}", answer.status);
    }
}
