//! One operation: what it takes and every answer it has. Which answers all operations of a kind share is
//! told here, once. Where it stands it does not know: that is an [`Endpoint`](super::Endpoint)'s.

use super::{examples, texts};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use wire::ErrorCode;

/// The tag of the data interface.
pub(super) const DATA: &str = "data";
/// The tag of the management interface.
pub(super) const MANAGEMENT: &str = "management";

/// The media type of what is not said to be another.
pub(crate) const JSON: &str = "application/json";

/// The media type of JSON objects, one a line.
pub(crate) const LINES: &str = "application/x-ndjson";

/// The media type of server-sent events.
pub(crate) const EVENTS: &str = "text/event-stream";

/// Makes the shape of a type.
pub(super) type Shape = fn(&mut SchemaGenerator) -> Schema;

/// The shape of a type.
pub(super) fn shape<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

/// Who may ask, and by which credential.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    /// Anyone, by none.
    Public,
    /// Integrations, by `Authorization`.
    Data,
    /// Staff, by `Authorization` or by session.
    Management,
}

/// What an answer that says yes holds.
pub(super) enum Content {
    Json(Shape),
    /// JSON objects, in an array or one a line.
    Lines(Shape),
    /// A JSON answer, or events that are JSON objects each.
    Events(Shape, Shape),
    Nothing,
    Bytes,
    Page,
}

/// What stands behind the question mark.
pub(super) struct Parameter {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) required: bool,
    pub(super) shape: Value,
}

impl Parameter {
    pub(super) fn render(&self) -> Value {
        let Parameter {
            name,
            what,
            required,
            shape,
        } = self;
        let first = shape["enum"].get(0).or(shape["examples"].get(0));
        let example = first.cloned().unwrap_or_default();
        let example = match example {
            Value::Null => examples::of_parameter(name),
            own => own,
        };
        json!({"name": name, "in": "query", "required": required, "description": what, "schema": shape, "example": example})
    }
}

/// An operation.
pub(crate) struct Operation {
    pub(super) id: String,
    pub(super) summary: Cow<'static, str>,
    /// What is to be known of it beyond that; of one whose id the texts know, they tell it.
    pub(super) about: Option<String>,
    /// Whether it gives a list page by page.
    pub(super) is_paged: bool,
    pub(super) tag: &'static str,
    pub(super) audience: Audience,
    pub(super) query: Vec<Parameter>,
    pub(super) takes: Vec<(&'static str, Shape)>,
    pub(super) gives: Vec<(u16, Content)>,
    pub(super) refuses: BTreeSet<u16>,
    pub(super) codes: BTreeMap<u16, Vec<ErrorCode>>,
    pub(super) may_be_empty: bool,
    /// What a 4xx of it is, if it is more than a message.
    pub(super) refusal: Option<Shape>,
}

impl Operation {
    /// What clients call it.
    #[cfg(all(test, feature = "pages"))]
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    fn new(
        id: &str,
        summary: impl Into<Cow<'static, str>>,
        tag: &'static str,
        audience: Audience,
    ) -> Self {
        Operation {
            id: id.to_owned(),
            summary: summary.into(),
            about: None,
            is_paged: false,
            tag,
            audience,
            query: Vec::new(),
            takes: Vec::new(),
            gives: Vec::new(),
            refuses: BTreeSet::from([500]),
            codes: BTreeMap::new(),
            may_be_empty: false,
            refusal: None,
        }
    }

    /// One that needs no credential.
    pub(crate) fn public(id: &str, summary: &'static str) -> Self {
        Operation::new(id, summary, DATA, Audience::Public)
    }

    /// One of the data interface.
    pub(crate) fn data(id: &str, summary: &'static str) -> Self {
        Operation::new(id, summary, DATA, Audience::Data).refuses(&[401, 403, 429])
    }

