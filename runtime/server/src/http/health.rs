//! Whether the program runs, and whether it can serve. Public, and silent about anything else.

use super::error::Failure;
use super::shape;
use axum::extract::State;
use axum::response::Response;
use service::{Refusal, Service};
use std::sync::Arc;

/// The program runs.
pub(super) async fn is_alive() -> Response {
    shape::json(r#"{"status":"ok"}"#)
}

/// The store answers.
pub(super) async fn is_ready(State(service): State<Arc<Service>>) -> Result<Response, Failure> {
    service.store().log_head().await.map_err(Refusal::from)?;
    Ok(shape::json(r#"{"status":"ok"}"#))
}
