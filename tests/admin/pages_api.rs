//! The whole interface as a page.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities};
use crate::contract::DOCUMENT;

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
    let german = Browser {
        language: "de",
        ..browser
    };
    let page = german.get("/app/api").is(200);
    for own in ["Datenschnittstelle", "Die Beschreibungen sind englisch"] {
        assert!(page.body.contains(own), "{own}");
    }
}
