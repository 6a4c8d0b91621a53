//! What a command asks for from elsewhere: carried out as whoever called, step by step by the rights it has.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::json_weight;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use crate::openapi::shapes::{OperationLine, OperationRequest};
use crate::operations::{Form, Operation};
use axum::response::Response;
use manifest::By;
use manifest::operations::Request;
use serde_json::value::RawValue;
use service::Refusal;
use service::manage::Problem;
use std::collections::BTreeMap;

/// How many times its bytes what is written down takes: as what it is made of, and as text that grows; of records, the line and
/// two texts on its way out.
const TIMES_OF_EXPORT: usize = 3;
/// The part of the budget that a record on its way out takes at most, where the budget is small.
const RECORD_PART: usize = 8;

/// What a command sends to a server elsewhere.
pub(super) fn routes() -> Vec<Route> {
    let operation = O::management(
        "carryOutOperation",
        "Carry out what a command of the program asks for, such as applying a manifest",
    )
    .takes::<OperationRequest>()
    .gives_lines::<OperationLine>(200)
    .needs_proof()
    .refuses(&[404, 409]);
    vec![Route::post("/operations", carry_out, operation)]
}

pub(super) async fn carry_out(mut call: Call) -> Result<Response, Failure> {
    let form = Form::asked(&call.parts().headers);
    let body = call.body();
    let bytes = body.json_of_operation(call.service.settings()).await?;
    // the request takes as much again as its text or its values, for as long as it is carried out
    let memory = call.service.memory();
    let taken = bytes.len().max(json_weight::of_text(&bytes).bytes);
    let mut room = memory.reserve(call.caller.owner(), taken)?;
    let request: Request =
        serde_json::from_slice(&bytes).map_err(|error| unreadable(&bytes, &error))?;
    if let Request::Export(export) = &request {
        let settings = call.service.settings();
        let record = settings
            .body_bytes_max
            .min(settings.memory_budget_bytes / RECORD_PART);
        let record = if export.records { record } else { 0 };
        let written = call
            .service
            .catalog_bytes(&call.caller)
            .saturating_add(record);
        room.grow_to(taken + written.saturating_mul(TIMES_OF_EXPORT))?;
    }
    drop(bytes);
    let by = By::Caller(Box::new(call.caller));
    let operation = Operation::begin(call.service, by, request, form).holding(room);
    Ok(operation.begun().await?.into_response())
}

/// What is wrong with a request, without what it holds: that could be a secret.
fn unreadable(bytes: &[u8], error: &serde_json::Error) -> Failure {
    let members: BTreeMap<String, &RawValue> = serde_json::from_slice(bytes).unwrap_or_default();
    let place = if members.is_empty() {
        format!("at line {}, column {}", error.line(), error.column())
    } else {
        let names: Vec<_> = members.keys().map(|name| format!("`{name}`")).collect();
        format!("in {}", names.join(", "))
    };
    Failure::from(Refusal::Invalid(vec![Problem::new(
        "$",
        format!(
            "it is no operation that this server knows ({place}): one member says what is to be done; is the command of another version?"
        ),
    )]))
}
