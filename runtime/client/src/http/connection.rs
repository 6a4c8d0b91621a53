//! The door over HTTP: sends requests, renews tokens, tries again where that is safe.

use super::address::Base;
use super::credential::{Authority, Exchange};
use super::multipart::{Form, Watch};
use super::request::{Body, Request};
use super::retry::{Repeat, pause};
use crate::door::Answer;
use crate::files::{NewFile, Pieces};
use crate::{Ask, Cause, ClientError, Door, Download, Refused};
use bytes::Bytes;
use futures_core::Stream;
use reqwest::header::{
    AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER,
};
use reqwest::{RequestBuilder, StatusCode};
use serde::Deserialize;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use wire::FieldError;

/// The longest that a file may take; whether it moves is watched.
const FILE_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// The header that names an answer to the service's operator.
const REQUEST_ID: &str = "x-request-id";

/// A connection to a service, for one credential.
pub(super) struct Connection {
    pub(super) http: reqwest::Client,
    pub(super) base: Base,
    pub(super) authority: Authority,
    pub(super) timeout: Duration,
    pub(super) attempts: u32,
    pub(super) answer_bytes_max: usize,
    pub(super) page_size: Option<u32>,
}

impl Door for Connection {
    fn ask(self: Arc<Self>, ask: Ask, page_key: Option<String>) -> Answer<Option<String>> {
        Box::pin(async move {
            let request = Request::of(ask, page_key.as_deref(), self.page_size);
            self.authorized(&request).await
        })
    }

    fn upload(self: Arc<Self>, file: NewFile) -> Answer<String> {
        Box::pin(async move {
            let answer = self.authorized(&Request::upload(file)?).await?;
            answer.ok_or_else(|| ClientError::Answer("an upload", "it has no body".to_owned()))
        })
    }

    fn download(self: Arc<Self>, link: String) -> Answer<Download> {
        Box::pin(async move {
            let request = Request::download(&link);
            // the link is all it takes
            let found = self
                .insist(&request, || self.exchange(&request, None))
                .await;
            let found = found.map_err(|error| match error {
                ClientError::Refused(mut refused) if refused.cause == Cause::Forbidden => {
                    refused.cause = Cause::LinkRefused;
                    ClientError::Refused(refused)
                }
                error => error,
            });
            let nothing = || ClientError::Answer("a download", "it is none".to_owned());
            Ok(self.coming(found?.ok_or_else(nothing)?))
        })
    }
}

impl Connection {
    /// Sends with the credential.
    async fn authorized(&self, request: &Request) -> Result<Option<String>, ClientError> {
        match &self.authority {
            Authority::Fixed(header) => self.whole(request, Some(header)).await,
            Authority::Exchanged(exchange) => self.with_token(request, exchange).await,
        }
    }

    /// Sends with a token. One that is refused (it ran out early, or was withdrawn) is renewed once.
    async fn with_token(
        &self,
        request: &Request,
        exchange: &Exchange,
    ) -> Result<Option<String>, ClientError> {
        let token = self.token(exchange).await?;
        match self.whole(request, Some(&token)).await {
            Err(error) if error.cause() == Some(Cause::Unauthenticated) => {
                exchange.forget(&token);
                if request.repeat == Repeat::Impossible {
                    return Err(error);
                }
                let token = self.token(exchange).await?;
                self.whole(request, Some(&token)).await
            }
            result => result,
        }
    }

    /// The token of the moment, renewed when it is about to run out.
    async fn token(&self, exchange: &Exchange) -> Result<HeaderValue, ClientError> {
        if let Some(token) = exchange.fresh(Instant::now()) {
            return Ok(token.header.clone());
        }
        let _turn = if let Ok(turn) = exchange.turn.try_lock() {
            turn
        } else {
            // while another request renews it, it is still good
            if let Some(token) = exchange.usable(Instant::now()) {
                return Ok(token.header.clone());
            }
            exchange.turn.lock().await
        };
        let asked = Instant::now();
        if let Some(token) = exchange.fresh(asked) {
            return Ok(token.header.clone());
        }
        let request = Request::token(exchange.body.clone());
        // who can do without is not held up by more than one attempt
        let answer = match exchange.usable(asked) {
            Some(_) => self.send(&request, None).await,
            None => self.whole(&request, None).await,
        };
        match answer {
            Ok(answer) => {
                let answer = answer.unwrap_or_default();
                Ok(exchange.accept(&answer, asked)?.header.clone())
            }
            Err(error) => {
                // who is renewed early need not fail because the renewal does
                let now = Instant::now();
                let usable = exchange.usable(now).filter(|_| may_pass(&error));
                if let Some(token) = usable {
                    exchange.put_off(now);
                    return Ok(token.header.clone());
                }
                Err(match error {
                    ClientError::Refused(refused) => ClientError::Token(refused),
                    error => error,
                })
            }
        }
    }

