//! Pages of what did not work though nobody asked for anything wrong: they name their request, by which the log tells why, and
//! hold nothing of the cause. Those behind an index that is not ready are in `index_behind.rs`.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, form, with_form_cookie, with_form_token};
use crate::requests::{Answer, exchange};
use runtime::http::DoorSettings;
use runtime::service::{BreachedPasswords, Service, Settings};
use serde_json::json;
use std::num::NonZeroU32;
use std::sync::Arc;
use tests::clock::SeededEntropy;
use tests::log::{lines_with, listen};
use tests::trick_store::{INSIDE, Trick, TrickStore};

#[test]
fn who_is_sent_to_the_sign_in_was_refused_and_has_a_line_however_few_reads_have() {
    listen();
    let server = AdminServer::start();
    let address = server.beside(&DoorSettings {
        log_sample: NonZeroU32::new(1_000_000),
        ..DoorSettings::default()
    });
    let body = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": PASSWORD, "mustChangePassword": true});
    server.make("/users", body);
    let bob = Browser::entered(&server, "bob", PASSWORD);
    for (id, more, status) in [
        ("refused-1", &[][..], 303),
        ("refused-2", &[("HX-Request", "true")], 200),
        ("refused-3", &[], 303),
        // who has to choose a password first is sent there
        ("refused-4", &[("Cookie", &*bob.cookie)], 303),
    ] {
        let headers = [&[("X-Request-Id", id)][..], more].concat();
        exchange(address, "GET /app/keys", &headers, None).is(status);
        let lines = lines_with(&format!("request.id=\"{id}\""));
        assert_eq!(lines.len(), 1, "{id}: {lines:?}");
    }
}

/// Asserts that a page says that something did not work, with the request's id, and gives what the log has under that.
#[track_caller]
pub(crate) fn logged(page: &Answer) -> Vec<String> {
    let id = page.header("x-request-id").expect("an id");
    let lines = lines_with(&format!("request.id=\"{id}\""));
    let status = format!("status={} ", page.status);
    let is_logged = lines.iter().any(|line| line.contains(&status));
    assert!(is_logged, "{status}: {lines:?}");
    for told in [
        "<h1>This did not work</h1>",
        &format!("(Status {})", page.status),
        &format!("give this reference: <code>{id}</code>"),
    ] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    lines
}

#[test]
fn a_page_that_failed_inside_names_its_request_and_the_log_alone_has_the_cause() {
    listen();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("list.txt");
    let lines = [1, 2, 3].map(|number| format!("{number:040X}:7\r\n"));
    let lines = lines.concat();
    std::fs::write(&path, &lines).expect("written");
    let list = BreachedPasswords::open(&path).expect("a list");
    let server = AdminServer::with_settings(Settings {
        breached_passwords: Some(list),
        ..Settings::default()
    });
    let browser = Browser::signed_in(&server);
    let own = "/app/password";
    let page = browser.get(own).is(200);
    std::fs::write(&path, "x".repeat(lines.len())).expect("written");
    let new = "another of her own";
    let fields = [("password", PASSWORD), ("new-password", new)];
    let failed = browser.send(&page, own, &fields).is(500);
    let told = "Whoever runs it finds the cause in the log, under the number below.";
    assert!(failed.body.contains(told), "{}", failed.body);
    let lines = logged(&failed);
    let cause = lines.iter().find(|line| line.contains("failed inside"));
    let cause = cause.expect("the cause");
    assert!(cause.contains("no list of breached passwords"), "{cause}");
    for secret in ["list.txt", "breached", PASSWORD, new] {
        assert!(!failed.body.contains(secret), "{secret}: {}", failed.body);
    }
}

/// The same server on a store that plays tricks.
pub(crate) fn tricky(server: AdminServer) -> (AdminServer, Arc<TrickStore>) {
    tricky_with(server, Settings::default())
}

fn tricky_with(mut server: AdminServer, settings: Settings) -> (AdminServer, Arc<TrickStore>) {
    let store = TrickStore::new(server.opened.store.clone());
    let (clock, entropy) = (server.clock.clone(), SeededEntropy::default());
    let service = Service::new(store.clone(), clock, Arc::new(entropy), settings);
    let service = server.tokio.block_on(service).expect("a service");
    server.service = Arc::new(service);
    server.address = server.beside(&DoorSettings::default());
    (server, store)
}

