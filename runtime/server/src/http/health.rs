//! Whether the program runs, and whether it can serve. Public, and silent about anything else.

use super::call::PublicCall;
use super::error::Failure;
use super::response;
use axum::response::Response;

/// The program runs.
pub(super) async fn is_alive(_: PublicCall) -> Response {
    response::json(r#"{"status":"ok"}"#)
}

/// The store answers and takes writes.
pub(super) async fn is_ready(call: PublicCall) -> Result<Response, Failure> {
    call.service.require_ready().await?;
    Ok(response::json(r#"{"status":"ok"}"#))
}
