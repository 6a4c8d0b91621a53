//! A server that carries operations out: the request goes as one JSON document, the answer comes line by line. What
//! the server is shown, and who it is, [`client`](super::client) and [`remote`](super::remote) know.

use crate::watch::Watch;
use anyhow::anyhow;
use manifest::events::{Event, WHAT_STAYS};
use manifest::failure::{Failure, FailureCode};
use manifest::operations::{Outcome, Request};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue, LOCATION};
use reqwest::{Response, StatusCode};
use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// How long a connection may take to come about.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// How many times the bytes of an operation a server's memory budget must have: a quarter of it is the most that one body takes.
const BUDGET_TIMES: usize = 4;
/// How long a server may say nothing: it says something every ten seconds.
pub(super) const SILENCE_MAX: Duration = Duration::from_secs(60);

/// A server, and what it is shown.
pub(super) struct Connection {
    pub(super) http: reqwest::Client,
    /// Where operations are carried out.
    pub(super) url: String,
    pub(super) authorization: HeaderValue,
}

/// What a line of an answer tells.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Outcome(Box<Outcome>),
    Error(Failure),
    #[serde(untagged)]
    Event(Event),
}

impl Connection {
    /// Has an operation carried out. Who is told to stop goes away, which ends the work.
    pub(super) async fn carry_out(
        &self,
        request: &Request,
        watch: &mut Watch,
    ) -> anyhow::Result<Outcome> {
        let stop = watch.stop()?;
        tokio::select! {
            outcome = self.carried_out(request, watch) => outcome,
            () = stop => Err(stopped(watch).into()),
        }
    }

    async fn carried_out(&self, request: &Request, watch: &mut Watch) -> anyhow::Result<Outcome> {
        let body = serde_json::to_vec(request)?;
        let bytes = body.len();
        let sending = self
            .http
            .post(&self.url)
            .header(AUTHORIZATION, self.authorization.clone())
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/x-ndjson")
            .body(body);
        let answer = sending.send().await.map_err(|error| unreachable(&error))?;
        match answer.status() {
            StatusCode::OK => read(answer, watch).await,
            StatusCode::PAYLOAD_TOO_LARGE => Err(too_large(refusal(answer).await, bytes).into()),
            _ => Err(refusal(answer).await.into()),
        }
    }
}

/// What is known of an operation that was given up.
fn stopped(watch: &Watch) -> Failure {
    let how_far = watch.how_far();
    let how_far = how_far.map_or_else(String::new, |how_far| {
        format!(" (the last that it told was {how_far})")
    });
    let message = format!("stopped before its end, and the server with it{how_far}; {WHAT_STAYS}");
    Failure::new(FailureCode::Failed, message)
}

/// What is to be done where a server takes no operation of so many bytes: one of two settings is in the way, and both are
/// said as they must be.
fn too_large(failure: Failure, bytes: usize) -> Failure {
    let message = format!(
        "{}; split the manifest, or run the command where the data folder is, or have the server started with --operation-bytes-max={bytes} and --memory-budget-bytes={}, or more",
        failure.message,
        bytes.saturating_mul(BUDGET_TIMES)
    );
    Failure { message, ..failure }
}

/// Reads an answer to its last line.
async fn read(mut answer: Response, watch: &mut Watch) -> anyhow::Result<Outcome> {
    const BROKEN: &str = "the server's answer broke off, so nobody knows how far it came; the same command again goes on from there";
    let mut text = Vec::new();
    let broken = |causes: Vec<String>| Failure {
        message: BROKEN.to_owned(),
        causes,
        code: FailureCode::Unavailable,
    };
    while let Some(piece) = answer
        .chunk()
        .await
        .map_err(|error| broken(causes(&error)))?
    {
        text.extend_from_slice(&piece);
        let mut begin = 0;
        while let Some(length) = text[begin..].iter().position(|byte| *byte == b'\n') {
            let line = &text[begin..begin + length];
            begin += length + 1;
            if line.is_empty() {
                continue;
            }
            let line = serde_json::from_slice(line).map_err(|error| {
                anyhow!("the server answered what this command does not know ({error}); is it of another version?")
            })?;
            match line {
                Line::Outcome(outcome) => return Ok(*outcome),
                Line::Error(failure) => return Err(failure.into()),
                Line::Event(event) => watch.see(&event),
            }
        }
        text.drain(..begin);
    }
    Err(broken(Vec::new()).into())
}

