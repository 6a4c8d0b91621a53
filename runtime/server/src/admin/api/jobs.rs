//! Jobs: asked for, shown, cancelled; files sent to them as they come and taken from them. What they do, the service
//! knows.

use super::nouns::Answer;
use crate::admin::request::body;
use crate::admin::response::created_among;
use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::files::{TimeBudget, attachment};
use crate::http::response;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderValue, Response};
use futures_util::{StreamExt as _, stream};
use serde_json::{Map, Value, json};
use service::manage::{ExportOptions, ImportOptions, JobFile, JobView, Problem, RepairOptions};
use service::{ImportUpload, JobDownload, Refusal, Service};
use url::form_urlencoded;

/// What a file to be imported is best announced as. What it is, its content tells.
pub(super) const FILE_TYPE: &str = "application/octet-stream";

/// What else it may be announced as, by programs that know.
const OTHER_FILE_TYPES: [&str; 6] = [
    "text/csv",
    "application/x-ndjson",
    "application/json",
    "application/gzip",
    "application/zstd",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
];

const JOBS: &str = "jobs";

pub(super) async fn list(call: Call) -> Answer {
    let mut dataset = None;
    for (name, value) in form_urlencoded::parse(call.query().as_bytes()) {
        if name == "dataset" {
            dataset = Some(value.into_owned());
        }
    }
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

pub(super) async fn import(mut call: Call<String>) -> Answer {
    let options = import_options(call.query())?;
    let service = call.service.clone();
    let upload = service
        .begin_import(&call.caller, &call.ids, options)
        .await?;
    let job = receive(&service, upload, taken(&mut call)?).await?;
    created_among(&call, JOBS, &job.job_id, &job)
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

/// The body, which is a file, unread.
fn taken(call: &mut Call<String>) -> Result<RequestBody, Failure> {
    let body = call.body();
    let announced = body.media_type();
    let is_file = |it: &str| it == FILE_TYPE || OTHER_FILE_TYPES.contains(&it);
    if !announced.as_deref().is_some_and(is_file) {
        return Err(Failure::MediaType(
            "the body must be the file itself; send it as `application/octet-stream`, `text/csv` or `application/x-ndjson`",
        ));
    }
    let plain = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
    if !body.headers().get_all(CONTENT_ENCODING).iter().all(plain) {
        return Err(Failure::MediaType(
            "a packed file is sent as it is; leave `Content-Encoding` out",
        ));
    }
    Ok(body)
}

/// Takes the file piece by piece, and makes the job when it is whole.
async fn receive(
    service: &Service,
    mut upload: ImportUpload<'_>,
    body: RequestBody,
) -> Result<JobView, Failure> {
    let bytes_max = service.settings().jobs.upload_bytes_max;
    let announced = body.headers().get(CONTENT_LENGTH);
    let announced = announced.and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| length > bytes_max) {
        return Err(Refusal::TooLarge { bytes_max }.into());
    }
    let mut time = TimeBudget::new(service.settings().body_time_max);
    let mut pieces = body.stream();
    while let Some(piece) = time.wait_for(pieces.next()).await? {
        let piece: Bytes = piece.map_err(|_| Failure::Broken)?;
        time.earn(piece.len());
        upload.write(piece).await?;
    }
    Ok(upload.finish().await?)
}

async fn download(call: Call<String>, file: JobFile) -> Answer {
    let found = call
        .service
        .download_job_file(&call.caller, &call.ids, file)
        .await?;
    Ok(sent(found))
}

/// The answer that a file is sent with, to be kept and never shown.
fn sent(file: JobDownload) -> Response<Body> {
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

/// The options of an import, as they stand behind the question mark. What is not known is refused: it would be an
/// import of another kind than was meant.
fn import_options(query: &str) -> Result<ImportOptions, Failure> {
    let mut said = Map::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if name == "map" {
            let all = said.entry("map").or_insert_with(|| json!([]));
            if let Value::Array(all) = all {
                all.push(value.into());
            }
            continue;
        }
        let read = match (&*name, &*value) {
            ("deleteMissing" | "dryRun" | "header" | "forSpreadsheets", "true") => true.into(),
            ("deleteMissing" | "dryRun" | "header" | "forSpreadsheets", "false") => false.into(),
            ("delimiter" | "split", "tab" | "\\t") => "\t".into(),
            _ => Value::from(&*value),
        };
        if said.insert(name.to_string(), read).is_some() {
            return Err(wrong(format!("`{name}` is there twice; say it once")));
        }
    }
    serde_json::from_value(said.into()).map_err(|error| wrong(error.to_string()))
}

fn wrong(message: String) -> Failure {
    let path = "query".to_owned();
    Failure::from(Refusal::Invalid(vec![Problem { path, message }]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::manage::{DataFormat, ImportMode};

    #[test]
    fn options_stand_behind_the_question_mark() {
        let query = "mode=replace&format=csv&delimiter=%3B&map=A%3DB&map=C%3D&dryRun=true&header=false&split=tab";
        let options = import_options(query).expect("options");
        let expected = ImportOptions {
            mode: ImportMode::Replace,
            format: Some(DataFormat::Csv),
            delimiter: Some(';'),
            map: vec!["A=B".to_owned(), "C=".to_owned()],
            dry_run: true,
            header: Some(false),
            split: Some('\t'),
            ..ImportOptions::default()
        };
        assert_eq!(options, expected);
        assert_eq!(import_options("").expect("none"), ImportOptions::default());
        for wrong in [
            "dryrun=true",
            "mode=all",
            "dryRun=yes",
            "mode=create&mode=update",
            "delimiter=ab",
        ] {
            assert!(import_options(wrong).is_err(), "{wrong}");
        }
    }
}
