//! Clients, webhooks, data domains, one's own profile, usage and the trail in the application.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, form, posted, shown_once};
use crate::second_factor::code;
use runtime::store::deliveries::{DeadLetter, Delivery};
use runtime::value::Timestamp;
use serde_json::json;

/// Where a form of a page goes, by its operation.
#[track_caller]
fn form_of(body: &str, operation: &str) -> String {
    let (before, _) = body
        .split_once(&format!(r#"data-operation="{operation}""#))
        .expect(operation);
    let action = before.rsplit(r#"action=""#).next().expect("an action");
    action.split('"').next().expect("its end").to_owned()
}

#[test]
fn a_client_is_made_its_secret_shown_once_renewed_switched_and_deleted() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/clients/new").is(200);
    let wrong = [("name", "Warehouse"), ("token-seconds", "soon")];
    let refused = browser.send(&page, "/app/clients", &wrong).is(400);
    assert!(refused.body.contains(r#"id="told-token-seconds""#) && refused.body.contains("soon"));
    let fields = [("name", "Warehouse"), ("token-seconds", "60")];
    let made = browser.send(&page, "/app/clients", &fields).is(200);
    assert_eq!(made.header("cache-control"), Some("no-store"));
    let secret = shown_once(&made.body);
    let list = browser.get("/app/clients").is(200);
    assert!(list.body.contains("Warehouse") && !list.body.contains(&secret));
    let place = form_of(&made.body, "updateApp");
    let renewed = browser.send(&made, &form_of(&made.body, "renewSecretOfApp"), &[]);
    assert_ne!(shown_once(&renewed.is(200).body), secret);
    browser
        .send(&made, &form_of(&made.body, "disableApp"), &[])
        .is(303);
    let off = browser.get(&place).is(200);
    browser
        .send(&off, &form_of(&off.body, "enableApp"), &[])
        .is(303);
    let renamed = [
        ("name", "Depot"),
        ("token-seconds", "60"),
        ("active", "true"),
    ];
    browser.send(&off, &place, &renamed).is(303);
    assert!(browser.get("/app/clients").body.contains("Depot"));
    browser
        .send(&off, &form_of(&off.body, "deleteApp"), &[])
        .is(303);
    browser.get(&place).is(404);
}

#[test]
fn a_webhook_tells_what_it_could_not_deliver_and_sends_it_again() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/webhooks/new").is(200);
    let wrong = [("name", "Hook"), ("url", "gopher://nowhere")];
    let refused = browser.send(&page, "/app/webhooks", &wrong).is(400);
    assert!(
        refused.body.contains(r#"id="told-url""#) && refused.body.contains("must have 1 to 100")
    );
    let fields = [
        ("name", "Hook"),
        ("url", "https://example.org/x"),
        ("dataset", &*dataset),
    ];
    let made = browser.send(&page, "/app/webhooks", &fields).is(200);
    assert!(shown_once(&made.body).starts_with("whsec_"));
    let place = form_of(&made.body, "updateWebhook");
    let shown = browser.get(&place).is(200);
    assert!(!shown.body.contains("whsec_") && shown.body.contains("Last delivered"));
    let renewed = browser.send(&shown, &form_of(&shown.body, "renewSecretOfWebhook"), &[]);
    assert!(shown_once(&renewed.is(200).body).starts_with("whsec_"));
    browser
        .send(&shown, &form_of(&shown.body, "disableWebhook"), &[])
        .is(303);
    // what was given up is listed, and told why it does not arrive
    let number = server.service.store().catalog().datasets[&dataset].number;
    let dead = DeadLetter {
        dataset: number,
        after: 0,
        last: 1,
        changes: 1,
        at: Timestamp::from_millis(0),
        error: "it answered 500".to_owned(),
    };
    let id = place.rsplit('/').next().expect("an id");
    server.note_delivery(id, Delivery::default(), Some(dead));
    let off = browser.get(&place).is(200);
    assert!(off.body.contains("Undelivered") && off.body.contains("it answered 500"));
    let resend = form_of(&off.body, "resendDeadLetter");
    let failed = browser.send(&off, &resend, &[]).is(409);
    assert!(failed.body.contains("did not arrive") && failed.body.contains("Undelivered"));
    browser
        .send(&off, &form_of(&off.body, "enableWebhook"), &[])
        .is(303);
    browser
        .send(&shown, &format!("{place}/letters/7/resend"), &[])
        .is(404);
    assert!(browser.get("/app/webhooks").body.contains("Hook"));
    browser
        .send(&off, &form_of(&off.body, "deleteWebhook"), &[])
        .is(303);
    browser.get(&place).is(404);
}

#[test]
fn a_data_domain_is_written_as_lines() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/domains/new").is(200);
    let twice = [("name", "Countries"), ("codes", "DE = Germany\r\nDE")];
    let refused = browser.send(&page, "/app/domains", &twice).is(400);
    assert!(refused.body.contains("stands here twice") && refused.body.contains("DE = Germany"));
    let fields = [
        ("name", "Countries"),
        ("codes", "DE = Germany\r\nFR\tFrance"),
    ];
    let made = browser.send(&page, "/app/domains", &fields).is(303);
    let place = made.header("location").expect("a place").to_owned();
    let shown = browser.get(&place).is(200);
    assert!(
        shown.body.contains("DE = Germany\nFR = France"),
        "{}",
        shown.body
    );
    let place = form_of(&shown.body, "updateDomain");
    let version = between(&shown.body, r#"name="version" value=""#);
    let change = |version: &str| {
        let fields = [("name", "Countries"), ("codes", "DE"), ("version", version)];
        browser.send(&shown, &place, &fields)
    };
    change(&version).is(303);
    let stale = change(&version).is(409);
    assert!(stale.body.contains("role=\"alert\""));
    // what is stored by now is shown beside what was typed, and saving it again is no conflict any more
    let other = [
        ("name", "Lands"),
        ("codes", "IT = Italy"),
        ("codes-shown", "DE = Germany\nFR = France"),
        ("version", &*version),
    ];
    let stale = browser.send(&shown, &place, &other).is(409);
    assert!(stale.body.contains("Stored now: Countries"));
    assert!(
        stale.body.contains("IT = Italy") && stale.body.contains(">DE</pre>"),
        "{}",
        stale.body
    );
    let version = between(&stale.body, r#"name="version" value=""#);
    let other = [
        ("name", "Lands"),
        ("codes", "IT = Italy"),
        ("version", &*version),
    ];
    browser.send(&stale, &place, &other).is(303);
    assert!(browser.get(&place).body.contains("IT = Italy"));
    browser
        .send(&shown, &form_of(&shown.body, "deleteDomain"), &[])
        .is(303);
    assert!(
        browser
            .get("/app/domains")
            .body
            .contains("No data domains yet")
    );
}

#[test]
fn one_changes_ones_address_second_factor_and_sessions() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let before = Browser::signed_in(&server);
    let page = browser.get("/app/profile").is(200);
    let email = |password: &str, email: &str| {
        let fields = [("password", password), ("email", email)];
        browser.send(&page, "/app/profile/email", &fields)
    };
    let wrong = email("wrong", "ada@example.com").is(400);
    assert!(wrong.body.contains(r#"id="told-password""#) && wrong.body.contains("ada@example.com"));
    email(PASSWORD, "ada@example.com").is(303);
    assert!(browser.get("/app/profile").body.contains("ada@example.com"));
    let begun = browser
        .send(&page, "/app/profile/second-factor", &[])
        .is(200);
    assert_eq!(begun.header("cache-control"), Some("no-store"));
    let secret = shown_once(&begun.body);
    assert!(begun.body.contains("otpauth://totp/") && begun.body.contains("class=\"camera-code\""));
    let confirm = |code: &str| {
        let fields = [("code", code), ("setup-secret", &*secret)];
        browser.send(&begun, "/app/profile/second-factor/confirm", &fields)
    };
    let wrong = confirm("000000").is(400);
    assert!(wrong.body.contains(&secret) && wrong.body.contains(r#"id="told-code""#));
    let confirmed = confirm(&code(&server, &secret)).is(200);
    assert!(confirmed.body.matches(r#"<code class="secret">"#).count() > 5);
    assert!(browser.get("/app/profile").body.contains("asks for a code"));
    // it was begun without a code
    before.get("/app/").is(303);
    browser
        .send(&page, "/app/profile/second-factor/remove", &[])
        .is(303);
    let other = Browser::signed_in(&server);
    // the other session is seen, and ends
    let page = browser.get("/app/profile").is(200);
    // one's own is in use, whatever was written down of that
    let told = page.body.matches("Last used").count();
    assert_eq!(told, 1, "{}", page.body);
    let end = form_of(&page.body, "endSession");
    browser.send(&page, &end, &[]).is(303);
    other.get("/app/").is(303);
    let third = Browser::signed_in(&server);
    browser
        .send(&page, "/app/profile/sessions/end-others", &[])
        .is(303);
    third.get("/app/").is(303);
    browser.get("/app/").is(200);
}

#[test]
fn the_day_on_which_a_key_ends_is_changed_and_left_as_it_was_otherwise() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let body = json!({"name": "Nightly", "expiresAt": "2035-06-01T10:30:00.000Z"});
    let id = server.make("/api-keys", body).text("apiKeyId");
    let path = format!("/app/keys/{id}");
    let expires = || server.get(&format!("/api-keys/{id}"))["expiresAt"].clone();
    let save = |day: &str| {
        let page = browser.get(&path).is(200);
        let was = between(&page.body, r#"name="w-expires" value=""#);
        let fields = [
            ("name", "Nightly"),
            ("expires", day),
            ("w-expires", &*was),
            ("active", "true"),
        ];
        browser.send(&page, &path, &fields)
    };
    save("2035-06-01").is(303);
    assert_eq!(expires(), json!("2035-06-01T10:30:00.000Z"));
    save("2036-01-31").is(303);
    assert_eq!(expires(), json!("2036-01-31T23:59:59.000Z"));
    let page = browser.get(&path).is(200);
    assert!(page.body.contains(r#"name="expires" value="2036-01-31""#));
    for (day, told) in [("2001-01-01", "is past"), ("soon", "Write the day as")] {
        let refused = save(day).is(400);
        assert!(refused.body.contains(told), "{day}: {}", refused.body);
        assert!(refused.body.contains(&format!(r#"value="{day}""#)));
    }
    save("").is(303);
    assert_eq!(expires(), json!(null));
}

#[test]
fn settings_tell_of_the_tenant_and_why_nothing_of_it_is_changed_here() {
    let server = AdminServer::start();
    let tenant = server.get("/tenant");
    let name = tenant["name"].as_str().expect("a name");
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/settings").is(200);
    let (_, main) = page.body.split_once("<main").expect("it");
    for own in [name, &*server.tenant, "fieldstone tenant rename"] {
        assert!(main.contains(own), "{own}: {main}");
    }
    assert!(main.contains("The service accepts changes."), "{main}");
    assert!(main.contains("href=\"/app/usage\"") && !main.contains("data-operation"));
    // who is no administrator sees the tenant, as management has it, and is told why not the rest
    let user = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "roles": [server.role("MEMBER")]});
    let invited = server.make("/invitations", user).text("invitation");
    let code = [("code", &*invited), ("password", "seven grey owls")];
    posted(&server, "/app/invitation", "", &form(&code)).is(303);
    let bob = Browser::entered(&server, "bob", "seven grey owls");
    let page = bob.get("/app/settings").is(200);
    let (_, main) = page.body.split_once("<main").expect("it");
    assert!(main.contains(name) && main.contains("Only administrators see"));
    assert!(!main.contains("The service accepts changes."), "{main}");
}

#[test]
fn usage_is_a_table_with_bars_and_the_trail_is_narrowed_and_taken_along() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let usage = browser.get("/app/usage").is(200);
    assert!(
        usage.body.contains("100 GiB") && usage.body.contains("<svg"),
        "{}",
        usage.body
    );
    let count = |body: &str| body.matches("<tr id=\"n").count();
    let all = browser.get("/app/audit").is(200);
    let areas = browser.get("/app/audit?noun=area&action=create").is(200);
    assert!(
        count(&areas.body) == 1
            && count(&all.body) > 3
            && areas
                .body
                .contains(r#"</b></a>: created<span class="muted small block">Id <code>"#),
        "{}",
        areas.body
    );
    assert_eq!(count(&browser.get("/app/audit?actor=nobody").body), 0);
    assert_eq!(count(&browser.get("/app/audit?to=2001-01-01").body), 0);
    assert_eq!(
        count(&browser.get("/app/audit?from=2001-01-01&actor=ada").body),
        count(&browser.get("/app/audit?actor=ada").body)
    );
    // who did it on the service's machine is found by what the list calls it, too
    let by_name = browser.get("/app/audit?actor=a+test").is(200);
    let called = browser.get("/app/audit?actor=a+test+%28on+the+server%29");
    assert!(by_name.body.contains(">a test (on the server)</td>"));
    assert_eq!(count(&called.is(200).body), count(&by_name.body));
    let wrong = browser.get("/app/audit?from=yesterday").is(200);
    assert!(wrong.body.contains("role=\"alert\"") && wrong.body.contains("yesterday"));
    let file = browser.get("/app/audit/export?noun=area").is(200);
    assert_eq!(file.header("content-type"), Some("application/x-ndjson"));
    assert!(file.body.contains(r#""noun":"area""#) && !file.body.contains(r#""noun":"dataset""#));
    // management narrows in the same way
    let found = server.get("/audit?noun=dataset&action=create");
    assert_eq!(found["items"].as_array().expect("items").len(), 1);
    server.root("GET /audit?action=nothing", None).is(400);
    server.root("GET /audit?from=yesterday", None).is(400);
}

#[test]
fn a_deployment_without_data_shows_what_to_do_next() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let primary = |body: &str| body.matches("button primary").count();
    let home = browser.get("/app/").is(200);
    assert!(home.body.contains("Getting started") && primary(&home.body) == 1);
    assert!(
        home.body
            .contains(r#"class="button primary" href="/app/areas?next=%2Fapp%2F#new""#)
    );
    let page = browser.get("/app/areas?next=%2Fapp%2F").is(200);
    let fields = [("name", "Finance"), ("next", "/app/")];
    let made = browser.send(&page, "/app/areas", &fields).is(303);
    assert_eq!(made.header("location"), Some("/app/"));
    let home = browser.get("/app/").is(200);
    let areas = server.get("/areas");
    let area = areas["items"][0]["businessAreaId"].as_str();
    let schema = format!("/app/areas/{}/schemas/new", area.expect("an id"));
    let step = format!(r#"class="button primary" href="{schema}""#);
    assert!(home.body.contains(&step), "{}", home.body);
    // where it leads, one can be made
    browser.get(&schema).is(200);
    // what someone else made is there, and not reached
    let _ = server.places(&crate::admin_server::city());
    let home = browser.get("/app/").is(200);
    assert!(
        home.body
            .contains(&format!(r#"href="/app/users/{}""#, server.ada))
    );
}
