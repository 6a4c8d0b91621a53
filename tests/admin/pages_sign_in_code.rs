//! The page that asks for the code of a second factor, behind a right password: what stands between the two steps is good
//! for one sign-in, for a few minutes, in one browser, and as long as password and user are as they were.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::at_once::at_once;
use crate::browser::{Browser, HOSTILE, between, form, posted, with_form_cookie, with_form_token};
use crate::passwords::{hash_cheaply, user};
use crate::requests::Answer;
use crate::second_factor::{code, enrolled};
use serde_json::json;

const PATH: &str = "/app/sign-in";
const AGAIN: &str = "Sign in again.";

/// What a browser has between password and code.
pub(crate) struct Waiting<'s> {
    server: &'s AdminServer,
    pub(crate) pending: String,
    pub(crate) cookie: String,
}

impl<'s> Waiting<'s> {
    /// One in which ada has just sent her password.
    pub(crate) fn of_ada(server: &'s AdminServer) -> Self {
        Waiting::with(server, &[])
    }

    fn with(server: &'s AdminServer, more: &[(&str, &str)]) -> Self {
        let ada = [("username", "ada"), ("password", PASSWORD)];
        let all = [&ada[..], more].concat();
        Waiting::behind(server, &posted(server, PATH, "", &form(&all)).is(403))
    }

