//! What pages have in common: a way back beside the button of a form, buttons of rows that say what they are about, one
//! primary action at most, and refusals that tell the id of their request.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, between, cities, form};
use crate::pages::WITHOUT_ID;
use crate::pages_home::edit;
use serde_json::json;

#[test]
fn a_page_with_a_form_has_a_way_back_beside_its_button() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let browser = Browser::signed_in(&server);
    let (area, schema) = (&entry.area, &entry.schema);
    let there = format!("/app/datasets/{dataset}");
    for path in [
        "/app/clients/new".to_owned(),
        "/app/domains/new".to_owned(),
        "/app/roles/new".to_owned(),
        "/app/users/new".to_owned(),
        "/app/webhooks/new".to_owned(),
        "/app/password".to_owned(),
        format!("/app/areas/{area}"),
        format!("/app/areas/{area}/schemas/new"),
        format!("/app/areas/{area}/schemas/new?from=hand"),
        format!("/app/schemas/{schema}/edit"),
        format!("/app/users/{}", server.ada),
        format!("{there}/export"),
        format!("{there}/import"),
        format!("{there}/mend"),
        format!("{there}/new"),
        format!("{there}/records/{record}"),
    ] {
        let page = browser.get(&path).is(200);
        let (_, main) = page.body.split_once("<main").expect("a main part");
        let (main, _) = main.split_once("</main>").expect("its end");
        let (_, behind) = main.split_once(r#"class="primary"#).expect(&path);
        let mut ways = behind.split("</a>").map(|way| way.rsplit('>').next());
        let is_way = |text: &str| text == "Cancel" || text.starts_with("Back to");
        assert!(ways.any(|way| way.is_some_and(is_way)), "{path}: {main}");
    }
}

