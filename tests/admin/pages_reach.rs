//! What keys and clients can do, as their pages tell it.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities};
use serde_json::{Value, json};

#[test]
fn a_page_tells_what_a_key_can_do_dataset_by_dataset() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/users/new").is(200);
    let grant = between(&page.body, r#"name="grant" value=""#);
    let area = grant.split(':').next().expect("an area");
    let (id, _) = server.key("Reader", &[&server.role("MEMBER")], &[area]);
    let (idle, _) = server.key("Idle", &[], &[area]);
    let path = format!("/app/keys/{id}");
    let key = browser.get(&path).is(200);
    assert!(key.body.contains("Europe") && key.body.contains("Places · City"));
    let idle = browser.get(&format!("/app/keys/{idle}")).is(200);
    assert!(idle.body.contains("It reaches no records") && !idle.body.contains("Europe"));
    let role = server.role("MEMBER");
    let fields = [
        ("name", "Reader"),
        ("role", &*role),
        ("grant", &*grant),
        ("active", "true"),
    ];
    browser.send(&key, &path, &fields).is(303);
    let key = browser.get(&path).is(200);
    let (_, row) = key.body.split_once("Europe").expect("the dataset");
    let row = row.split("</tr>").next().expect("its end");
    assert_eq!(row.matches('✓').count(), 2, "seen and searched: {row}");
    let nameless = browser
        .send(&key, &path, &[("name", ""), ("grant", &*grant)])
        .is(400);
    assert!(nameless.body.contains(r#"id="told-name""#));
}

#[test]
fn access_to_all_areas_is_a_tick_of_its_own_and_shown_as_such() {
    const ALL: &str = "All areas, also later ones";
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let role = server.role("MEMBER");
    let (id, _) = server.key("Reader", &[&role], &[]);
    let path = format!("/app/keys/{id}");
    let fields = [("name", "Reader"), ("role", &*role), ("active", "true")];
    let page = browser.get(&path).is(200);
    assert!(page.body.contains(ALL) && !page.body.contains("Places · City"));
    let ticked = [&fields[..], &[("grant", "*:view")]].concat();
    browser.send(&page, &path, &ticked).is(303);
    let page = browser.get(&path).is(200);
    assert!(page.body.contains("Places · City"), "{}", page.body);
    assert!(browser.get("/app/keys").is(200).body.contains(ALL));
    let trail = server.root("GET /audit", None).is(200).body;
    assert!(
        trail.contains(r#"{"area":"*","verbs":["view"]}"#),
        "{trail}"
    );
    // who does not have it is not offered it, and sees that another one has it
    let clerk = crate::rights::role(&server, "Clerk", &[("API KEYS", &["view", "edit"])]);
    let eve = Browser::of_user(&server, "eve", &clerk, &json!([]));
    assert!(eve.get("/app/keys").is(200).body.contains(ALL));
    let german = browser.in_german().get("/app/keys").is(200);
    assert!(german.body.contains("Alle Bereiche, auch spätere"));
    browser.send(&page, &path, &fields).is(303);
    let page = browser.get(&path).is(200);
    assert!(!page.body.contains("Places · City"), "{}", page.body);
}

#[test]
fn a_page_tells_what_a_client_can_do_as_that_of_a_key_does() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/users/new").is(200);
    let grant = between(&page.body, r#"name="grant" value=""#);
    let area = grant.split(':').next().expect("an area");
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    let roles = json!([server.role("MEMBER")]);
    let made = |body: Value| server.make("/apps", body).text("clientId");
    let shop = made(json!({"name": "Shop", "roles": roles, "grants": grants}));
    let idle = made(json!({"name": "Idle", "active": false, "grants": grants}));
    let page = browser.get(&format!("/app/clients/{shop}")).is(200);
    assert!(page.body.contains("What this client can do"));
    let (_, row) = page.body.split_once("Europe").expect("the dataset");
    let row = row.split("</tr>").next().expect("its end");
    assert!(row.contains("Places · City"), "{row}");
    assert_eq!(row.matches('✓').count(), 2, "seen and searched: {row}");
    let page = browser.get(&format!("/app/clients/{idle}")).is(200);
    for told in ["It reaches no records", "it is switched off"] {
        assert!(page.body.contains(told), "{told}: {}", page.body);
    }
    // of one that is still to be made there is nothing to tell
    let page = browser.get("/app/clients/new").is(200);
    assert!(!page.body.contains("What this client can do"));
}
