//! That the limits which the OpenAPI document tells of bodies are those that the service enforces: for each, what is
//! just within it is taken, and what is just beyond it is refused at its place; and so is a property that a closed
//! body does not have.

use crate::refusals::{AdminSetup, Asked};
use serde_json::{Value, json};

/// The document as it is sent: the suite's own closes what is open.
fn document() -> Value {
    serde_json::from_str(runtime::openapi::document()).expect("a JSON document")
}

/// The shape of an operation's body.
fn shape_of(document: &Value, asked: &Asked) -> Value {
    let path = format!("/admin/api/v1{}", asked.template);
    let operation = &document["paths"][&path][asked.method.to_lowercase()];
    let shape = &operation["requestBody"]["content"]["application/json"]["schema"];
    let name = shape["$ref"].as_str().expect("a shape with a name");
    let shape = document.pointer(name.trim_start_matches('#'));
    shape.expect("the shape").clone()
}

/// Every operation that takes a body, with the body's shape and one that it takes.
fn bodies(setup: &AdminSetup) -> Vec<(Asked, Value, Value)> {
    let document = document();
    let all = setup.operations().into_iter().filter_map(|asked| {
        // a file is no JSON, and lines are many
        let is_json = |it: &Asked| {
            let ends = ["/imports", "/inferences", "/records/bulk", "/files"];
            !ends.iter().any(|end| it.template.ends_with(end))
        };
        let asked = Some(asked).filter(is_json)?;
        let body = serde_json::from_str(&asked.body(setup)?).expect("a JSON body");
        let shape = shape_of(&document, &asked);
        Some((asked, shape, body))
    });
    let all: Vec<_> = all.collect();
    assert!(all.len() > 20, "{}", all.len());
    all
}

#[test]
fn a_property_that_a_closed_body_does_not_have_is_refused_and_every_body_is_closed() {
    let setup = AdminSetup::start();
    for (asked, shape, mut body) in bodies(&setup) {
        let what = format!("{} {}", asked.method, asked.template);
        assert_eq!(shape["additionalProperties"], json!(false), "{what}");
        body["surplus"] = json!(1);
        let answer = setup.ask(&asked, &[], Some(&body.to_string())).is(400);
        assert!(answer.body.contains("surplus"), "{what}: {}", answer.body);
    }
}

/// Values around the limits of a property: each with whether it is within.
fn around(name: &str, shape: &Value) -> Vec<(Value, bool)> {
    let text = |length: u64| {
        let end = if name == "email" { "@example.org" } else { "" };
        let length = usize::try_from(length).expect("a length") - end.len();
        // no two parts are alike: a password of one letter is refused for another reason
        let letters: String = (0..length)
            .map(|at| char::from(b'a' + u8::try_from((at * at + at / 7) % 26).expect("a letter")))
            .collect();
        json!(letters + end)
    };
    let mut all = Vec::new();
    if let Some(most) = shape["maxLength"].as_u64().filter(|_| name != "email") {
        all.extend([(text(most), true), (text(most + 1), false)]);
    } else if let Some(most) = shape["maxLength"].as_u64() {
        all.push((text(most + 1), false));
    }
    if let Some(least) = shape["minLength"].as_u64() {
        all.extend([(text(least), true), (text(least - 1), false)]);
    }
    if let Some(most) = shape["maximum"].as_i64() {
        all.extend([(json!(most), true), (json!(most + 1), false)]);
    }
    if let Some(least) = shape["minimum"].as_i64() {
        all.extend([(json!(least), true), (json!(least - 1), false)]);
    }
    if let Some(word) = shape["enum"].get(0) {
        all.extend([(word.clone(), true), (json!("another word"), false)]);
    }
    all
}

#[test]
fn every_limit_of_a_body_that_the_document_tells_is_enforced() {
    let setup = AdminSetup::start();
    let mut count = 0;
    for (asked, shape, body) in bodies(&setup) {
        for (name, property) in shape["properties"].as_object().expect("properties") {
            // a new password of one's own ends the session that asks, and an invitation
            let ends = ["/session/password", "/invitations/accept"].contains(&asked.template);
            let is_last = |is_within| is_within && ends;
            let around = around(name, property).into_iter();
            for (value, is_within) in around.filter(|(_, is_within)| !is_last(*is_within)) {
                let mut body = body.clone();
                body[name] = value;
                let answer = setup.ask(&asked, &[], Some(&body.to_string()));
                let what = format!(
                    "{} {} with {body}: {} {}",
                    asked.method, asked.template, answer.status, answer.body
                );
                let place = format!("$.{name}");
                let is_refused = answer.status == 400 && answer.problems().contains(&place);
                // a password of the right length may still be one that is guessed
                let is_common =
                    name.to_lowercase().ends_with("password") && !answer.body.contains("too ");
                assert!(is_refused != is_within || is_within && is_common, "{what}");
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}
