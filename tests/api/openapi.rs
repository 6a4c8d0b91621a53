//! The OpenAPI document itself: who gets it, that it names the routes there are with their methods, and
//! what the document of one schema says of its records. That every answer of the suites is as it says,
//! `openapi_contract` holds.

use crate::contract::{DOCUMENT, Exchange, undocumented, validator_of};
use crate::raw::Request;
use crate::test_server::{TestServer, everything};
use runtime::store::catalog::Verbs;
use serde_json::{Value, json};

fn methods(described: &Value) -> Vec<String> {
    let methods = described.as_object().expect("operations").keys();
    methods.map(|method| method.to_uppercase()).collect()
}

#[test]
fn the_document_is_public_and_the_one_that_the_program_prints() {
    let server = TestServer::start();
    let answer = Request::new(server.address, "GET", "/openapi.json")
        .send()
        .is(200);
    assert_eq!(answer.text(), runtime::openapi::document());
    assert_eq!(answer.json()["openapi"], "3.1.0");
}

#[test]
fn every_path_of_the_document_has_exactly_the_methods_it_names() {
    let server = TestServer::start();
    for (path, described) in DOCUMENT["paths"].as_object().expect("paths") {
        if path.starts_with("/admin/") {
            continue;
        }
        let filled = path.replace(['{', '}'], "");
        let answer = Request::new(server.address, "PATCH", &filled)
            .credential(&server.names.key)
            .send()
            .is(405);
        let allowed = answer.header("allow").expect("the methods").to_owned();
        let mut allowed: Vec<_> = allowed
            .split(',')
            .filter(|method| *method != "HEAD")
            .collect();
        allowed.sort_unstable();
        let mut told = methods(described);
        told.sort_unstable();
        assert_eq!(told, allowed, "{path}");
    }
}

#[test]
fn ids_of_operations_are_used_once_and_every_reference_leads_somewhere() {
    let mut ids = Vec::new();
    for described in DOCUMENT["paths"].as_object().expect("paths").values() {
        let operations = described.as_object().expect("operations").values();
        ids.extend(operations.map(|operation| operation["operationId"].as_str().expect("an id")));
    }
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count);
    assert!(count > 70, "{count}");
    let mut found = 0;
    follow(&DOCUMENT, &DOCUMENT, &mut found);
    assert!(found > 100, "{found}");
}

fn follow(document: &Value, value: &Value, found: &mut usize) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get("$ref") {
                let place = reference
                    .strip_prefix('#')
                    .expect("a place of the document");
                assert!(document.pointer(place).is_some(), "{reference}");
                *found += 1;
            }
            members
                .values()
                .for_each(|value| follow(document, value, found));
        }
        Value::Array(items) => items
            .iter()
            .for_each(|value| follow(document, value, found)),
        _ => {}
    }
}

#[test]
fn an_answer_that_the_document_does_not_tell_is_found_out() {
    let headers = |kind: &str| {
        vec![
            ("content-type".to_owned(), kind.to_owned()),
            ("x-request-id".to_owned(), "1".to_owned()),
        ]
    };
    let about = |target: &str, status: u16, headers: &[(String, String)], body: &[u8]| {
        undocumented(&Exchange {
            method: "GET",
            target,
            sent: None,
            status,
            headers,
            body,
        })
    };
    let json = headers("application/json");
    let good = br#"{"status":"ok"}"#;
    assert_eq!(about("/healthz", 200, &json, good), Vec::<String>::new());
    assert_eq!(
        about("/nowhere", 404, &json, br#"{"message":"no"}"#),
        Vec::<String>::new()
    );
    assert!(!about("/nowhere", 200, &json, good).is_empty());
    assert!(!about("/healthz", 201, &json, good).is_empty());
    assert!(!about("/healthz", 200, &json[..1], good).is_empty());
    assert!(!about("/healthz", 200, &headers("text/plain"), good).is_empty());
    assert!(!about("/healthz", 200, &json, b"").is_empty());
    assert!(!about("/healthz", 200, &json, br#"{"status":"ok","more":1}"#).is_empty());
    let list = "/v1/my/businessareas?pageKey=x";
    assert!(about(list, 200, &json, br#"{"items":[]}"#).is_empty());
    assert!(!about(list, 200, &json, br#"{"items":[],"nextPageKey":null}"#).is_empty());
    assert!(!about(list, 200, &json, br#"{"items":[{"name":"x"}]}"#).is_empty());
}

#[test]
fn a_schemas_own_document_tells_its_records_to_who_may_see_the_schema() {
    let server = TestServer::start();
    let names = &server.names;
    let path = format!(
        "/v1/businessareas/{}/schemas/{}/openapi.json",
        names.area, names.schema
    );
    Request::new(server.address, "GET", &path)
        .send()
        .plain_error(401);
    let elsewhere = server.key(
        &[(Verbs::ALL, &names.ungranted_area)],
        &everything(Verbs::ALL),
    );
    Request::new(server.address, "GET", &path)
        .credential(&elsewhere)
        .send()
        .plain_error(403);
    let unknown = path.replace(&names.schema, "unknown");
    Request::new(server.address, "GET", &unknown)
        .credential(&names.key)
        .send()
        .plain_error(404);
    let document = Request::new(server.address, "GET", &path)
        .credential(&names.key)
        .send()
        .is(200)
        .json();
    follow(&document, &document, &mut 0);
    let record = validator_of(&document, "/components/schemas/Record");
    // without the way out for faulty values, only records without faults fit
    let mut strict = document.clone();
    strict["components"]["schemas"]["FaultyValue"] = json!(false);
    let clean = validator_of(&strict, "/components/schemas/Record");
    let records = format!(
        "/v1/businessareas/{}/schemas/{}/datasets/{}/dataobjects",
        names.area, names.schema, names.dataset
    );
    let create = |body: Value| {
        let request = Request::new(server.address, "POST", &records).credential(&names.key);
        request.json(body.to_string()).send().is(201).json()
    };
    let good = create(
        json!({"Code": "A", "Name": "Aachen", "Founded": "01.02.0800", "People": 5, "Kind": "C", "Mail": "a@example.org",
        "Site": "https://example.org", "Phone": "+49 241 432", "Tags": ["old", "wet"], "Region": "N"}),
    );
    assert_eq!(good["_errors"], json!([]));
    for validator in [&record, &clean] {
        let errors: Vec<_> = validator
            .iter_errors(&good)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
    for (field, value) in [
        ("People", json!(-1)),
        ("Kind", json!("X")),
        ("Name", json!("a".repeat(21))),
        ("Phone", json!("1")),
    ] {
        let mut body = json!({"Code": field, "Name": "x"});
        body[field] = value;
        let faulty = create(body);
        assert_eq!(faulty["_errors"][0]["name"], field, "{faulty}");
        assert!(
            record.is_valid(&faulty) && !clean.is_valid(&faulty),
            "{faulty}"
        );
    }
    let mut stripped = good.clone();
    stripped.as_object_mut().expect("an object").remove("Tags");
    assert!(!record.is_valid(&stripped), "every active field is there");
}