#[test]
fn a_button_of_a_row_says_what_it_is_about() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let _ = server.key("Reader", &[], &[]);
    let browser = Browser::signed_in(&server);
    let keys = browser.get("/app/keys").is(200);
    for name in ["Change Reader", "Switch off Reader", "New secret: Reader"] {
        let label = format!(r#"aria-label="{name}""#);
        assert!(keys.body.contains(&label), "{name}: {}", keys.body);
    }
    let line = json!({"update": {"_dataObjectId": record, "_version": 0, "People": 13}});
    edit(&server, &dataset, &[line]);
    let place = format!("/app/datasets/{dataset}/records/{record}");
    let page = browser.get(&place).is(200);
    browser.send(&page, &format!("{place}/delete"), &[]).is(303);
    let deleted = browser.get(&format!("/app/datasets/{dataset}/deleted"));
    let deleted = deleted.is(200);
    assert!(deleted.body.contains(r#"aria-label="Restore A1""#));
    browser
        .send(&deleted, &format!("{place}/restore"), &[])
        .is(303);
    let history = browser.get(&format!("{place}/history")).is(200);
    let label = r#"aria-label="Restore the record as it was after this change: version 0""#;
    assert!(history.body.contains(label), "{}", history.body);
}

#[test]
fn a_page_has_one_primary_action_at_most() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let entry = server.service.store().catalog().datasets[&dataset].clone();
    let (key, _) = server.key("Reader", &[], &[&entry.area]);
    let browser = Browser::signed_in(&server);
    let (area, schema) = (&entry.area, &entry.schema);
    let there = format!("/app/datasets/{dataset}");
    let without_id = WITHOUT_ID.map(str::to_owned).into_iter();
    let paths = without_id.chain([
        "/app/password".to_owned(),
        format!("/app/areas/{area}"),
        format!("/app/areas/{area}/schemas/new"),
        format!("/app/schemas/{schema}"),
        format!("/app/schemas/{schema}/edit"),
        format!("/app/schemas/{schema}/versions"),
        format!("/app/keys/{key}"),
        format!("/app/users/{}", server.ada),
        there.clone(),
        format!("{there}?q=is%3Afaulty"),
        format!("{there}/api"),
        format!("{there}/deleted"),
        format!("{there}/export"),
        format!("{there}/faults"),
        format!("{there}/import"),
        format!("{there}/mend"),
        format!("{there}/new"),
        format!("{there}/records/{record}"),
        format!("{there}/records/{record}/history"),
        format!("{there}/selected?record={record}%3A0"),
        format!("{there}/selected?record={record}%3A0&field=f-people&v-f-people=3&show=true"),
    ]);
    for path in paths {
        let page = browser.get(&path).is(200);
        let classes = page.body.split("class=\"").skip(1);
        let classes = classes.filter_map(|rest| rest.split('"').next());
        let primary = classes.filter(|own| own.split(' ').any(|it| it == "primary"));
        assert!(primary.count() <= 1, "{path}: {}", page.body);
    }
}

#[test]
fn a_refusal_is_a_page_with_the_id_of_its_request_and_ways_on() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    let role = server.make("/roles", json!({"name": "None", "permissions": []}));
    let eve = Browser::of_user(&server, "eve", &role.text("roleId"), &json!([]));
    let nothing = "/app/datasets/019b7638-1d44-7c06-8a5b-77e0c1f0a2d9";
    for (answer, status) in [
        (browser.get(nothing), 404),
        (browser.get("/app/nothing"), 404),
        (browser.part(nothing), 404),
        (eve.get(&format!("/app/datasets/{dataset}")), 403),
        (eve.get("/app/users"), 403),
    ] {
        let page = answer.is(status);
        let id = page.header("x-request-id").expect("an id");
        let told = format!("<code>{id}</code>");
        assert!(page.body.contains(&told), "{}", page.body);
        assert!(page.body.contains(r#"<a href="/app/">"#), "{}", page.body);
    }
}

#[test]
fn a_part_that_is_refused_is_told_at_the_top_and_the_page_stays() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&there).is(200);
    assert!(page.body.contains(r#"<div id="failure"></div>"#));
    for path in [
        format!("{there}/records/{record}/cells/none"),
        "/app/jobs/019b7638-1d44-7c06-8a5b-77e0c1f0a2d9".to_owned(),
    ] {
        let part = browser.part(&path).is(404);
        let headers = [("hx-retarget", "#failure"), ("hx-reswap", "innerHTML")];
        for (name, value) in headers {
            assert_eq!(part.header(name), Some(value), "{path}: {name}");
        }
        assert!(!part.body.contains("<main"), "{path}: {}", part.body);
        // whoever asks for the page gets one
        let whole = browser.get(&path).is(404);
        assert_eq!(whole.header("hx-retarget"), None, "{path}");
        assert!(whole.body.contains("<main"), "{path}: {}", whole.body);
    }
    // that nobody answers is said in the language of the page, by a script that has no words of its own
    for told in [
        r#"data-unanswered="The server did not answer"#,
        r#"data-unreachable="The server could not be reached ({})"#,
        r#"data-unsent="The server does not answer, so nothing was sent"#,
    ] {
        assert!(page.body.contains(told), "{told}");
    }
    let german = browser.in_german();
    let page = german.get(&there).is(200);
    for told in [
        r#"data-unanswered="Der Server hat nicht geantwortet"#,
        r#"data-unreachable="Der Server war nicht erreichbar ({})"#,
        r#"data-unsent="Der Server antwortet nicht"#,
    ] {
        assert!(page.body.contains(told), "{told}");
    }
}

#[test]
fn every_answer_says_that_it_is_no_proxy_in_the_place_of_the_server() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let there = format!("/app/datasets/{dataset}");
    let page = browser.get(&there).is(200);
    let icon = between(&page.body, r#"data-icon=""#);
    let cells = format!("{there}/records/{record}/cells");
    let nobody = [("HX-Request", "true")];
    for (what, answer) in [
        ("a page", page),
        ("what shows signs of life", browser.get(&icon).is(200)),
        ("a part", browser.part(&format!("{there}/figures")).is(200)),
        (
            "a refused one",
            browser.part(&format!("{cells}/none")).is(404),
        ),
        (
            "one that leads to the sign-in",
            server.send(&format!("GET {there}/figures"), &nobody, None),
        ),
    ] {
        assert_eq!(answer.header("fieldstone-page"), Some("true"), "{what}");
    }
}

#[test]
fn what_another_person_comes_to_who_signed_in_meanwhile_is_told_by_names_and_not_by_ids() {
    let server = AdminServer::start();
    let (dataset, [record, _]) = cities(&server);
    let area = server.service.store().catalog().datasets[&dataset]
        .area
        .clone();
    let ada = Browser::signed_in(&server);
    let page = ada.get("/app/areas").is(200);
    let token = between(&page.body, r#"name="token" value=""#);
    let grants = json!([{"area": area, "verbs": ["view", "edit"]}]);
    let (administrator, member) = ("ACCOUNT ADMINISTRATOR", server.role("MEMBER"));
    let eve = Browser::of_user(&server, "eve", &server.role(administrator), &grants);
    let headers = [
        ("Cookie", &*eve.cookie),
        ("Sec-Fetch-Site", "same-origin"),
        ("Content-Type", "application/x-www-form-urlencoded"),
    ];
    let grant = format!("{area}:view");
    let there = format!("/app/datasets/{dataset}");
    for (path, sent, told) in [
        ("/app/keys", ("role", &*member), ("Roles", "MEMBER")),
        ("/app/keys", ("grant", &*grant), ("Areas", "Places: see")),
        (
            "/app/webhooks",
            ("dataset", &*dataset),
            ("Datasets", "Europe"),
        ),
        (
            &*format!("{there}/selected/set"),
            ("field", "f-people"),
            ("Field", "People"),
        ),
        (
            &*format!("{there}/records/{record}"),
            ("v-f-people", "7"),
            ("People", "7"),
        ),
    ] {
        let body = form(&[sent, ("token", &token)]);
        let kept = server.send(&format!("POST {path}"), &headers, Some(&body));
        let kept = kept.is(403);
        let shown = format!("<dt>{}</dt><dd>{}</dd>", told.0, told.1);
        assert!(kept.body.contains(&shown), "{shown}: {}", kept.body);
    }
    // in the reader's language, and without what says nothing to anybody
    let sent = [
        ("full-name", "Eva"),
        ("grant", &*grant),
        ("role", "01a215bf"),
        ("cells", r#"[["7"]]"#),
        ("record", "tHsf:1"),
        ("token", &*token),
    ];
    let headers = [&headers[..], &[("Accept-Language", "de")]].concat();
    let kept = server.send("POST /app/users", &headers, Some(&form(&sent)));
    let kept = kept.is(403);
    let shown = "<dl class=\"kept\"><div><dt>Datensätze</dt><dd>1</dd></div><div><dt>Voller Name</dt><dd>Eva</dd></div>\
        <div><dt>Bereiche</dt><dd>Places: sehen</dd></div>\
        <div><dt>Rollen</dt><dd>eine Rolle, die Sie nicht sehen</dd></div></dl>";
    assert!(kept.body.contains(shown), "{}", kept.body);
    assert!(kept.body.contains(r#"name="record" value="tHsf:1""#));
}
