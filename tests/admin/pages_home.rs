//! Home of the application: what changed lately, for who may see it.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, HOSTILE, between, cities, field, written};
use runtime::service::Settings;
use serde_json::json;

/// What stands on home below the title of recent changes.
fn changes(browser: &Browser) -> Option<String> {
    let home = browser.get("/app/").is(200);
    let (_, below) = home.body.split_once(r#"<h2 id="changes">"#)?;
    let (section, _) = below.split_once("</section>").expect("its end");
    Some(section.to_owned())
}

#[test]
fn home_tells_who_changed_what_and_leads_to_what_is_still_there() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let renamed = json!({"name": "Towns"});
    let line = format!("PUT /datasets/{dataset}");
    server.root(&line, Some(renamed)).is(200);
    let link = format!(r#"<a href="/app/datasets/{dataset}">Towns</a>: changed"#);
    let seen = changes(&browser).expect("changes");
    assert!(
        seen.contains(&link) && seen.contains("root (API key)"),
        "{seen}"
    );
    // whoever signs in changes nothing, and neither does a wrong password
    let again = Browser::signed_in(&server);
    let seen = changes(&again).expect("changes");
    let first = seen.split("<li").nth(1).expect("a change");
    assert!(first.contains(&link), "{seen}");
    assert!(!seen.contains("signed in"), "{seen}");
    // what is gone has a name and no page
    let line = format!("DELETE /datasets/{dataset}");
    server.root(&line, None).is(204);
    let seen = changes(&browser).expect("changes");
    assert!(seen.contains("<b>Towns</b>: deleted"), "{seen}");
    assert!(
        !seen.contains(&format!("/app/datasets/{dataset}")),
        "{seen}"
    );
    // the part that is asked for while jobs run does without
    let part = browser.part("/app/").is(200);
    assert!(!part.body.contains(r#"id="changes""#), "{}", part.body);
}

#[test]
fn recent_changes_are_eight_at_most_and_none_becomes_markup() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    for number in 0..9 {
        let name = format!("{HOSTILE}{number}");
        server.make("/areas", json!({"name": name, "description": HOSTILE}));
    }
    let seen = changes(&browser).expect("changes");
    assert_eq!(seen.matches("<li").count(), 8, "{seen}");
    assert!(
        !seen.contains("<script") && !seen.contains("<img"),
        "{seen}"
    );
    assert!(
        seen.contains("&#60;script") || seen.contains("&lt;script"),
        "{seen}"
    );
}

#[test]
fn who_may_not_see_the_trail_or_an_area_finds_nothing_of_it_on_home() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let administrator = server.role("ACCOUNT ADMINISTRATOR");
    let bob = json!({"username": "bob", "fullName": "Bob", "email": "bob@example.org",
        "password": PASSWORD, "roles": [administrator], "grants": []});
    server.make("/users", bob);
    server.make("/areas", json!({"name": "Vault"}));
    assert!(changes(&browser).expect("changes").contains("Vault"));
    let own = server.get(&format!("/users/{}", server.ada))["grants"].clone();
    let limit = |permissions: serde_json::Value| {
        let name = format!("Limited {permissions}");
        let role = json!({"name": name, "permissions": permissions});
        let role = server.make("/roles", role).text("roleId");
        let ada = json!({"username": "ada", "fullName": "Ada", "email": "ada@example.org",
            "active": true, "roles": [role], "grants": own});
        let line = format!("PUT /users/{}", server.ada);
        server.root(&line, Some(ada)).is(200);
    };
    limit(
        json!([{"resource": "AUDIT", "verbs": ["view"]}, {"resource": "BUSINESS AREAS", "verbs": ["view"]}]),
    );
    let seen = changes(&browser).expect("changes");
    assert!(!seen.contains("Vault"), "{seen}");
    // a dataset that it may not look at is named by the trail, and leads nowhere
    assert!(
        !seen.contains(&format!("/app/datasets/{dataset}")),
        "{seen}"
    );
    assert!(seen.contains("Limited"), "{seen}");
    assert!(!seen.contains(r#"href="/app/roles/"#), "{seen}");
    assert_eq!(
        between(&seen, r#"<p class="more-of"><a href=""#),
        "/app/audit"
    );
    limit(json!([{"resource": "BUSINESS AREAS", "verbs": ["view"]}]));
    assert_eq!(changes(&browser), None);
}

#[test]
fn an_administrator_is_told_how_the_service_is_and_when_it_was_backed_up() {
    let server = AdminServer::start();
    let health = server.get("/health");
    assert_eq!(health, json!({"isReady": true, "search": "current"}));
    let browser = Browser::signed_in(&server);
    let home = browser.get("/app/").is(200);
    assert!(
        home.body.contains("The service accepts changes.") && home.body.contains("--backup-dir")
    );
    let begun = "2020-01-01T02:30:00.000Z".parse().expect("a moment");
    server.service.note_backup(begun);
    assert_eq!(
        server.get("/health")["lastBackupDate"],
        "2020-01-01T02:30:00.000Z"
    );
    let home = browser.get("/app/").is(200);
    assert!(
        home.body.contains("Last backup: 2020-01-01"),
        "{}",
        home.body
    );
    // whoever administers nothing is told nothing of it
    let (_, member) = server.key("member", &[&server.role("MEMBER")], &[]);
    server.ask(&member, "GET /health", None).is(403);
}

#[test]
fn a_service_without_an_index_says_so() {
    let server = AdminServer::without_index(Settings::default());
    assert_eq!(server.get("/health")["search"], "absent");
}

/// What stands on home of the records that were changed last.
fn changed(browser: &Browser) -> Option<String> {
    let home = browser.get("/app/").is(200);
    let (_, below) = home.body.split_once(r#"<h2 id="changed">"#)?;
    Some(
        below
            .split_once("</section>")
            .expect("its end")
            .0
            .to_owned(),
    )
}

pub(crate) fn edit(server: &AdminServer, dataset: &str, lines: &[serde_json::Value]) {
    let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
    let headers = [
        ("Authorization", &*server.root),
        ("Content-Type", "application/x-ndjson"),
        ("Accept", "application/x-ndjson"),
    ];
    let line = format!("POST /admin/api/v1/datasets/{dataset}/records/bulk");
    let answer = server.send(&line, &headers, Some(&lines.join("\n")));
    assert!(
        !answer.is(200).body.contains("message"),
        "a line is refused"
    );
}

#[test]
fn home_tells_which_records_were_changed_last_by_whom_and_in_which_fields() {
    let server = AdminServer::start();
    let (dataset, [first, second]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let seen = changed(&browser).expect("records");
    assert_eq!(seen.matches("<li").count(), 2, "{seen}");
    edit(
        &server,
        &dataset,
        &[json!({"update": {"_dataObjectId": first, "_version": 0, "People": 13}})],
    );
    edit(
        &server,
        &dataset,
        &[json!({"update": {"_dataObjectId": first, "_version": 1, "People": 14}})],
    );
    let seen = changed(&browser).expect("records");
    let lines: Vec<_> = seen.split("<li").skip(1).collect();
    assert_eq!(lines.len(), 2, "each record once: {seen}");
    let link = |id: &str, name: &str| {
        format!(r#"<a href="/app/datasets/{dataset}/records/{id}/history">{name}</a>"#)
    };
    assert!(lines[0].contains(&link(&first, "A1")), "{seen}");
    assert!(
        lines[0].contains("changed: People<") && lines[0].contains("root (API key)"),
        "{seen}"
    );
    assert!(lines[1].contains(&link(&second, "A2")), "{seen}");
    assert!(
        !lines[1].contains("People"),
        "a new record has no changes: {seen}"
    );
    browser.get(&between(lines[0], r#"<a href=""#)).is(200);
    // what is deleted has its history, what is purged has none
    edit(
        &server,
        &dataset,
        &[json!({"delete": {"_dataObjectId": second, "_version": 0}})],
    );
    assert!(changed(&browser).expect("records").contains("A2</a>"));
    server
        .root(
            &format!("DELETE /datasets/{dataset}/deleted-records/{second}"),
            None,
        )
        .is(204);
    assert!(!changed(&browser).expect("records").contains("A2</a>"));
    // eight at most, and no name becomes markup
    let many: Vec<_> = (0..12)
        .map(|at| json!({"Code": format!("{HOSTILE}{at}")}))
        .collect();
    written(&server, &dataset, &many);
    let seen = changed(&browser).expect("records");
    assert_eq!(seen.matches("<li").count(), 8, "{seen}");
    assert!(
        !seen.contains("<script") && !seen.contains("<img"),
        "{seen}"
    );
}

#[test]
fn changed_records_are_told_to_whoever_may_see_them_and_personal_keys_are_masked() {
    let server = AdminServer::start();
    let mut key = field("f-mail", "Mail", "email", true);
    key["isPII"] = json!(true);
    let [area, _, dataset] = server.places(&json!({"name": "Person", "fields": [key]}));
    written(&server, &dataset, &[json!({"Mail": "ada@example.org"})]);
    let line = "GET /recent-changes";
    let told = |permissions: serde_json::Value, areas: &[&str]| {
        let name = format!("Role {}", permissions.to_string().len() + areas.len());
        let role = json!({"name": name, "permissions": permissions});
        let role = server.make("/roles", role).text("roleId");
        let (_, key) = server.key(&name, &[&role], areas);
        server.ask(&key, line, None)
    };
    let view = |names: &[&str]| -> serde_json::Value {
        let all = names
            .iter()
            .map(|name| json!({"resource": name, "verbs": ["view"]}));
        all.collect()
    };
    let datasets = [
        "BUSINESS AREAS",
        "SCHEMA MODELS",
        "DATASETS",
        "DATA OBJECTS",
    ];
    told(view(&datasets[..3]), &[&area]).is(403);
    let elsewhere = told(view(&datasets), &[]).is(200).json();
    assert_eq!(elsewhere, json!({"items": []}));
    let seen = told(view(&datasets), &[&area]).is(200);
    let item = &seen.json()["items"][0];
    assert_eq!(
        (&item["primaryKey"], &item["dataSetId"]),
        (&json!("***"), &json!(dataset))
    );
    assert_eq!(
        (&item["action"], &item["fields"]),
        (&json!("create"), &json!([]))
    );
    assert!(!seen.body.contains("ada@"), "{}", seen.body);
    let looks = || {
        server.get("/audit?action=view_personal_data")["items"]
            .as_array()
            .expect("items")
            .len()
    };
    let before = looks();
    let all = [&datasets[..], &["PERSONAL DATA"]].concat();
    let seen = told(view(&all), &[&area]).is(200).json();
    assert_eq!(seen["items"][0]["primaryKey"], "ada@example.org");
    assert_eq!(looks(), before + 1, "who sees it is told in the trail");
}

#[test]
fn who_reaches_no_area_is_told_so_and_not_that_there_is_no_data_or_no_fault() {
    let server = AdminServer::start();
    cities(&server);
    let member = server.role("MEMBER");
    let browser = Browser::of_user(&server, "nell", &member, &json!([]));
    for path in ["/app/", "/app/faults"] {
        let page = browser.get(path).is(200);
        assert!(
            page.body.contains("You have no access to any area yet"),
            "{path}: {}",
            page.body
        );
        for wrong in ["There is no data yet", "Every record meets every rule"] {
            assert!(!page.body.contains(wrong), "{path}: {}", page.body);
        }
    }
}

#[test]
fn without_a_script_home_leads_to_the_faults_and_does_not_wait_for_them() {
    let server = AdminServer::start();
    cities(&server);
    let home = Browser::signed_in(&server).get("/app/").is(200);
    let way = r#"<noscript><p><a href="/app/faults">"#;
    assert!(home.body.contains(way), "{}", home.body);
    let waits = r#"<p class="waiting muted" role="status" hidden>"#;
    assert!(home.body.contains(waits), "{}", home.body);
}

#[test]
fn where_faults_cannot_be_counted_nobody_is_told_that_there_are_none() {
    let server = AdminServer::without_index(Settings::default());
    cities(&server);
    let browser = Browser::signed_in(&server);
    let home = browser.get("/app/").is(200);
    assert!(home.body.contains("1 faulty record: see why"));
    let page = browser.get("/app/faults").is(200);
    let told = "<h2>There are faulty records</h2>";
    assert!(page.body.contains(told), "{}", page.body);
    assert!(!page.body.contains("Every record meets every rule"));
}
