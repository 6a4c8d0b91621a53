//! The OpenAPI document itself: who gets it, that it names the routes there are with their methods, and
//! what the document of one schema says of its records. That every answer of the suites is as it says,
//! `openapi_contract` holds.

use crate::contract::{DOCUMENT, Exchange, undocumented, validator_for, validator_of};
use crate::raw::Request;
use crate::test_server::{Names, TestServer, everything};
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
    let fits = |shape: &str, value: &Value| {
        let place = format!("/components/schemas/{shape}");
        validator_of(&document, &place).is_valid(value)
    };
    let records = own_path(&document, names, "/dataobjects");
    let create = |body: &Value| {
        let request = Request::new(server.address, "POST", &records).credential(&names.key);
        request.json(body.to_string()).send().is(201).json()
    };
    let body = json!({"Code": "A", "Name": "Aachen", "Founded": "01.02.0800", "People": 5, "Kind": "C", "Mail": "a@example.org",
        "Site": "https://example.org", "Phone": "+492414320", "Tags": ["old", "wet"], "Region": "N"});
    assert!(fits("NewRecord", &body));
    let good = create(&body);
    assert_eq!(good["_errors"], json!([]));
    assert!(
        fits("Record", &good) && fits("CleanRecord", &good),
        "{good}"
    );
    for (field, value) in [
        ("People", json!(-1)),
        ("People", json!("many")),
        ("Kind", json!("X")),
        ("Name", json!("a".repeat(21))),
        ("Name", json!(null)),
        ("Phone", json!("1")),
        ("Tags", json!([1, "wet"])),
    ] {
        let mut body = json!({"Code": format!("{field}{value}"), "Name": "x"});
        body[field] = value;
        assert!(!fits("NewRecord", &body), "{body} is not what is asked for");
        let faulty = create(&body);
        assert_eq!(faulty["_errors"][0]["name"], field, "{faulty}");
        assert!(
            fits("Record", &faulty) && fits("FaultyRecord", &faulty),
            "{faulty}"
        );
        assert!(!fits("CleanRecord", &faulty), "{faulty}");
    }
    let mut stripped = good.clone();
    stripped.as_object_mut().expect("an object").remove("Tags");
    assert!(!fits("Record", &stripped), "every active field is there");
    let mut more = good.clone();
    more["Mayor"] = json!("nobody knows");
    assert!(!fits("Record", &more), "nothing else is");
}

/// The path of the document that ends so, for the server's dataset.
fn own_path(document: &Value, names: &Names, end: &str) -> String {
    let mut paths = document["paths"].as_object().expect("paths").keys();
    let path = paths.find(|path| path.ends_with(end));
    path.expect("a path").replace("{datasetId}", &names.dataset)
}

/// What a document says of an answer.
fn shape_of(document: &Value, path: &str, method: &str, status: &str) -> Value {
    let operation = &document["paths"][path][method];
    operation["responses"][status]["content"]["application/json"]["schema"].clone()
}

#[test]
fn every_operation_of_a_schemas_document_is_there_and_answers_as_it_says() {
    let server = TestServer::start();
    let names = &server.names;
    let ask = |method: &'static str, path: &str| {
        Request::new(server.address, method, path).credential(&names.key)
    };
    let own = format!("/v1/businessareas/{}/schemas/{}", names.area, names.schema);
    let document = ask("GET", &format!("{own}/openapi.json"))
        .send()
        .is(200)
        .json();
    let told: Vec<_> = document["paths"]
        .as_object()
        .expect("paths")
        .keys()
        .cloned()
        .collect();
    let below = |rest: &str| format!("{own}/datasets{rest}");
    let [record, by_key, records] = [
        "/{datasetId}/dataobjects/{dataObjectId}",
        "/{datasetId}/dataobjects/by-pk/{pkValue}",
        "/{datasetId}/dataobjects",
    ]
    .map(below);
    let mut expected = vec![
        below(""),
        record.clone(),
        by_key.clone(),
        records.clone(),
        below("/{datasetId}/changes"),
        below("/{datasetId}/files"),
        "/v1/dataobjects/search".to_owned(),
        "/oauth2/token".to_owned(),
    ];
    expected.sort_unstable();
    assert_eq!(told, expected);

    let at = |path: &str| path.replace("{datasetId}", &names.dataset);
    let holds = |path: &str, method: &str, status: &str, answer: &Value| {
        let validator = validator_for(&document, &shape_of(&document, path, method, status));
        let errors: Vec<_> = validator
            .iter_errors(answer)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{method} {path}: {answer} {errors:?}");
    };
    for body in [
        json!({"Code": "A", "Name": "Aachen"}),
        json!({"Code": "B", "Name": "Bonn", "People": "many"}),
    ] {
        let made = ask("POST", &at(&records))
            .json(body.to_string())
            .send()
            .is(201)
            .json();
        holds(&records, "post", "201", &made);
        let own = at(&record).replace(
            "{dataObjectId}",
            made["_dataObjectId"].as_str().expect("an id"),
        );
        let change = json!({"_version": 0, "Mail": "a@example.org", "_errors": made["_errors"]});
        let validator = validator_of(&document, "/components/schemas/RecordChanges");
        assert!(validator.is_valid(&change));
        ask("PUT", &own).json(change.to_string()).send().is(204);
        let key = body["Code"].as_str().expect("a key");
        let found = ask("GET", &at(&by_key).replace("{pkValue}", key))
            .send()
            .is(200)
            .json();
        assert_eq!(found["_version"], 1);
        holds(&by_key, "get", "200", &found);
    }
    let listed = ask("GET", &at(&records)).send().is(200).json();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(2));
    holds(&records, "get", "200", &listed);
    holds(
        &below(""),
        "get",
        "200",
        &ask("GET", &below("")).send().is(200).json(),
    );
}

#[test]
fn a_schema_without_a_primary_key_has_no_look_up_in_its_document() {
    let server = TestServer::start();
    let names = &server.names;
    let path = format!(
        "/v1/businessareas/{}/schemas/{}/openapi.json",
        names.area, names.keyless_schema
    );
    let request = Request::new(server.address, "GET", &path).credential(&names.key);
    let document = request.send().is(200).json();
    let paths = document["paths"].as_object().expect("paths");
    assert!(!paths.keys().any(|path| path.contains("by-pk")));
    assert_eq!(
        document["components"]["schemas"]["NewRecord"]["required"],
        json!([])
    );
}
