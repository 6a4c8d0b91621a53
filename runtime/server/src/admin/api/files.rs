//! Files of a dataset, for fields of its records to name. What they may hold, the service knows.

use super::nouns::Answer;
use crate::http::call::Call;
use crate::http::files::receive;
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use crate::openapi::shapes::UploadForm;
use wire::{ErrorCode, FileItem};

/// Uploads.
pub(super) fn routes() -> Vec<Route> {
    let upload = O::management(
        "uploadDatasetFile",
        "Upload a file to a dataset, which a record can then have as a value",
    )
    .takes_as::<UploadForm>("multipart/form-data")
    .gives::<FileItem>(201)
    .codes(403, &[ErrorCode::QuotaExceeded])
    .refuses(&[503]);
    vec![Route::post("/datasets/{id}/files", self::upload, upload)]
}

async fn upload(mut call: Call<String>) -> Answer {
    let permit = call.caller.permit_managed_upload(&call.ids)?;
    let body = call.body();
    let item = receive(&call.service, &permit, body).await?;
    Ok(response::created(&item.url, response::text(&item)?))
}
