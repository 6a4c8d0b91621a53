//! The transport over HTTP: sends requests, renews tokens, tries again where that is safe.

use super::address::BaseUrl;
use super::broken::{broken, broken_off, stalled};
use super::credential::{Authority, Exchange};
use super::download::download;
use super::multipart::{MultipartForm, StallWatch};
use super::refusal::refusal;
use super::request::{Body, Request};
use super::retry::{RetrySafety, pause};
use crate::content::{Download, NewFile};
use crate::transport::{Operation, Transport, TransportFuture};
use crate::{Cause, ClientError};
use reqwest::header::{AUTHORIZATION, CONTENT_LENGTH, CONTENT_TYPE, HeaderValue};
use reqwest::{RequestBuilder, StatusCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest that a file may take; whether it moves is watched.
const FILE_TIMEOUT: Duration = Duration::from_secs(24 * 3600);

/// A connection to a service, for one credential.
pub(super) struct Connection {
    pub(super) http: reqwest::Client,
    pub(super) base: BaseUrl,
    pub(super) authority: Authority,
    pub(super) timeout: Duration,
    pub(super) attempts: u32,
    pub(super) answer_bytes_max: usize,
    pub(super) page_size: Option<u32>,
    pub(super) clock: MonotonicClock,
}

/// What tells the time by which tokens are renewed.
pub(super) type MonotonicClock = Arc<dyn Fn() -> Instant + Send + Sync>;

impl Transport for Connection {
    fn run(
        self: Arc<Self>,
        operation: Operation,
        page_key: Option<String>,
    ) -> TransportFuture<Option<String>> {
        Box::pin(async move {
            let request = Request::of(operation, page_key.as_deref(), self.page_size);
            self.authorized(&request).await
        })
    }

    fn upload(self: Arc<Self>, file: NewFile) -> TransportFuture<String> {
        Box::pin(async move {
            let answer = self.authorized(&Request::upload(file)?).await?;
            answer.ok_or_else(|| ClientError::Answer("an upload", "it has no body".to_owned()))
        })
    }

    fn download(self: Arc<Self>, link: String) -> TransportFuture<Download> {
        Box::pin(async move {
            let request = Request::download(&link);
            // the link is all it takes
            let answer = self.retry(&request, || self.exchange(&request, None)).await;
            let answer = answer.map_err(|error| match error {
                ClientError::Refused(mut refusal) if refusal.cause == Cause::Forbidden => {
                    refusal.cause = Cause::LinkRefused;
                    ClientError::Refused(refusal)
                }
                error => error,
            });
            let nothing = || ClientError::Answer("a download", "it is none".to_owned());
            let answer = answer?.ok_or_else(nothing)?;
            let bytes_max = self.answer_bytes_max;
            Ok(download(answer, &self.base, self.timeout, bytes_max))
        })
    }
}

impl Connection {
    /// Sends with the credential.
    async fn authorized(&self, request: &Request) -> Result<Option<String>, ClientError> {
        match &self.authority {
            Authority::Fixed(header) => self.send_retrying(request, Some(header)).await,
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
        match self.send_retrying(request, Some(&token)).await {
            Err(error) if error.cause() == Some(Cause::Unauthenticated) => {
                exchange.forget(&token);
                if request.retry == RetrySafety::Impossible {
                    return Err(error);
                }
                let token = self.token(exchange).await?;
                self.send_retrying(request, Some(&token)).await
            }
            result => result,
        }
    }

    /// The token of the moment, renewed when it is about to run out.
    async fn token(&self, exchange: &Exchange) -> Result<HeaderValue, ClientError> {
        if let Some(token) = exchange.fresh((self.clock)()) {
            return Ok(token.header.clone());
        }
        let _turn = if let Ok(turn) = exchange.turn.try_lock() {
            turn
        } else {
            // while another request renews it, it is still good
            if let Some(token) = exchange.usable((self.clock)()) {
                return Ok(token.header.clone());
            }
            exchange.turn.lock().await
        };
        let asked = (self.clock)();
        if let Some(token) = exchange.fresh(asked) {
            return Ok(token.header.clone());
        }
        let request = Request::token(exchange.body.clone());
        // who can do without is not held up by more than one attempt
        let answer = match exchange.usable(asked) {
            Some(_) => self.send(&request, None).await,
            None => self.send_retrying(&request, None).await,
        };
        match answer {
            Ok(answer) => {
                let answer = answer.unwrap_or_default();
                Ok(exchange.accept(&answer, asked)?.header.clone())
            }
            Err(error) => {
                // who is renewed early need not fail because the renewal does
                let now = (self.clock)();
                let usable = exchange.usable(now).filter(|_| may_pass(&error));
                if let Some(token) = usable {
                    exchange.put_off(now);
                    return Ok(token.header.clone());
                }
                Err(match error {
                    ClientError::Refused(refusal) => ClientError::Token(refusal),
                    error => error,
                })
            }
        }
    }

    /// Sends until there is a whole answer, as far as that is safe.
    async fn send_retrying(
        &self,
        request: &Request,
        authorization: Option<&HeaderValue>,
    ) -> Result<Option<String>, ClientError> {
        self.retry(request, || self.send(request, authorization))
            .await
    }

    /// Tries until it works, as far as that is safe.
    async fn retry<T, F>(&self, request: &Request, send: impl Fn() -> F) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, ClientError>>,
    {
        let mut attempt = 0;
        loop {
            let error = match send().await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            let Some(pause) = pause(&error, request.retry, attempt, self.attempts) else {
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
        if let Some(wait) = request.wait {
            sending = sending.timeout(self.timeout.saturating_add(wait));
        }
        let mut answer = match &request.body {
            Body::Nothing if request.is_file => self.watched(sending, None).await?,
            Body::Nothing => sending
                .send()
                .await
                .map_err(|error| broken(&self.base, error))?,
            Body::Json(body) => {
                let sending = sending.header(CONTENT_TYPE, "application/json");
                let sent = sending.body(body.clone()).send().await;
                sent.map_err(|error| broken(&self.base, error))?
            }
            Body::Multipart(form) => self.watched(sending, Some(form)).await?,
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
        form: Option<&MultipartForm>,
    ) -> Result<reqwest::Response, ClientError> {
        let mut sending = sending.timeout(FILE_TIMEOUT);
        let mut watch = Arc::<StallWatch>::default();
        if let Some(form) = form {
            let (body, watched) = form.attempt();
            watch = watched;
            sending = sending.header(CONTENT_TYPE, form.media_type());
            if let Some(length) = form.length() {
                sending = sending.header(CONTENT_LENGTH, length);
            }
            sending = sending.body(reqwest::Body::wrap_stream(body));
        }
        let sent = tokio::select! {
            sent = sending.send() => sent.map_err(|error| broken(&self.base, error)),
            () = watch.stands_still(self.timeout) => Err(stalled(&self.base)),
        };
        match watch.failed() {
            Some(failed) if sent.is_err() => Err(ClientError::Content(failed)),
            _ => sent,
        }
    }

    /// The whole body, if it is not too long.
    async fn body(&self, mut answer: reqwest::Response) -> Result<Vec<u8>, ClientError> {
        let limit = self.answer_bytes_max;
        let mut body = Vec::new();
        while let Some(chunk) = answer
            .chunk()
            .await
            .map_err(|error| broken_off(&self.base, error))?
        {
            if body.len() + chunk.len() > limit {
                return Err(ClientError::TooLong { limit });
            }
            body.extend_from_slice(&chunk);
        }
        Ok(body)
    }
}

/// Whether another try may work later: nobody said no.
fn may_pass(error: &ClientError) -> bool {
    match error {
        ClientError::Refused(refusal) => matches!(refusal.cause, Cause::Service | Cause::TooMany),
        error => matches!(error, ClientError::Network { .. }),
    }
}
