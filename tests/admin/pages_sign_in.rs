//! The page that signs in, where it asks for a tenant, and the page of one's own password.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, form, posted, with_form_cookie, with_form_token};
use crate::pages_held_up::carried;
use crate::requests::Answer;
use crate::set_up::{offered, without_tenant};
use crate::tenants::other;
use serde_json::json;

const ADA: [(&str, &str); 2] = [("username", "ada"), ("password", PASSWORD)];

/// Sends the sign-in of ada with more beside.
fn sent(server: &AdminServer, more: &[(&str, &str)]) -> Answer {
    let all = [&ADA[..], more].concat();
    posted(server, "/app/sign-in", "", &form(&all))
}

/// What a script puts into the page that is there.
fn sent_by_script(server: &AdminServer, more: &[(&str, &str)]) -> Answer {
    let all = [&ADA[..], more].concat();
    let cookie = with_form_cookie("");
    let headers = [
        ("HX-Request", "true"),
        ("Cookie", &*cookie),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let body = with_form_token(&form(&all));
    server.send("POST /app/sign-in", &headers, Some(&body))
}

#[test]
fn a_sign_in_needs_what_its_page_gave_to_the_browser_and_is_shown_again_without_it() {
    let server = AdminServer::start();
    let path = "/app/sign-in?next=%2Fapp%2Fjobs";
    let shown = |cookie: &str| {
        let headers = [("Cookie", cookie)];
        let page = server.send(&format!("GET {path}"), &headers, None).is(200);
        let token = between(&page.body, r#"name="token" value=""#);
        let given = page.header("set-cookie").map(str::to_owned);
        (given.unwrap_or_default(), token)
    };
    let send = |cookie: &str, token: &str, more: &[(&str, &str)]| {
        let all = [&ADA[..], &[("next", "/app/jobs"), ("token", token)]].concat();
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let headers = [&[("Cookie", cookie), kind][..], more].concat();
        server.send("POST /app/sign-in", &headers, Some(&form(&all)))
    };
    let (given, first) = shown("");
    let pair = given.split(';').next().expect("a pair");
    assert!(pair.starts_with("fieldstone_form="), "{given}");
    assert!(
        given.ends_with("; Path=/; HttpOnly; SameSite=Lax"),
        "{given}"
    );
    // another tab has the same secret behind another mask, and another browser has another one
    let (nothing, second) = shown(pair);
    assert_eq!(nothing, "");
    assert_ne!(first, second);
    let (_, foreign) = shown("");
    for (cookie, token) in [("", &*first), (pair, &*foreign), (pair, ""), (pair, "00ff")] {
        let refused = send(cookie, token, &[]).is(403);
        for kept in [r#"name="username" value="ada""#, r#"value="/app/jobs""#] {
            assert!(refused.body.contains(kept), "{kept}: {}", refused.body);
        }
        assert!(!refused.body.contains(PASSWORD), "{}", refused.body);
        let part = send(cookie, token, &[("HX-Request", "true")]).is(403);
        assert_eq!(part.header("hx-retarget"), Some("closest section"));
        assert!(part.body.contains("<section") && !part.body.contains("<html"));
        // a browser that sent none gets one, and the form is sent again from there
        for page in [refused, part] {
            let given = page.header("set-cookie").map(|set| {
                let pair = set.split(';').next();
                pair.expect("a pair").to_owned()
            });
            assert_eq!(given.is_some(), cookie.is_empty());
            let token = between(&page.body, r#"name="token" value=""#);
            send(given.as_deref().unwrap_or(pair), &token, &[]).is(303);
        }
    }
    for (language, told) in [
        ("en", "came without the cookie of its page"),
        ("de", "kam ohne das Cookie seiner Seite"),
    ] {
        let page = send(pair, "", &[("Accept-Language", language)]).is(403);
        assert!(page.body.contains(told), "{}", page.body);
    }
    for token in [first, second] {
        let entered = send(pair, &token, &[]).is(303);
        assert_eq!(entered.header("location"), Some("/app/jobs"));
        Browser::of(&server, &entered).get("/app/").is(200);
    }
}

#[test]
fn where_there_are_several_tenants_the_page_asks_for_ones_own() {
    let server = AdminServer::start();
    let theirs = other(&server);
    let password = "ada's other long password";
    let user = json!({"username": "ada", "fullName": "Ada of Other", "email": "ada@example.org",
        "password": password, "mustChangePassword": false});
    server.ask(&theirs, "POST /users", Some(user)).is(201);
    let first = server.send("GET /app/sign-in", &[], None).is(200);
    assert!(!first.body.contains(r#"name="tenant""#));
    let asked = sent(&server, &[]).is(400);
    for told in [
        "There are several organisations; name yours.",
        r#"name="tenant""#,
    ] {
        assert!(asked.body.contains(told), "{told}: {}", asked.body);
    }
    // nobody is told which there are
    assert!(!asked.body.contains("Acme") && !asked.body.contains("Other"));
    let part = sent_by_script(&server, &[]).is(400);
    assert!(part.body.contains(r#"name="tenant""#) && !part.body.contains("<html"));
    // a wrong one stays in its input
    let wrong = sent(&server, &[("tenant", "Third")]).is(401);
    assert!(wrong.body.contains(r#"name="tenant" value="Third""#));
    let own = sent(&server, &[("tenant", "Acme")]).is(303);
    let home = Browser::of(&server, &own).get("/app/").is(200);
    assert!(!home.body.contains("Ada of Other"));
    let pairs = [
        ("username", "ada"),
        ("password", password),
        ("tenant", "Other"),
    ];
    let entered = posted(&server, "/app/sign-in", "", &form(&pairs)).is(303);
    let home = Browser::of(&server, &entered).get("/app/").is(200);
    assert!(home.body.contains("Ada of Other"), "{}", home.body);
}

#[test]
fn ones_own_password_is_changed_with_the_one_that_one_has_and_ends_all_sessions() {
    const NEW: &str = "seven grey owls";
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let elsewhere = Browser::signed_in(&server);
    let page = browser.get("/app/password").is(200);
    assert!(!page.body.contains("Someone else chose your password"));
    for (password, new) in [
        ("not the one", NEW),
        (PASSWORD, "short"),
        (PASSWORD, PASSWORD),
        (PASSWORD, ""),
    ] {
        let fields = [("password", password), ("new-password", new)];
        let refused = browser.send(&page, "/app/password", &fields).is(400);
        assert!(refused.body.contains("role=\"alert\""), "{new}");
        for secret in [password, new] {
            let typed = format!("value=\"{secret}\"");
            assert!(secret.is_empty() || !refused.body.contains(&typed));
        }
    }
    elsewhere.get("/app/").is(200);
    let fields = [("password", PASSWORD), ("new-password", NEW)];
    let changed = browser.send(&page, "/app/password", &fields).is(303);
    assert_eq!(changed.header("location"), Some("/app/sign-in"));
    for ended in [&browser, &elsewhere] {
        ended.get("/app/").is(303);
    }
    sent(&server, &[]).is(401);
    Browser::entered(&server, "ada", NEW);
}

#[test]
fn a_password_that_can_be_shown_while_it_is_typed_is_corrected_and_looked_up_by_no_browser() {
    let server = AdminServer::start();
    let own = Browser::signed_in(&server).get("/app/password");
    let user = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org"});
    let code = server.make("/invitations", user).text("invitation");
    let invited = posted(&server, "/app/invitation", "", &form(&[("code", &*code)]));
    let empty = without_tenant();
    offered(&empty);
    let first = empty.send("GET /app/setup", &[], None);
    for page in [own, invited, first].map(|page| page.is(200)) {
        let shown = between(&page.body, r#"type="checkbox" data-shows=""#);
        let input = format!(r#"<input id="{shown}""#);
        let (_, input) = page.body.split_once(&input).expect("it is there");
        let (input, _) = input.split_once('>').expect("its end");
        for told in [
            r#"type="password""#,
            r#"autocomplete="new-password""#,
            r#"autocapitalize="none""#,
            r#"spellcheck="false""#,
        ] {
            assert!(input.contains(told), "{told}: {input}");
        }
    }
}

#[test]
fn who_was_given_a_password_chooses_another_one_before_anything_else() {
    let server = AdminServer::start();
    let given = "handed over on paper";
    let user = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org", "password": given,
        "mustChangePassword": true, "roles": [server.role("MEMBER")]});
    server.make("/users", user);
    let bob = Browser::entered(&server, "bob", given);
    for path in ["/app/", "/app/jobs", "/app/profile"] {
        let led = bob.get(path).is(303);
        assert_eq!(led.header("location"), Some("/app/password"), "{path}");
    }
    let page = bob.get("/app/password").is(200);
    assert!(page.body.contains("Someone else chose your password"));
    let fields = [("password", given), ("new-password", "seven grey owls")];
    bob.send(&page, "/app/password", &fields).is(303);
    let bob = Browser::entered(&server, "bob", "seven grey owls");
    bob.get("/app/").is(200);
}

#[test]
fn a_form_that_goes_on_after_an_ended_session_asks_again_for_its_passwords_and_no_other_does() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/profile").is(200);
    server.clock.forward(3 * 3600);
    let change = [("email", "new@example.org"), ("password", PASSWORD)];
    let asked = browser.send(&page, "/app/profile/email", &change).is(401);
    assert!(!asked.body.contains(PASSWORD), "{}", asked.body);
    let kept = carried(&asked.body);
    let mut all = ADA.to_vec();
    all.extend(kept.iter().map(|(name, value)| (*name, &**value)));
    let secret = between(&asked.body, r#"name="kept-secret" value=""#);
    all.push(("kept-secret", &secret));
    let entered = posted(&server, "/app/sign-in", &browser.cookie, &form(&all)).is(200);
    let (_, shown) = entered.body.split_once("data-kept").expect("the form");
    assert!(shown.contains(r#"<input name="password" type="password""#));
    assert!(!shown.contains("new-password"), "{shown}");
    let again = Browser::of(&server, &entered);
    again.send(&entered, "/app/profile/email", &change).is(303);
    // one without a password asks for none
    let page = again.get("/app/areas").is(200);
    server.clock.forward(3 * 3600);
    let asked = again.send(&page, "/app/areas", &[("name", "Finance")]);
    assert!(!asked.is(401).body.contains("kept-secret"));
}

#[test]
fn what_is_not_sent_yet_is_told_by_the_names_of_fields() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    server.clock.forward(3 * 3600);
    let asked = browser.send(&page, &path, &[("v-f-people", "7")]).is(401);
    let kept = carried(&asked.body);
    let mut all = ADA.to_vec();
    all.extend(kept.iter().map(|(name, value)| (*name, &**value)));
    let entered = posted(&server, "/app/sign-in", &browser.cookie, &form(&all)).is(200);
    let told = "<dt>People</dt><dd>7</dd>";
    assert!(entered.body.contains(told), "{}", entered.body);
}
