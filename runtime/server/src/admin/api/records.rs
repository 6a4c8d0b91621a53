//! Records beyond the data interface: their changes, their past, and those that were deleted.

use crate::admin::request::body;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use crate::openapi::record_shapes::Record;
use axum::response::Response;
use service::Refusal;
use service::manage::{
    DeletedRecord, HistoryItem, Problem, RecentChanges, RecordChange, VersionRestore,
};
use wire::{ErrorCode, Page};

type Answer = Result<Response, Failure>;

/// Changes of records, and those that were deleted.
pub(super) fn routes() -> Vec<Route> {
    const CHANGES: &str = "/datasets/{id}/changes";
    const DELETED: &str = "/datasets/{id}/deleted-records";
    const ONE: &str = "/datasets/{id}/deleted-records/{record}";
    const RESTORE: &str = "/datasets/{id}/deleted-records/{record}/restore";
    let changes = O::management(
        "listChanges",
        "List what changed in the records of a dataset, oldest first",
    )
    .paged()
    .gives::<Page<RecordChange>>(200);
    let deleted = O::management(
        "listDeletedRecords",
        "List the deleted records of a dataset, the latest first",
    )
    .paged()
    .gives::<Page<DeletedRecord>>(200);
    let purge = O::management("purgeRecord", "Remove a deleted record for good").gives_nothing();
    let restore = O::management("restoreRecord", "Restore a deleted record")
        .gives_nothing()
        .refuses(&[409])
        .codes(403, &[ErrorCode::QuotaExceeded]);
    vec![
        Route::get(CHANGES, self::changes, changes),
        Route::get(DELETED, self::deleted, deleted),
        Route::delete(ONE, self::purge, purge),
        Route::post(RESTORE, self::restore, restore),
    ]
}

/// The past of each record.
pub(super) fn routes_of_past() -> Vec<Route> {
    const VERSION: &str = "/datasets/{id}/records/{record}/versions/{version}";
    let history = O::management(
        "listRecordHistory",
        "List what was done to a record, newest first",
    )
    .paged()
    .gives::<Page<HistoryItem>>(200);
    let version = O::management("getRecordVersion", "Get a record as it was in a version")
        .gives::<Record>(200);
    let restore = O::management(
        "restoreRecordVersion",
        "Restore an earlier version of a record",
    )
    .takes::<VersionRestore>()
    .gives_nothing()
    .refuses(&[409]);
    let recent = O::management(
        "listRecentChanges",
        "List the records that were changed last, newest first",
    )
    .says(
        "Who changed which record last, when, and the names of the fields that got another value: eight records at most, of \
            the newest 64 changes in the datasets that may be seen. Asks for `DATA OBJECTS`, view; a primary key that is \
            personal is masked without view of `PERSONAL DATA`.",
    )
    .gives::<RecentChanges>(200);
    vec![
        Route::get("/recent-changes", self::recent, recent),
        Route::get(
            "/datasets/{id}/records/{record}/history",
            self::history,
            history,
        ),
        Route::get(VERSION, self::version, version),
        Route::post(format!("{VERSION}/restore"), restore_version, restore),
    ]
}

pub(super) async fn changes(call: Call<String>) -> Answer {
    let page = call
        .service
        .record_changes(&call.caller, &call.ids, &call.page())
        .await?;
    response::beside(move || response::text(&*page)).await
}

pub(super) async fn deleted(call: Call<String>) -> Answer {
    let page = call
        .service
        .deleted_records(&call.caller, &call.ids, &call.page())
        .await?;
    response::beside(move || response::text(&*page)).await
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
    response::beside(move || response::text(&*page)).await
}

pub(super) async fn version(call: Call<(String, String, String)>) -> Answer {
    let (dataset, record, version) = &call.ids;
    let found = call
        .service
        .record_version(&call.caller, dataset, record, version)
        .await?;
    Ok(response::open_json(found.json))
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

pub(super) async fn recent(call: Call<()>) -> Answer {
    let recent = call.service.recent_changes(&call.caller);
    response::value(&recent.await?)
}
