//! One operation: what it takes and every answer it has. Which answers all operations of a kind share is
//! told here, once.

use super::kinds::Shapes;
use super::shapes::Problems;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use wire::{CodedError, PlainError};

/// The tag of the data interface.
pub(super) const DATA: &str = "data";
/// The tag of the management interface.
pub(super) const MANAGEMENT: &str = "management";

const JSON: &str = "application/json";

type Shape = fn(&mut SchemaGenerator) -> Schema;

fn shape<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Who may ask.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    Open,
    Data,
    Management,
}

/// What an answer that says yes holds.
enum Content {
    Json(Shape),
    Nothing,
    Bytes,
}

/// What stands behind the question mark.
struct Parameter {
    name: &'static str,
    what: &'static str,
    required: bool,
    shape: Value,
}

/// An operation.
pub(crate) struct Operation {
    pub(super) method: &'static str,
    pub(super) path: String,
    id: &'static str,
    summary: &'static str,
    tag: &'static str,
    door: Door,
    query: Vec<Parameter>,
    takes: Vec<(&'static str, Shape)>,
    gives: Vec<(u16, Content)>,
    refuses: BTreeSet<u16>,
    codes: BTreeMap<u16, Vec<&'static str>>,
    may_be_empty: bool,
}

impl Operation {
    fn new(method: &'static str, path: &str, (id, summary): (&'static str, &'static str)) -> Self {
        Operation {
            method,
            path: path.to_owned(),
            id,
            summary,
            tag: DATA,
            door: Door::Open,
            query: Vec::new(),
            takes: Vec::new(),
            gives: Vec::new(),
            refuses: BTreeSet::from([500]),
            codes: BTreeMap::new(),
            may_be_empty: false,
        }
    }

    /// One that needs no credential.
    pub(crate) fn public(
        method: &'static str,
        path: &str,
        is: (&'static str, &'static str),
    ) -> Self {
        Operation::new(method, path, is)
    }

    /// One of the data interface.
    pub(crate) fn data(method: &'static str, path: &str, is: (&'static str, &'static str)) -> Self {
        let new = Operation::new(method, path, is).refuses(&[401, 403, 429]);
        let has_ids = new.path.contains('{');
        let door = Door::Data;
        Operation { door, ..new }.refuses(if has_ids { &[404] } else { &[] })
    }

    /// One of management, below `/admin/api/v1`.
    pub(crate) fn management(
        method: &'static str,
        path: &str,
        is: (&'static str, &'static str),
    ) -> Self {
        let path = format!("/admin/api/v1{path}");
        let new = Operation::new(method, &path, is).refuses(&[401, 403]);
        let has_ids = new.path.contains('{');
        Operation {
            door: Door::Management,
            tag: MANAGEMENT,
            ..new
        }
        .refuses(if has_ids { &[404] } else { &[] })
    }

    /// The same for everyone, though it belongs to management.
    pub(crate) fn for_everyone(mut self) -> Self {
        self.door = Door::Open;
        self
    }

    /// A list, page by page.
    pub(crate) fn paged(self) -> Self {
        self.asks("pageKey", "`nextPageKey` of the page before", false)
            .asks_for(
                "pageSize",
                "How many items a page has. How many at most and how many if nothing is said, the service's settings say: 1000 and 100 if they say nothing",
                false,
                json!({"type": "integer", "minimum": 1}),
            )
            .refuses(&[400])
    }

    /// A query parameter that is any text.
    pub(crate) fn asks(self, name: &'static str, what: &'static str, required: bool) -> Self {
        self.asks_for(name, what, required, json!({"type": "string"}))
    }

    /// A query parameter of a shape of its own.
    pub(crate) fn asks_for(
        mut self,
        name: &'static str,
        what: &'static str,
        required: bool,
        shape: Value,
    ) -> Self {
        self.query.push(Parameter {
            name,
            what,
            required,
            shape,
        });
        self
    }

    /// A JSON body.
    pub(crate) fn takes<T: JsonSchema>(self) -> Self {
        self.takes_as::<T>(JSON)
    }

    /// A body of this media type.
    pub(crate) fn takes_as<T: JsonSchema>(mut self, media_type: &'static str) -> Self {
        self.takes.push((media_type, shape::<T>));
        self.refuses(&[400, 408, 413, 415])
    }

    /// A JSON answer.
    pub(crate) fn gives<T: JsonSchema>(mut self, status: u16) -> Self {
        self.gives.push((status, Content::Json(shape::<T>)));
        self
    }

