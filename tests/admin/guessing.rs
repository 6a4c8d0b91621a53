//! Passwords that are guessed at: tries run out, of an account and of a source, and come back with time;
//! nobody keeps the owner out by guessing.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::at_once::at_once;
use crate::browser::{Browser, form, posted};
use crate::requests::{Answer, exchange};
use runtime::http::DoorSettings;
use serde_json::json;
use std::ops::Range;
use std::time::Instant;
use tests::log::{lines_with, listen};

const SESSIONS: &str = "POST /admin/api/v1/sessions";

/// Someone at an address of the server.
struct Guest<'w> {
    server: &'w AdminServer,
    address: String,
    cookie: String,
}

impl<'w> Guest<'w> {
    /// At the last number of an address.
    fn at(server: &'w AdminServer, number: usize) -> Self {
        Guest {
            server,
            address: format!("192.0.2.{number}"),
            cookie: String::new(),
        }
    }

    fn with(self, cookie: &str) -> Self {
        let cookie = cookie.to_owned();
        Guest { cookie, ..self }
    }

    fn tries(&self, username: &str, password: &str) -> Answer {
        let body = json!({"username": username, "password": password}).to_string();
        let headers = [
            // all come from this machine, where the server believes a proxy
            ("X-Forwarded-For", self.address.as_str()),
            ("Cookie", &self.cookie),
        ];
        self.server.send(SESSIONS, &headers, Some(&body))
    }

    /// How many wrong passwords are looked at before there are no more.
    fn wears_out(&self, username: &str) -> usize {
        let wrong = || self.tries(username, "a wrong password");
        let mut answers = (0..50).map(|_| wrong().status);
        answers.by_ref().take_while(|status| *status == 401).count()
    }
}

/// Does something for which hardly any time passes by the clock of a database, however long it takes: tries come back by that.
pub(crate) fn at_a_moment<T>(server: &AdminServer, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let done = work();
    let seconds = i64::try_from(began.elapsed().as_secs()).expect("seconds");
    // never more than have passed
    server.opened.pass(-(seconds - 1).max(0));
    done
}

/// The seconds after which to come again.
#[track_caller]
fn seconds(refused: &Answer) -> i64 {
    let after = refused.header("retry-after").expect("a time");
    let seconds = after.parse().expect("seconds");
    assert!((1..=60).contains(&seconds), "{seconds}");
    seconds
}

/// The cookie of the browser, not of its session.
fn browser(signed_in: &Answer) -> String {
    let lines = signed_in.head.lines();
    let mut pairs = lines.filter_map(|line| line.split_once("fieldstone_browser="));
    let (_, cookie) = pairs.next().expect("a cookie");
    for flag in ["; HttpOnly", "; SameSite=Strict", "; Max-Age="] {
        assert!(cookie.contains(flag), "{cookie}");
    }
    let value = cookie.split(';').next().expect("a value");
    format!("fieldstone_browser={value}")
}

#[test]
fn wrong_passwords_run_out_and_the_right_one_works_after_the_wait() {
    let server = AdminServer::start();
    let guest = Guest::at(&server, 1);
    assert_eq!(guest.wears_out("ada"), 10);
    let refused = guest.tries("ada", PASSWORD).is(429);
    assert!(refused.json()["message"].is_string());
    assert_eq!(refused.header("set-cookie"), None);
    server.pass(seconds(&refused));
    guest.tries("ada", PASSWORD).is(200);
    // a right one costs nothing
    for _ in 0..12 {
        guest.tries("ada", PASSWORD).is(200);
    }
}

#[test]
fn a_refusal_does_not_tell_whether_there_is_such_a_user() {
    let server = AdminServer::start();
    let tries = |username: &str| {
        let guest = Guest::at(&server, 1);
        assert_eq!(guest.wears_out(username), 10, "{username}");
        let refused = guest.tries(username, PASSWORD).is(429);
        seconds(&refused);
        refused.body
    };
    assert_eq!(tries("ada"), tries("nobody"));
}

#[test]
fn ten_wrong_passwords_keep_the_owner_out_of_no_new_device() {
    let server = AdminServer::start();
    let guesser = Guest::at(&server, 66);
    assert_eq!(guesser.wears_out("ada"), 10);
    guesser.tries("ada", PASSWORD).is(429);
    // neither cookie nor an address that was seen before
    Guest::at(&server, 1).tries("ada", PASSWORD).is(200);
}

