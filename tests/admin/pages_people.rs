//! Users and roles in the application: a role is a table of ticks, a user is invited by a link and chooses its password,
//! and what is refused is shown again with what was typed.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, form, posted, shown_once};
use crate::requests::Answer;
use serde_json::json;

#[test]
fn a_role_is_made_of_ticks_changed_and_deleted() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/roles/new").is(200);
    let fields = [
        ("name", "Steward"),
        ("description", "Mends records"),
        ("allow", "DATA OBJECTS:view"),
        ("allow", "DATA OBJECTS:edit"),
        ("allow", "DATASETS:view"),
        ("allow", "NOTHING:view"),
    ];
    let made = browser.send(&page, "/app/roles", &fields).is(303);
    let place = made.header("location").expect("a place").to_owned();
    let role = browser.get(&place).is(200);
    assert!(role.body.contains("Saved.") && role.body.contains(r#"value="Steward""#));
    for (value, is_ticked) in [
        ("DATA OBJECTS:view", true),
        ("DATA OBJECTS:add", false),
        ("DATA OBJECTS:edit", true),
        ("DATASETS:view", true),
        ("ROLES:view", false),
    ] {
        let (_, rest) = role
            .body
            .split_once(&format!(r#"value="{value}""#))
            .expect(value);
        let tag = rest.split('>').next().expect("its end");
        assert_eq!(tag.contains("checked"), is_ticked, "{value}");
    }
    // a name that is taken is told, and nothing of what was filled in is lost
    let taken = browser.send(&page, "/app/roles", &fields).is(409);
    assert!(
        taken.body.contains("role=\"alert\"") && taken.body.contains(">\nMends records</textarea>")
    );
    let (_, ticked) = taken
        .body
        .split_once(r#"value="DATA OBJECTS:edit""#)
        .expect("a tick");
    assert!(
        ticked
            .split('>')
            .next()
            .expect("its end")
            .contains("checked")
    );
    let path = place.split('?').next().expect("a path");
    let renamed = [("name", ""), ("allow", "AUDIT:view")];
    let nameless = browser.send(&role, path, &renamed).is(400);
    assert!(
        nameless.body.contains(r#"id="told-name""#),
        "{}",
        nameless.body
    );
    browser
        .send(&role, path, &[("name", "Auditor"), ("allow", "AUDIT:view")])
        .is(303);
    assert!(browser.get("/app/roles").body.contains("Auditor"));
    browser.send(&role, &format!("{path}/delete"), &[]).is(303);
    browser.get(path).is(404);
    // a built-in one is shown and copied
    let list = browser.get("/app/roles").is(200);
    let built_in = between(&list.body, r#"<li class="line"><a href=""#);
    let shown = browser.get(&built_in).is(200);
    assert!(!shown.body.contains("updateRole") && shown.body.contains("/app/roles/new?like="));
    let copy = between(&shown.body, r#"<a class="button" href=""#);
    assert!(browser.get(&copy).is(200).body.contains("checked"));
}

#[test]
fn a_user_is_invited_by_a_link_that_is_shown_once_and_chooses_its_password() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/users/new").is(200);
    let role = between(&page.body, r#"name="role" value=""#);
    let grant = between(&page.body, r#"name="grant" value=""#);
    let fields = [
        ("full-name", "Grace Hopper"),
        ("username", "grace"),
        ("email", "grace@example.org"),
        ("role", &*role),
        ("grant", &*grant),
    ];
    let wrong = [
        ("full-name", "Grace Hopper"),
        ("username", "grace"),
        ("email", "nowhere"),
    ];
    let refused = browser.send(&page, "/app/users", &wrong).is(400);
    assert!(refused.body.contains(r#"id="told-email""#) && refused.body.contains("Grace Hopper"));
    let made = browser.send(&page, "/app/users", &fields).is(200);
    assert_eq!(made.header("cache-control"), Some("no-store"));
    // the same sent twice, as by a page that is loaded again
    let twice = browser.send(&page, "/app/users", &fields).is(409);
    assert!(
        twice.body.contains("has been invited already") && twice.body.contains("inviteUserAgain"),
        "{}",
        twice.body
    );
    // what was filled in otherwise, be it a role or a grant, is told of as a name that is taken
    let renamed = [&[("full-name", "Another")], &fields[1..]].concat();
    let no_role = [&fields[..3], &fields[4..]].concat();
    for other in [&renamed[..], &no_role, &fields[..4]] {
        let taken = browser.send(&page, "/app/users", other).is(409);
        assert!(!taken.body.contains("has been invited already"));
        assert!(taken.body.contains(r#"value="grace""#), "{}", taken.body);
    }
    let link = shown_once(&made.body);
    let path = link.split_once("/app/").expect(&link).1;
    let path = format!("/app/{}", path.replace("&#38;", "&"));
    let list = browser.get("/app/users").is(200);
    assert!(list.body.contains("grace@example.org") && list.body.contains("invited"));
    assert!(!list.body.contains("fsi_"));
    // whoever has the link sees no more than the name, and chooses
    let welcome = server.send(&format!("GET {path}"), &[], None).is(200);
    assert!(welcome.body.contains("Grace Hopper") && !welcome.body.contains("example.org"));
    let code = between(&welcome.body, r#"name="code" value=""#);
    let choose = |password: &str| {
        let body = form(&[("code", &*code), ("password", password)]);
        posted(&server, "/app/invitation", "", &body)
    };
    let weak = choose("password1234").is(400);
    assert!(weak.body.contains("role=\"alert\"") && weak.body.contains("Grace Hopper"));
    let chosen = choose("seven grey owls").is(303);
    assert_eq!(chosen.header("location"), Some("/app/sign-in?chosen=1"));
    let again = choose("another seven owls").is(404);
    assert!(again.body.contains("no longer works"));
    server.send(&format!("GET {path}"), &[], None).is(404);
    let sign_in = form(&[("username", "grace"), ("password", "seven grey owls")]);
    let entered = posted(&server, "/app/sign-in", "", &sign_in).is(303);
    let own = Browser::of(&server, &entered);
    own.get("/app/").is(200);
    // another invitation is another link, and what was there before ends
    let list = browser.get("/app/users").is(200);
    let (before, _) = list.body.split_once(">Grace Hopper<").expect("grace");
    let place = before.rsplit("href=\"").next().expect("a link");
    let place = place.trim_end_matches('"').to_owned();
    let user = browser.get(&place).is(200);
    let anew = browser
        .send(&user, &format!("{place}/invitation"), &[])
        .is(200);
    assert_ne!(shown_once(&anew.body), link);
    own.get("/app/").is(303);
    posted(&server, "/app/sign-in", "", &sign_in).is(401);
    // what is typed is kept, what is unticked goes
    let fields = [
        ("full-name", "Grace M. Hopper"),
        ("username", "grace"),
        ("email", "grace@example.com"),
        ("active", "false"),
    ];
    let saved = browser.send(&user, &place, &fields).is(303);
    let saved = browser
        .get(saved.header("location").expect("a place"))
        .is(200);
    assert!(saved.body.contains("Saved.") && saved.body.contains("switched off"));
    assert!(saved.body.contains("grace@example.com") && !saved.body.contains("checked"));
    browser
        .send(&user, &format!("{place}/sign-out"), &[])
        .is(303);
    browser
        .send(&user, &format!("{place}/second-factor/remove"), &[])
        .is(303);
    browser.send(&user, &format!("{place}/delete"), &[]).is(303);
    browser.get(&place).is(404);
}

#[test]
fn no_other_site_makes_a_browser_take_an_invitation() {
    let server = AdminServer::start();
    let user = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org"});
    let code = server.make("/invitations", user).text("invitation");
    let body = form(&[("code", &*code), ("password", "seven grey owls")]);
    let sent_by = |name: &str, value: &str| {
        let headers = [
            (name, value),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        server.send("POST /app/invitation", &headers, Some(&body))
    };
    sent_by("Sec-Fetch-Site", "cross-site").is(403);
    sent_by("Sec-Fetch-Site", "same-site").is(403);
    // by a browser that tells no more than this
    sent_by("Origin", "https://elsewhere.example").is(403);
    // as from a frame without an origin, or by a page that has it kept from us
    sent_by("Origin", "null").is(403);
    sent_by("Sec-Fetch-Site", "same-origin").is(303);
}

#[test]
fn who_may_not_manage_users_is_told_so_and_the_last_administrator_stays() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let ada = format!("/app/users/{}", server.ada);
    let page = browser.get(&ada).is(200);
    let stays = browser.send(&page, &format!("{ada}/delete"), &[]).is(409);
    assert!(stays.body.contains("role=\"alert\""), "{}", stays.body);
    let invited = browser
        .send(&page, &format!("{ada}/invitation"), &[])
        .is(403);
    assert!(invited.body.contains("role=\"alert\"") && invited.body.contains("Ada"));
}

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
    assert!(asked.body.contains("Is it still you?"), "{}", asked.body);
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
