//! An operation at its place: what the document says at a path and a method.

use super::answer::{given, refused};
use super::generators::Shapes;
use super::operation::{Audience, Operation, Parameter};
use serde_json::{Map, Value, json};

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
    pub(super) fn render(&self, shapes: &mut Shapes) -> Value {
        let operation = &self.operation;
        let mut responses = Map::new();
        for (status, content) in &operation.gives {
            responses.insert(status.to_string(), given(*status, content, shapes));
        }
        let mut refuses = operation.refuses.clone();
        if self.path.contains('{') {
            refuses.insert(404);
        }
        for status in refuses {
            responses.insert(status.to_string(), refused(operation, status, shapes));
        }
        let mut rendered = json!({
            "operationId": operation.id,
            "summary": operation.summary,
            "tags": [operation.tag],
            "security": self.security(),
            "parameters": self.parameters(),
            "responses": responses,
        });
        if !operation.takes.is_empty() {
            let mut content = Map::new();
            for (media_type, shape) in &operation.takes {
                let shape = json!({"schema": shape(&mut shapes.input)});
                content.insert((*media_type).to_owned(), shape);
            }
            rendered["requestBody"] = json!({"required": true, "content": content});
        }
        rendered
    }

    /// The credentials of which one must be shown.
    fn security(&self) -> Value {
        match self.operation.audience {
            Audience::Public => json!([]),
            Audience::Data => json!([{"credential": []}]),
            Audience::Management if self.method == "GET" => {
                json!([{"credential": []}, {"session": []}])
            }
            Audience::Management => {
                json!([{"credential": []}, {"session": [], "sessionToken": []}])
            }
        }
    }

    fn parameters(&self) -> Vec<Value> {
        let ids = self.path.split(['{', '}']).skip(1).step_by(2);
        let ids = ids.map(|name| {
            json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
        });
        let query = self.operation.query.iter().map(|Parameter { name, what, required, shape }| {
            json!({"name": name, "in": "query", "required": required, "description": what, "schema": shape})
        });
        ids.chain(query).collect()
    }
}
