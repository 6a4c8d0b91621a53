//! Imports: what may be said of a file, and the file as it comes, piece by piece. What becomes of it, the service knows.

use super::nouns::Answer;
use crate::admin::response::created_among;
use crate::http::body::RequestBody;
use crate::http::call::Call;
use crate::http::error::Failure;
use crate::http::files::TimeBudget;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use crate::openapi::shapes::ImportFile;
use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH};
use futures_util::StreamExt as _;
use serde_json::{Map, Value, json};
use service::manage::{DateReading, ImportOptions, JobView, Problem};
use service::{Encoding, ImportUpload, Refusal, Service};
use url::form_urlencoded;
use wire::ErrorCode;

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

/// Where the jobs that come of them stand.
pub(super) const JOBS: &str = "jobs";

/// The one route: whatever is imported is sent to its dataset.
pub(super) fn route() -> Route {
    Route::post("/datasets/{id}/imports", import, operation())
}

fn operation() -> O {
    let operation = O::management("importDataset", "Import a file into a dataset as a job");
    let operation = options()
        .into_iter()
        .chain(value_options())
        .fold(operation, |operation, (name, what, shape)| {
            operation.asks_for(name, what, false, shape)
        });
    let operation = operation.takes_as::<ImportFile>(FILE_TYPE);
    operation
        .gives::<JobView>(201)
        .refuses(&[409])
        .codes(403, &[ErrorCode::QuotaExceeded])
}

const FILE_NAME: &str = "What the file is called, for people";
const FILE_OF: &str = "A dry run of your own into this dataset, by its jobId: its file is imported, and no body is sent";
const SPLIT: &str = "What parts the values of a cell that holds several, beside JSON arrays";
const DECIMAL_MARK: &str = "What stands before the decimals of numbers that are text; without, a point, and `12.000` is \
    neither a whole number nor a currency";
const DATE_FORMAT: &str = "How days and times are written that are text; without, as their fields have them or as ISO 8601";
const TRUE_WORDS: &str =
    "Words of cells that stand for true, whatever their case, with commas between them";
const FALSE_WORDS: &str =
    "Words of cells that stand for false, whatever their case, with commas between them";
const NULL_WORDS: &str =
    "Words of cells that stand for no value, letter by letter, with commas between them";
const MAP: &str = "The field of a column, or of a member of JSON, that doesn't have the field's name, as `Column=Field`; `Column=` \
    leaves it out. May be there several times";

/// An option: its name, what it says, and its shape.
type FileOption = (&'static str, &'static str, Value);

/// What may be said of the values of a file's cells.
fn value_options() -> [FileOption; 7] {
    let words = |words: &[&str]| json!({"type": "string", "enum": words});
    let flag = || json!({"type": "string", "enum": ["false", "true"]});
    [
        ("split", SPLIT, json!({"type": "string"})),
        ("decimalMark", DECIMAL_MARK, words(&["comma", "point"])),
        (
            "dateFormat",
            DATE_FORMAT,
            words(&DateReading::ALL.map(DateReading::as_str)),
        ),
        ("trueWords", TRUE_WORDS, json!({"type": "string"})),
        ("falseWords", FALSE_WORDS, json!({"type": "string"})),
        ("nullWords", NULL_WORDS, json!({"type": "string"})),
        (
            "forSpreadsheets",
            "Whether its texts are guarded against spreadsheets: the guard is taken off",
            flag(),
        ),
    ]
}

