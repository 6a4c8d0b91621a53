//! Who can do nothing is told so in the lists of access and on its page; what means nothing is not offered to be ticked; and what
//! a schema has is counted as it is filled in.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, cities, field};
use serde_json::json;

/// The row of a list with this name in it.
fn row<'p>(page: &'p str, name: &str) -> &'p str {
    let at = page.find(&format!(">{name}</a>"));
    let at = at.unwrap_or_else(|| panic!("{name}: {page}"));
    let begins = ["<tr ", "<li "].map(|tag| page[..at].rfind(tag));
    let begin = begins.into_iter().flatten().max().expect("a row");
    let rest = &page[begin..];
    let end = if rest.starts_with("<tr") {
        "</tr>"
    } else {
        "</li>"
    };
    rest.split(end).next().unwrap_or_default()
}

#[test]
fn who_lacks_roles_or_areas_is_told_so_in_lists_and_on_its_page() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let area = server.get(&format!("/datasets/{dataset}"))["businessAreaId"].clone();
    let area = area.as_str().expect("an area");
    let member = server.role("MEMBER");
    let grants = json!([{"area": area, "verbs": ["view"]}]);
    server.key("Bare", &[], &[area]);
    server.key("Away", &[&member], &[]);
    server.key("Reader", &[&member], &[area]);
    server.make("/apps", json!({"name": "Shop", "grants": grants}));
    let user = |name: &str, roles: &[&str]| {
        let body = json!({"username": name, "fullName": name, "email": "one@example.org",
            "password": PASSWORD, "roles": roles, "grants": grants});
        server.make("/users", body).text("userId")
    };
    let [nell, bob] = [user("nell", &[]), user("bob", &[&member])];
    let browser = Browser::signed_in(&server);
    let (nothing, no_records) = (
        r#"<p class="small warn">can do nothing without a role</p>"#,
        r#"<p class="small warn">reaches no records without an area</p>"#,
    );
    for (path, name, told) in [
        ("/app/keys", "Bare", Some(nothing)),
        ("/app/keys", "Away", Some(no_records)),
        ("/app/keys", "Reader", None),
        ("/app/clients", "Shop", Some(nothing)),
        ("/app/users", "nell", Some(nothing)),
        ("/app/users", "bob", None),
    ] {
        let page = browser.get(path).is(200).body;
        let row = row(&page, name);
        for own in [nothing, no_records] {
            assert_eq!(row.contains(own), told == Some(own), "{path} {name}: {row}");
        }
    }
    for (id, is_told) in [(nell, true), (bob, false)] {
        let page = browser.get(&format!("/app/users/{id}")).is(200).body;
        let told = page.contains("This user reaches no records");
        assert_eq!(told, is_told, "{page}");
    }
}

#[test]
fn a_role_that_allows_nothing_says_so_and_offers_no_verb_that_means_nothing() {
    let server = AdminServer::start();
    let role = |name: &str, permissions: serde_json::Value| {
        let role = json!({"name": name, "description": "", "permissions": permissions});
        server.make("/roles", role).text("roleId")
    };
    let hollow = role("Hollow", json!([]));
    let looks = json!([{"resource": "AUDIT", "verbs": ["view"]}]);
    let auditor = role("Auditor", looks);
    let browser = Browser::signed_in(&server);
    let list = browser.get("/app/roles").is(200).body;
    for (id, name, is_empty) in [(hollow, "Hollow", true), (auditor, "Auditor", false)] {
        assert_eq!(row(&list, name).contains("allows nothing"), is_empty);
        let page = browser.get(&format!("/app/roles/{id}")).is(200).body;
        assert_eq!(page.contains("This role allows nothing."), is_empty);
        for (offered, is_offered) in [
            ("AUDIT:view", true),
            ("AUDIT:add", false),
            ("DATASET OBJECTS SEARCH:delete", false),
            ("PERSONAL DATA:edit", false),
            ("USERS:delete", true),
        ] {
            let tick = format!(r#"name="allow" value="{offered}""#);
            assert_eq!(page.contains(&tick), is_offered, "{offered}: {page}");
        }
        // what interfaces call it is for who asks for it
        assert!(!page.contains("<code>DATA OBJECTS</code>"), "{page}");
        assert!(page.contains(r#"title="DATA OBJECTS""#), "{page}");
    }
}

#[test]
fn a_key_is_not_the_next_thing_to_make_while_there_is_no_area() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let button = |page: &str| {
        let (_, form) = page.split_once("createApiKey").expect("a form");
        let (_, button) = form.split_once(r#"<div class="actions">"#).expect("a bar");
        button.split('>').next().unwrap_or_default().to_owned()
    };
    let page = browser.get("/app/keys").is(200).body;
    assert!(!button(&page).contains("primary"), "{page}");
    cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/keys").is(200).body;
    assert!(button(&page).contains("primary"), "{page}");
}

#[test]
fn a_list_of_schemas_counts_the_fields_that_are_filled_in_and_says_of_others() {
    let server = AdminServer::start();
    let mut old = field("f-old", "Old", "string", false);
    old["active"] = json!(false);
    let fields = json!([
        field("f-code", "Code", "string", true),
        field("f-name", "Name", "string", false),
        old
    ]);
    server.places(&json!({"name": "Thing", "fields": fields}));
    let browser = Browser::signed_in(&server);
    for (browser, told) in [
        (
            &browser,
            r#"data-label="Fields" role="cell">2<span class="muted small block">1 inactive"#,
        ),
        (
            &browser.in_german(),
            r#"data-label="Felder" role="cell">2<span class="muted small block">1 inaktiv"#,
        ),
    ] {
        let page = browser.get("/app/schemas").is(200).body;
        assert!(page.contains(told), "{told}: {page}");
    }
}
