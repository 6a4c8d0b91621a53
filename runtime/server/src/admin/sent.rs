//! Bodies that callers of management send, read into what the service asks for; and where the things
//! that are made are found.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::shape;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::Response;
use serde::Serialize;
use serde::de::DeserializeOwned;
use service::manage::{ApiKeyView, AppView, Denied, Problem};
use store::StoreError;
use store::records::Shelf;
use url::form_urlencoded;

/// A JSON body, read.
pub(super) async fn body<T: DeserializeOwned, P, C>(call: &mut Call<P, C>) -> Result<T, Failure> {
    let body = call.body();
    let bytes = body.json(call.service.settings()).await?;
    serde_json::from_slice(&bytes).map_err(|error| Failure::from(unreadable(&error)))
}

/// What is wrong with a body, without what it holds: that could be a secret.
fn unreadable(error: &serde_json::Error) -> Denied {
    let text = error.to_string();
    let told = match text.split_once(", expected ") {
        Some((_, expected)) if text.starts_with("invalid") => format!("expected {expected}"),
        _ => text,
    };
    Denied::Invalid(vec![Problem {
        path: "$".to_owned(),
        message: format!("the body can't be read: {told}"),
    }])
}

/// Whether a list of those that were deleted is asked for: `deleted`.
pub(super) fn shelf<P>(call: &Call<P>) -> Result<Shelf, Failure> {
    let parameters = form_urlencoded::parse(call.query().as_bytes());
    let mut values = parameters.filter(|(name, _)| name == "deleted");
    let first = values.next().map(|(_, value)| value);
    match (first.as_deref(), values.next()) {
        (None | Some("false"), None) => Ok(Shelf::Live),
        (Some("true"), None) => Ok(Shelf::Deleted),
        _ => Err(Failure::from(Denied::Invalid(vec![Problem {
            path: "query".to_owned(),
            message: "`deleted` must be `true` or `false`, once".to_owned(),
        }]))),
    }
}

/// An answer that no cache keeps: it shows a secret.
pub(super) fn unkept(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Where this interface begins, as the caller sees it.
pub(super) struct Base(String);

impl Base {
    pub(super) fn of<P>(call: &Call<P>) -> Self {
        const OWN: &str = "/api/v1";
        let path = call.sent_uri().path();
        let end = path.find(OWN).map_or(0, |at| at + OWN.len());
        Base(path[..end].to_owned())
    }

    /// Something that was made, and where it is.
    pub(super) fn created(
        &self,
        at: [&str; 2],
        made: &impl Serialize,
    ) -> Result<Response, Failure> {
        let [nouns, id] = at;
        let body = serde_json::to_string(made).map_err(|source| {
            let what = "an answer".to_owned();
            Failure::from(Denied::Store(StoreError::Document { what, source }))
        })?;
        Ok(shape::created(&format!("{}/{nouns}/{id}", self.0), body))
    }
}

/// A key as it is shown this once, in whole.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct MadeApiKey {
    #[serde(flatten)]
    pub(super) noun: ApiKeyView,
    pub(super) key: String,
}

/// A client as it is shown this once, with its secret.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MadeApp {
    #[serde(flatten)]
    pub(super) noun: AppView,
    pub(super) client_secret: String,
}
