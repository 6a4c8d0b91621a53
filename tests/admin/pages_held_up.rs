//! Forms that a sign-in, or a proof of who asks, held up: nothing that was filled in is lost, and no other site slips one in.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, form, posted};
use crate::requests::Answer;
use crate::second_factor::{code, enrolled};
use runtime::service::Settings;

/// The hidden inputs of a page that carry a form along.
pub(crate) fn carried(body: &str) -> [(&'static str, String); 3] {
    let own = |name: &str| {
        let text = between(body, &format!(r#"name="{name}" value=""#));
        text.replace("&amp;", "&").replace("&#38;", "&")
    };
    [
        ("kept-to", own("kept-to")),
        ("kept", own("kept")),
        ("kept-token", own("kept-token")),
    ]
}

#[test]
fn a_session_that_ends_in_the_middle_of_a_form_loses_nothing() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    server.clock.forward(3 * 3600);
    let fields = [("name", "Finance & more"), ("description", "Money")];
    let asked = browser.send(&page, "/app/areas", &fields).is(401);
    assert_eq!(asked.header("cache-control"), Some("no-store"));
    assert!(asked.body.contains("What you filled in is kept"));
    let sign_in = |password: &str, carried: &[(&'static str, String); 3], cookie: &str| {
        let mut all = vec![("username", "ada"), ("password", password)];
        all.extend(carried.iter().map(|(name, value)| (*name, &**value)));
        posted(&server, "/app/sign-in", cookie, &form(&all))
    };
    let kept = carried(&asked.body);
    // a wrong password loses nothing either
    let wrong = sign_in("wrong", &kept, &browser.cookie).is(401);
    let kept = carried(&wrong.body);
    let entered = sign_in(PASSWORD, &kept, &browser.cookie).is(200);
    assert!(
        entered.body.contains("Finance &#38; more"),
        "{}",
        entered.body
    );
    assert!(entered.body.contains(r#"action="/app/areas""#));
    // with the ways in its bar that other pages have
    for way in [r#"<a href="/app/schemas">"#, r#"action="/app/search""#] {
        assert!(entered.body.contains(way), "{way}: {}", entered.body);
    }
    assert!(
        !browser_of(&server, &entered)
            .get("/app/areas")
            .body
            .contains("Finance")
    );
    let own = browser_of(&server, &entered);
    own.send(&entered, "/app/areas", &fields).is(303);
    assert!(own.get("/app/areas").body.contains("Finance"));
    // a part of a page is asked for by a script, which puts the whole page in its place
    server.clock.forward(3 * 3600);
    let token = between(&entered.body, r#"name="token" value=""#);
    let body = form(&[("name", "Other"), ("token", &token)]);
    let headers = [
        ("Cookie", &*own.cookie),
        ("HX-Request", "true"),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let part = server
        .send("POST /app/areas", &headers, Some(&body))
        .is(200);
    assert_eq!(part.header("hx-retarget"), Some("body"));
}

#[test]
fn a_form_that_is_too_large_to_go_along_through_a_sign_in_is_told_to_be() {
    let server = AdminServer::with_settings(Settings {
        body_bytes_max: 64 << 10,
        ..Settings::default()
    });
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    server.clock.forward(3 * 3600);
    let most = 6 * server.service.settings().body_bytes_max;
    let long = "x".repeat(most);
    let fields = [("name", "Finance"), ("description", &*long)];
    let told = browser.send(&page, "/app/areas", &fields).is(413);
    for part in [
        r#"role="alert""#,
        &format!("The form is larger than {most} bytes: it has "),
        "is not on this page",
    ] {
        assert!(told.body.contains(part), "{part}: {}", told.body);
    }
}

#[test]
fn a_form_that_a_proof_holds_up_is_judged_by_what_it_asks_for_itself() {
    let server = AdminServer::with_settings(Settings {
        body_bytes_max: 64 << 10,
        ..Settings::default()
    });
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/roles/new").is(200);
    server.clock.forward(3600);
    // as a text within another form it is three times as long
    let long = "ä".repeat(25_000);
    let fields = [("name", "Auditor"), ("note", &*long)];
    let asked = browser.send(&page, "/app/roles", &fields).is(403);
    let own = |name: &str| {
        let text = between(&asked.body, &format!(r#"name="{name}" value=""#));
        text.replace("&#38;", "&")
    };
    let (to, kept) = (own("kept-to"), own("kept"));
    let fields = [("password", PASSWORD), ("kept-to", &*to), ("kept", &*kept)];
    let go_on = browser.send(&asked, "/app/proof", &fields).is(200);
    assert!(go_on.body.contains(&long) && go_on.body.contains("data-at-once"));
    let fields = [("password", &*long), ("note", &*long)];
    browser.send(&asked, "/app/proof", &fields).is(413);
}

/// The browser that got a session by this answer.
fn browser_of<'s>(server: &'s AdminServer, entered: &Answer) -> Browser<'s> {
    Browser::of(server, entered)
}

#[test]
fn no_other_site_slips_a_form_into_the_sign_in() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let other = Browser::signed_in(&server);
    let page = other.get("/app/areas").is(200);
    server.clock.forward(3 * 3600);
    // the token is of another session, or none
    let foreign = between(&page.body, r#"name="token" value=""#);
    for token in ["", "00", &foreign] {
        let body = form(&[("name", "Slipped"), ("token", token)]);
        let sent = posted(&server, "/app/areas", &browser.cookie, &body).is(303);
        assert!(
            sent.header("location")
                .expect("a place")
                .starts_with("/app/sign-in")
        );
        let body = form(&[
            ("username", "ada"),
            ("password", PASSWORD),
            ("kept-to", "/areas"),
            ("kept", "name=Slipped"),
            ("kept-token", token),
        ]);
        let entered = posted(&server, "/app/sign-in", &browser.cookie, &body).is(303);
        assert_eq!(entered.header("location"), Some("/app/"));
    }
    let known = between(&page.body, r#"name="token" value=""#);
    for to in ["//evil.example/", "https://evil.example/", "areas"] {
        let body = form(&[
            ("username", "ada"),
            ("password", PASSWORD),
            ("kept-to", to),
            ("kept", "name=Slipped"),
            ("kept-token", &known),
        ]);
        posted(&server, "/app/sign-in", &other.cookie, &body).is(303);
    }
}

#[test]
fn a_change_of_rights_asks_for_the_password_anew_and_goes_on_with_what_was_filled_in() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/roles/new").is(200);
    server.clock.forward(3600);
    let fields = [("name", "Auditor"), ("allow", "AUDIT:view")];
    let asked = browser.send(&page, "/app/roles", &fields).is(403);
    let does = "What it would do: <b>Create a role</b>";
    for told in ["Confirm that it is you", does] {
        assert!(asked.body.contains(told), "{told}: {}", asked.body);
    }
    let own = |name: &str| {
        let text = between(&asked.body, &format!(r#"name="{name}" value=""#));
        text.replace("&#38;", "&")
    };
    let (to, kept) = (own("kept-to"), own("kept"));
    let prove = |password: &str| {
        let fields = [("password", password), ("kept-to", &*to), ("kept", &*kept)];
        browser.send(&asked, "/app/proof", &fields)
    };
    let wrong = prove("wrong").is(400);
    assert!(wrong.body.contains("role=\"alert\"") && wrong.body.contains("kept-to"));
    let go_on = prove(PASSWORD).is(200);
    assert!(go_on.body.contains("data-at-once") && go_on.body.contains("AUDIT:view"));
    browser.send(&go_on, "/app/roles", &fields).is(303);
    let trail = browser.get("/app/audit").is(200);
    assert!(trail.body.contains("Auditor"));
}

#[test]
fn who_has_a_second_factor_shows_password_and_code_in_one_page() {
    let server = AdminServer::start();
    let (_, secret, _) = enrolled(&server);
    server.clock.forward(30);
    let path = "/app/sign-in";
    let ada = form(&[("username", "ada"), ("password", PASSWORD)]);
    let waiting = posted(&server, path, "", &ada).is(403);
    let cookie = Browser::of(&server, &waiting).cookie;
    let pending = between(&waiting.body, r#"name="pending" value=""#);
    let now = code(&server, &secret);
    let fields = form(&[("pending", &pending), ("code", &now)]);
    let browser = Browser::of(&server, &posted(&server, path, &cookie, &fields).is(303));
    let page = browser.get("/app/roles/new").is(200);
    server.clock.forward(3600);
    let fields = [("name", "Auditor")];
    let asked = browser.send(&page, "/app/roles", &fields).is(403);
    let asks = |page: &Answer| {
        let names = ["password", "proof-code"].map(|it| format!(r#"<input name="{it}""#));
        assert!(
            names.iter().all(|it| page.body.contains(it)),
            "{}",
            page.body
        );
        assert!(!page.body.contains("Your password is correct"));
    };
    asks(&asked);
    let prove = |password: &str, code: &str| {
        let kept = [("kept-to", "/roles"), ("kept", "name=Auditor")];
        let own = [("password", password), ("proof-code", code)];
        browser.send(&asked, "/app/proof", &[kept, own].concat())
    };
    asks(&prove("wrong", "").is(400));
    asks(&prove(PASSWORD, "").is(403));
    let go_on = prove(PASSWORD, &code(&server, &secret)).is(200);
    assert!(go_on.body.contains("data-at-once"), "{}", go_on.body);
}

#[test]
fn a_set_up_of_a_second_factor_that_is_held_up_tells_its_secret_to_no_other_page_and_begins_anew() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/profile").is(200);
    server.clock.forward(3600);
    let begin = "/app/profile/second-factor";
    let confirm = format!("{begin}/confirm");
    let fields = [
        ("setup-secret", "JBSWY3DP"),
        ("setup-url", "otpauth://totp/x"),
        ("code", "123456"),
    ];
    let asked = browser.send(&page, &confirm, &fields).is(403);
    assert!(
        asked.body.contains("Confirm that it is you"),
        "{}",
        asked.body
    );
    assert!(!asked.body.contains("JBSWY3DP") && !asked.body.contains("otpauth"));
    let to = between(&asked.body, r#"name="kept-to" value=""#);
    assert_eq!(to, "/profile/second-factor");
    let proof = [("password", PASSWORD), ("kept-to", &*to), ("kept", "")];
    let go_on = browser.send(&asked, "/app/proof", &proof).is(200);
    assert!(go_on.body.contains("data-at-once"), "{}", go_on.body);
    assert!(go_on.body.contains(&format!(r#"action="{begin}""#)));
    let begun = browser.send(&go_on, begin, &[]).is(200);
    assert!(begun.body.contains(r#"name="setup-secret""#));
    // a session that has ended has it begun anew, too
    server.clock.forward(3 * 3600);
    let ended = browser.send(&begun, &confirm, &fields).is(303);
    let place = ended.header("location").expect("a place");
    assert!(place.starts_with("/app/sign-in"), "{place}");
}

#[test]
fn a_form_of_a_session_before_is_sent_again_if_a_page_of_this_site_sent_it() {
    let server = AdminServer::start();
    let before = Browser::signed_in(&server);
    let page = before.get("/app/areas").is(200);
    let token = between(&page.body, r#"name="token" value=""#);
    let now = Browser::signed_in(&server);
    let send = |cookie: &str, site: &str| {
        let headers = [
            ("Cookie", cookie),
            ("Sec-Fetch-Site", site),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        let body = form(&[("name", "Finance"), ("token", &token)]);
        server.send("POST /app/areas", &headers, Some(&body))
    };
    // signed in anew in another tab
    let kept = send(&now.cookie, "same-origin").is(403);
    assert!(kept.body.contains("Not sent yet") && kept.body.contains(r#"value="Finance""#));
    assert!(kept.body.contains("opened under another sign-in"));
    let does = "What it would do: <b>Create a business area</b>";
    assert!(kept.body.contains(does), "{}", kept.body);
    assert!(!kept.body.contains("had ended"), "{}", kept.body);
    let slipped = send(&now.cookie, "cross-site").is(403);
    assert!(!slipped.body.contains("Finance"));
    let told = "This page was opened under another sign-in";
    assert!(slipped.body.contains(told), "{}", slipped.body);
    assert!(!slipped.body.contains("cookie"), "{}", slipped.body);
    assert!(!now.get("/app/areas").body.contains("Finance"));
    now.send(&kept, "/app/areas", &[("name", "Finance")])
        .is(303);
    // signed out in another tab
    let asked = send("", "same-origin").is(401);
    assert!(asked.body.contains("What you filled in is kept"));
    send("", "cross-site").is(303);
    send("", "none").is(303);
}
