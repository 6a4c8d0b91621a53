//! Bodies that callers of management send, read into what the service asks for; and where the things
//! that are made are found.

use crate::http::error::Failure;
use crate::http::extract::Incoming;
use crate::http::shape;
use crate::service::Service;
use crate::service::manage::{ApiKeyView, AppView, Denied, Problem};
use crate::store::StoreError;
use crate::store::records::Shelf;
use axum::extract::{FromRequest, FromRequestParts, OriginalUri, Path, Request};
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::http::request::Parts;
use axum::response::Response;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::convert::Infallible;
use std::sync::Arc;
use url::form_urlencoded;

/// A JSON body.
pub(super) struct Sent<T>(pub(super) T);

impl<T: DeserializeOwned> FromRequest<Arc<Service>> for Sent<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, service: &Arc<Service>) -> Result<Self, Failure> {
        let Ok(incoming) = Incoming::from_request(request, service).await;
        let bytes = incoming.json(service.settings()).await?;
        serde_json::from_slice(&bytes)
            .map(Sent)
            .map_err(|error| Failure::from(unread(&error)))
    }
}

/// What is wrong with a body, without what it holds: that could be a secret.
fn unread(error: &serde_json::Error) -> Denied {
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

/// The ids of a path. One that is no text names nothing.
pub(super) struct Ids<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Ids<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let ids = Path::<T>::from_request_parts(parts, state).await;
        ids.map(|Path(ids)| Ids(ids))
            .map_err(|_| Failure::UnknownRoute)
    }
}

/// Whether a list of those that were deleted is asked for: `deleted`.
pub(super) struct OnShelf(pub(super) Shelf);

impl<S: Sync> FromRequestParts<S> for OnShelf {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let query = parts.uri.query().unwrap_or_default().as_bytes();
        let mut said = form_urlencoded::parse(query).filter(|(name, _)| name == "deleted");
        let first = said.next().map(|(_, value)| value);
        let shelf = match (first.as_deref(), said.next()) {
            (None | Some("false"), None) => Shelf::Live,
            (Some("true"), None) => Shelf::Deleted,
            _ => {
                return Err(Failure::from(Denied::Invalid(vec![Problem {
                    path: "query".to_owned(),
                    message: "`deleted` must be `true` or `false`, once".to_owned(),
                }])));
            }
        };
        Ok(OnShelf(shelf))
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

impl<S: Sync> FromRequestParts<S> for Base {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        const OWN: &str = "/api/v1";
        let sent = parts.extensions.get::<OriginalUri>();
        let path = sent.map_or_else(|| parts.uri.path(), |sent| sent.0.path());
        let end = path.find(OWN).map_or(0, |at| at + OWN.len());
        Ok(Base(path[..end].to_owned()))
    }
}

impl Base {
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