#[test]
fn while_the_database_is_away_every_page_says_so_in_the_language_of_who_asks() {
    listen();
    let (server, store) = tricky(AdminServer::start());
    let browser = Browser::signed_in(&server);
    let own = "/app/password";
    let page = browser.get(own).is(200);
    let style = between(&page.body, r#"<link rel="stylesheet" href=""#);
    store.go_away();
    for path in ["/app/", "/app/jobs", own, "/app/sign-in", "/app/nothing"] {
        let told = browser.get(path).is(503);
        logged(&told);
        assert_eq!(told.header("retry-after"), Some("5"), "{path}");
        let reason = "reach its database now, so nothing was done";
        assert!(told.body.contains(reason), "{path}: {}", told.body);
    }
    let fields = [
        ("password", PASSWORD),
        ("new-password", "another of her own"),
    ];
    logged(&browser.send(&page, own, &fields).is(503));
    // what asked for a part of a page stays as it is, with what was typed
    let part = browser.send_part(&page, own, &fields).is(503);
    assert_eq!(part.header("hx-retarget"), Some("#failure"));
    assert_eq!(part.header("retry-after"), Some("5"));
    logged(&part);
    assert!(!part.body.contains("<html"), "{}", part.body);
    let german = browser.in_german();
    let told = german.get("/app/jobs").is(503).body;
    assert!(
        told.contains("erreicht seine Datenbank gerade nicht"),
        "{told}"
    );
    // and the page looks like one
    browser.get(&style).is(200);
    store.come_back();
    browser.get("/app/jobs").is(200);
    let changed = browser.send(&page, own, &fields).status;
    assert_eq!(changed, 303, "nothing was done before");
}

#[test]
fn what_was_filled_in_while_the_database_is_away_is_sent_once_it_is_back() {
    listen();
    let (server, store) = tricky(AdminServer::start());
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let fields = [("name", "Finance & more"), ("description", "Money")];
    store.go_away();
    let told = browser.send(&page, "/app/areas", &fields).is(503);
    logged(&told);
    for part in [
        "What you filled in is kept below",
        r#"<input type="hidden" name="name" value="Finance &#38; more">"#,
        r#"action="/app/areas""#,
    ] {
        assert!(told.body.contains(part), "{part}: {}", told.body);
    }
    assert_eq!(told.header("cache-control"), Some("no-store"));
    // of who does not show that it is its own, nothing is held: not of another browser, and not of one in which another site
    // sends it, be it with its own cookie
    let other = Browser {
        server: &server,
        cookie: String::new(),
        language: "en",
    };
    let slipped = other.send(&page, "/app/areas", &fields).is(503);
    assert!(!slipped.body.contains("Finance"), "{}", slipped.body);
    assert!(slipped.body.contains("is not on this page"));
    let token = between(&page.body, r#"name="token" value=""#);
    let slip = |token: &str, cookie: &str| {
        let body = form(&[&fields[..], &[("token", token)]].concat());
        let headers = [
            ("Cookie", cookie),
            ("Sec-Fetch-Site", "cross-site"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        server
            .send("POST /app/areas", &headers, Some(&body))
            .is(503)
            .body
    };
    let invented = "fieldstone_session=invented";
    for (wrong, cookie) in [
        ("", &*browser.cookie),
        ("00ff", &*browser.cookie),
        (&*token, invented),
    ] {
        let slipped = slip(wrong, cookie);
        assert!(!slipped.contains("Finance"), "{wrong}: {slipped}");
    }
    assert!(slip(&token, &browser.cookie).contains("Finance"));
    // a press of a button has nothing that is filled in
    let pressed = browser.send(&page, "/app/sign-out", &[]).is(503);
    let again = "You can send it again from here.";
    assert!(pressed.body.contains(again), "{}", pressed.body);
    assert!(!pressed.body.contains("What you filled in"));
    store.come_back();
    browser.send(&told, "/app/areas", &fields).is(303);
}

#[test]
fn while_the_database_is_away_no_more_is_read_of_a_form_than_of_a_stranger() {
    listen();
    let bytes_max = 64 << 10;
    let settings = || Settings {
        body_bytes_max: bytes_max,
        ..Settings::default()
    };
    let (server, store) = tricky_with(AdminServer::with_settings(settings()), settings());
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let long = "x".repeat(bytes_max);
    let fields = [("name", "Finance"), ("description", &*long)];
    store.go_away();
    let told = browser.send(&page, "/app/areas", &fields).is(503);
    assert!(!told.body.contains("Finance") && !told.body.contains("xxx"));
    assert!(told.body.contains("is not on this page"), "{}", told.body);
}

#[test]
fn a_form_that_lacks_its_code_is_not_offered_to_be_sent_again() {
    listen();
    let (server, store) = tricky(AdminServer::start());
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/profile").is(200);
    let cookie = with_form_cookie("");
    let stranger = |path: &str, fields: &[(&str, &str)]| {
        let headers = [
            ("Cookie", &*cookie),
            ("Sec-Fetch-Site", "same-origin"),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        let body = with_form_token(&form(fields));
        server.send(&format!("POST {path}"), &headers, Some(&body))
    };
    store.go_away();
    let factor = [
        ("setup-secret", "JBSWY3DP"),
        ("setup-url", "otpauth://totp/x"),
        ("code", "123456"),
    ];
    let confirm = "/app/profile/second-factor/confirm";
    for refused in [
        stranger(
            "/app/invitation",
            &[("code", "fsi_123456"), ("password", PASSWORD)],
        ),
        stranger("/app/setup", &[("code", "fss_123456"), ("tenant", "Birch")]),
        stranger("/app/sign-in", &[("pending", "123456"), ("code", "123456")]),
        browser.send(&page, confirm, &factor),
    ] {
        let told = refused.is(503).body;
        assert!(told.contains("is not on this page"), "{told}");
        for part in ["data-kept", "123456", "JBSWY3DP", "Birch"] {
            assert!(!told.contains(part), "{part}: {told}");
        }
    }
    // a sign-in by password alone is sent again with the password
    let fields = [("username", "ada"), ("password", PASSWORD)];
    let again = stranger("/app/sign-in", &fields).is(503).body;
    assert!(again.contains("data-kept") && !again.contains(PASSWORD));
    assert!(again.contains(r#"<input name="password""#), "{again}");
}

#[test]
fn a_page_whose_work_panicked_is_a_page_all_the_same() {
    listen();
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let (server, store) = tricky(server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{record}");
    browser.get(&path).is(200);
    store.play(Trick::Panic);
    let failed = browser.get(&path).is(500);
    let lines = logged(&failed);
    let is_told = lines.iter().any(|line| line.contains("panicked"));
    assert!(is_told, "{lines:?}");
    let told = "Whoever runs it finds the cause in the log, under the number below.";
    assert!(failed.body.contains(told), "{}", failed.body);
    assert!(!failed.body.contains(INSIDE), "{}", failed.body);
    browser.get(&path).is(200);
}
