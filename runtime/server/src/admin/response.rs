//! What management answers beside plain JSON: things that were made, with their place, and secrets that are
//! shown this once.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::http::HeaderValue;
use axum::http::header::CACHE_CONTROL;
use axum::response::Response;
use serde::Serialize;
use service::manage::{ApiKeyView, AppView, UserView, WebhookView};

/// An answer that no cache keeps: it shows a secret.
pub(super) fn no_store(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// A page that is asked for anew each time, and still there for who goes back to it: what was filled in stands nowhere but in
/// it. Without this, a browser has nothing to show of what a form was answered with.
#[cfg(feature = "pages")]
pub(super) fn kept_for_return(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    response
}

/// Something that was made, and where it is: below the nouns that the call's path ends with, wherever the caller
/// finds this interface.
pub(super) fn created<P>(
    call: &Call<P>,
    id: &str,
    view: &impl Serialize,
) -> Result<Response, Failure> {
    let path = call.sent_uri().path();
    let nouns = path.rsplit('/').next().unwrap_or_default();
    created_among(call, nouns, id, view)
}

/// Something that was made, and is among these nouns.
pub(super) fn created_among<P>(
    call: &Call<P>,
    nouns: &str,
    id: &str,
    view: &impl Serialize,
) -> Result<Response, Failure> {
    const OWN: &str = "/api/v1";
    let path = call.sent_uri().path();
    let end = path.find(OWN).map_or(0, |at| at + OWN.len());
    let location = format!("{}/{nouns}/{id}", &path[..end]);
    Ok(response::created(&location, response::text(view)?))
}

/// A key as it is shown this once, in whole.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct MadeApiKey {
    #[serde(flatten)]
    pub(super) noun: ApiKeyView,
    /// The key itself, shown this once.
    pub(super) key: String,
}

/// A client as it is shown this once, with its secret.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MadeApp {
    #[serde(flatten)]
    pub(super) noun: AppView,
    /// The secret, shown this once.
    pub(super) client_secret: String,
}

/// A webhook with its secret.
#[derive(Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct MadeWebhook {
    #[serde(flatten)]
    pub(super) noun: WebhookView,
    /// The secret, shown this once: `whsec_` and base64, as libraries of Standard Webhooks take it.
    pub(super) secret: String,
}

/// A user with its invitation.
#[derive(Serialize, schemars::JsonSchema)]
pub(super) struct MadeInvitation {
    #[serde(flatten)]
    pub(super) noun: UserView,
    /// The code, shown this once, with which the user chooses its password.
    pub(super) invitation: String,
}