    /// One of management.
    pub(crate) fn management(id: &str, summary: impl Into<Cow<'static, str>>) -> Self {
        Operation::new(id, summary, MANAGEMENT, Audience::Management)
            .refuses(&[401])
            .codes(
                403,
                &[
                    ErrorCode::PasswordChangeRequired,
                    ErrorCode::SecondFactorSetupRequired,
                ],
            )
    }

    /// Whether it is asked for without a credential.
    pub(crate) fn is_public(&self) -> bool {
        self.audience == Audience::Public
    }

    /// The same for everyone, though it belongs to management.
    pub(crate) fn for_everyone(mut self) -> Self {
        self.audience = Audience::Public;
        self
    }

    /// What is to be known of it beyond its summary.
    pub(crate) fn says(mut self, about: impl Into<String>) -> Self {
        self.about = Some(about.into());
        self
    }

    /// What is to be known of it, here or by its id.
    pub(super) fn about(&self) -> &str {
        let own = self.about.as_deref();
        own.unwrap_or_else(|| texts::of_operation(&self.id))
    }

    /// A list, page by page.
    pub(crate) fn paged(mut self) -> Self {
        self.is_paged = true;
        self.refuses(&[400])
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
        self.refuses(&[400, 408, 413, 415, 503])
    }

    /// Of a method: what is only read may find no room for its answer, and what is deleted no database.
    pub(crate) fn asked_by(self, method: &str) -> Self {
        match (method, self.audience) {
            ("GET" | "DELETE", Audience::Data | Audience::Management) => self.refuses(&[503]),
            _ => self,
        }
    }

    /// A JSON answer.
    pub(crate) fn gives<T: JsonSchema>(mut self, status: u16) -> Self {
        self.gives.push((status, Content::Json(shape::<T>)));
        self
    }

    /// An answer of JSON objects as they come about: in an array, or one a line.
    pub(crate) fn gives_lines<T: JsonSchema>(mut self, status: u16) -> Self {
        self.gives.push((status, Content::Lines(shape::<T>)));
        self
    }

    /// A JSON answer, or, for who asks for that, events with such objects.
    pub(crate) fn gives_or_tells<T: JsonSchema, E: JsonSchema>(mut self, status: u16) -> Self {
        self.gives
            .push((status, Content::Events(shape::<T>, shape::<E>)));
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

    /// An answer without a body to who has the content already.
    pub(crate) fn gives_unchanged(mut self) -> Self {
        self.gives.push((304, Content::Nothing));
        self
    }

    /// An answer that is a page for people.
    pub(crate) fn gives_page(mut self) -> Self {
        self.gives.push((200, Content::Page));
        self
    }

    /// Answers that say no.
    pub(crate) fn refuses(mut self, statuses: &[u16]) -> Self {
        self.refuses.extend(statuses);
        self
    }

    /// What each of its 4xx is.
    pub(crate) fn refuses_as<T: JsonSchema>(mut self) -> Self {
        self.refusal = Some(shape::<T>);
        self
    }

    /// What its kind answers and it does not.
    pub(crate) fn never(mut self, statuses: &[u16]) -> Self {
        self.refuses.retain(|status| !statuses.contains(status));
        self
    }

    /// An answer that says no by a code.
    pub(crate) fn codes(mut self, status: u16, codes: &[ErrorCode]) -> Self {
        self.codes.entry(status).or_default().extend(codes);
        self.refuses(&[status])
    }

    /// One that asks a session for a fresh proof of who has it.
    pub(crate) fn needs_proof(self) -> Self {
        self.codes(403, &[ErrorCode::ProofRequired])
    }

    /// The codes of an answer, and none that its kind has.
    pub(crate) fn only_codes(mut self, status: u16, codes: &[ErrorCode]) -> Self {
        self.codes.remove(&status);
        match codes {
            [] => self,
            codes => self.codes(status, codes),
        }
    }

    /// Its 404 may have no body.
    pub(crate) fn or_empty(mut self) -> Self {
        self.may_be_empty = true;
        self
    }
}
