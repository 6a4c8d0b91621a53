//! An endpoint as people read of it: what the document says, without the shapes of bodies.

use super::answer::{about, meaning};
use super::operation::{Audience, MANAGEMENT};
use super::{Endpoint, Site};
use serde_json::Value;
use wire::ErrorCode;

/// What is to be known of an endpoint. Texts have code between backticks.
pub(crate) struct Told {
    /// In capital letters.
    pub(crate) method: &'static str,
    /// With its parameters in braces.
    pub(crate) path: String,
    /// What clients call it.
    pub(crate) id: String,
    pub(crate) summary: String,
    /// What is to be known beyond the summary; may be empty.
    pub(crate) about: String,
    /// Whether it belongs to management.
    pub(crate) is_management: bool,
    /// Whether it is asked for without a credential.
    pub(crate) is_public: bool,
    pub(crate) parameters: Vec<ToldParameter>,
    /// The media types that a body may have.
    pub(crate) takes: Vec<&'static str>,
    pub(crate) answers: Vec<ToldAnswer>,
}

/// A parameter of a path or behind the question mark.
pub(crate) struct ToldParameter {
    pub(crate) name: String,
    pub(crate) is_in_path: bool,
    pub(crate) is_required: bool,
    pub(crate) about: String,
}

/// A status that may be answered, and what is said with it.
pub(crate) struct ToldAnswer {
    pub(crate) status: u16,
    /// What the status means, whatever the operation.
    pub(crate) meaning: &'static str,
    /// Each code that may be told with it, and what it means.
    pub(crate) codes: Vec<(&'static str, &'static str)>,
}

impl Told {
    /// What is told of an endpoint.
    pub(crate) fn of(endpoint: Endpoint) -> Self {
        let text = |of: &Value, key: &str| of[key].as_str().unwrap_or_default().to_owned();
        let parameters = endpoint.parameters(&Site::default()).into_iter();
        let parameters = parameters.map(|it| ToldParameter {
            name: text(&it, "name"),
            is_in_path: it["in"] == "path",
            is_required: it["required"] == true,
            about: text(&it, "description"),
        });
        let refusals = endpoint.refusals();
        let operation = &endpoint.operation;
        let given = operation.gives.iter().map(|(status, _)| *status);
        let answers = given.chain(refusals).map(|status| {
            let codes = operation.codes.get(&status);
            let codes = codes.map(Vec::as_slice).unwrap_or_default().iter();
            let codes = codes.map(|code: &ErrorCode| (code.as_str(), about(*code)));
            ToldAnswer {
                status,
                meaning: meaning(status),
                codes: codes.collect(),
            }
        });
        Told {
            answers: answers.collect(),
            parameters: parameters.collect(),
            takes: operation.takes.iter().map(|(kind, _)| *kind).collect(),
            about: operation.about().to_owned(),
            is_management: operation.tag == MANAGEMENT,
            is_public: operation.audience == Audience::Public,
            summary: operation.summary.clone().into_owned(),
            id: operation.id.clone(),
            method: endpoint.method,
            path: endpoint.path,
        }
    }
}
