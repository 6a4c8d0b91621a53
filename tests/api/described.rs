//! What the OpenAPI documents say for people and for generators of clients: every operation, parameter, shape and
//! property is described and has an example that fits; names are names in every language. What linters and generators
//! make of them, `.ci/clients/generators` tries.

use crate::contract::validator_for;
use crate::raw::Request;
use crate::test_server::TestServer;
use runtime::http::DoorSettings;
use runtime::service::Settings;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

fn whole() -> Value {
    serde_json::from_str(runtime::openapi::document()).expect("a JSON document")
}

/// The document of the schema that the test server has.
fn of_schema() -> Value {
    let server = TestServer::start();
    let names = &server.names;
    let path = format!(
        "/v1/businessareas/{}/schemas/{}/openapi.json",
        names.area, names.schema
    );
    let request = Request::new(server.address, "GET", &path).credential(&names.key);
    request.send().is(200).json()
}

fn members(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// Every operation of a document, with where it stands.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = members(&document["paths"]);
    let all = paths.flat_map(|(path, methods)| {
        members(methods).map(move |(method, operation)| (format!("{method} {path}"), operation))
    });
    all.collect()
}

#[test]
fn every_operation_has_a_summary_and_an_id_of_its_own_and_a_description() {
    for document in [whole(), of_schema()] {
        let (mut summaries, mut ids) = (BTreeSet::new(), BTreeSet::new());
        for (place, operation) in operations(&document) {
            let text = |name: &str| operation[name].as_str().unwrap_or_default().to_owned();
            let (id, summary) = (text("operationId"), text("summary"));
            assert!(
                !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric()),
                "{place}: {id:?}"
            );
            assert!(
                !summary.is_empty() && text("description").len() > 20,
                "{place}"
            );
            assert!(
                ids.insert(id.to_ascii_lowercase()),
                "{place}: {id} is used twice"
            );
            assert!(
                summaries.insert(summary),
                "{place}: its summary is another's"
            );
        }
        assert!(ids.len() >= 9);
    }
}

#[test]
fn every_parameter_and_body_has_an_example_that_fits() {
    for document in [whole(), of_schema()] {
        for (place, operation) in operations(&document) {
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let what = format!("{place}: {}", parameter["name"]);
                assert!(
                    parameter["description"]
                        .as_str()
                        .is_some_and(|text| text.len() > 5),
                    "{what}"
                );
                assert_fits(
                    &document,
                    &parameter["schema"],
                    &parameter["example"],
                    &what,
                );
            }
            let answers = members(&operation["responses"]).map(|(_, answer)| answer);
            for holder in answers.chain([&operation["requestBody"]]) {
                for (kind, body) in
                    members(&holder["content"]).filter(|(kind, _)| kind.ends_with("json"))
                {
                    let what = format!("{place} {kind}");
                    let shape = &body["schema"];
                    let error = shape["$ref"]
                        .as_str()
                        .filter(|name| name.ends_with("Error"));
                    let own = match error {
                        // what is the same everywhere is shown once
                        Some(name) => example_of(&document, name),
                        None => body["example"].clone(),
                    };
                    assert_fits(&document, shape, &own, &what);
                }
            }
        }
    }
}

/// The example of a shape, or of the first that it may be.
fn example_of(document: &Value, reference: &str) -> Value {
    let shape = document.pointer(reference.trim_start_matches('#'));
    let shape = shape.expect("a shape");
    match shape["anyOf"][0]["$ref"].as_str() {
        Some(first) => example_of(document, first),
        None => shape["examples"][0].clone(),
    }
}

#[track_caller]
fn assert_fits(document: &Value, shape: &Value, example: &Value, what: &str) {
    assert!(!example.is_null(), "{what}: no example");
    let validator = validator_for(document, shape);
    let errors: Vec<_> = validator
        .iter_errors(example)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{what}: {example} {errors:?}");
}

#[test]
fn every_shape_and_property_is_described_and_every_property_shows_what_it_looks_like() {
    for document in [whole(), of_schema()] {
        let shapes = members(&document["components"]["schemas"]);
        let mut count = 0;
        for (name, shape) in shapes {
            assert!(shape["description"].is_string(), "{name} is not described");
            properties(shape, &mut |property, shape| {
                let what = format!("{name}.{property}");
                assert!(
                    shape["description"]
                        .as_str()
                        .is_some_and(|text| text.len() > 2),
                    "{what}"
                );
                assert!(
                    is_shown(shape) || is_shown(&shape["items"]),
                    "{what} has no example"
                );
                if let Some(example) = shape["examples"].get(0) {
                    assert_fits(&document, shape, example, &what);
                }
                count += 1;
            });
        }
        assert!(count > 80, "{count}");
    }
}

/// Whether a shape has an example, or one that it is made of.
fn is_shown(shape: &Value) -> bool {
    let words = ["examples", "$ref", "anyOf", "enum", "const", "properties"];
    words.iter().any(|word| shape.get(word).is_some())
}

