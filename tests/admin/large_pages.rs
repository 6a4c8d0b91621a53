//! Lists of what is large: a setting bounds the bytes of a page, and a walk loses nothing by it; and the trail
//! keeps of a change what changed, however large the rest is.

use crate::admin_server::AdminServer;
use runtime::service::Settings;
use serde_json::{Value, json};

/// Codes of about a hundred bytes each.
fn codes(count: usize) -> Vec<Value> {
    let text = "x".repeat(60);
    (0..count)
        .map(|number| json!({"code": format!("{number:06}"), "description": text}))
        .collect()
}

fn small_pages() -> AdminServer {
    AdminServer::with_settings(Settings {
        page_bytes: 50_000,
        ..Settings::default()
    })
}

/// How many items the pages of a walk have, and what each is called.
fn walk(server: &AdminServer, list: &str, name: &str) -> (Vec<usize>, Vec<Value>) {
    walk_by(|target| server.get(target), list, name)
}

fn walk_by(get: impl Fn(&str) -> Value, list: &str, name: &str) -> (Vec<usize>, Vec<Value>) {
    let (mut sizes, mut names, mut key) = (Vec::new(), Vec::new(), String::new());
    loop {
        let page = get(&format!("{list}?pageSize=1000{key}"));
        let found = page["items"].as_array().expect("items");
        sizes.push(found.len());
        names.extend(found.iter().map(|item| item[name].clone()));
        match page.get("nextPageKey") {
            None => return (sizes, names),
            Some(next) => key = format!("&pageKey={}", next.as_str().expect("a text")),
        }
    }
}

#[test]
fn a_page_of_large_nouns_is_short_and_the_next_goes_on_behind_it() {
    let server = small_pages();
    let names: Vec<Value> = (0..9)
        .map(|number| json!(format!("domain {number}")))
        .collect();
    for name in &names {
        server.make("/domains", json!({"name": name, "codes": codes(200)}));
    }
    let (sizes, found) = walk(&server, "/domains", "name");
    assert_eq!(sizes, [3, 3, 3]);
    assert_eq!(found, names);
}

#[test]
fn pages_of_areas_schemas_and_datasets_end_by_their_bytes_too_by_both_doors() {
    let server = small_pages();
    let text = "x".repeat(4000);
    let described = |number: usize| json!({"name": format!("n {number:02}"), "description": text});
    let areas: Vec<_> = (0..30)
        .map(|number| {
            server
                .make("/areas", described(number))
                .text("businessAreaId")
        })
        .collect();
    let schemas = format!("/areas/{}/schemas", areas[0]);
    let made: Vec<_> = (0..30)
        .map(|number| {
            let mut document = crate::admin_server::city();
            document["name"] = json!(format!("n {number:02}"));
            document["description"] = json!(text);
            server
                .make(&schemas, json!({"document": document}))
                .text("schemaId")
        })
        .collect();
    let datasets = format!("/schemas/{}/datasets", made[0]);
    for number in 0..30 {
        server.make(&datasets, described(number));
    }
    let check = |(sizes, found): (Vec<usize>, Vec<Value>)| {
        let meant: Vec<Value> = (0..30)
            .map(|number| json!(format!("n {number:02}")))
            .collect();
        assert_eq!(found, meant);
        assert!(sizes.len() == 3 && sizes[0] < 13, "{sizes:?}");
    };
    check(walk(&server, "/areas", "name"));
    check(walk(&server, &schemas, "name"));
    check(walk(&server, &datasets, "dataSetName"));
    let area = &areas[0];
    let granted: Vec<&str> = areas.iter().map(String::as_str).collect();
    let (_, key) = server.key("reader", &[&server.role("ACCOUNT ADMINISTRATOR")], &granted);
    let of_data = |path: &str, name: &str| {
        let read = |target: &str| {
            let headers = [("Authorization", key.as_str())];
            server
                .send(&format!("GET /v1{target}"), &headers, None)
                .is(200)
                .json()
        };
        walk_by(read, path, name)
    };
    let under = format!("/businessareas/{area}/schemas");
    check(of_data("/my/businessareas", "name"));
    check(of_data(&under, "name"));
    let under = format!("{under}/{}/datasets", made[0]);
    check(of_data(&under, "dataSetName"));
}

#[test]
fn a_page_of_the_trail_ends_by_its_bytes_and_the_walk_has_every_entry_once() {
    let server = small_pages();
    for number in 0..6 {
        // what goes is kept whole
        let body = json!({"name": format!("domain {number}"), "codes": codes(300)});
        let id = server.make("/domains", body).text("dataDomainId");
        server.root(&format!("DELETE /domains/{id}"), None).is(204);
    }
    let (sizes, numbers) = walk(&server, "/audit", "number");
    let numbers: Vec<i64> = numbers
        .iter()
        .map(|it| it.as_i64().expect("a number"))
        .collect();
    assert!(
        sizes.len() >= 3 && sizes.iter().all(|size| *size > 0),
        "{sizes:?}"
    );
    assert!(
        numbers.is_sorted_by(|one, next| *one == next + 1),
        "{numbers:?}"
    );
    assert_eq!(numbers.last(), Some(&1));
    assert!(numbers.len() > 12, "{numbers:?}");
}

#[test]
fn the_trail_keeps_what_changed_of_a_large_domain_and_all_of_one_that_goes() {
    let server = AdminServer::start();
    let mut all = codes(5000);
    let made = json!({"name": "Large", "codes": all});
    let id = server.make("/domains", made).text("dataDomainId");
    let newest = || server.get("/audit?pageSize=1")["items"][0].clone();
    let created = newest();
    assert_eq!(created["after"]["name"], "Large");
    assert!(
        created["after"]["codes"]["_cutBytes"].as_u64() > Some(400_000),
        "{created}"
    );
    all[4000]["description"] = json!("another");
    let path = format!("PUT /domains/{id}");
    server
        .root(&path, Some(json!({"name": "Large", "codes": all})))
        .is(200);
    let changed = newest();
    let old = json!({"code": "004000", "description": "x".repeat(60)});
    let new = json!({"code": "004000", "description": "another"});
    assert_eq!(changed["before"]["codes"], json!([old]));
    assert_eq!(changed["after"]["codes"], json!([new]));
    assert_eq!(changed["before"]["version"], 1);
    assert_eq!(changed["before"].get("name"), None, "it did not change");
    server.root(&format!("DELETE /domains/{id}"), None).is(204);
    assert_eq!(
        newest()["before"]["codes"].as_array().map(Vec::len),
        Some(5000)
    );
}