/// What may be said of a file, and what is to become of it.
fn options() -> [FileOption; 13] {
    let words = |words: &[&str]| json!({"type": "string", "enum": words});
    let flag = || json!({"type": "string", "enum": ["false", "true"]});
    [
        (
            "mode",
            "What becomes of records that are there",
            words(&["create", "update", "upsert", "replace"]),
        ),
        (
            "dryRun",
            "Whether it is only tried: everything is judged, nothing is written",
            flag(),
        ),
        (
            "deleteMissing",
            "Whether records that the file does not have are deleted; with `replace` only, and not with rows that an import before \
             left out",
            flag(),
        ),
        (
            "ignoreVersion",
            "Whether rows count whatever `_version` they have; without, one whose `_version` is not the record's is left out",
            flag(),
        ),
        (
            "format",
            "How rows stand in the file; found by itself",
            words(&["csv", "ndjson", "json", "xlsx"]),
        ),
        (
            "encoding",
            "How its text is encoded; found by the whole of it",
            words(&Encoding::ALL.map(Encoding::name)),
        ),
        (
            "delimiter",
            "What parts its cells: one ASCII character, or `tab`; found by itself",
            json!({"type": "string"}),
        ),
        (
            "quote",
            "What stands around its cells that hold a delimiter; found by itself",
            words(&["\"", "'"]),
        ),
        (
            "header",
            "Whether its first row has the names of its columns; found by itself",
            flag(),
        ),
        (
            "sheet",
            "The sheet of a workbook; without, the first that is not hidden",
            json!({"type": "string"}),
        ),
        (
            "map",
            MAP,
            json!({"type": "array", "items": {"type": "string"}}),
        ),
        ("fileName", FILE_NAME, json!({"type": "string"})),
        ("fileOf", FILE_OF, json!({"type": "string"})),
    ]
}

async fn import(mut call: Call<String>) -> Answer {
    let options = import_options(call.query())?;
    let service = call.service.clone();
    if options.file_of.is_some() {
        require_no_file(&mut call).await?;
        let job = service.import_tried(&call.caller, &call.ids, options);
        let job = job.await?;
        return created_among(&call, JOBS, &job.job_id, &job);
    }
    let upload = service
        .begin_import(&call.caller, &call.ids, options)
        .await?;
    let job = receive(&service, upload, taken(&mut call)?).await?;
    created_among(&call, JOBS, &job.job_id, &job)
}

/// Refuses a file beside one that is named: one of both would be lost.
async fn require_no_file(call: &mut Call<String>) -> Result<(), Failure> {
    let mut pieces = call.body().stream();
    while let Some(piece) = pieces.next().await {
        if !piece.map_err(|_| Failure::Broken)?.is_empty() {
            let text = "`fileOf` names the file that is imported; send none, or leave it out";
            return Err(wrong(text.to_owned()));
        }
    }
    Ok(())
}

/// The body, which is a file, unread.
pub(super) fn taken<P>(call: &mut Call<P>) -> Result<RequestBody, Failure> {
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
            (
                "deleteMissing" | "dryRun" | "header" | "forSpreadsheets" | "ignoreVersion",
                "true",
            ) => true.into(),
            (
                "deleteMissing" | "dryRun" | "header" | "forSpreadsheets" | "ignoreVersion",
                "false",
            ) => false.into(),
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
    Failure::from(Refusal::Invalid(vec![Problem::new("query", message)]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use service::manage::{DataFormat, DecimalMark, ImportMode};

    #[test]
    fn options_stand_behind_the_question_mark() {
        let query = "mode=replace&format=csv&delimiter=%3B&quote=%27&map=A%3DB&map=C%3D&dryRun=true&header=false&split=tab&decimalMark=comma&dateFormat=us&nullWords=NULL%2C%5CN&ignoreVersion=true";
        let options = import_options(query).expect("options");
        let expected = ImportOptions {
            mode: ImportMode::Replace,
            format: Some(DataFormat::Csv),
            delimiter: Some(';'),
            quote: Some('\''),
            map: vec!["A=B".to_owned(), "C=".to_owned()],
            dry_run: true,
            header: Some(false),
            split: Some('\t'),
            decimal_mark: Some(DecimalMark::Comma),
            date_format: Some(DateReading::Us),
            null_words: Some("NULL,\\N".to_owned()),
            ignore_version: true,
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
            "decimalMark=dot",
            "dateFormat=de",
        ] {
            assert!(import_options(wrong).is_err(), "{wrong}");
        }
    }
}