/// Every property of a shape, however deep.
fn properties(shape: &Value, seen: &mut impl FnMut(&str, &Value)) {
    for (word, inner) in members(shape) {
        match word.as_str() {
            "properties" => {
                for (name, property) in members(inner) {
                    seen(name, property);
                    properties(property, seen);
                }
            }
            "items" | "additionalProperties" => properties(inner, seen),
            "anyOf" | "allOf" => {
                for each in inner.as_array().into_iter().flatten() {
                    properties(each, seen);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn no_shape_is_one_that_generators_cannot_read() {
    for document in [whole(), of_schema()] {
        find(
            &document["components"],
            "components",
            &mut |place, members| {
                for (name, property) in members
                    .get("properties")
                    .and_then(Value::as_object)
                    .into_iter()
                    .flatten()
                {
                    assert!(property.is_object(), "{place}.{name} is no object");
                }
                assert!(
                    !members.contains_key("oneOf"),
                    "{place}: `oneOf` is a type of its own to some"
                );
            },
        );
        for (place, operation) in operations(&document) {
            let media = members(&operation["requestBody"]["content"]).count();
            assert!(
                media <= 1,
                "{place} takes several media types: some make a type of each"
            );
        }
    }
}

fn find(value: &Value, place: &str, seen: &mut impl FnMut(&str, &Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            seen(place, members);
            for (name, member) in members
                .iter()
                .filter(|(name, _)| !name.starts_with("example"))
            {
                find(member, &format!("{place}.{name}"), seen);
            }
        }
        Value::Array(all) => all.iter().for_each(|member| find(member, place, seen)),
        _ => {}
    }
}

#[test]
fn descriptions_are_for_strangers_and_do_no_harm_in_a_page() {
    for document in [whole(), of_schema()] {
        find(&document, "", &mut |place, members| {
            let Some(Value::String(text)) = members.get("description") else {
                return;
            };
            for rust in ["docs/", "[`", "`None`", "`Some", "::", "<"] {
                assert!(!text.contains(rust), "{place} has {rust:?}: {text}");
            }
        });
    }
}

#[test]
fn a_document_tells_whose_it_is_where_it_stands_and_under_which_licence() {
    let document = whole();
    assert_eq!(document["servers"][0]["url"], "/");
    assert_eq!(
        document["info"]["license"]["identifier"],
        "MIT OR Apache-2.0"
    );
    assert!(document["info"]["contact"]["name"].is_string());
    for tag in document["tags"].as_array().expect("tags") {
        assert!(
            tag["description"]
                .as_str()
                .is_some_and(|text| text.len() > 10),
            "{tag}"
        );
    }
    let server = TestServer::with_door(&DoorSettings {
        public_url: Some("https://data.example.org".to_owned()),
        ..DoorSettings::default()
    });
    let ask = |path: &str| {
        let request = Request::new(server.address, "GET", path).credential(&server.names.key);
        request.send().is(200).json()
    };
    let names = &server.names;
    let schema = format!(
        "/v1/businessareas/{}/schemas/{}/openapi.json",
        names.area, names.schema
    );
    for path in ["/openapi.json", &schema] {
        assert_eq!(
            ask(path)["servers"][0]["url"],
            "https://data.example.org",
            "{path}"
        );
    }
}

#[test]
fn the_oauth_flow_is_told_by_a_server_that_accepts_bearer() {
    let server = TestServer::with_door(&DoorSettings {
        accept_bearer: true,
        ..DoorSettings::default()
    });
    let request = Request::new(server.address, "GET", "/openapi.json");
    let document = request.send().is(200).json();
    let flow = "/components/securitySchemes/oauth/flows/clientCredentials/tokenUrl";
    assert_eq!(document.pointer(flow), Some(&json!("/oauth2/token")));
    assert!(whole().pointer(flow).is_none());
}

#[test]
fn a_document_tells_the_page_sizes_that_are_set() {
    let settings = Settings {
        page_size: 7,
        page_size_max: 20,
        ..Settings::default()
    };
    let server = TestServer::with_settings(settings);
    let document = Request::new(server.address, "GET", "/openapi.json")
        .send()
        .is(200)
        .json();
    let parameters = document["paths"]["/v1/my/businessareas"]["get"]["parameters"].as_array();
    let size = parameters
        .into_iter()
        .flatten()
        .find(|one| one["name"] == "pageSize");
    let size = &size.expect("a parameter")["schema"];
    assert_eq!(
        *size,
        json!({"type": "integer", "minimum": 1, "maximum": 20, "default": 7})
    );
    for (size, status) in [("20", 200), ("21", 400), ("0", 400)] {
        let path = format!("/v1/my/businessareas?pageSize={size}");
        let request = Request::new(server.address, "GET", &path).credential(&server.names.key);
        request.send().is(status);
    }
}

#[test]
fn the_limits_that_the_document_tells_of_a_query_and_of_credentials_are_enforced() {
    let server = TestServer::start();
    let document = whole();
    let parameters = document["paths"]["/v1/dataobjects/search"]["get"]["parameters"].as_array();
    let query = parameters
        .into_iter()
        .flatten()
        .find(|one| one["name"] == "query");
    let most = query.expect("a parameter")["schema"]["maxLength"]
        .as_u64()
        .expect("a limit");
    for (length, is_refused) in [(most, false), (most + 1, true), (0, true)] {
        let query = "a".repeat(usize::try_from(length).expect("a length"));
        let path = format!("/v1/dataobjects/search?query={query}");
        let request = Request::new(server.address, "GET", &path).credential(&server.names.key);
        // this server has no index: what is asked for rightly is 503
        assert_eq!(request.send().status == 400, is_refused, "{length}");
    }
    let shape = &document["components"]["schemas"]["ClientCredentials"];
    for name in ["client_id", "client_secret"] {
        assert_eq!(shape["properties"][name]["minLength"], 1);
        let mut body =
            json!({"client_id": server.names.app, "client_secret": server.names.app_secret});
        body[name] = json!("");
        let request = Request::new(server.address, "POST", "/oauth2/token");
        request.json(body.to_string()).send().is(400);
    }
    // what else stands in that body says nothing, and the shape is open
    assert_eq!(shape["additionalProperties"], true);
    let body = json!({"client_id": server.names.app, "client_secret": server.names.app_secret, "scope": "x"});
    let request = Request::new(server.address, "POST", "/oauth2/token");
    request.json(body.to_string()).send().is(200);
}
