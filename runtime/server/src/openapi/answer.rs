//! The answers of an operation in the document's words: what each status means, which headers it has, and of
//! what shape its body is.

use super::generators::Shapes;
use super::operation::{Content, JSON, MANAGEMENT, Operation, Shape, shape};
use super::shapes::Problems;
use serde_json::{Map, Value, json};
use wire::{CodedError, PlainError};

/// An answer that says yes.
pub(super) fn given(status: u16, content: &Content, shapes: &mut Shapes) -> Value {
    let mut answer = json!({"description": meaning(status), "headers": headers_of(status)});
    match content {
        Content::Json(shape) => {
            answer["content"] = json!({JSON: {"schema": shape(&mut shapes.output)}});
        }
        Content::Bytes => answer["content"] = json!({"*/*": {}}),
        Content::Nothing => {}
    }
    answer
}

/// An answer that says no.
pub(super) fn refused(operation: &Operation, status: u16, shapes: &mut Shapes) -> Value {
    let mut of = |shape: Shape| Value::from(shape(&mut shapes.output));
    let own = operation.refusal.filter(|_| (400..500).contains(&status));
    let mut kinds = vec![of(own.unwrap_or(shape::<PlainError>))];
    if operation.tag == MANAGEMENT && status == 400 {
        kinds.push(of(shape::<Problems>));
    }
    if let Some(codes) = operation.codes.get(&status) {
        let codes: Vec<_> = codes.iter().map(|code| code.as_str()).collect();
        let coded = of(shape::<CodedError>);
        kinds.push(json!({"allOf": [coded, {"properties": {"code": {"enum": codes}}}]}));
    }
    let schema = match kinds.len() {
        1 => kinds.remove(0),
        _ => json!({"anyOf": kinds}),
    };
    let mut answer = json!({
        "description": meaning(status),
        "headers": headers_of(status),
        "content": {JSON: {"schema": schema}},
    });
    if operation.may_be_empty && status == 404 {
        answer["description"] = json!(format!(
            "{}; for a value that no record has, no body",
            meaning(status)
        ));
        answer["x-may-be-empty"] = json!(true);
    }
    answer
}

fn meaning(status: u16) -> &'static str {
    match status {
        200 => "What was asked for",
        201 => "It was made; `Location` tells where it is",
        204 => "Done",
        206 => "The part that `Range` asked for",
        400 => "The request is not understood",
        401 => "The credential is missing or not valid; one answer for every cause",
        403 => "The credential does not allow this",
        404 => "Something that the path names does not exist",
        408 => "The body did not arrive in time",
        409 => "It contradicts what is there",
        413 => "The body is too large",
        415 => "The body is announced as something that is not read here",
        429 => "Too many requests with this credential, or too many failed sign-ins",
        500 => "The service failed",
        503 => "Not ready for this yet, or no memory to spare for it now",
        _ => "Another answer",
    }
}

/// Every answer has its request's id, but for the one that must not differ.
fn headers_of(status: u16) -> Value {
    let mut headers = Map::new();
    let mut add = |header: &str| {
        headers.insert(
            header.to_owned(),
            json!({"$ref": format!("#/components/headers/{header}")}),
        );
    };
    match status {
        401 => return json!({}),
        201 => add("Location"),
        429 | 503 => add("Retry-After"),
        _ => {}
    }
    add("X-Request-Id");
    Value::Object(headers)
}