/// Nobody answers.
pub(super) fn unreachable(error: &reqwest::Error) -> Failure {
    let address = error.url().map(|url| url.origin().ascii_serialization());
    let address = address.as_deref().unwrap_or("this address");
    let causes = causes(error);
    let (what, next) = if error.is_timeout() {
        ("takes too long to answer", "is it the right address?")
    } else if causes
        .iter()
        .any(|it| it.contains("invalid peer certificate"))
    {
        (
            "shows a certificate that is not taken",
            "has it expired, is it for this name, and does this machine, or the file of --ca-file, trust who signed it?",
        )
    } else {
        ("does not answer", "is it running, and is this its address?")
    };
    Failure {
        message: format!("the server at {address} {what}; {next}"),
        causes,
        code: FailureCode::Unreachable,
    }
}

/// What is behind an error, each cause once: the libraries repeat themselves.
fn causes(error: &reqwest::Error) -> Vec<String> {
    let mut causes: Vec<String> = Vec::new();
    let mut source = std::error::Error::source(error);
    while let Some(cause) = source {
        let text = cause.to_string();
        if !causes.contains(&text) {
            causes.push(text);
        }
        source = cause.source();
    }
    causes
}

/// What a server said no with.
pub(super) async fn refusal(answer: Response) -> Failure {
    let status = answer.status().as_u16();
    let address = answer.url().origin().ascii_serialization();
    let elsewhere = answer.headers().get(LOCATION).cloned();
    let elsewhere = elsewhere.as_ref().and_then(|it| it.to_str().ok());
    let body: Value = answer.json().await.unwrap_or_default();
    refused(status, &address, elsewhere, &body)
}

/// What a server at this address said no with: a status, where it sends to, and a body.
pub(super) fn refused(
    status: u16,
    address: &str,
    elsewhere: Option<&str>,
    body: &Value,
) -> Failure {
    let told = body["message"].as_str();
    let code = match status {
        _ if body["code"] == "QUOTA_EXCEEDED" => FailureCode::QuotaExceeded,
        401 => FailureCode::Unauthenticated,
        403 => FailureCode::Forbidden,
        404 => FailureCode::NotFound,
        409 => FailureCode::Conflict,
        400 | 413 => FailureCode::Invalid,
        408 | 429 | 503 => FailureCode::Unavailable,
        _ => FailureCode::Failed,
    };
    let message = match (status, told) {
        (401, Some(_)) => format!(
            "the server at {address} does not know this credential; is it whole, of this server, and neither expired nor switched off?"
        ),
        (404, Some("there is nothing at this address")) => format!(
            "the server at {address} carries out no operations for commands; give its root as the address, unless it is older than this program"
        ),
        (_, Some(told)) => with_problems(told, body),
        (300..=399, None) => {
            let elsewhere = elsewhere.unwrap_or("another address");
            format!("{address} sends elsewhere, to {elsewhere}; give the server's own address")
        }
        // a server says how many it takes
        (413, None) => {
            format!(
                "what stands before the server at {address} takes no body of this size; have it take larger ones"
            )
        }
        (status, None) => format!(
            "what answers at {address} (status {status}) is no Fieldstone server; give its address without /v1 or /admin"
        ),
    };
    Failure::new(code, message)
}

/// A message with the problems that it sums up.
fn with_problems(told: &str, body: &Value) -> String {
    let problems = body["problems"].as_array().into_iter().flatten();
    let lines = problems.filter_map(|one| one["message"].as_str());
    let lines: Vec<_> = lines.filter(|line| !told.contains(line)).collect();
    match lines.as_slice() {
        [] => told.to_owned(),
        lines => format!("{told}: {}", lines.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_that_takes_no_large_body_is_not_taken_for_another_program() {
        let told = |body: &Value| refused(413, "https://one.example", None, body).message;
        let by_proxy = told(&Value::Null);
        assert!(by_proxy.contains("stands before the server at https://one.example"));
        let by_server = told(&serde_json::json!({"message": "the body has more than 9 bytes"}));
        assert_eq!(by_server, "the body has more than 9 bytes");
        let failure = too_large(refused(413, "https://one.example", None, &Value::Null), 9);
        let settings = "--operation-bytes-max=9 and --memory-budget-bytes=36";
        assert!(failure.message.contains(settings), "{}", failure.message);
    }
}
