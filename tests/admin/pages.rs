//! The application's pages over HTTP: who may come, what a form asks for, and that no text of anyone becomes markup.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, HOSTILE, between, cities, form, posted};
use crate::hostile::{hostile_places, is_text};
use crate::jobs;
use crate::pages_hostile::hostile_visitor;
use serde_json::json;

#[test]
fn whoever_has_no_session_is_sent_to_sign_in_whatever_it_asks_for() {
    let server = AdminServer::start();
    for (path, next) in [
        ("/app", "%2Fapp"),
        ("/app/", "%2Fapp%2F"),
        (
            "/app/datasets/x?q=is%3Afaulty",
            "%2Fapp%2Fdatasets%2Fx%3Fq%3Dis%253Afaulty",
        ),
        ("/app/nowhere/at/all", "%2Fapp%2Fnowhere%2Fat%2Fall"),
    ] {
        let answer = server.send(&format!("GET {path}"), &[], None).is(303);
        let place = format!("/app/sign-in?next={next}");
        assert_eq!(answer.header("location"), Some(&*place), "{path}");
    }
    // a key is no session
    let by_key = [("Authorization", &*server.root)];
    server.send("GET /app/", &by_key, None).is(303);
    // a part of a page takes the whole page along
    let answer = server
        .send("GET /app/", &[("HX-Request", "true")], None)
        .is(200);
    assert_eq!(
        answer.header("hx-redirect"),
        Some("/app/sign-in?next=%2Fapp%2F")
    );
    server
        .send("POST /app/datasets/x/new", &[], Some("{}"))
        .is(303);
}

#[test]
fn signing_in_leads_to_the_page_that_was_wanted_and_to_no_other_site() {
    let server = AdminServer::start();
    for (next, place) in [
        ("/app/jobs?pageKey=1", "/app/jobs?pageKey=1"),
        ("https://evil.example/", "/app/"),
        ("//evil.example/", "/app/"),
        ("/app//evil.example", "/app/"),
        ("/app/../evil", "/app/"),
        ("/app/areas/%2E./%2e%2e/evil", "/app/"),
        ("/appetite", "/app/"),
        ("/app/sign-in", "/app/"),
        ("/app/\\evil", "/app/"),
        ("", "/app/"),
    ] {
        let body = form(&[("username", "ada"), ("password", PASSWORD), ("next", next)]);
        let answer = posted(&server, "/app/sign-in", "", &body).is(303);
        assert_eq!(answer.header("location"), Some(place), "{next}");
    }
}

