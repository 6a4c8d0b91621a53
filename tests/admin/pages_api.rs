//! The whole interface as a page.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, between, cities, field, give_ada, written};
use crate::contract::DOCUMENT;
use crate::personal_dataset::key_that_sees_none;
use crate::schema_editor::places;
use runtime::service::Settings;
use serde_json::json;

/// What a page may weigh on its way.
const BYTES_MAX: usize = 100 << 10;

#[test]
fn every_operation_of_both_interfaces_stands_on_the_page() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/api").is(200).body;
    let mut count = [0, 0];
    for (path, described) in DOCUMENT["paths"].as_object().expect("paths") {
        for (method, operation) in described.as_object().expect("operations") {
            let id = operation["operationId"].as_str().expect("its id");
            let begins = format!("<details class=\"operation\" id=\"{id}\">");
            let (_, own) = page.split_once(&begins).expect(id);
            let (own, _) = own.split_once("</details>").expect("its end");
            let (head, rest) = own.split_once("</summary>").expect("its head");
            let place = format!("<b>{}</b> <code>{path}</code>", method.to_uppercase());
            assert!(head.contains(&place), "{id}: {head}");
            for status in operation["responses"].as_object().expect("answers").keys() {
                assert!(rest.contains(status.as_str()), "{id}, {status}: {rest}");
            }
            for parameter in operation["parameters"].as_array().expect("parameters") {
                let name = parameter["name"].as_str().expect("a name");
                let shown = match parameter["in"].as_str() {
                    Some("path") => format!("<code>{{{name}}}</code>"),
                    _ => format!("<code>{name}=</code>"),
                };
                assert!(rest.contains(&shown), "{id}, {name}: {rest}");
            }
            count[usize::from(path.starts_with("/admin/"))] += 1;
        }
    }
    assert!(count[0] > 15 && count[1] > 80, "{count:?}");
    let shown = page.matches("<details class=\"operation\" id=").count();
    assert_eq!(shown, count[0] + count[1], "and no other");
}

#[test]
fn the_page_of_the_interface_tells_rights_and_is_light() {
    let server = AdminServer::start();
    let browser = Browser::signed_in(&server);
    let page = browser.get("/app/api").is(200);
    let (_, list) = page.body.split_once("id=\"listDatasets\"").expect("it");
    let (list, _) = list.split_once("</details>").expect("its end");
    let right = "<dd>Asks for <code>DATASETS</code>, view, and the area&#39;s grant.</dd>";
    assert!(list.contains(right), "{list}");
    let (_, token) = page.body.split_once("id=\"issueToken\"").expect("it");
    let (token, _) = token.split_once("</details>").expect("its end");
    assert!(token.contains("Needs no credential."), "{token}");
    assert!(page.body.contains("/openapi.json\">openapi.json</a>"));
    let headers = [("Cookie", &*browser.cookie), ("Accept-Encoding", "gzip")];
    let packed = server.send("HEAD /app/api", &headers, None).is(200);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packer, page.body.as_bytes()).expect("bytes");
    let bytes = packer.finish().expect("bytes").len();
    assert!(bytes < BYTES_MAX, "{bytes} bytes");
}

#[test]
fn the_lines_that_pages_show_ask_where_the_service_is_reached() {
    let server = AdminServer::with_settings(Settings {
        public_url: "https://data.example.org/".to_owned(),
        ..Settings::default()
    });
    let (dataset, _) = cities(&server);
    let [_, schema] = places(&server, &dataset);
    // cookies have other names there
    let browser = Browser::entered(&server, "ada", PASSWORD);
    for (path, line) in [
        (
            format!("/app/schemas/{schema}"),
            "generator fetch https://data.example.org --schema ",
        ),
        (
            format!("/app/datasets/{dataset}/api"),
            "https://data.example.org/v1/businessareas/",
        ),
        (
            "/app/api".to_owned(),
            "https://data.example.org/openapi.json",
        ),
    ] {
        let page = browser.get(&path).is(200);
        assert!(page.body.contains(line), "{line}: {}", page.body);
        // a key would go there in clear
        assert!(!page.body.contains("http://test"), "{}", page.body);
    }
}

