//! Forms of records, and of what has a name, that a sign-in held up: what one of them would do is said before it is sent, and to
//! which of them, and a file is chosen again on the page of its record.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, field, form, give_ada, posted, written};
use crate::pages_held_up::carried;
use crate::requests::Answer;
use serde_json::{Value, json};

/// The page to which a sign-in leads with a form that came when its session had ended.
fn kept(browser: &Browser<'_>, asked: &Answer) -> Answer {
    let mut all = vec![("username", "ada"), ("password", PASSWORD)];
    let carried = carried(&asked.body);
    all.extend(carried.iter().map(|(name, value)| (*name, &**value)));
    let page = posted(browser.server, "/app/sign-in", &browser.cookie, &form(&all));
    page.is(200)
}

/// The hidden inputs of a form of a page, which goes to this address.
fn hidden<'p>(page: &'p Answer, path: &str) -> Vec<(&'p str, &'p str)> {
    let own = page.body.split(&format!(r#"action="{path}""#)).nth(1);
    let own = own.unwrap_or_else(|| panic!("no form {path} in {}", page.body));
    let own = own.split("</form>").next().expect("its inputs");
    let inputs = own.split(r#"<input type="hidden" name=""#).skip(1);
    let pairs = inputs.map(|input| {
        let mut parts = input.split('"');
        let name = parts.next().expect("a name");
        (name, parts.nth(1).expect("a value"))
    });
    pairs.filter(|(name, _)| *name != "token").collect()
}

#[test]
fn what_deletes_a_record_says_so_and_which_one_before_it_is_sent_again() {
    let server = AdminServer::start();
    let (dataset, [first, second]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{first}");
    let page = browser.get(&record).is(200);
    let ticked = format!("/app/datasets/{dataset}/selected");
    let both = format!("{ticked}?record={first}&record={second}");
    let ticked_page = browser.get(&both).is(200);
    server.clock.forward(3 * 3600);
    for (page, path, parts) in [
        (
            &page,
            format!("{record}/delete"),
            ["<b>Delete this record</b>", "<dt>Record</dt><dd>A1</dd>"],
        ),
        (
            &ticked_page,
            format!("{ticked}/delete"),
            ["<b>Delete these records</b>", "<dt>Records</dt><dd>2</dd>"],
        ),
    ] {
        let fields = hidden(page, &path);
        let asked = browser.send(page, &path, &fields).is(401);
        let kept = kept(&browser, &asked);
        for part in parts {
            assert!(kept.body.contains(part), "{part}: {}", kept.body);
        }
        assert!(!kept.body.contains("Write many records"), "{}", kept.body);
    }
    let asked = browser.send(&page, &record, &[("v-f-people", "13")]);
    let saved = kept(&browser, &asked.is(401));
    for part in ["<b>Save this record</b>", "<dt>People</dt><dd>13</dd>"] {
        assert!(saved.body.contains(part), "{part}: {}", saved.body);
    }
}

#[test]
fn what_brings_back_or_changes_a_record_or_deletes_a_key_says_which_one() {
    let server = AdminServer::start();
    let (dataset, [first, second]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let record = format!("{there}/records/{first}");
    let page = browser.get(&record).is(200);
    let mut fields = hidden(&page, &record);
    fields.extend([("v-f-code", "A1"), ("v-f-people", "13")]);
    browser.send(&page, &record, &fields).is(303);
    let past = browser.get(&format!("{record}/history")).is(200);
    let version = between(&past.body, &format!(r#"action="{record}/versions/"#));
    let version = version.split('/').next().expect("a version");
    let restored = format!("{record}/versions/{version}/restore");
    let own = format!("{record}/versions/{version}");
    let own = browser.get(&own).is(200);
    let cell = format!("{record}/cells/f-people");
    let editor = format!("{cell}?columns=f-code%20f-people");
    let editor = browser.part(&editor).is(200);
    let gone = format!("{there}/records/{second}");
    browser.delete(&gone);
    let deleted = browser.get(&format!("{there}/deleted")).is(200);
    let its_past = browser.get(&format!("{gone}/history")).is(200);
    let (key, _) = server.key("Reader", &[], &[]);
    let key = format!("/app/keys/{key}");
    let key_page = browser.get(&key).is(200);
    server.clock.forward(3 * 3600);
    let back = format!("{gone}/restore");
    let key_gone = format!("{key}/delete");
    for (page, path, about) in [
        (&past, &restored, "<dt>Record</dt><dd>A1</dd>"),
        (&own, &restored, "<dt>Record</dt><dd>A1</dd>"),
        (&editor, &cell, "<dt>Record</dt><dd>A1</dd>"),
        (&deleted, &back, "<dt>Record</dt><dd>A2</dd>"),
        (&its_past, &back, "<dt>Record</dt><dd>A2</dd>"),
        (&key_page, &key_gone, "<dt>API key</dt><dd>Reader</dd>"),
    ] {
        let fields = hidden(page, path);
        let asked = browser.send(page, path, &fields).is(401);
        let kept = kept(&browser, &asked);
        assert!(kept.body.contains(about), "{path}: {}", kept.body);
    }
}

#[test]
fn what_is_deleted_or_changed_under_a_name_is_named_before_the_form_is_sent_again() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let catalog = server.service.store().catalog();
    let own = &catalog.datasets[&dataset];
    let (area, schema) = (own.area.clone(), own.schema.clone());
    let make = |path: &str, id: &str, body: Value| server.make(path, body).text(id);
    let domain = make(
        "/domains",
        "dataDomainId",
        json!({"name": "Kinds", "codes": []}),
    );
    let role = make(
        "/roles",
        "roleId",
        json!({"name": "Auditor", "permissions": []}),
    );
    let client = make("/apps", "clientId", json!({"name": "Loader"}));
    let hook = json!({"name": "Hook", "url": "https://example.org/arrives", "datasets": [dataset],
        "active": false});
    let hook = make("/webhooks", "webhookId", hook);
    let (key, _) = server.key("Reader", &[], &[]);
    let user = &server.ada;
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    // signed in anew in another tab
    let now = Browser::signed_in(&server);
    let token = between(&page.body, r#"name="token" value=""#);
    let body = form(&[("token", &token)]);
    let sent = |path: &str, language: &str| {
        let headers = [
            ("Cookie", &*now.cookie),
            ("Sec-Fetch-Site", "same-origin"),
            ("Accept-Language", language),
            ("Content-Type", "application/x-www-form-urlencoded"),
        ];
        let line = format!("POST /app/{path}");
        server.send(&line, &headers, Some(&body)).is(403)
    };
    for (path, label, name) in [
        (format!("areas/{area}/delete"), "Area", "Places"),
        (format!("schemas/{schema}/delete"), "Schema", "City"),
        (format!("datasets/{dataset}/delete"), "Dataset", "Europe"),
        (format!("domains/{domain}/delete"), "Data domain", "Kinds"),
        (format!("roles/{role}/delete"), "Role", "Auditor"),
        (format!("users/{user}/sign-out"), "User", "ada"),
        (format!("keys/{key}/disable"), "API key", "Reader"),
        (format!("clients/{client}/secret"), "Client", "Loader"),
        (format!("webhooks/{hook}/delete"), "Webhook", "Hook"),
    ] {
        let kept = sent(&path, "en");
        let about = format!("<dt>{label}</dt><dd>{name}</dd>");
        assert!(kept.body.contains(&about), "{path}: {}", kept.body);
    }
    let german = sent(&format!("datasets/{dataset}/delete"), "de");
    let about = "<dt>Datenbestand</dt><dd>Europe</dd>";
    assert!(german.body.contains(about), "{}", german.body);
}

#[test]
fn a_file_of_a_record_is_chosen_again_on_its_page() {
    let server = AdminServer::start();
    let document = json!({"name": "Hall", "fields": [
        field("f-code", "Code", "string", true),
        field("f-plan", "Plan", "document", false),
    ]});
    let [area, _, dataset] = server.places(&document);
    give_ada(&server, &area);
    let ids = written(&server, &dataset, &[json!({"Code": "H1"})]);
    let browser = Browser::signed_in(&server);
    let record = format!("/app/datasets/{dataset}/records/{}", ids[0]);
    let to = format!("{record}/files/f-plan");
    let page = browser.get(&record).is(200);
    let fields = hidden(&page, &to);
    assert!(fields.iter().any(|(name, _)| *name == "version"));
    // signed in anew in another tab
    let now = Browser::signed_in(&server);
    let token = between(&page.body, r#"name="token" value=""#);
    // one that is large is taken whole, so that a browser reads the answer
    let plan = "plan".repeat(1 << 20);
    let part = "--b0und\r\nContent-Disposition: form-data; name=";
    let body = format!(
        "{part}\"token\"\r\n\r\n{token}\r\n{part}\"file\"; filename=\"p.txt\"\r\n\r\n{plan}\r\n--b0und--\r\n"
    );
    let headers = [
        ("Cookie", &*now.cookie),
        ("Sec-Fetch-Site", "same-origin"),
        ("Content-Type", "multipart/form-data; boundary=b0und"),
    ];
    let line = format!("POST {to}");
    let told = server.send(&line, &headers, Some(&body)).is(403);
    for part in [
        "Not sent yet",
        "the file is not: choose it again",
        r#"<input type="file" name="file" required>"#,
        &format!(r#"action="{to}""#),
    ] {
        assert!(told.body.contains(part), "{part}: {}", told.body);
    }
    // its session has ended
    server.clock.forward(3 * 3600);
    let file = ("plan.txt", "plan");
    let asked = browser.send_file(&page, &to, &fields, file).is(401);
    assert!(asked.body.contains("choose the file again"));
    let next = between(&asked.body, r#"name="next" value=""#).replace("&#38;", "&");
    let next = next.replace("&amp;", "&");
    assert!(next.starts_with(&format!("{record}?")), "{next}");
    let fields = [
        ("username", "ada"),
        ("password", PASSWORD),
        ("next", &*next),
    ];
    let entered = posted(&server, "/app/sign-in", &browser.cookie, &form(&fields)).is(303);
    let place = entered.header("location").expect("a place");
    assert!(place.starts_with(&format!("{record}?")), "{place}");
    let there = Browser::of(&server, &entered).get(place).is(200);
    let told = "only the file has to be chosen again";
    assert!(there.body.contains(told) && there.body.contains(&format!(r#"action="{to}""#)));
}