    /// An answer without a body.
    pub(crate) fn gives_nothing(mut self) -> Self {
        self.gives.push((204, Content::Nothing));
        self
    }

    /// An answer that is a file.
    pub(crate) fn gives_bytes(mut self, status: u16) -> Self {
        self.gives.push((status, Content::Bytes));
        self
    }

    /// Answers that say no.
    pub(crate) fn refuses(mut self, statuses: &[u16]) -> Self {
        self.refuses.extend(statuses);
        self
    }

    /// What its kind answers and it does not.
    pub(crate) fn never(mut self, statuses: &[u16]) -> Self {
        self.refuses.retain(|status| !statuses.contains(status));
        self
    }

    /// An answer that says no by a code.
    pub(crate) fn codes(mut self, status: u16, codes: &[&'static str]) -> Self {
        self.codes.entry(status).or_default().extend(codes);
        self.refuses(&[status])
    }

    /// Its 404 may have no body.
    pub(crate) fn or_empty(mut self) -> Self {
        self.may_be_empty = true;
        self
    }

    pub(super) fn written(&self, shapes: &mut Shapes) -> Value {
        let mut responses = Map::new();
        for (status, content) in &self.gives {
            responses.insert(status.to_string(), given(*status, content, shapes));
        }
        for status in &self.refuses {
            responses.insert(status.to_string(), self.refused(*status, shapes));
        }
        let mut operation = json!({
            "operationId": self.id,
            "summary": self.summary,
            "tags": [self.tag],
            "security": match self.door {
                Door::Open => json!([]),
                Door::Data => json!([{"credential": []}]),
                Door::Management if self.method == "GET" => json!([{"credential": []}, {"session": []}]),
                Door::Management => json!([{"credential": []}, {"session": [], "sessionToken": []}]),
            },
            "parameters": self.parameters(),
            "responses": responses,
        });
        if !self.takes.is_empty() {
            let mut content = Map::new();
            for (media_type, shape) in &self.takes {
                content.insert(
                    (*media_type).to_owned(),
                    json!({"schema": shape(&mut shapes.sent)}),
                );
            }
            operation["requestBody"] = json!({"required": true, "content": content});
        }
        operation
    }

    fn parameters(&self) -> Vec<Value> {
        let ids = self.path.split(['{', '}']).skip(1).step_by(2);
        let ids = ids.map(|name| {
            json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
        });
        let query = self.query.iter().map(|Parameter { name, what, required, shape }| {
            json!({"name": name, "in": "query", "required": required, "description": what, "schema": shape})
        });
        ids.chain(query).collect()
    }

    fn refused(&self, status: u16, shapes: &mut Shapes) -> Value {
        let mut of = |shape: Shape| Value::from(shape(&mut shapes.shown));
        let mut kinds = vec![of(shape::<PlainError>)];
        if self.tag == MANAGEMENT && status == 400 {
            kinds.push(of(shape::<Problems>));
        }
        if let Some(codes) = self.codes.get(&status) {
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
        if self.may_be_empty && status == 404 {
            answer["description"] = json!(format!(
                "{}; for a value that no record has, no body",
                meaning(status)
            ));
            answer["x-may-be-empty"] = json!(true);
        }
        answer
    }
}

fn given(status: u16, content: &Content, shapes: &mut Shapes) -> Value {
    let mut answer = json!({"description": meaning(status), "headers": headers_of(status)});
    match content {
        Content::Json(shape) => {
            answer["content"] = json!({JSON: {"schema": shape(&mut shapes.shown)}});
        }
        Content::Bytes => answer["content"] = json!({"*/*": {}}),
        Content::Nothing => {}
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
        503 => "Not ready for this yet",
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

pub(super) fn headers() -> Value {
    let header = |what: &str, kind: &str| json!({"description": what, "required": true, "schema": {"type": kind}});
    json!({
        "X-Request-Id": header("The request's id, which the log has too", "string"),
        "Location": header("Where it is", "string"),
        "Retry-After": header("Seconds after which to try again", "integer"),
    })
}

pub(super) fn credentials() -> Value {
    json!({
        "credential": {
            "type": "apiKey", "in": "header", "name": "Authorization",
            "description": "An API key or an access token, without a prefix such as `Bearer`",
        },
        "session": {"type": "apiKey", "in": "cookie", "name": "fieldstone_session", "description": "The session of someone signed in"},
        "sessionToken": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token", "description": "The session's token, for changes by cookie"},
    })
}