    fn behind(server: &'s AdminServer, asked: &Answer) -> Self {
        let cookie = asked.header("set-cookie").expect("a cookie");
        Waiting {
            server,
            pending: between(&asked.body, r#"name="pending" value=""#),
            cookie: cookie.split(';').next().expect("a pair").to_owned(),
        }
    }

    pub(crate) fn send(&self, code: &str) -> Answer {
        let fields = [("pending", &*self.pending), ("code", code)];
        posted(self.server, PATH, &self.cookie, &form(&fields))
    }

    fn send_by_script(&self, code: &str) -> Answer {
        let fields = [("pending", &*self.pending), ("code", code)];
        by_script(self.server, &self.cookie, &fields)
    }
}

fn by_script(server: &AdminServer, cookie: &str, fields: &[(&str, &str)]) -> Answer {
    let cookie = with_form_cookie(cookie);
    let headers = [
        ("Cookie", &*cookie),
        ("HX-Request", "true"),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let body = with_form_token(&form(fields));
    server.send(&format!("POST {PATH}"), &headers, Some(&body))
}

/// Asserts that the password is asked for once more.
#[track_caller]
fn begins_again(answer: Answer) {
    let page = answer.is(401);
    let asks = page.body.contains(r#"name="password""#) && !page.body.contains(r#"name="code""#);
    assert!(asks && page.body.contains(AGAIN), "{}", page.body);
    assert_eq!(page.header("set-cookie"), None);
}

/// A server at which ada has a second factor, its secret and recovery codes, and her session.
pub(crate) fn guarded() -> (AdminServer, String, Vec<String>, String) {
    let server = AdminServer::start();
    let (session, secret, codes) = enrolled(&server);
    server.clock.forward(30);
    (server, secret, codes, session)
}

#[test]
fn behind_a_right_password_the_code_alone_is_asked_for() {
    let (server, secret, _, _) = guarded();
    let first = server.send(&format!("GET {PATH}"), &[], None).is(200);
    assert!(!first.body.contains(r#"name="code""#));
    let fields = [
        ("username", " Ada"),
        ("password", PASSWORD),
        ("next", "/app/jobs"),
    ];
    let asked = posted(&server, PATH, "", &form(&fields)).is(403);
    for told in [
        "Your password is correct. Now the code, please.",
        r#"spellcheck="false" required autofocus>"#,
        r#"name="next" value="/app/jobs""#,
    ] {
        assert!(asked.body.contains(told), "{told}: {}", asked.body);
    }
    for absent in [r#"name="password""#, r#"name="username""#, PASSWORD] {
        assert!(!asked.body.contains(absent), "{absent}: {}", asked.body);
    }
    assert_eq!(asked.header("cache-control"), Some("no-store"));
    let cookie = asked.header("set-cookie").expect("a cookie");
    for flag in ["; HttpOnly", "; SameSite=Strict", "; Max-Age=300"] {
        assert!(cookie.contains(flag), "{cookie}");
    }
    // it is no session
    let waiting = Waiting::behind(&server, &asked);
    Browser::of(&server, &asked).get("/app/").is(303);
    server.ask(&waiting.pending, "GET /session", None).is(401);
    let wrong = waiting.send("000000").is(401);
    let is_told = wrong.body.contains("The code is not right");
    assert!(is_told && !wrong.body.contains(r#"value="000000""#));
    let same = between(&wrong.body, r#"name="pending" value=""#);
    assert_eq!(same, waiting.pending);
    assert_eq!(wrong.header("set-cookie"), None);
    let right = format!(" {} ", code(&server, &secret));
    let fields = [
        ("pending", &*same),
        ("code", &*right),
        ("next", "/app/jobs"),
    ];
    let entered = posted(&server, PATH, &waiting.cookie, &form(&fields)).is(303);
    assert_eq!(entered.header("location"), Some("/app/jobs"));
    let ended = "fieldstone_sign_in=; Path=/; Max-Age=0";
    assert!(entered.head.contains(ended), "{}", entered.head);
    Browser::of(&server, &entered).get("/app/jobs").is(200);
}

#[test]
fn who_does_not_know_the_password_learns_nothing_of_a_second_factor() {
    let (server, _, _, _) = guarded();
    server.make(
        "/users",
        json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "eight small foxes", "mustChangePassword": false}),
    );
    let wrong = |name: &str, more: &[(&str, &str)]| {
        let all = [&[("username", name), ("password", "a wrong one")][..], more].concat();
        posted(&server, PATH, "", &form(&all)).is(401)
    };
    // but for what each page hides of its form's token anew
    let token = |page: &Answer| between(&page.body, r#"name="token" value=""#);
    let shown = |page: &Answer| page.body.replace(&*token(page), "");
    let of_bob = shown(&wrong("bob", &[])).replace("bob", "ada");
    let with_code = [("code", "000000")];
    for more in [&with_code[..0], &with_code[..]] {
        let page = wrong("ada", more);
        assert_eq!(shown(&page), of_bob);
        assert_eq!(page.header("set-cookie"), None);
    }
    // a code that comes with a right password is not looked at: the page asks for it then
    Waiting::with(&server, &with_code);
}

#[test]
fn a_script_puts_each_step_in_place_of_the_one_before() {
    let (server, secret, _, _) = guarded();
    let asked = by_script(&server, "", &[("username", "ada"), ("password", PASSWORD)]).is(403);
    let waiting = Waiting::behind(&server, &asked);
    let wrong = waiting.send_by_script("000000").is(401);
    let right = waiting.send_by_script(&code(&server, &secret));
    assert_eq!(right.header("hx-redirect"), Some("/app/"));
    let void = waiting.send_by_script("000000").is(401);
    assert!(void.body.contains(AGAIN) && void.body.contains(r#"name="password""#));
    for part in [&asked, &wrong, &void] {
        assert!(part.body.contains("<section") && !part.body.contains("<html"));
        assert_eq!(part.header("hx-retarget"), Some("closest section"));
        assert_eq!(part.header("hx-reswap"), Some("outerHTML"));
    }
}

#[test]
fn the_code_has_to_follow_within_five_minutes() {
    let (server, secret, _, _) = guarded();
    let late = Waiting::of_ada(&server);
    server.clock.forward(5 * 60);
    begins_again(late.send(&code(&server, &secret)));
    let in_time = Waiting::of_ada(&server);
    server.clock.forward(5 * 60 - 1);
    in_time.send(&code(&server, &secret)).is(303);
    // nor does one last that was begun while the clock was ahead
    let year = 365 * 24 * 3600;
    server.clock.forward(year);
    let ahead = Waiting::of_ada(&server);
    server.clock.forward(-year);
    begins_again(ahead.send(&code(&server, &secret)));
}

#[test]
fn what_one_browser_began_no_other_one_ends() {
    let (server, secret, _, _) = guarded();
    let (own, other) = (Waiting::of_ada(&server), Waiting::of_ada(&server));
    let right = code(&server, &secret);
    for cookie in [
        "",
        &other.cookie,
        "fieldstone_sign_in=",
        "fieldstone_sign_in=x",
    ] {
        let fields = form(&[("pending", &own.pending), ("code", &right)]);
        begins_again(posted(&server, PATH, cookie, &fields));
    }
    let (whose, rest) = own.pending.split_once('.').expect("parts");
    let (until, mac) = rest.split_once('.').expect("parts");
    let later = until.parse::<i64>().expect("a moment") + 3_600_000;
    for forged in [
        String::new(),
        format!("{whose}.{later}.{mac}"),
        format!("{whose}.{until}."),
        format!("{}.{until}.{mac}", server.tenant),
    ] {
        let fields = form(&[("pending", &forged), ("code", &right)]);
        begins_again(posted(&server, PATH, &own.cookie, &fields));
    }
    own.send(&right).is(303);
}

#[test]
fn another_password_or_factor_and_a_user_that_was_switched_off_end_what_was_begun() {
    let (server, secret, _, session) = guarded();
    // the last administrator can't be switched off
    server.make(
        "/users",
        json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": "eight small foxes", "roles": [server.role("ACCOUNT ADMINISTRATOR")]}),
    );
    let waiting = Waiting::of_ada(&server);
    let chosen = "seven grey owls";
    let body = json!({"password": PASSWORD, "newPassword": chosen});
    server
        .ask(&session, "PUT /session/password", Some(body))
        .is(204);
    begins_again(waiting.send(&code(&server, &secret)));
    let sign_in = form(&[("username", "ada"), ("password", chosen)]);
    let asked = || Waiting::behind(&server, &posted(&server, PATH, "", &sign_in).is(403));
    let waiting = asked();
    let line = |what: &str| format!("{what} /users/{}", server.ada);
    server
        .root(&format!("{}/disable", line("POST")), None)
        .is(200);
    begins_again(waiting.send(&code(&server, &secret)));
    server
        .root(&format!("{}/enable", line("POST")), None)
        .is(200);
    let waiting = asked();
    server
        .root(&format!("{}/second-factor", line("DELETE")), None)
        .is(200);
    begins_again(waiting.send(&code(&server, &secret)));
    posted(&server, PATH, "", &sign_in).is(303);
}

#[test]
fn who_ends_all_sessions_ends_what_was_begun_of_a_sign_in() {
    let (server, secret, _, session) = guarded();
    let waiting = Waiting::of_ada(&server);
    server.ask(&session, "DELETE /my/sessions", None).is(204);
    begins_again(waiting.send(&code(&server, &secret)));
    // also where someone else does, and twice in one moment
    let line = format!("DELETE /users/{}/sessions", server.ada);
    for _ in 0..2 {
        let waiting = Waiting::of_ada(&server);
        server.root(&line, None).is(204);
        begins_again(waiting.send(&code(&server, &secret)));
    }
    let waiting = Waiting::of_ada(&server);
    waiting.send(&code(&server, &secret)).is(303);
}

#[test]
fn a_password_leads_to_one_session() {
    let (server, secret, codes, _) = guarded();
    let (first, second) = (Waiting::of_ada(&server), Waiting::of_ada(&server));
    first.send(&code(&server, &secret)).is(303);
    server.clock.forward(30);
    let next = code(&server, &secret);
    begins_again(first.send(&next));
    // what was begun elsewhere with the same password begins again, too
    begins_again(second.send(&next));
    let waiting = Waiting::of_ada(&server);
    let mut statuses = at_once(8, |at| {
        let fields = form(&[("pending", &waiting.pending), ("code", &codes[at])]);
        posted(&server, PATH, &waiting.cookie, &fields).status
    });
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 401, 401, 401, 401, 401, 401, 401]);
}

/// Asserts that a page tells when to come back, by its header and in words.
#[track_caller]
fn tells_when(refused: &Answer) {
    let seconds = refused.header("retry-after").expect("a time");
    let unit = if seconds == "1" { "second" } else { "seconds" };
    let told = format!("Too many attempts. Try again in {seconds} {unit}.");
    assert!(refused.body.contains(&told), "{told}: {}", refused.body);
}

#[test]
fn passwords_that_are_tried_too_often_on_the_page_are_told_when_to_come_back() {
    let server = AdminServer::start();
    let wrong = form(&[("username", "ada"), ("password", "a wrong password")]);
    let mut tries = (0..20).map(|_| posted(&server, PATH, "", &wrong));
    let refused = tries.find(|it| it.status != 401).expect("a limit");
    tells_when(&refused.is(429));
}

#[test]
fn passwords_that_are_tried_too_often_for_a_proof_are_told_when_to_come_back_and_stand_in_the_trail()
 {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/roles/new").is(200);
    server.clock.forward(3600);
    let asked = browser.send(&page, "/app/roles", &[("name", "Auditor")]);
    let asked = asked.is(403);
    let fields = [
        ("password", "a wrong password"),
        ("kept-to", "/roles"),
        ("kept", "name=Auditor"),
    ];
    let mut tries = (0..20).map(|_| browser.send(&asked, "/app/proof", &fields));
    let refused = tries.find(|it| it.status != 400).expect("a limit");
    tells_when(&refused.is(429));
    let entries = crate::incidents::told(&server, "too_many_requests");
    assert_eq!(entries[0]["id"], server.ada, "{entries:?}");
}

#[test]
fn codes_that_are_tried_on_the_page_are_counted_as_all_are() {
    let (server, secret, _, _) = guarded();
    let waiting = Waiting::of_ada(&server);
    let tries: Vec<_> = (0..20).map(|_| waiting.send("000000")).collect();
    let looked_at = tries.iter().take_while(|it| it.status == 401).count();
    assert_eq!(looked_at, 10);
    let last = tries[19].body.as_str();
    assert!(tries[19].status == 429 && last.contains(r#"name="code""#));
    tells_when(&tries[19]);
    // not even the right one is looked at, and management counts the same
    let right = code(&server, &secret);
    waiting.send(&right).is(429);
    let body = json!({"username": "ada", "password": PASSWORD, "code": right}).to_string();
    let line = "POST /admin/api/v1/sessions";
    server.send(line, &[], Some(&body)).is(429);
    server.pass(60);
    waiting.send(&code(&server, &secret)).is(303);
}

#[test]
fn wrong_codes_stand_in_the_trail_under_whose_they_are() {
    let (server, _, _, _) = guarded();
    let waiting = Waiting::of_ada(&server);
    waiting.send("000000").is(401);
    waiting.send("000000").is(401);
    let entries = crate::incidents::told(&server, "sign_in_failed");
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0]["id"], server.ada, "{entries:?}");
}

#[test]
fn a_form_of_a_session_that_ended_goes_along_through_both_steps() {
    let (server, secret, _, _) = guarded();
    let entered = Waiting::of_ada(&server).send(&code(&server, &secret));
    let browser = Browser::of(&server, &entered.is(303));
    let page = browser.get("/app/areas").is(200);
    server.clock.forward(3 * 3600);
    let fields = [("name", HOSTILE), ("description", "Money")];
    let asked = browser.send(&page, "/app/areas", &fields).is(401);
    let carried = crate::pages_held_up::carried(&asked.body);
    let mut all = vec![("username", "ada"), ("password", PASSWORD)];
    all.extend(carried.iter().map(|(name, value)| (*name, &**value)));
    let asked = posted(&server, PATH, &browser.cookie, &form(&all)).is(403);
    // the whole page comes, without a script
    assert!(asked.body.contains("<html") && !asked.body.contains("hx-post"));
    let waiting = Waiting::behind(&server, &asked);
    let right = code(&server, &secret);
    let carried = crate::pages_held_up::carried(&asked.body);
    let mut all = vec![("pending", &*waiting.pending), ("code", &*right)];
    all.extend(carried.iter().map(|(name, value)| (*name, &**value)));
    let both = browser.with_cookie(&waiting.cookie);
    let entered = posted(&server, PATH, &both.cookie, &form(&all)).is(200);
    assert!(entered.body.contains(r#"action="/app/areas""#) && entered.body.contains("Money"));
    for page in [&asked, &entered] {
        assert!(!page.body.contains("<script>alert"), "{}", page.body);
    }
    let own = Browser::of(&server, &entered);
    own.send(&entered, "/app/areas", &fields).is(303);
}

#[test]
fn a_hash_of_other_costs_is_made_anew_while_the_password_is_there() {
    let (server, secret, _, _) = guarded();
    let old = hash_cheaply(&server);
    let waiting = Waiting::of_ada(&server);
    assert_ne!(user(&server, &server.ada).password_hash, old);
    waiting.send(&code(&server, &secret)).is(303);
}
