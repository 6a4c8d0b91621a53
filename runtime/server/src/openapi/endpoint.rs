//! An operation at its place: what the document says at a path and a method.

use super::answer::{HEAD_TOO_LARGE, given, refused};
use super::generators::Shapes;
use super::operation::{Audience, Operation, Parameter};
use super::{Site, examples, texts};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// An operation, and where it stands.
pub(crate) struct Endpoint {
    /// In capital letters.
    pub(crate) method: &'static str,
    /// With its parameters in braces.
    pub(crate) path: String,
    /// What is asked for there.
    pub(crate) operation: Operation,
}

impl Endpoint {
    /// The operation in the document's words.
    pub(super) fn render(&self, shapes: &mut Shapes, site: &Site) -> Value {
        let operation = &self.operation;
        let mut responses = Map::new();
        for (status, content) in &operation.gives {
            responses.insert(status.to_string(), given(*status, content, shapes));
        }
        for status in self.refusals() {
            responses.insert(status.to_string(), refused(operation, status, shapes));
        }
        let mut rendered = json!({
            "operationId": operation.id,
            "summary": operation.summary,
            "description": operation.about(),
            "tags": [operation.tag],
            "security": self.security(site),
            "parameters": self.parameters(site),
            "responses": responses,
        });
        if !operation.takes.is_empty() {
            let mut content = Map::new();
            for (media_type, shape) in &operation.takes {
                let shape = json!({"schema": shape(&mut shapes.input)});
                content.insert((*media_type).to_owned(), shape);
            }
            rendered["requestBody"] = json!({
                "required": true,
                "description": texts::BODY,
                "content": content,
            });
        }
        rendered
    }

    /// Every answer of it that says no.
    pub(super) fn refusals(&self) -> BTreeSet<u16> {
        let mut refuses = self.operation.refuses.clone();
        if self.path.contains('{') {
            refuses.insert(404);
        }
        if !refuses.iter().any(|status| (400..500).contains(status)) {
            refuses.insert(HEAD_TOO_LARGE);
        }
        refuses
    }

    /// The credentials of which one must be shown.
    fn security(&self, site: &Site) -> Value {
        let mut all = match self.operation.audience {
            Audience::Public => return json!([]),
            Audience::Data => vec![json!({"credential": []})],
            Audience::Management if self.method == "GET" => {
                vec![json!({"credential": []}), json!({"session": []})]
            }
            Audience::Management => {
                vec![
                    json!({"credential": []}),
                    json!({"session": [], "sessionToken": []}),
                ]
            }
        };
        if site.accept_bearer {
            all.push(json!({"oauth": []}));
        }
        Value::Array(all)
    }

    pub(super) fn parameters(&self, site: &Site) -> Vec<Value> {
        let ids = self.path.split(['{', '}']).skip(1).step_by(2);
        let ids = ids.map(|name| {
            let before = self.path.split(&format!("/{{{name}}}")).next();
            let noun = before
                .and_then(|path| path.rsplit('/').next())
                .unwrap_or_default();
            json!({
                "name": name, "in": "path", "required": true, "schema": {"type": "string"},
                "description": texts::of_path_parameter(name, noun),
                "example": examples::of_path_parameter(name),
            })
        });
        let own = self.operation.query.iter();
        let own = own.map(Parameter::render);
        let paging = if self.operation.is_paged {
            paging(site)
        } else {
            Vec::new()
        };
        ids.chain(own).chain(paging).collect()
    }
}

/// What every list takes.
fn paging(site: &Site) -> Vec<Value> {
    vec![
        json!({
            "name": "pageKey", "in": "query", "required": false,
            "description": "`nextPageKey` of the page before; left out, the first page is given. One that is unknown, \
                or of another list, is 400",
            "schema": {"type": "string"},
            "example": "3q2-7wQx0iY",
        }),
        json!({
            "name": "pageSize", "in": "query", "required": false,
            "description": "How many items a page has at most. A page of large records may end earlier",
            "schema": {
                "type": "integer", "minimum": 1, "maximum": site.page_size_max, "default": site.page_size,
            },
            "example": site.page_size.min(50),
        }),
    ]
}
