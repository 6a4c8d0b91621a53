//! Jobs: asked for, shown, cancelled, their files taken from them. What they do, the service knows; how a file comes to one
//! is in `imports.rs`.

use super::imports::{self, JOBS};
use super::nouns::Answer;
use crate::admin::request::{body, parameter};
use crate::admin::response::created_among;
use crate::http::call::Call;
use crate::http::files::attachment;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use futures_util::stream;
use service::JobDownload;
use service::manage::{ExportOptions, JobFile, JobView, RepairOptions};
use wire::{ErrorCode, Page};

/// Imports, exports and other work that goes on when the request was answered.
pub(super) fn routes() -> Vec<Route> {
    const DATASET: &str = "The id of a dataset: its jobs alone";
    let list = O::management(
        "listJobs",
        "List your own jobs, newest first; administrators get all jobs",
    )
    .asks("dataset", DATASET, false)
    .paged()
    .gives::<Page<JobView>>(200);
    let get = O::management("getJob", "Get a job").gives::<JobView>(200);
    let cancel =
        O::management("cancelJob", "Cancel a job; what it has done stays").gives::<JobView>(200);
    let delete_files = O::management(
        "deleteJobFiles",
        "Delete the files of a job that has ended; what it did stays",
    )
    .gives_nothing()
    .refuses(&[409]);
    let export = O::management("exportDataset", "Export the records of a dataset as a job")
        .takes::<ExportOptions>()
        .gives::<JobView>(201)
        .refuses(&[409])
        .codes(403, &[ErrorCode::QuotaExceeded]);
    let repair = O::management(
        "repairRecords",
        "Change the values of one field in many records as a job",
    )
    .takes::<RepairOptions>()
    .gives::<JobView>(201)
    .refuses(&[409]);
    let undo = O::management("undoJob", "Undo what a job wrote, as a job")
        .gives::<JobView>(201)
        .refuses(&[409]);
    let exported = O::management("downloadExport", "Download what a job exported").gives_bytes(200);
    let rejects = O::management(
        "downloadRejects",
        "Download the rows that a job could not store, with line and reason",
    )
    .gives_bytes(200);
    vec![
        Route::get("/jobs", self::list, list),
        Route::get("/jobs/{id}", self::get, get),
        Route::post("/jobs/{id}/cancel", self::cancel, cancel),
        Route::post("/jobs/{id}/undo", self::undo, undo),
        Route::delete("/jobs/{id}/files", self::delete_files, delete_files),
        Route::post("/datasets/{id}/repairs", self::repair, repair),
        Route::get("/jobs/{id}/export", self::exported, exported),
        Route::get("/jobs/{id}/rejects", self::rejects, rejects),
        imports::route(),
        Route::post("/datasets/{id}/exports", self::export, export),
    ]
}

pub(super) async fn list(call: Call) -> Answer {
    let dataset = parameter(&call, "dataset")?;
    let page = call.page();
    let jobs = call
        .service
        .list_jobs(&call.caller, dataset.as_deref(), &page);
    response::open_value(&jobs.await?)
}

pub(super) async fn get(call: Call<String>) -> Answer {
    let job = call.service.get_job(&call.caller, &call.ids).await?;
    response::open_value(&job)
}

pub(super) async fn cancel(call: Call<String>) -> Answer {
    let job = call.service.cancel_job(&call.caller, &call.ids).await?;
    response::value(&job)
}

pub(super) async fn delete_files(call: Call<String>) -> Answer {
    let deleted = call.service.delete_job_files(&call.caller, &call.ids);
    deleted.await?;
    Ok(response::no_content())
}

pub(super) async fn export(mut call: Call<String>) -> Answer {
    let options: ExportOptions = body(&mut call).await?;
    let job = call
        .service
        .export_dataset(&call.caller, &call.ids, options)
        .await?;
    created_among(&call, JOBS, &job.job_id, &job)
}

pub(super) async fn repair(mut call: Call<String>) -> Answer {
    let options: RepairOptions = body(&mut call).await?;
    let job = call
        .service
        .repair_records(&call.caller, &call.ids, options)
        .await?;
    created_among(&call, JOBS, &job.job_id, &job)
}

pub(super) async fn undo(call: Call<String>) -> Answer {
    let job = call.service.undo_job(&call.caller, &call.ids).await?;
    created_among(&call, JOBS, &job.job_id, &job)
}

pub(super) async fn exported(call: Call<String>) -> Answer {
    download(call, JobFile::Export).await
}

pub(super) async fn rejects(call: Call<String>) -> Answer {
    download(call, JobFile::Rejects).await
}

async fn download(call: Call<String>, file: JobFile) -> Answer {
    let found = call
        .service
        .download_job_file(&call.caller, &call.ids, file)
        .await?;
    Ok(sent(found))
}

/// The answer that a file is sent with, to be kept and never shown.
pub(in crate::admin) fn sent(file: JobDownload) -> Response<Body> {
    let (name, bytes) = (file.name.clone(), file.bytes);
    let pieces = stream::try_unfold(file, async |mut file| {
        let piece = file.next().await?;
        Ok::<_, std::io::Error>(piece.map(|piece| (piece, file)))
    });
    let mut response = Response::new(Body::from_stream(pieces));
    let headers = response.headers_mut();
    let octets = HeaderValue::from_static("application/octet-stream");
    headers.insert(CONTENT_TYPE, octets);
    headers.insert(CONTENT_LENGTH, bytes.into());
    // INVARIANT: what names are encoded as is safe in a header
    if let Ok(value) = HeaderValue::from_str(&attachment(&name)) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    response
}
