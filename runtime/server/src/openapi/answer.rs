//! The answers of an operation in the document's words: what each status means, which headers it has, and of
//! what shape its body is.

use super::generators::Shapes;
use super::operation::{Content, EVENTS, JSON, LINES, MANAGEMENT, Operation, Shape, shape};
use super::shapes::{CodedOrPlainError, ProblemsOrPlainError};
use serde_json::{Map, Value, json};
use wire::{ErrorCode, PlainError};

/// An answer that says yes.
pub(super) fn given(status: u16, content: &Content, shapes: &mut Shapes) -> Value {
    let mut answer = json!({"description": meaning(status), "headers": headers_of(status)});
    match content {
        Content::Json(shape) => {
            answer["content"] = json!({JSON: {"schema": shape(&mut shapes.output)}});
        }
        Content::Lines(shape) => {
            let line = shape(&mut shapes.output);
            answer["content"] = json!({
                JSON: {"schema": {"type": "array", "items": line}},
                LINES: {"schema": line},
            });
        }
        Content::Events(page, event) => {
            let page = page(&mut shapes.output);
            // the shape of each event's data is among the others, for who makes types of them
            event(&mut shapes.output);
            answer["content"] = json!({
                JSON: {"schema": page},
                EVENTS: {"schema": {"type": "string", "description": "Server-sent events; `data` of each is a change"}},
            });
        }
        // generators know no type of their own for any content: to them it is bytes
        Content::Bytes => {
            answer["content"] = json!({
                "application/octet-stream": {"schema": {"type": "string", "format": "binary"}},
                "*/*": {},
            });
        }
        Content::Page => {
            answer["content"] = json!({"text/html": {"schema": {"type": "string"}}});
        }
        Content::Nothing => {}
    }
    answer
}

/// An answer that says no. Its codes stand in `x-codes`: were they told by its shape, generators would make a type
/// of each operation's answer.
pub(super) fn refused(operation: &Operation, status: u16, shapes: &mut Shapes) -> Value {
    let mut of = |shape: Shape| Value::from(shape(&mut shapes.output));
    let mut answer = json!({"description": meaning(status), "headers": headers_of(status)});
    if status == HEAD_TOO_LARGE {
        answer["headers"] = json!({});
        return answer;
    }
    if operation.may_be_empty && status == 404 {
        // a generated client reads a body of every answer that is said to have one
        answer["description"] = json!(
            "No record has this value, or the schema has no primary key: no body. Something that the path names \
                before it does not exist: a body with `message`"
        );
        answer["x-may-be-empty"] = json!(true);
        return answer;
    }
    let codes = operation.codes.get(&status);
    let schema = if let Some(codes) = codes {
        let told: Vec<_> = codes.iter().map(|code| code.as_str()).collect();
        answer["description"] = json!(described(status, codes));
        answer["x-codes"] = json!(told);
        of(shape::<CodedOrPlainError>)
    } else if operation.tag == MANAGEMENT && status == 400 {
        of(shape::<ProblemsOrPlainError>)
    } else {
        let own = operation.refusal.filter(|_| (400..500).contains(&status));
        of(own.unwrap_or(shape::<PlainError>))
    };
    answer["content"] = json!({JSON: {"schema": schema}});
    answer
}

/// What a status means, with what its codes do.
fn described(status: u16, codes: &[ErrorCode]) -> String {
    let mut text = meaning(status).to_owned();
    for code in codes {
        text.push_str("\n- `");
        text.push_str(code.as_str());
        text.push_str("`: ");
        text.push_str(about(*code));
    }
    text
}

/// What a code means.
pub(super) fn about(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::InvalidRequestBody => {
            "the body is no data object of this schema; `fields` says where"
        }
        ErrorCode::PrimaryKeyRequired => "the primary key has no value",
        ErrorCode::DuplicatePrimaryKey => "another data object of the dataset has the primary key",
        ErrorCode::DataObjectVersionConflict => {
            "the data object has another `_version` by now; read it again and send the change with that one"
        }
        ErrorCode::DataObjectNotFound => "the data object is not there, or was deleted",
        ErrorCode::DataObjectConcurrentModification => {
            "somebody changed it at the same moment, and nothing was deleted; try again"
        }
        ErrorCode::PasswordChangeRequired => {
            "the user has to choose a password first: `PUT /admin/api/v1/session/password`"
        }
        ErrorCode::ProofRequired => {
            "the session has to show the password anew: `POST /admin/api/v1/session/proof`"
        }
        ErrorCode::SecondFactorRequired => "the password is right, and a `code` is missing",
        ErrorCode::SecondFactorSetupRequired => {
            "a second factor is required of the user, who has to set one up first: `POST /admin/api/v1/session/second-factor`"
        }
        ErrorCode::QuotaExceeded => "a quota of the tenant is used up",
    }
}

/// The head of a request was too large to be read: no operation sees it.
pub(super) const HEAD_TOO_LARGE: u16 = 431;

/// What a status means.
pub(super) fn meaning(status: u16) -> &'static str {
    match status {
        200 => "What was asked for",
        201 => "It was made; `Location` tells where it is",
        204 => "Done",
        206 => "The part that `Range` asked for",
        304 => "The content is one that `If-None-Match` names; no body",
        400 => "The request is not understood; nothing was done",
        401 => "The credential is missing or not valid; one answer for every cause",
        403 => "The credential does not allow this",
        404 => "Something that the path names does not exist",
        408 => "The body did not arrive in time",
        409 => "It contradicts what is there",
        410 => "What was asked for is not kept any more",
        412 => "The content is none of those that `If-Match` names",
        413 => "The body is too large",
        415 => "The body is announced as something that is not read here",
        416 => {
            "The file has none of the bytes that `Range` asks for; `Content-Range` tells how many it has"
        }
        429 => "Too many requests with this credential, or too many failed sign-ins",
        HEAD_TOO_LARGE => "The head of the request is too large to be read; no body",
        500 => "The service failed; the log knows more under the request's id",
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