    /// Sends until there is a whole answer, as far as that is safe.
    async fn whole(
        &self,
        request: &Request,
        authorization: Option<&HeaderValue>,
    ) -> Result<Option<String>, ClientError> {
        self.insist(request, || self.send(request, authorization))
            .await
    }

    /// Tries until it works, as far as that is safe.
    async fn insist<T, F>(&self, request: &Request, send: impl Fn() -> F) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, ClientError>>,
    {
        let mut attempt = 0;
        loop {
            let error = match send().await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(pause) = pause(&error, request.repeat, attempt, self.attempts) else {
                return Err(error);
            };
            tokio::time::sleep(pause).await;
            attempt += 1;
        }
    }

    /// Sends once.
    async fn send(
        &self,
        request: &Request,
        authorization: Option<&HeaderValue>,
    ) -> Result<Option<String>, ClientError> {
        let Some(answer) = self.exchange(request, authorization).await? else {
            return Ok(None);
        };
        let body = String::from_utf8(self.body(answer).await?)
            .map_err(|_| ClientError::Answer("a request", "it is no UTF-8".to_owned()))?;
        Ok(Some(body).filter(|body| !body.is_empty()))
    }

    /// Sends once; an answer that says yes, its body still to come, or `None` for nothing.
    async fn exchange(
        &self,
        request: &Request,
        authorization: Option<&HeaderValue>,
    ) -> Result<Option<reqwest::Response>, ClientError> {
        let address = self.base.join(&request.path);
        let mut sending = self.http.request(request.method.clone(), address);
        if let Some(value) = authorization {
            sending = sending.header(AUTHORIZATION, value);
        }
        let mut answer = match &request.body {
            Body::Nothing if request.is_file => self.watched(sending, None).await?,
            Body::Nothing => sending.send().await.map_err(|error| self.broken(error))?,
            Body::Json(body) => {
                let sending = sending.header(CONTENT_TYPE, "application/json");
                let sent = sending.body(body.clone()).send().await;
                sent.map_err(|error| self.broken(error))?
            }
            Body::Form(form) => self.watched(sending, Some(form)).await?,
        };
        let status = answer.status();
        if status.is_success() {
            return Ok(Some(answer));
        }
        let headers = std::mem::take(answer.headers_mut());
        let body = self.body(answer).await?;
        if status == StatusCode::NOT_FOUND && request.may_be_absent && body.is_empty() {
            return Ok(None);
        }
        Err(refusal(status, &headers, &body).into())
    }

    /// Sends what may take long, as long as something moves.
    async fn watched(
        &self,
        sending: RequestBuilder,
        form: Option<&Form>,
    ) -> Result<reqwest::Response, ClientError> {
        let mut sending = sending.timeout(FILE_TIMEOUT);
        let mut watch = Arc::<Watch>::default();
        if let Some(form) = form {
            let (body, watched) = form.sending();
            watch = watched;
            sending = sending.header(CONTENT_TYPE, form.media_type());
            if let Some(length) = form.length() {
                sending = sending.header(CONTENT_LENGTH, length);
            }
            sending = sending.body(reqwest::Body::wrap_stream(body));
        }
        let sent = tokio::select! {
            sent = sending.send() => sent.map_err(|error| self.broken(error)),
            () = watch.stands_still(self.timeout) => Err(self.still()),
        };
        match watch.failed() {
            Some(failed) if sent.is_err() => Err(ClientError::Content(failed)),
            _ => sent,
        }
    }