#[test]
fn the_page_of_the_interface_is_found_where_it_is_looked_for() {
    let server = AdminServer::start();
    let (dataset, _) = cities(&server);
    let browser = Browser::signed_in(&server);
    for path in [
        "/app/keys",
        "/app/go?q=api",
        &format!("/app/datasets/{dataset}/api"),
    ] {
        let page = browser.get(path).is(200);
        assert!(page.body.contains("href=\"/app/api\""), "{path}");
    }
    let german = browser.in_german();
    let page = german.get("/app/api").is(200);
    for own in [
        "Datenschnittstelle",
        "Die Datenbestände eines Schemas auflisten",
        "<dd>Braucht <code>DATASETS</code>, sehen, und die Freigabe des Bereichs.</dd>",
        "Die Id der Rolle: <code>roleId</code>",
        "Der Nachweis erlaubt das nicht",
    ] {
        assert!(page.body.contains(own), "{own}");
    }
    for english in ["Asks for", "List the", "The id of", r#"<div lang="en">"#] {
        assert!(!page.body.contains(english), "{english}");
    }
}

#[test]
fn the_page_of_the_interface_leads_to_the_keys_only_who_may_see_them() {
    let server = AdminServer::start();
    let role = server.role("MEMBER");
    let eve = Browser::of_user(&server, "eve", &role, &json!([]));
    eve.get("/app/keys").is(403);
    let link = r#"href="/app/keys""#;
    for (browser, count) in [(Browser::signed_in(&server), 3), (eve, 0)] {
        let page = browser.get("/app/api").is(200);
        let found = page.body.matches(link).count();
        // beside what is told of them, the section and its tab
        assert_eq!(found, count, "{}", page.body);
    }
}

#[test]
fn the_line_by_primary_key_finds_a_record_whose_key_is_dots() {
    for dots in [".", ".."] {
        let server = AdminServer::start();
        let document = json!({"name": "City", "fields": [field("f-code", "Code", "string", true)]});
        let [area, _, dataset] = server.places(&document);
        give_ada(&server, &area);
        let ids = written(&server, &dataset, &[json!({"Code": dots})]);
        let browser = Browser::signed_in(&server);
        let page = browser.get(&format!("/app/datasets/{dataset}/api")).is(200);
        let mut lines = page.body.split("curl -H ");
        let line = lines.find(|line| line.contains("/by-pk/")).expect("one");
        let address = between(line, r#"$FIELDSTONE_API_KEY" ""#);
        let end = format!("/by-pk/{dots}%20");
        assert!(address.ends_with(&end), "{address}");
        let (_, path) = address.split_once("/v1/").expect("an address");
        let (_, key) = server.key("reader", &[&server.role("MEMBER")], &[&area]);
        let headers = [("Authorization", &*key)];
        let found = server.send(&format!("GET /v1/{path}"), &headers, None);
        assert_eq!(found.is(200).text("_dataObjectId"), ids[0]);
    }
}

#[test]
fn who_may_not_see_a_personal_key_is_shown_no_line_by_primary_key() {
    let server = AdminServer::start();
    let mut code = field("f-code", "Code", "string", true);
    code["isPII"] = json!(true);
    let [area, _, dataset] = server.places(&json!({"name": "City", "fields": [code]}));
    give_ada(&server, &area);
    written(&server, &dataset, &[json!({"Code": "Zyxwo"})]);
    let (role, _) = key_that_sees_none(&server, &area);
    let grants = json!([{"area": area, "verbs": ["view", "add", "edit", "delete"]}]);
    let eve = Browser::of_user(&server, "eve", &role, &grants);
    let path = format!("/app/datasets/{dataset}/api");
    let page = eve.get(&path).is(200);
    assert!(page.body.contains("curl -H"), "{}", page.body);
    for hidden in ["/by-pk/", "%2A", "***", "Zyxwo"] {
        assert!(!page.body.contains(hidden), "{hidden}: {}", page.body);
    }
    let page = Browser::signed_in(&server).get(&path).is(200);
    assert!(page.body.contains("/by-pk/Zyxwo\""), "{}", page.body);
}
