//! What the operator of the machine asks for, and who does it: the process that holds the store. A
//! command without a server asks in its own process; beside a server it asks over a listener that takes
//! connections from this machine only and answers whoever shows the token file's secret.

use crate::manifest::apply::{Applied, Mode};
use crate::manifest::{Manifest, credentials};
use axum::Router;
use axum::body::to_bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use runtime::service::Service;
use runtime::service::secrets::hash;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// One thing to do.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Request {
    /// Bring the store to what a manifest says.
    Apply {
        /// The manifest, with the content of the files it names.
        manifest: Manifest,
        /// How.
        mode: Mode,
    },
    /// Show, switch or delete credentials.
    Credentials(credentials::Request),
}

/// What came of it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// What was applied.
    Applied(Applied),
    /// The credentials that there are, or the one that was changed.
    Credentials(Vec<credentials::Shown>),
}

/// Does it.
pub(crate) async fn carry_out(service: &Arc<Service>, request: Request) -> anyhow::Result<Outcome> {
    match request {
        Request::Apply { manifest, mode } => {
            let applied = crate::manifest::apply::apply(service, &manifest, mode).await?;
            Ok(Outcome::Applied(applied))
        }
        Request::Credentials(request) => {
            let shown = credentials::carry_out(service, request).await?;
            Ok(Outcome::Credentials(shown))
        }
    }
}

#[derive(Clone)]
struct Desk {
    service: Arc<Service>,
    secret_hash: Arc<str>,
}

/// Answers operator requests that show the secret.
pub(crate) fn router(service: Arc<Service>, secret: &str) -> Router {
    let desk = Desk {
        service,
        secret_hash: hash(secret).into(),
    };
    Router::new().route("/", post(answer)).with_state(desk)
}

async fn answer(State(desk): State<Desk>, request: axum::extract::Request) -> Response {
    let (head, body) = request.into_parts();
    let shown = head
        .headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    // hashes are compared, so the time it takes tells nothing of the secret
    if shown.is_none_or(|shown| hash(shown) != *desk.secret_hash) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    // a manifest comes with its record files, so there is no limit; but only for who may send one
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let done = match serde_json::from_slice(&body) {
        Ok(request) => carry_out(&desk.service, request).await,
        Err(error) => Err(anyhow::anyhow!(
            "the running server does not know this request ({error}); is it another version?"
        )),
    };
    let answer = done.and_then(|outcome| Ok(serde_json::to_vec(&outcome)?));
    match answer {
        Ok(json) => json.into_response(),
        Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, format!("{error:#}")).into_response(),
    }
}
