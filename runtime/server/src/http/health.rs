//! Whether the program runs, and whether it can serve. Public, and silent about anything else.

use super::call::PublicCall;
use super::error::Failure;
use super::response;
use axum::response::Response;
use service::Refusal;

/// The program runs.
pub(super) async fn is_alive(_: PublicCall) -> Response {
    response::json(r#"{"status":"ok"}"#)
}

/// The store answers.
pub(super) async fn is_ready(call: PublicCall) -> Result<Response, Failure> {
    let head = call.service.store().log_head().await;
    head.map_err(Refusal::from)?;
    Ok(response::json(r#"{"status":"ok"}"#))
}