#[test]
fn an_account_is_guarded_wherever_the_guesses_come_from() {
    let server = AdminServer::start();
    at_a_moment(&server, || {
        for number in 0..10 {
            assert_eq!(Guest::at(&server, number).wears_out("ada"), 10, "{number}");
        }
    });
    let refused = Guest::at(&server, 99).tries("ada", "a wrong password");
    seconds(&refused.is(429));
}

#[test]
fn a_source_runs_out_whichever_accounts_it_tries() {
    let server = AdminServer::start();
    let guest = Guest::at(&server, 1);
    at_a_moment(&server, || {
        for number in 0..30 {
            guest
                .tries(&format!("user {number}"), "one password for all")
                .is(401);
        }
    });
    let refused = guest.tries("ada", PASSWORD).is(429);
    Guest::at(&server, 2).tries("ada", PASSWORD).is(200);
    server.pass(seconds(&refused));
    guest.tries("ada", PASSWORD).is(200);
}

#[test]
fn whoever_guesses_from_elsewhere_does_not_keep_a_known_browser_out() {
    let server = AdminServer::start();
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "bob's long password"});
    server.make("/users", bob);
    let first = Guest::at(&server, 1).tries("ada", PASSWORD).is(200);
    let known = browser(&first);
    let bobs = Guest::at(&server, 1).tries("bob", "bob's long password");
    let bobs = browser(&bobs.is(200));
    at_a_moment(&server, || {
        for number in 60..70 {
            assert_eq!(Guest::at(&server, number).wears_out("ada"), 10);
        }
    });

    let unknown = Guest::at(&server, 1);
    unknown.tries("ada", PASSWORD).is(429);
    let (front, last) = (&known[..known.len() - 9], &known[known.len() - 1..]);
    let forged = format!("{front}AAAAAAAA{last}");
    for other in [bobs, forged, "fieldstone_browser=".to_owned()] {
        let guest = Guest::at(&server, 1).with(&other);
        guest.tries("ada", PASSWORD).is(429);
    }
    let owner = Guest::at(&server, 1).with(&known);
    let again = owner.tries("ada", PASSWORD).is(200);
    assert_eq!(browser(&again), known, "it stays the same browser");
    // whoever has the browser does not guess without end either, and keeps no other out
    assert_eq!(owner.wears_out("ada"), 10);
    let refused = owner.tries("ada", PASSWORD).is(429);
    server.pass(seconds(&refused));
    owner.tries("ada", PASSWORD).is(200);
}

#[test]
fn a_user_and_administrators_see_that_an_account_is_guessed_at_and_held_for_strangers() {
    const GUESSED: &str = "Somebody may be guessing the password of this account.";
    const HELD: &str = "Sign-in to this account from unknown devices and programs is held until";
    let server = AdminServer::start();
    let first = Guest::at(&server, 1).tries("ada", PASSWORD).is(200);
    let known = browser(&first);
    let own = Browser::signed_in(&server);
    let user = format!("/app/users/{}", server.ada);
    let guess = |numbers: Range<usize>| {
        for number in numbers {
            assert_eq!(Guest::at(&server, number).wears_out("ada"), 10);
        }
    };
    let is_shown = |told: &[&str]| {
        for path in [&*user, "/app/profile"] {
            let page = own.get(path).is(200).body;
            let own_state = |text| page.contains(text) == told.contains(&text);
            assert!([GUESSED, HELD].into_iter().all(own_state), "{path}: {page}");
            assert!(
                told.iter().all(|text| page.contains(text)),
                "{path}: {page}"
            );
        }
        // who signs in to see home is shown it, too
        let ada = form(&[("username", "ada"), ("password", PASSWORD)]);
        let entered = posted(&server, "/app/sign-in", &known, &ada).is(303);
        let place = if told.is_empty() {
            "/app/"
        } else {
            "/app/profile"
        };
        assert_eq!(entered.header("location"), Some(place));
    };
    at_a_moment(&server, || {
        guess(60..64);
        is_shown(&[]);
        guess(64..69);
        is_shown(&[GUESSED, "that still count: 90. At 100, sign-in"]);
        guess(69..70);
        is_shown(&[
            HELD,
            "Failed tries: 100; addresses they lately came from: 10.",
        ]);
    });
    let held = own.get(&user).is(200).body;
    assert!(held.contains("is held until"), "looks take nothing: {held}");
    let refused = Guest::at(&server, 99).tries("ada", PASSWORD).is(429);
    server.pass(seconds(&refused));
    Guest::at(&server, 99).tries("ada", PASSWORD).is(200);
    server.pass(3_600);
    is_shown(&[]);
}