    /// The body of a download, piece by piece.
    fn coming(self: &Arc<Self>, answer: reqwest::Response) -> Download {
        let text = |name| answer.headers().get(name)?.to_str().ok();
        Download {
            media_type: text(CONTENT_TYPE).map(str::to_owned),
            size: text(CONTENT_LENGTH).and_then(|length| length.parse().ok()),
            bytes_max: self.answer_bytes_max,
            pieces: Box::pin(Coming {
                door: self.clone(),
                limit: Box::pin(tokio::time::sleep(self.timeout)),
                pieces: Some(Box::pin(answer.bytes_stream())),
            }),
        }
    }

    /// Nothing moved for too long.
    fn still(&self) -> ClientError {
        ClientError::Network {
            origin: self.base.origin().to_owned(),
            sent: true,
            source: "nothing moved for too long".into(),
        }
    }

    /// The whole body, if it is not too long.
    async fn body(&self, mut answer: reqwest::Response) -> Result<Vec<u8>, ClientError> {
        let limit = self.answer_bytes_max;
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| self.broken(error))? {
            if body.len() + chunk.len() > limit {
                return Err(ClientError::TooLong { limit });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }

    fn broken(&self, error: reqwest::Error) -> ClientError {
        ClientError::Network {
            origin: self.base.origin().to_owned(),
            sent: !error.is_connect(),
            // the address may hold a primary key
            source: Box::new(error.without_url()),
        }
    }
}

/// Whether another try may work later: nobody said no.
fn may_pass(error: &ClientError) -> bool {
    match error {
        ClientError::Refused(refused) => matches!(refused.cause, Cause::Service | Cause::TooMany),
        error => matches!(error, ClientError::Network { .. }),
    }
}

/// A download on its way in.
struct Coming {
    door: Arc<Connection>,
    limit: Pin<Box<tokio::time::Sleep>>,
    /// `None` after the end, and after an error.
    pieces: Option<Pieces<reqwest::Error>>,
}

impl Stream for Coming {
    type Item = Result<Bytes, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(pieces) = &mut self.pieces else {
            return Poll::Ready(None);
        };
        let piece = match pieces.as_mut().poll_next(context) {
            Poll::Ready(Some(Ok(piece))) => {
                let next = tokio::time::Instant::now() + self.door.timeout;
                self.limit.as_mut().reset(next);
                return Poll::Ready(Some(Ok(piece)));
            }
            Poll::Ready(Some(Err(error))) => Some(Err(self.door.broken(error))),
            Poll::Ready(None) => None,
            Poll::Pending => {
                std::task::ready!(self.limit.as_mut().poll(context));
                Some(Err(self.door.still()))
            }
        };
        self.pieces = None;
        Poll::Ready(piece)
    }
}

/// The body of an error, as far as it is one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    code: Option<String>,
    message: String,
    fields: Vec<FieldError>,
}

fn refusal(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Refused {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let body: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
    Refused {
        cause: cause(status, body.code.as_deref()),
        status: Some(status.as_u16()),
        message: match body.message.as_str() {
            "" => status.canonical_reason().unwrap_or_default().to_lowercase(),
            _ => body.message,
        },
        code: body.code,
        fields: body.fields,
        request_id: header(REQUEST_ID).map(str::to_owned),
        retry_after: header(RETRY_AFTER.as_str())
            .and_then(|seconds| seconds.parse().ok())
            .map(Duration::from_secs),
    }
}

fn cause(status: StatusCode, code: Option<&str>) -> Cause {
    match (status.as_u16(), code) {
        (_, Some("DATA_OBJECT_NOT_FOUND")) => Cause::RecordNotFound,
        (_, Some("INVALID_REQUEST_BODY")) => Cause::InvalidBody,
        (_, Some("PRIMARY_KEY_REQUIRED")) => Cause::PrimaryKeyRequired,
        (_, Some("DUPLICATE_PRIMARY_KEY")) => Cause::DuplicateKey,
        (_, Some("DATA_OBJECT_VERSION_CONFLICT")) => Cause::VersionConflict,
        (_, Some("DATA_OBJECT_CONCURRENT_MODIFICATION")) => Cause::Concurrent,
        (401, _) => Cause::Unauthenticated,
        (403, _) => Cause::Forbidden,
        (404, _) => Cause::NotFound,
        (413, _) => Cause::TooLarge,
        (429, _) => Cause::TooMany,
        (500..=599, _) => Cause::Service,
        _ => Cause::Other,
    }
}
