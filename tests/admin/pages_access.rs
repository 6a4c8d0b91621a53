//! Access in the application: keys are made, shown once, switched, rotated and deleted; the trail tells of it.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, shown_once};
use serde_json::json;

#[test]
fn a_key_is_shown_once_and_does_what_its_form_says_until_it_is_switched_off() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/keys").is(200);
    let role = between(&page.body, r#"name="role" value=""#);
    let grant = between(&page.body, r#"name="grant" value=""#);
    assert!(grant.ends_with(":view"), "{grant}");
    let fields = [
        ("name", "Report"),
        ("role", &*role),
        ("grant", &*grant),
        ("expires", "2099-12-31"),
    ];
    let made = browser.send(&page, "/app/keys", &fields).is(200);
    assert_eq!(made.header("cache-control"), Some("no-store"));
    // what leads is the copying of the key, and not the making of another
    assert!(
        page.body
            .contains(r#"<button class="primary">Create the key"#)
    );
    assert!(made.body.contains("<button>Create the key"));
    let secret = shown_once(&made.body);
    let line = format!(r#"<code class="secret">export FIELDSTONE_API_KEY={secret}</code>"#);
    assert!(made.body.contains(&line), "{}", made.body);
    let by_key = [("Authorization", &*secret)];
    let asked = || server.send("GET /admin/api/v1/areas", &by_key, None);
    asked().is(200);
    let list = browser.get("/app/keys").is(200);
    assert!(!list.body.contains(&secret) && list.body.contains("2099-12-31 23:59"));
    let (_, own) = list.body.split_once(">Report<").expect("the key");
    let id = between(own, r#"action="/app/keys/"#);
    let id = id.split('/').next().expect("an id").to_owned();
    browser
        .send(&list, &format!("/app/keys/{id}/disable"), &[])
        .is(303);
    asked().is(401);
    browser
        .send(&list, &format!("/app/keys/{id}/enable"), &[])
        .is(303);
    asked().is(200);
    let rotated = browser
        .send(&list, &format!("/app/keys/{id}/secret"), &[])
        .is(200);
    let newer = shown_once(&rotated.body);
    assert_ne!(newer, secret);
    server
        .send(
            "GET /admin/api/v1/areas",
            &[("Authorization", &*newer)],
            None,
        )
        .is(200);
    browser
        .send(&list, &format!("/app/keys/{id}/delete"), &[])
        .is(303);
    asked().is(401);
    // the trail tells of it, without the secret
    let trail = browser.get("/app/audit").is(200);
    assert!(
        trail.body.contains("API key <b>Report</b>: created"),
        "{}",
        trail.body
    );
    assert!(!trail.body.contains(&secret));
}

#[test]
fn a_key_is_masked_in_its_list_which_tells_when_it_was_used_last() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let (_, secret) = server.key("Report", &[&server.role("MEMBER")], &[]);
    let row = || {
        let list = browser.get("/app/keys").is(200);
        let (_, own) = list.body.split_once(">Report<").expect("the key");
        own.split("</tr>").next().expect("its end").to_owned()
    };
    let masked = format!("fst_…{}", &secret[secret.len() - 4..]);
    let own = row();
    assert!(own.contains(&masked) && !own.contains(&secret), "{own}");
    // neither used nor with an end
    assert_eq!(own.matches(">never<").count(), 2, "{own}");
    server.ask(&secret, "GET /session", None).is(200);
    let noted = server.service.flush_last_used();
    server.tokio.block_on(noted).expect("the store works");
    let own = row();
    assert_eq!(own.matches(">never<").count(), 1, "{own}");
    let day = &server.service.now().to_string()[..10];
    assert!(own.contains(&format!(" role=\"cell\">{day} ")), "{own}");
}

#[test]
fn a_key_that_can_not_be_made_says_why_beside_its_input_and_keeps_what_was_filled_in() {
    let server = AdminServer::start();
    let _ = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/keys").is(200);
    let role = server.role("MEMBER");
    let grant = between(&page.body, r#"name="grant" value=""#);
    let add = grant.replace(":view", ":add");
    let send = |name: &str, expires: &str| {
        let fields = [
            ("name", name),
            ("description", "For the report"),
            ("expires", expires),
            ("role", &*role),
            ("grant", &*grant),
            ("grant", &*add),
        ];
        browser.send(&page, "/app/keys", &fields)
    };
    let long = "x".repeat(300);
    for (name, expires, told) in [
        ("", "2099-12-31", "told-name"),
        (&*long, "2099-12-31", "told-name"),
        ("Late", "never", "told-expires"),
        ("Late", "1999-12-31", "told-expires"),
    ] {
        let refused = send(name, expires).is(400);
        let body = &refused.body;
        assert!(body.contains(&format!(r#"id="{told}""#)), "{body}");
        assert!(!body.contains("$."), "no path of a program: {body}");
        let name = format!(r#"name="name" value="{name}""#);
        let expires = format!(r#"name="expires" value="{expires}""#);
        for kept in [&*name, &*expires, ">\nFor the report</textarea>"] {
            assert!(body.contains(kept), "{kept}: {body}");
        }
        for ticked in [&role, &grant, &add] {
            let (_, rest) = body
                .split_once(&format!(r#"value="{ticked}""#))
                .expect(ticked);
            let tag = rest.split('>').next().expect("its end");
            assert!(tag.contains("checked"), "{ticked}: {body}");
        }
        assert_eq!(body.matches(" checked").count(), 3);
    }
    send("Report", "").is(200);
    let taken = send("Report", "").is(409);
    assert!(taken.body.contains("role=\"alert\"") && taken.body.contains(r#"value="Report""#));
}

#[test]
fn all_roles_and_areas_can_be_given_and_all_deleted_areas_come_back() {
    let server = AdminServer::start();
    for at in 0..101 {
        let name = format!("Role {at}");
        server.make("/roles", json!({"name": name, "permissions": []}));
        let area = server.make("/areas", json!({"name": format!("Past {at}")}));
        let line = format!("DELETE /areas/{}", area.text("businessAreaId"));
        server.root(&line, None).is(204);
        server.make("/areas", json!({"name": format!("Area {at}")}));
    }
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/keys").is(200);
    // those that are in no part that is shown are found
    assert!(page.body.contains(">Role 0<") && page.body.contains(">Area 0<"));
    let role = server.role("Role 100");
    let fields = [("name", "Report"), ("role", &*role)];
    let made = browser.send(&page, "/app/keys", &fields).is(200);
    assert!(made.body.contains(">Role 100</td>"), "{}", made.body);
    let restored = |path: &str| {
        let areas = browser.get(path).is(200);
        areas
            .body
            .matches(r#"data-operation="restoreArea""#)
            .count()
    };
    assert_eq!(restored("/app/areas") + restored("/app/areas?part=1"), 101);
}

#[test]
fn areas_and_datasets_are_made_renamed_deleted_and_taken_back_by_forms() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/areas").is(200);
    let fields = [("name", "Finance"), ("description", "Money")];
    let made = browser.send(&page, "/app/areas", &fields).is(303);
    let finance = made.header("location").expect("a place").to_owned();
    let taken = browser.send(&page, "/app/areas", &fields).is(409);
    for kept in [
        r#"value="Finance""#,
        ">\nMoney</textarea>",
        "role=\"alert\"",
    ] {
        assert!(taken.body.contains(kept), "{kept}: {}", taken.body);
    }
    let nameless = [("name", " "), ("description", "Money")];
    let nameless = browser.send(&page, "/app/areas", &nameless).is(400);
    assert!(nameless.body.contains(r#"id="told-name""#) && nameless.body.contains("Money"));
    let places = between(&page.body, r#"<li class="line"><a href=""#);
    let area = browser.get(&places).is(200);
    assert!(area.body.contains("Europe"), "{}", area.body);
    let renamed = [("name", "World"), ("description", "")];
    let path = format!("/app/datasets/{dataset}");
    browser
        .send(&area, &format!("{path}/settings"), &renamed)
        .is(303);
    assert!(browser.get(&places).body.contains("World"));
    // the form of before is of a version that is past
    let stale = [("name", "Elsewhere"), ("description", ""), ("version", "1")];
    browser
        .send(&area, &format!("{path}/settings"), &stale)
        .is(409);
    browser.send(&area, &format!("{path}/delete"), &[]).is(303);
    browser.get(&path).is(404);
    browser.send(&area, &format!("{path}/restore"), &[]).is(303);
    browser.get(&path).is(200);
    let schema = between(&area.body, r#"action="/app/schemas/"#);
    let schema = format!("/app/schemas/{schema}");
    browser.send(&area, &schema, &[("name", "Asia")]).is(303);
    assert!(browser.get(&places).body.contains("Asia"));
    // what a switch means stands beside it, and where there is none, what stands in its place
    for told in [
        "marked as no longer in use",
        "A dataset cannot be switched off",
    ] {
        assert!(area.body.contains(told), "{told}: {}", area.body);
    }
    let off = [("name", "Places"), ("description", ""), ("active", "false")];
    browser.send(&area, &places, &off).is(303);
    assert!(browser.get("/app/areas").body.contains("switched off"));
    browser
        .send(&page, &format!("{places}/delete"), &[])
        .is(303);
    browser.get(&path).is(404);
    browser
        .send(&page, &format!("{places}/restore"), &[])
        .is(303);
    browser.get(&path).is(200);
    let finance = browser.get(&finance).is(200);
    assert!(finance.body.contains("Finance") && finance.body.contains("Money"));
}

#[test]
fn a_form_of_an_area_that_is_refused_comes_back_with_what_was_filled_in() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let catalog = server.service.store().catalog();
    let dataset = &catalog.datasets[&dataset];
    let browser = Browser::signed_in(&server);
    let place = format!("/app/areas/{}", dataset.area);
    server.make("/areas", json!({"name": "Finance"}));
    let asia = json!({"name": "Asia"});
    server.make(&format!("/schemas/{}/datasets", dataset.schema), asia);
    let page = browser.get(&place).is(200);
    let settings = format!("/app/datasets/{}/settings", dataset.id);
    let below = format!("/app/schemas/{}/datasets", dataset.schema);
    for (path, name, version, status) in [
        (&place, "Finance", "1", 409),
        (&place, " ", "1", 400),
        (&place, "Cities", "7", 409),
        (&settings, "Asia", "1", 409),
        (&settings, " ", "1", 400),
        (&settings, "World", "7", 409),
        (&below, "Asia", "", 409),
        (&below, " ", "", 400),
    ] {
        let fields = [
            ("name", name),
            ("description", "Kept text"),
            ("active", "false"),
            ("version", version),
        ];
        let refused = browser.send(&page, path, &fields).is(status);
        let body = &refused.body;
        assert!(body.contains("<h1>Places</h1>"), "{path} {name}: {body}");
        assert_eq!(
            body.matches("Kept text").count(),
            1,
            "{path} {name}: {body}"
        );
        let name = name.trim();
        assert!(name.is_empty() || body.contains(&format!(r#"value="{name}""#)));
        // the area's own form, or the one that stands open
        let is_own = *path == place;
        assert_eq!(body.matches("<details open>").count(), usize::from(!is_own));
        assert_eq!(body.contains(r#"<option value="false" selected>"#), is_own);
        if status == 400 {
            assert_eq!(body.matches(r#"aria-invalid="true""#).count(), 1, "{body}");
            assert!(!body.contains("$."), "{body}");
        }
        // one sends it again on what is stored by now, and sees what that is
        let is_overtaken = version == "7";
        assert_eq!(body.contains("Stored now:"), is_overtaken, "{body}");
        assert!(!body.contains(r#"name="version" value="7""#));
    }
    let german = Browser::signed_in(&server).in_german();
    let taken = german.send(&page, &below, &[("name", "Asia")]);
    assert!(!taken.body.contains("already"), "{}", taken.body);
}

#[test]
fn long_forms_can_be_left_as_they_were() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    for (path, way) in [
        ("/app/users/new", "/app/users"),
        ("/app/clients/new", "/app/clients"),
        ("/app/roles/new", "/app/roles"),
        ("/app/webhooks/new", "/app/webhooks"),
        ("/app/domains/new", "/app/domains"),
        (&*format!("{there}/new"), &*there),
        (&*format!("{there}/records/{record}"), &*there),
        (&*format!("{there}/import"), &*there),
        (&*format!("{there}/export"), &*there),
    ] {
        let page = browser.get(path).is(200);
        let (_, actions) = page
            .body
            .rsplit_once(r#"<div class="actions">"#)
            .expect(path);
        let cancel = format!(r#"<a href="{way}">Cancel</a>"#);
        assert!(actions.contains(&cancel), "{path}: {actions}");
    }
}