#[test]
fn a_wrong_password_tells_no_more_than_management_does() {
    let server = AdminServer::start();
    let body = form(&[("username", "ada"), ("password", "wrong")]);
    let wrong = posted(&server, "/app/sign-in", "", &body).is(401);
    assert!(wrong.body.contains("User name or password is not right."));
    assert!(wrong.body.contains(r#"value="ada""#) && !wrong.body.contains("\"wrong\""));
    assert_eq!(wrong.header("set-cookie"), None);
    let body = form(&[("username", "nobody"), ("password", "wrong")]);
    posted(&server, "/app/sign-in", "", &body).is(401);
    // another site's page makes nobody sign in
    let headers = [
        ("Sec-Fetch-Site", "cross-site"),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let body = form(&[("username", "ada"), ("password", PASSWORD)]);
    server
        .send("POST /app/sign-in", &headers, Some(&body))
        .is(403);
}

#[test]
fn a_form_without_the_token_of_its_session_changes_nothing() {
    let server = AdminServer::start();
    let (dataset, [id, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let other = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/records/{id}");
    let page = other.get(&path).is(200);
    let foreign = between(&page.body, r#"name="token" value=""#);
    for token in ["", "guess", "00", &foreign] {
        let body = form(&[
            ("version", "0"),
            ("v-f-people", "13"),
            ("w-f-people", "12"),
            ("token", token),
        ]);
        posted(&server, &path, &browser.cookie, &body).is(403);
    }
    assert!(browser.get(&path).body.contains(r#"value="12""#));
}

#[test]
fn a_fault_is_seen_beside_its_cell_and_mended_in_the_grid() {
    let server = AdminServer::start();
    let (dataset, [_, faulty]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let home = browser.get("/app/").is(200);
    assert!(home.body.contains("Europe") && home.body.contains("?q=is%3Afaulty"));
    let list = browser
        .get(&format!("/app/datasets/{dataset}?q=is:faulty"))
        .is(200);
    assert!(
        list.body.contains("must be a whole number"),
        "{}",
        list.body
    );
    assert!(list.body.contains("A2") && !list.body.contains(">A1<"));
    let faults = browser
        .get(&format!("/app/datasets/{dataset}/faults"))
        .is(200);
    assert!(
        faults.body.contains("?q=fault%3APeople%2Finteger"),
        "{}",
        faults.body
    );
    let cell = format!("/app/datasets/{dataset}/records/{faulty}/cells/f-people");
    let columns = "f-code f-people";
    let editor = browser
        .part(&format!("{cell}?columns=f-code%20f-people"))
        .is(200);
    assert!(editor.body.contains(r#"value="many""#));
    let fields = [
        ("version", "0"),
        ("columns", columns),
        ("w-f-people", "many"),
        ("v-f-people", "1200"),
    ];
    let row = browser.send_part(&editor, &cell, &fields).is(200);
    assert!(
        row.header("hx-trigger")
            .expect("what changed")
            .contains("figures")
    );
    assert!(
        row.body.contains("1200") && !row.body.contains("must be"),
        "{}",
        row.body
    );
    let figures = browser
        .part(&format!("/app/datasets/{dataset}/figures"))
        .is(200);
    assert!(figures.body.contains("No faults"), "{}", figures.body);
    // the form of before is of a version that is past, and what it was filled in with is kept
    let late = [&fields[..3], &[("v-f-people", "1300")]].concat();
    let stale = browser.send_part(&editor, &cell, &late).is(200);
    assert!(stale.body.contains("Someone else has changed this record"));
    for text in [
        r#"value="1300""#,
        "<b>1200</b>",
        "<b>many</b>",
        r#"value="theirs""#,
    ] {
        assert!(stale.body.contains(text), "{text} in {}", stale.body);
    }
    let left = [&late[..], &[("c-f-people", "theirs")]].concat();
    let row = browser.send_part(&stale, &cell, &left).is(200);
    assert!(row.body.contains("1200") && !row.body.contains("1300"));
}

#[test]
fn a_record_is_made_and_deleted_by_forms() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let path = format!("/app/datasets/{dataset}/new");
    let page = browser.get(&path).is(200);
    let taken = browser.send(&page, &path, &[("v-f-code", "A1"), ("v-f-people", "7")]);
    assert!(taken.is(400).body.contains("Another record has this key"));
    let made = browser
        .send(&page, &path, &[("v-f-code", "A3"), ("v-f-people", "7")])
        .is(303);
    let place = made.header("location").expect("a place").to_owned();
    let there = browser.get(&place).is(200);
    assert!(there.body.contains("Saved.") && there.body.contains(r#"value="A3""#));
    let path = place.split('?').next().expect("a path");
    browser.send(&there, &format!("{path}/delete"), &[]).is(303);
    let gone = browser.get(path).is(404);
    assert!(gone.body.contains("<h1>Not found</h1>") && gone.body.contains("<code>"));
}

/// The pages whose addresses name nothing.
pub(crate) const WITHOUT_ID: [&str; 23] = [
    "/app/",
    "/app/faults",
    "/app/search?q=People%3A%2A",
    "/app/go",
    "/app/areas",
    "/app/schemas",
    "/app/keys",
    "/app/audit",
    "/app/jobs",
    "/app/users",
    "/app/users/new",
    "/app/roles",
    "/app/roles/new",
    "/app/profile",
    "/app/clients",
    "/app/clients/new",
    "/app/webhooks",
    "/app/webhooks/new",
    "/app/domains",
    "/app/domains/new",
    "/app/usage",
    "/app/settings",
    "/app/api",
];

#[test]
fn no_text_of_anyone_becomes_markup() {
    let server = jobs::server();
    let [area, schema, dataset, id] = hostile_places(&server);
    let browser = hostile_visitor(&server, &area, &dataset);
    let key = json!({"name": HOSTILE, "description": HOSTILE, "roles": [], "grants": []});
    let key = server.make("/api-keys", key).text("apiKeyId");
    let client = json!({"name": HOSTILE, "description": HOSTILE});
    let client = server.make("/apps", client).text("clientId");
    let hook = json!({"name": HOSTILE, "description": HOSTILE, "url": "https://example.org", "datasets": [dataset]});
    let hook = server.make("/webhooks", hook).text("webhookId");
    let domain = json!({"name": HOSTILE, "codes": [{"code": HOSTILE, "description": HOSTILE}]});
    let domain = server.make("/domains", domain).text("dataDomainId");
    let role = json!({"name": HOSTILE, "description": HOSTILE, "permissions": []});
    let role = server.make("/roles", role).text("roleId");
    let user = json!({"username": HOSTILE, "fullName": HOSTILE, "email": "one@example.org"});
    let user = server.make("/invitations", user);
    let invitation = form(&[("code", &*user.text("invitation"))]);
    let user = user.text("userId");
    let hostile_options =
        form(&["mode", "format", "delimiter", "map", "split", "sheet"].map(|it| (it, HOSTILE)));
    let hostile_form = form(&["is", "value"].map(|it| (it, HOSTILE)));
    let query = form(&[("q", HOSTILE), ("sort", HOSTILE), ("columns", HOSTILE)]);
    let addresses = [
        format!("/app/sign-in?{}", form(&[("next", HOSTILE)])),
        "/app/password".to_owned(),
        format!("/app/datasets/{dataset}/figures"),
        format!("/app/datasets/{dataset}"),
        format!(
            "/app/datasets/{dataset}/selected?record={id}&field=f-2&show=true&{}",
            form(&[("value", HOSTILE)])
        ),
        format!("/app/datasets/{dataset}/selected?all=true&q=%2A"),
        format!("/app/datasets/{dataset}?{query}"),
        format!("/app/datasets/{dataset}?by=f-2&{hostile_form}"),
        format!("/app/datasets/{dataset}/completions?q="),
        format!("/app/datasets/{dataset}/completions?q=Choice%3A"),
        format!("/app/datasets/{dataset}/completions?{query}"),
        format!("/app/search/completions?{query}"),
        format!("/app/datasets/{dataset}/faults"),
        format!("/app/datasets/{dataset}/deleted"),
        format!("/app/datasets/{dataset}/new"),
        format!("/app/datasets/{dataset}/records/{id}"),
        format!("/app/datasets/{dataset}/records/{id}/history"),
        format!("/app/datasets/{dataset}/records/{id}/versions/0"),
        format!("/app/datasets/{dataset}/records/{id}/cells/f-3?columns=f-3"),
        format!("/app/datasets/{dataset}/records/{id}/cells/f-3?columns=f-2%20f-3&whole=true"),
        format!("/app/datasets/{dataset}/import?{hostile_options}"),
        format!("/app/datasets/{dataset}/export"),
        format!("/app/datasets/{dataset}/export?{query}"),
        format!("/app/datasets/{dataset}/mend?{query}"),
        format!("/app/search?{query}"),
        format!("/app/go?{query}"),
        format!("/app/datasets/{dataset}/api"),
        format!("/app/areas/{area}"),
        format!("/app/schemas/{schema}"),
        format!("/app/schemas/{schema}/edit?field=1"),
        format!("/app/schemas/{schema}/versions"),
        format!("/app/areas/{area}/schemas/new"),
        format!("/app/areas/{area}/schemas/new?from={schema}"),
        format!("/app/users/{user}"),
        format!("/app/roles/{role}"),
        "/app/invitation".to_owned(),
        "/app/setup".to_owned(),
        format!("/app/clients/{client}"),
        format!("/app/webhooks/{hook}"),
        format!("/app/domains/{domain}"),
        format!("/app/keys/{key}"),
        format!(
            "/app/audit?{}",
            form(&["actor", "from", "name", "id", "area"].map(|it| (it, HOSTILE)))
        ),
    ];
    let fixed = WITHOUT_ID.map(str::to_owned);
    for path in fixed.into_iter().chain(addresses) {
        let page = if is_part(&path) {
            browser.part(&path)
        } else {
            browser.get(&path)
        };
        // nothing is left to be set up
        let is_none = path == "/app/setup";
        assert_eq!(page.status, if is_none { 404 } else { 200 }, "{path}");
        for markup in ["<script>alert", "<img", "onerror=alert(2)>"] {
            assert!(!page.body.contains(markup), "{path}: {}", page.body);
        }
        if has_hostile_name(&path) {
            println!("{path}");
            is_text(&page);
        }
        if WITHOUT_ID.contains(&&*path) {
            let (head, _) = page.body.split_once("<main ").expect("a page");
            assert!(head.contains("script&#62;alert(1)"), "{path}: {head}");
        }
        let policy = page.header("content-security-policy").expect("a policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"));
        assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    }
    is_text(&posted(&server, "/app/invitation", "", &invitation).is(200));
}

/// Whether pages ask for this as a part of theirs.
fn is_part(path: &str) -> bool {
    let parts = ["/figures", "/completions", "/cells/"];
    parts.iter().any(|part| path.contains(part))
}

/// Whether a page is of something whose name is hostile, or lists such, or shows a query that is.
fn has_hostile_name(path: &str) -> bool {
    const NOUNS: [&str; 14] = [
        "datasets", "schemas", "areas", "users", "roles", "clients", "webhooks", "domains", "keys",
        "audit", "jobs", "profile", "usage", "settings",
    ];
    if is_part(path) {
        return false;
    }
    let place = path.split('?').next().unwrap_or_default();
    let parts: Vec<_> = place.split('/').skip(2).collect();
    match parts[..] {
        [_, "new"] | [] => false,
        ["search" | "go"] => is_hostile(path),
        [noun, ..] => noun.is_empty() || NOUNS.contains(&noun),
    }
}

/// Whether what an address asks for is hostile, as `form` writes it.
fn is_hostile(path: &str) -> bool {
    path.contains("=%3c")
}

#[test]
fn what_pages_load_is_kept_for_good_under_a_name_that_changes_with_it() {
    let server = AdminServer::start();
    let page = server.send("GET /app/sign-in", &[], None).is(200);
    let sheet = between(&page.body, r#"rel="stylesheet" href=""#);
    let asset = server.send(&format!("GET {sheet}"), &[], None).is(200);
    let kept = asset.header("cache-control").expect("how long");
    assert!(kept.contains("immutable") && asset.body.contains("--fault"));
    for (codings, coding) in [
        ("br, gzip;q=0.5", Some("gzip")),
        ("*", Some("gzip")),
        ("gzip;q=0, *", None),
        ("identity, gzip;q=0.1", None),
    ] {
        let headers = [("Accept-Encoding", codings)];
        let asset = server.send(&format!("HEAD {sheet}"), &headers, None);
        let asset = asset.is(200);
        assert_eq!(asset.header("content-encoding"), coding, "{codings}");
        assert_eq!(asset.header("vary"), Some("accept-encoding"), "{codings}");
    }
    server.send("GET /app/assets/tokens.css", &[], None).is(404);
}
