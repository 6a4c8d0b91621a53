//! Many writes in one request: lines in, a verdict for each out, as an array or, where that is asked for, as lines.

use super::nouns::Answer;
use crate::http::call::Call;
use crate::http::error::{Failure, verdict};
use crate::http::response;
use crate::http::route::Route;
use crate::openapi::Operation as O;
use crate::openapi::shapes::BulkLines;
use crate::openapi::{JSON, LINES};
use crate::operations::Form;
use axum::http::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use service::{BulkAction, BulkDone, BulkJudged, Refusal};
use url::form_urlencoded;

/// The job that a request is remembered as.
const JOB_ID: HeaderName = HeaderName::from_static("job-id");

/// What became of a line.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct BulkVerdict {
    /// The number of the line, from 1; empty lines count and have no verdict.
    line: u64,
    /// The status that a request for this alone would have: 201 made, 200 changed, 204 deleted, or why not.
    status: u16,
    /// The id of the record, where the line was done, or would be done to one that is there.
    #[serde(rename = "_dataObjectId", skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Its version by now, where the line was done.
    #[serde(rename = "_version", skip_serializing_if = "Option::is_none")]
    version: Option<i64>,
    /// What is wrong with its values; absent where it was deleted.
    #[serde(rename = "_errors", skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<wire::shapes::FieldErrorShape>>")]
    errors: Option<Box<RawValue>>,
    /// Why it was not done: the body that a request for this alone would have.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<crate::openapi::shapes::CodedOrPlainError>")]
    error: Option<Box<RawValue>>,
}

impl BulkVerdict {
    fn of(line: u64, outcome: Result<BulkDone, Refusal>) -> Self {
        match outcome {
            Ok(BulkDone {
                action,
                id,
                version,
                errors,
            }) => BulkVerdict {
                id: Some(id),
                version: Some(version),
                ..BulkVerdict::done(line, action, errors)
            },
            Err(refusal) => BulkVerdict::refused(line, refusal),
        }
    }

    /// That of a line which was only tried.
    fn of_trial(line: u64, outcome: Result<BulkJudged, Refusal>) -> Self {
        match outcome {
            Ok(BulkJudged { action, id, errors }) => BulkVerdict {
                id,
                ..BulkVerdict::done(line, action, errors)
            },
            Err(refusal) => BulkVerdict::refused(line, refusal),
        }
    }

    fn done(line: u64, action: BulkAction, errors: Option<String>) -> Self {
        BulkVerdict {
            line,
            status: match action {
                BulkAction::Created => 201,
                BulkAction::Updated => 200,
                BulkAction::Deleted => 204,
            },
            id: None,
            version: None,
            errors: (action != BulkAction::Deleted).then(|| {
                let errors = errors.unwrap_or_else(|| "[]".to_owned());
                // INVARIANT: what the engine writes is JSON
                RawValue::from_string(errors).unwrap_or_else(|_| RawValue::NULL.to_owned())
            }),
            error: None,
        }
    }

    fn refused(line: u64, refusal: Refusal) -> Self {
        let (status, error) = verdict(refusal);
        BulkVerdict {
            line,
            status,
            id: None,
            version: None,
            errors: None,
            error: Some(error),
        }
    }
}

/// Many writes at once.
pub(super) fn routes() -> Vec<Route> {
    let flag = json!({"type": "string", "enum": ["false", "true"]});
    let tried = "Whether it is only tried: each line is judged, nothing is written";
    let write = O::management("writeRecords", "Write many records, one per line")
        .asks_for("dryRun", tried, false, flag)
        .takes_as::<BulkLines>(super::imports::FILE_TYPE)
        .gives_lines::<BulkVerdict>(200)
        .refuses(&[404]);
    vec![Route::post(
        "/datasets/{id}/records/bulk",
        self::write,
        write,
    )]
}

pub(super) async fn write(mut call: Call<String>) -> Answer {
    let service = call.service.clone();
    service.permit_many(&call.caller, &call.ids)?;
    let is_trial = is_trial(call.query())?;
    let form = Form::asked(&call.parts().headers);
    let lines = call.body().lines(service.settings()).await?;
    let (begin, between, end, kind) = match form {
        Form::Lines => ("", "\n", "\n", LINES),
        Form::Array => ("[", ",", "]", JSON),
    };
    let mut answer = String::from(begin);
    let mut tell = |verdict: BulkVerdict| {
        if answer.len() > begin.len() {
            answer.push_str(between);
        }
        // INVARIANT: numbers, texts and JSON have a JSON form
        answer.push_str(&serde_json::to_string(&verdict).unwrap_or_default());
    };
    let job = if is_trial {
        let tell = |line, outcome| tell(BulkVerdict::of_trial(line, outcome));
        let judged = service.judge_many(&call.caller, &call.ids, &lines, tell);
        judged.await.map(|()| None)
    } else {
        let tell = |line, outcome| tell(BulkVerdict::of(line, outcome));
        let written = service.write_many(&call.caller, &call.ids, &lines, tell);
        written.await
    }?;
    if form == Form::Array || !answer.is_empty() {
        answer.push_str(end);
    }
    let mut response = response::json(answer);
    let kind = HeaderValue::from_static(kind);
    response.headers_mut().insert(CONTENT_TYPE, kind);
    if let Some(job) = job.and_then(|id| HeaderValue::from_str(&id).ok()) {
        response.headers_mut().insert(JOB_ID, job);
    }
    Ok(response)
}

/// Whether the lines are only to be judged. What is not known is refused: lines that were meant to be tried would be written.
fn is_trial(query: &str) -> Result<bool, Failure> {
    let refused = |text: String| Err(Refusal::Parameter(text.into()).into());
    let mut is_trial = None;
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        if name != "dryRun" {
            return refused(format!(
                "`{name}` is no parameter here; `dryRun` is the only one"
            ));
        }
        let said = match &*value {
            "false" => false,
            "true" => true,
            _ => return refused("`dryRun` is `true` or `false`".to_owned()),
        };
        if is_trial.replace(said).is_some() {
            return refused("`dryRun` is there twice; say it once".to_owned());
        }
    }
    Ok(is_trial.unwrap_or_default())
}
