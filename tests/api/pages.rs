//! Pages. docs/interface.md, "Paging".

use crate::test_server::{TestServer, records_of};
use serde_json::Value;

impl TestServer {
    fn fill(&self, count: usize) {
        for number in 0..count {
            self.created(&format!(r#"{{"Code":"c{number}","Name":"N"}}"#));
        }
    }

    /// Walks a list to its end and gives all items.
    pub(crate) fn walk(&self, target: &str, size: usize) -> Vec<Value> {
        let (mut items, mut key) = (Vec::new(), String::new());
        loop {
            let page = self
                .get(&format!("{target}?pageSize={size}{key}"))
                .is(200)
                .json();
            let found = page["items"].as_array().expect("items");
            items.extend(found.iter().cloned());
            match page.get("nextPageKey") {
                None => return items,
                Some(next) => {
                    assert_eq!(found.len(), size, "a page before the last is full");
                    key = format!("&pageKey={}", next.as_str().expect("a text"));
                }
            }
        }
    }
}

fn codes(items: &[Value]) -> Vec<&str> {
    items
        .iter()
        .map(|item| item["Code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_walk_sees_every_record_once_in_order_of_creation() {
    let server = TestServer::start();
    // the code is the sort key, which does not change the order
    server.created(r#"{"Code":"z","Name":"N"}"#);
    server.fill(6);
    server.created(r#"{"Code":"a","Name":"N"}"#);
    let expected = ["z", "c0", "c1", "c2", "c3", "c4", "c5", "a"];
    for size in [1, 2, 3, 7, 8, 9, 1000] {
        assert_eq!(
            codes(&server.walk(&server.records(), size)),
            expected,
            "{size}"
        );
    }
}

#[test]
fn the_last_page_has_no_key_also_when_it_is_full() {
    let server = TestServer::start();
    server.fill(4);
    let page = server
        .get(&format!("{}?pageSize=2", server.records()))
        .json();
    let key = page["nextPageKey"].as_str().unwrap();
    let last = server
        .get(&format!("{}?pageSize=2&pageKey={key}", server.records()))
        .json();
    assert_eq!(last["items"].as_array().unwrap().len(), 2);
    assert!(last.get("nextPageKey").is_none());
    let empty = server.get(&records_of(
        &server.names.area,
        &server.names.schema,
        &server.names.other_dataset,
    ));
    assert_eq!(empty.is(200).text(), r#"{"items":[]}"#);
}

#[test]
fn a_page_has_a_hundred_items_if_nothing_is_said() {
    let server = TestServer::start();
    server.fill(101);
    let page = server.get(&server.records()).json();
    assert_eq!(page["items"].as_array().unwrap().len(), 100);
    assert!(page["nextPageKey"].is_string());
    let page = server
        .get(&format!("{}?pageSize=1000", server.records()))
        .json();
    assert_eq!(page["items"].as_array().unwrap().len(), 101);
}

#[test]
fn every_catalog_list_is_paged() {
    let server = TestServer::start();
    let names = server.names.clone();
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let datasets = format!("{schemas}/{}/datasets", names.schema);
    for number in 0..3 {
        server.dataset(&names.schema, &format!("D{number}"));
        server.schema(&names.tenant, &names.area, crate::test_server::CITY);
    }
    for (target, count) in [(&schemas, 5), (&datasets, 5)] {
        let whole = server.walk(target, 1000);
        assert_eq!(whole.len(), count);
        for size in [1, 2, 5] {
            assert_eq!(server.walk(target, size), whole);
        }
    }
    let areas: Vec<_> = (0..3)
        .map(|number| server.area(&names.tenant, &format!("A{number}")))
        .collect();
    server.change_key(&names.key, |key| {
        let verbs = runtime::store::catalog::Verbs::ALL;
        key.grants.extend(
            areas
                .into_iter()
                .map(|area| runtime::store::catalog::Grant { area, verbs }),
        );
    });
    let whole = server.walk("/v1/my/businessareas", 1000);
    assert_eq!(whole.len(), 4);
    assert_eq!(server.walk("/v1/my/businessareas", 1), whole);
}

#[test]
fn a_walk_goes_on_behind_what_was_deleted_and_meets_what_was_added() {
    let server = TestServer::start();
    server.fill(5);
    let first = server
        .get(&format!("{}?pageSize=2", server.records()))
        .json();
    let last = first["items"][1].clone();
    server.delete(&last).is(204);
    let next = first["items"][0].clone();
    server
        .update(&next, r#"{"_version":0,"Name":"changed"}"#)
        .is(204);
    server.created(r#"{"Code":"late","Name":"N"}"#);
    let key = first["nextPageKey"].as_str().unwrap();
    let rest = server
        .get(&format!("{}?pageKey={key}", server.records()))
        .json();
    assert_eq!(
        codes(rest["items"].as_array().unwrap()),
        ["c2", "c3", "c4", "late"]
    );
    // a catalog list as well
    let names = server.names.clone();
    let target = format!(
        "/v1/businessareas/{}/schemas/{}/datasets",
        names.area, names.schema
    );
    let first = server.get(&format!("{target}?pageSize=1")).json();
    let mut dataset = (*server.service.store().catalog().datasets[&names.dataset]).clone();
    dataset.deleted = true;
    server.put(dataset);
    let key = first["nextPageKey"].as_str().unwrap();
    let rest = server
        .get(&format!("{target}?pageKey={key}"))
        .is(200)
        .json();
    assert_eq!(rest["items"][0]["dataSetName"], "Asia");
}

#[test]
fn deleted_records_are_not_listed() {
    let server = TestServer::start();
    server.fill(3);
    let items = server.walk(&server.records(), 10);
    server.delete(&items[1]).is(204);
    assert_eq!(codes(&server.walk(&server.records(), 10)), ["c0", "c2"]);
}

#[test]
fn a_key_that_is_tampered_with_or_of_another_list_is_400() {
    let server = TestServer::start();
    server.fill(3);
    let names = server.names.clone();
    let other = records_of(&names.area, &names.schema, &names.other_dataset);
    for code in ["a", "b"] {
        let body = format!(r#"{{"Code":"{code}","Name":"N"}}"#);
        server.request("POST", &other).json(body).send().is(201);
    }
    let key_of = |target: &str| {
        let page = server.get(&format!("{target}?pageSize=1")).is(200).json();
        page["nextPageKey"].as_str().expect("a key").to_owned()
    };
    let schemas = format!("/v1/businessareas/{}/schemas", names.area);
    let datasets = format!("{schemas}/{}/datasets", names.schema);
    let lists = [server.records(), other, schemas, datasets];
    for list in &lists {
        let own = key_of(list);
        server.get(&format!("{list}?pageKey={own}")).is(200);
        for foreign in lists.iter().filter(|foreign| *foreign != list) {
            server
                .get(&format!("{foreign}?pageKey={own}"))
                .plain_error(400);
        }
        server
            .get(&format!("/v1/my/businessareas?pageKey={own}"))
            .plain_error(400);
        for at in 0..own.len() {
            let mut wrong = own.clone().into_bytes();
            wrong[at] = if wrong[at] == b'A' { b'B' } else { b'A' };
            let wrong = String::from_utf8(wrong).unwrap();
            server
                .get(&format!("{list}?pageKey={wrong}"))
                .plain_error(400);
        }
        let hostile = [
            "",
            "%20",
            "0",
            "1",
            "null",
            "%00",
            "%ff",
            "%F0%9F%98%80",
            "..%2F",
            &own[1..],
            &format!("{own}A"),
            &"A".repeat(5000),
        ];
        for wrong in hostile {
            server
                .get(&format!("{list}?pageKey={wrong}"))
                .plain_error(400);
        }
        server
            .get(&format!("{list}?pageKey={own}&pageKey={own}"))
            .plain_error(400);
    }
    let record = server.get(&server.records()).json()["items"][0]["_dataObjectId"]
        .as_str()
        .unwrap()
        .to_owned();
    server
        .get(&format!("{}?pageKey={record}", server.records()))
        .plain_error(400);
}

#[test]
fn a_page_size_is_a_number_from_1_to_1000() {
    let server = TestServer::start();
    for size in ["1", "1000", "007"] {
        server
            .get(&format!("{}?pageSize={size}", server.records()))
            .is(200);
    }
    let lists = [server.records(), "/v1/my/businessareas".to_owned()];
    for list in lists {
        for size in [
            "0",
            "1001",
            "-1",
            "%2B5",
            "1.0",
            "1e2",
            "",
            "ten",
            "99999999999999999999999",
            "%D9%A3",
            "1%20",
            "5&pageSize=5",
        ] {
            server
                .get(&format!("{list}?pageSize={size}"))
                .plain_error(400);
        }
    }
}

#[test]
fn unknown_query_parameters_are_ignored() {
    let server = TestServer::start();
    for query in [
        "?",
        "?x",
        "?PAGEKEY=x",
        "?pagekey=x",
        "?a=%ff&b=%zz&=&&",
        "?pageSize[]=5",
        "?%00",
    ] {
        server.get(&format!("{}{query}", server.records())).is(200);
    }
    // a parameter's name may be written with escapes
    server
        .get(&format!("{}?%70ageSize=0", server.records()))
        .plain_error(400);
}

#[test]
fn a_bad_page_key_is_judged_after_role_and_path() {
    let server = TestServer::start();
    let names = server.names.clone();
    server
        .get(&format!(
            "/v1/businessareas/{}/schemas?pageKey=x",
            names.ungranted_area
        ))
        .plain_error(403);
    server
        .get("/v1/businessareas/none/schemas?pageKey=x")
        .plain_error(404);
}
