//! Users and roles in the application: a role is a table of ticks, a user is invited by a link and chooses its password,
//! and what is refused is shown again with what was typed.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{
    Browser, between, cities, form, posted, shown_once, with_form_cookie, with_form_token,
};
use crate::second_factor::code;
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
    // a built-in one is shown and copied, and what it allows is not changed
    let list = browser.get("/app/roles").is(200);
    let built_in = between(&list.body, r#"<li class="line"><a href=""#);
    let shown = browser.get(&built_in).is(200);
    let has = |text: &str| shown.body.contains(text);
    assert!(!has(r#"name="allow""#) && has("/app/roles/new?like="));
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
    let (place, code) = link.split_once('#').expect(&link);
    assert!(
        place.ends_with("/app/invitation"),
        "no server is sent the code: {link}"
    );
    let list = browser.get("/app/users").is(200);
    assert!(list.body.contains("grace@example.org") && list.body.contains("invited"));
    assert!(!list.body.contains("fsi_"));
    // whoever has the code sees no more than the name, and chooses
    let send = |fields: &[(&str, &str)]| posted(&server, "/app/invitation", "", &form(fields));
    let welcome = send(&[("code", code)]).is(200);
    assert!(welcome.body.contains("Grace Hopper") && !welcome.body.contains("example.org"));
    assert_eq!(between(&welcome.body, r#"name="code" value=""#), code);
    let choose = |password: &str| send(&[("code", code), ("password", password)]);
    let weak = choose("password1234").is(400);
    assert!(weak.body.contains("role=\"alert\"") && weak.body.contains("Grace Hopper"));
    let chosen = choose("seven grey owls").is(303);
    assert_eq!(chosen.header("location"), Some("/app/sign-in?chosen=1"));
    let again = choose("another seven owls").is(404);
    assert!(again.body.contains("no longer works"));
    send(&[("code", code)]).is(404);
    let own = Browser::entered(&server, "grace", "seven grey owls");
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
    server.enter("grace", "seven grey owls").is(401);
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
fn the_page_of_an_invitation_asks_for_the_code_that_no_address_has() {
    let server = AdminServer::start();
    // the code of an address is nobody's
    for path in ["/app/invitation", "/app/invitation?code=fsi_other"] {
        let asked = server.send(&format!("GET {path}"), &[], None).is(200);
        let told = [
            r#"data-linked="send""#,
            r#"name="code" value="""#,
            "what follows # in your link",
        ];
        assert!(
            told.iter().all(|it| asked.body.contains(it)),
            "{}",
            asked.body
        );
    }
    let send = |code: &str| posted(&server, "/app/invitation", "", &form(&[("code", code)]));
    assert!(send("").is(200).body.contains(r#"data-linked="send""#));
    assert!(send("fsi_other").is(404).body.contains("no longer works"));
}

#[test]
fn a_refused_change_of_a_user_still_offers_to_remove_its_second_factor() {
    let server = AdminServer::start();
    let grace = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org",
        "password": PASSWORD, "mustChangePassword": false});
    let id = server.make("/users", grace).text("userId");
    let session = server.session("grace", PASSWORD);
    let begun = server.ask(&session, "POST /session/second-factor", None);
    let shown = json!({"code": code(&server, &begun.is(200).text("secret"))});
    let line = "POST /session/second-factor/confirm";
    server.ask(&session, line, Some(shown)).is(200);
    let browser = Browser::signed_in(&server);
    let place = format!("/app/users/{id}");
    let page = browser.get(&place).is(200);
    let fields = [
        ("full-name", "Grace H."),
        ("username", ""),
        ("email", "grace@example.org"),
        ("active", "true"),
    ];
    let refused = browser.send(&page, &place, &fields).is(400);
    assert!(refused.body.contains(r#"value="Grace H.""#));
    let removal = format!(r#"action="{place}/second-factor/remove""#);
    for page in [&page, &refused] {
        assert!(page.body.contains(&removal), "{}", page.body);
    }
}

#[test]
fn no_other_site_makes_a_browser_take_an_invitation() {
    let server = AdminServer::start();
    let user = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org"});
    let code = server.make("/invitations", user).text("invitation");
    let body = form(&[("code", &*code), ("password", "seven grey owls")]);
    // nor does a browser that was shown no page of ours
    let headers = [("Content-Type", "application/x-www-form-urlencoded")];
    let page = server.send("POST /app/invitation", &headers, Some(&body));
    let page = page.is(403);
    let kept = format!(r#"name="code" value="{code}""#);
    for told in ["came without the cookie of its page", &*kept] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    assert!(!page.body.contains("seven grey owls"), "{}", page.body);
    assert!(page.header("set-cookie").is_some(), "{}", page.head);
    let (body, cookie) = (with_form_token(&body), with_form_cookie(""));
    let sent_by = |name: &str, value: &str| {
        let headers = [
            (name, value),
            ("Cookie", &*cookie),
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
    let chosen = sent_by("Sec-Fetch-Site", "same-origin").is(303);
    assert_eq!(chosen.header("location"), Some("/app/sign-in?chosen=1"));
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
