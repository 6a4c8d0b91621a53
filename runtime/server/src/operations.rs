//! Operations on their way out: what a command asked for is carried out while it is answered, a JSON object a line.
//!
//! ```text
//! {"progress": {"dataset": "Cities", "file": "cities.ndjson", "done": 1000, "total": 20000}}
//! {"rejected": {"dataset": "Cities", "file": "cities.ndjson", "line": 7, "reason": "…", "record": "…"}}
//!
//! {"outcome": {"applied": {"dryRun": false, "steps": [], "records": []}}}
//! ```
//!
//! The last line has the `outcome`, or an `error`; an empty one says that the work goes on. Who does not ask for lines
//! gets the same objects as one array. The work is done as the
//! answer is taken: who goes away ends it, who takes slowly slows it, and nothing is gathered in memory. What an
//! operation means, the manifest knows. `docs/interface.md`, "Operations".

use crate::http::accept::prefers;
use crate::http::error::Failure as Refused;
use crate::http::response;
use crate::openapi::{JSON, LINES};
use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, HeaderMap, HeaderValue};
use axum::response::Response;
use futures_util::stream;
use manifest::By;
use manifest::events::{Event, channel};
use manifest::failure::Failure;
use manifest::operations::{Outcome, Request, carry_out};
use serde_json::json;
use service::{Refusal, Reservation, Service};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use tokio::sync::mpsc::Receiver;

/// Events that wait to be sent.
const WAITING_MAX: usize = 1024;
/// Bytes of lines that are sent together.
const BYTES_TOGETHER: usize = 16 << 10;
/// How long nothing is said, though the work goes on.
const SILENCE_MAX: Duration = Duration::from_secs(10);

/// An operation that did not end well.
struct Broken {
    /// What the answer's last line tells.
    told: Failure,
    /// What it is answered with, where nothing was told before.
    refused: Refused,
}

/// How the objects of an answer stand beside each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// One a line.
    Lines,
    /// As elements of an array.
    Array,
}

impl Form {
    /// What a request asks for.
    pub(crate) fn asked(headers: &HeaderMap) -> Self {
        if prefers(headers, LINES) {
            Form::Lines
        } else {
            Form::Array
        }
    }
}

type Work = Pin<Box<dyn Future<Output = Result<Outcome, Broken>> + Send>>;

/// An operation under way.
pub(crate) struct Operation {
    /// None once it is over.
    work: Option<Work>,
    events: Receiver<Event>,
    form: Form,
    /// Whether nothing was written yet.
    is_untold: bool,
    /// Lines that were made and not sent.
    lines: Vec<u8>,
    /// How it ended, while that is not in a line.
    end: Option<Result<Outcome, Broken>>,
    /// What it takes of memory, where that is counted.
    _room: Option<Reservation>,
}

/// Carries out what the machine's own operator asks for, whatever comes of it as lines.
pub fn answer_operator(service: Arc<Service>, request: Request) -> Response {
    Operation::begin(service, By::Operator, request, Form::Lines).into_response()
}

impl Operation {
    /// One of which nothing is done yet.
    pub(crate) fn begin(service: Arc<Service>, by: By, request: Request, form: Form) -> Self {
        let (sender, events) = channel(WAITING_MAX);
        let work = async move {
            let outcome = carry_out(&service, &by, request, &sender).await;
            outcome.map_err(|error| {
                let told = Failure::of(&error);
                let text = told.to_string();
                let refused = match error.downcast::<Refusal>() {
                    Ok(refusal) => Refused::explained(refusal, text),
                    Err(error) => match error.downcast::<StoreError>() {
                        Ok(error) => Refused::from(Refusal::Store(error)),
                        Err(_) => Refused::from(Refusal::Parameter(text.into())),
                    },
                };
                Broken { told, refused }
            })
        };
        Operation {
            work: Some(Box::pin(work)),
            events,
            form,
            is_untold: true,
            lines: Vec::new(),
            end: None,
            _room: None,
        }
    }

    /// The same, with the room that its request takes.
    pub(crate) fn holding(self, room: Reservation) -> Self {
        Operation {
            _room: Some(room),
            ..self
        }
    }

    /// The same, as soon as it has something to tell.
    ///
    /// # Errors
    /// What it was refused with before.
    pub(crate) async fn begun(mut self) -> Result<Self, Refused> {
        self.go_on().await;
        match self.end {
            Some(Err(broken)) if self.lines.is_empty() => Err(broken.refused),
            end => Ok(Operation { end, ..self }),
        }
    }

    /// The answer: its lines as they come.
    pub(crate) fn into_response(self) -> Response {
        let kind = match self.form {
            Form::Lines => LINES,
            Form::Array => JSON,
        };
        let pieces = stream::unfold(self, async |mut operation| {
            let piece = operation.piece().await?;
            Some((Ok::<_, Infallible>(piece), operation))
        });
        let mut response = response::pieces(pieces, kind);
        // it may show a secret
        let kept = HeaderValue::from_static("no-store");
        response.headers_mut().insert(CACHE_CONTROL, kept);
        response
    }

    /// The next lines; none after the last.
    async fn piece(&mut self) -> Option<Bytes> {
        if self.lines.is_empty() && self.end.is_none() {
            self.go_on().await;
        }
        if self.work.is_none() {
            // what was told before the end comes before it
            while let Ok(event) = self.events.try_recv() {
                self.write(&event);
            }
        }
        match self.end.take() {
            None => {}
            Some(Ok(outcome)) => self.write_last(&json!({"outcome": outcome})),
            Some(Err(broken)) => self.write_last(&json!({"error": broken.told})),
        }
        let piece = std::mem::take(&mut self.lines);
        (!piece.is_empty()).then(|| piece.into())
    }

    /// Works until there are lines, or the end.
    async fn go_on(&mut self) {
        let Some(work) = &mut self.work else {
            return;
        };
        let first = tokio::select! {
            biased;
            Some(event) = self.events.recv() => event,
            ended = work => {
                self.work = None;
                self.end = Some(ended);
                return;
            }
            () = tokio::time::sleep(SILENCE_MAX) => {
                self.lines.push(b'\n');
                return;
            }
        };
        self.write(&first);
        while self.lines.len() < BYTES_TOGETHER
            && let Ok(event) = self.events.try_recv()
        {
            self.write(&event);
        }
    }

    fn write(&mut self, line: &impl serde::Serialize) {
        if self.form == Form::Array {
            self.lines.push(if self.is_untold { b'[' } else { b',' });
        }
        self.is_untold = false;
        // INVARIANT: events, outcomes and failures always have a JSON form, and a vector takes any bytes
        let _ = serde_json::to_writer(&mut self.lines, line);
        self.lines.push(b'\n');
    }
    fn write_last(&mut self, line: &impl serde::Serialize) {
        self.write(line);
        if self.form == Form::Array {
            self.lines.extend_from_slice(b"]\n");
        }
    }
}
