//! Two change what gives access, and one of them by a page that is older than the other's change: no right comes back that
//! was taken away.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, shown_once};
use crate::requests::Answer;
use crate::second_factor::code;
use serde_json::{Value, json};

/// Sends the form of a page with the mark that stands in it.
fn saved(browser: &Browser<'_>, page: &Answer, path: &str, fields: &[(&str, &str)]) -> Answer {
    let seen = between(&page.body, r#"name="seen" value=""#);
    let mut fields = fields.to_vec();
    fields.push(("seen", &seen));
    browser.send(page, path, &fields)
}

/// Whether a text stands in an input of a page.
fn holds(page: &Answer, typed: &str) -> bool {
    let line = format!(r#"value="{typed}""#);
    let lines = format!("\n{typed}</textarea>");
    page.body.contains(&line) || page.body.contains(&lines)
}

/// What a page tells, that keeps the text that was typed and ticks nothing.
#[track_caller]
fn is_told(page: &Answer, typed: &str) {
    let body = &page.body;
    assert!(body.contains("Someone else has changed this"), "{body}");
    assert!(body.contains("Stored now:"), "{body}");
    assert!(holds(page, typed), "{body}");
    assert!(!body.contains(" checked>"), "{body}");
}

#[test]
fn a_key_that_was_switched_off_stays_off_and_has_no_role_that_was_taken_away() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let role = server.role("MEMBER");
    let (id, _) = server.key("Reader", &[&role], &[]);
    let path = format!("/app/keys/{id}");
    let stored = || server.get(&format!("/api-keys/{id}"));
    let old = browser.get(&path).is(200);
    browser.send(&old, &format!("{path}/disable"), &[]).is(303);
    // as the old page would send it: all that was ticked, and a text
    let fields = [
        ("name", "Reader"),
        ("description", "Reads"),
        ("role", &*role),
        ("active", "true"),
    ];
    let refused = saved(&browser, &old, &path, &fields).is(409);
    assert!(holds(&refused, "Reads"));
    assert_eq!(stored()["active"], json!(false));
    assert_eq!(stored()["description"], json!(""));
    // sent again on what is stored it is written, and what it is not about stays
    saved(&browser, &refused, &path, &fields).is(303);
    assert_eq!(stored()["description"], json!("Reads"));
    assert_eq!(stored()["active"], json!(false));
    let old = browser.get(&path).is(200);
    let without = [("name", "Reader"), ("description", "Reads")];
    saved(&browser, &old, &path, &without).is(303);
    let refused = saved(&browser, &old, &path, &fields).is(409);
    is_told(&refused, "Reads");
    assert_eq!(stored()["roles"], json!([]));
    // a name that is missing is told, and makes an old page no new one
    let page = browser.get(&path).is(200);
    let nameless = saved(&browser, &page, &path, &[("name", "")]).is(400);
    browser.send(&page, &format!("{path}/enable"), &[]).is(303);
    saved(&browser, &nameless, &path, &fields).is(409);
}

#[test]
fn a_new_secret_is_made_once_however_often_a_page_asks_for_it() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let (id, first) = server.key("Report", &[&server.role("MEMBER")], &[]);
    let list = browser.get("/app/keys").is(200);
    let (_, own) = list.body.split_once(">Report<").expect("the key");
    let seen = between(own, r#"name="seen" value=""#);
    let send = |seen: &str| {
        let path = format!("/app/keys/{id}/secret");
        browser.send(&list, &path, &[("seen", seen)])
    };
    let second = shown_once(&send(&seen).is(200).body);
    let refused = send(&seen).is(409);
    assert!(refused.body.contains("else changed it meanwhile"));
    for secret in [first, second] {
        server.ask(&secret, "GET /session", None).is(200);
    }
    // the page that tells it can go on
    let (_, own) = refused.body.split_once(">Report<").expect("the key");
    send(&between(own, r#"name="seen" value=""#)).is(200);
}

#[test]
fn a_second_factor_that_another_one_overtook_says_so_whatever_its_code() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let profile = browser.get("/app/profile").is(200);
    let begin = || browser.send(&profile, "/app/profile/second-factor", &[]);
    let secrets = [begin(), begin()].map(|page| shown_once(&page.is(200).body));
    let confirm = |secret: &str| {
        let code = code(&server, secret);
        let fields = [("code", &*code), ("setup-secret", secret)];
        browser.send(&profile, "/app/profile/second-factor/confirm", &fields)
    };
    let overtaken = confirm(&secrets[0]).is(409);
    assert!(overtaken.body.contains("nother second factor was begun"));
    // it offers to begin anew
    let anew = r#"action="/app/profile/second-factor""#;
    assert!(overtaken.body.contains(anew) && !overtaken.body.contains(&secrets[0]));
    confirm(&secrets[1]).is(200);
}

#[test]
fn a_user_that_was_switched_off_stays_off_without_its_roles() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let role = server.role("MEMBER");
    let body = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": PASSWORD, "roles": [role]});
    let id = server.make("/users", body).text("userId");
    let path = format!("/app/users/{id}");
    let stored = || server.get(&format!("/users/{id}"));
    let old = browser.get(&path).is(200);
    let off = [
        ("full-name", "Bob"),
        ("username", "bob"),
        ("email", "bob@example.org"),
        ("active", "false"),
    ];
    saved(&browser, &old, &path, &off).is(303);
    let fields = [
        ("full-name", "Robert"),
        ("username", "bob"),
        ("email", "bob@example.org"),
        ("active", "true"),
        ("role", &*role),
    ];
    let refused = saved(&browser, &old, &path, &fields).is(409);
    is_told(&refused, "Robert");
    assert!(refused.body.contains(r#"<option value="false" selected>"#));
    assert_eq!(stored()["active"], json!(false));
    assert_eq!(stored()["roles"], json!([]));
    assert_eq!(stored()["fullName"], json!("Bob"));
}

#[test]
fn what_a_role_no_longer_allows_no_old_page_allows_again() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let view = |resource: &str| json!([{"resource": resource, "verbs": ["view"]}]);
    let body = json!({"name": "Looks", "permissions": view("DATASETS")});
    let id = server.make("/roles", body).text("roleId");
    let path = format!("/app/roles/{id}");
    let stored = || server.get(&format!("/roles/{id}"));
    let old = browser.get(&path).is(200);
    saved(&browser, &old, &path, &[("name", "Looks")]).is(303);
    let fields = [("name", "Looked"), ("allow", "DATASETS:view")];
    let refused = saved(&browser, &old, &path, &fields).is(409);
    is_told(&refused, "Looked");
    assert_eq!(stored()["permissions"], json!([]));
    saved(&browser, &refused, &path, &fields).is(303);
    assert_eq!(stored()["permissions"], view("DATASETS"));
}

/// Has an old page of a client or a webhook, which was switched off since, save a text.
fn stays_off(server: &AdminServer, path: &str, shown: &str, fields: &[(&str, &str)]) -> Value {
    let browser = Browser::signed_in(server);
    let old = browser.get(path).is(200);
    browser.send(&old, &format!("{path}/disable"), &[]).is(303);
    let refused = saved(&browser, &old, path, fields).is(409);
    assert!(refused.body.contains("Someone else has changed this"));
    assert!(holds(&refused, "Typed"), "{}", refused.body);
    server.get(shown)
}

#[test]
fn a_client_and_a_webhook_that_were_switched_off_stay_off() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let body = json!({"name": "Depot", "tokenSeconds": 60});
    let id = server.make("/apps", body).text("clientId");
    let fields = [
        ("name", "Depot"),
        ("description", "Typed"),
        ("token-seconds", "60"),
        ("active", "true"),
    ];
    let (path, shown) = (format!("/app/clients/{id}"), format!("/apps/{id}"));
    let stored = stays_off(&server, &path, &shown, &fields);
    assert_eq!(stored["active"], json!(false));
    let url = "https://example.org/x";
    let body = json!({"name": "Hook", "url": url, "datasets": [dataset]});
    let id = server.make("/webhooks", body).text("webhookId");
    let fields = [
        ("name", "Hook"),
        ("description", "Typed"),
        ("url", url),
        ("dataset", &*dataset),
        ("active", "true"),
    ];
    let (path, shown) = (format!("/app/webhooks/{id}"), format!("/webhooks/{id}"));
    let stored = stays_off(&server, &path, &shown, &fields);
    assert_eq!(stored["active"], json!(false));
}
