//! Records beyond the data interface: their changes, and those that were deleted.

use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;

type Answer = Result<Response, Failure>;

pub(super) async fn changes(call: Call<String>) -> Answer {
    let page = call
        .service
        .record_changes(&call.caller, &call.ids, &call.page())
        .await?;
    response::beside(move || response::text(&page)).await
}

pub(super) async fn deleted(call: Call<String>) -> Answer {
    let page = call
        .service
        .deleted_records(&call.caller, &call.ids, &call.page())
        .await?;
    response::beside(move || response::text(&page)).await
}

pub(super) async fn restore(call: Call<(String, String)>) -> Answer {
    let (dataset, record) = &call.ids;
    call.service
        .restore_record(&call.caller, dataset, record)
        .await?;
    Ok(response::no_content())
}

pub(super) async fn purge(call: Call<(String, String)>) -> Answer {
    let (dataset, record) = &call.ids;
    call.service
        .purge_record(&call.caller, dataset, record)
        .await?;
    Ok(response::no_content())
}
