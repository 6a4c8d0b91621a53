//! Records beyond the data interface: their changes, their past, and those that were deleted.

use crate::admin::request::body;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use axum::response::Response;
use service::Refusal;
use service::manage::{Problem, VersionRestore};

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

pub(super) async fn history(call: Call<(String, String)>) -> Answer {
    let (dataset, record) = &call.ids;
    let page = call
        .service
        .record_history(&call.caller, dataset, record, &call.page())
        .await?;
    response::beside(move || response::text(&page)).await
}

pub(super) async fn version(call: Call<(String, String, String)>) -> Answer {
    let (dataset, record, version) = &call.ids;
    let found = call
        .service
        .record_version(&call.caller, dataset, record, version)
        .await?;
    Ok(response::open_json(found))
}

pub(super) async fn restore_version(mut call: Call<(String, String, String)>) -> Answer {
    let sent: VersionRestore = body(&mut call).await?;
    if sent.version < 0 {
        let message = "must be a whole number from 0 on: the record's newest";
        return Err(Refusal::Invalid(vec![Problem::new("$._version", message)]).into());
    }
    let (dataset, record, version) = &call.ids;
    call.service
        .restore_version(&call.caller, dataset, record, version, sent.version)
        .await?;
    Ok(response::no_content())
}