#[test]
fn where_servers_share_tries_a_clock_of_one_that_is_set_ahead_brings_none_back() {
    let server = AdminServer::start();
    let guest = Guest::at(&server, 1);
    assert_eq!(guest.wears_out("ada"), 10);
    server.clock.forward(600);
    let expected = if tests::engine::is_database() {
        429
    } else {
        200
    };
    guest.tries("ada", PASSWORD).is(expected);
    server.opened.pass(600);
    guest.tries("ada", PASSWORD).is(200);
}

#[test]
fn guesses_at_the_same_moment_are_no_way_around() {
    let server = AdminServer::start();
    let body = json!({"username": "ada", "password": "a wrong password"}).to_string();
    let send = |_| exchange(server.address, SESSIONS, &[], Some(&body)).status;
    let statuses = at_once(16, send);
    let count = |status: u16| statuses.iter().filter(|other| **other == status).count();
    assert_eq!([count(401), count(429)], [10, 6], "{statuses:?}");
}

#[test]
fn a_stolen_session_does_not_help_to_guess_the_password() {
    let server = AdminServer::start();
    let token = server.session("ada", PASSWORD);
    let change = |old: &str| {
        let body = json!({"password": old, "newPassword": "ada's next password"});
        server.ask(&token, "PUT /session/password", Some(body))
    };
    for _ in 0..10 {
        change("a wrong password").is(400);
    }
    let refused = change(PASSWORD).is(429);
    // signing in is another matter
    Guest::at(&server, 1).tries("ada", PASSWORD).is(200);
    server.pass(seconds(&refused));
    change(PASSWORD).is(204);
}

#[test]
fn another_sites_form_signs_nobody_in() {
    let server = AdminServer::start();
    let json = json!({"username": "ada", "password": PASSWORD}).to_string();
    let form = "username=ada&password=a+long+password+of+ada%27s".to_owned();
    // what a form can send without asking first
    for (media_type, body) in [
        ("text/plain", &json),
        ("application/x-www-form-urlencoded", &form),
        ("application/x-www-form-urlencoded", &json),
        ("multipart/form-data; boundary=x", &json),
    ] {
        let headers = [("Content-Type", media_type)];
        let answer = server.send(SESSIONS, &headers, Some(body));
        let answer = answer.is(415);
        assert_eq!(answer.header("set-cookie"), None);
    }
}

#[test]
fn without_a_trusted_proxy_a_forwarded_address_is_no_way_around_the_limit() {
    let server = AdminServer::start();
    let address = server.beside(&DoorSettings::default());
    let tries = |name: String, number: usize| {
        let body = json!({"username": name, "password": "a wrong password"}).to_string();
        let forwarded = format!("192.0.2.{number}");
        let headers = [("X-Forwarded-For", forwarded.as_str())];
        exchange(address, SESSIONS, &headers, Some(&body)).status
    };
    let statuses = |numbers: Range<usize>| -> Vec<u16> {
        let each = numbers.map(|number| tries(format!("nobody{number}"), number));
        each.collect()
    };
    assert_eq!(at_a_moment(&server, || statuses(0..30)), [401; 30]);
    assert_eq!(statuses(30..40), [429; 10]);
}

#[test]
fn the_address_that_limits_a_sign_in_stands_in_its_line_of_the_log() {
    listen();
    let server = AdminServer::start();
    let request_id = |answer: &Answer| {
        let id = answer.header("x-request-id");
        id.expect("an id").to_owned()
    };
    let line_of = |id: &str| {
        let lines = lines_with(id);
        let answered = lines.iter().find(|line| line.contains("answered"));
        answered.expect("a line").clone()
    };
    let forwarded = [("X-Forwarded-For", "203.0.113.9, 198.51.100.77")];
    let answer = server.send("POST /admin/api/v1/none", &forwarded, None);
    assert_eq!(answer.status, 401);
    let answer = exchange(server.address, "GET /healthz", &forwarded, None);
    let line = line_of(&request_id(&answer));
    assert!(line.contains("address=198.51.100.77"), "{line}");
    let plain = server.beside(&DoorSettings::default());
    let answer = exchange(plain, "GET /healthz", &forwarded, None);
    let line = line_of(&request_id(&answer));
    assert!(line.contains("address=127.0.0.1"), "{line}");
}
