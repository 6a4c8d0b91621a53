//! The door over HTTP: sends requests, renews tokens, tries again where that is safe.

use super::address::Base;
use super::credential::{Authority, Exchange};
use super::door::Answer;
use super::patience::pause;
use super::request::Request;
use super::{Ask, Cause, ClientError, Door, Refused};
use crate::wire::FieldError;
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, RETRY_AFTER};
use serde::Deserialize;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The header that names an answer to the service's operator.
const REQUEST_ID: &str = "x-request-id";

/// A connection to a service, for one credential.
pub(super) struct HttpDoor {
    pub(super) http: reqwest::Client,
    pub(super) base: Base,
    pub(super) authority: Authority,
    pub(super) attempts: u32,
    pub(super) answer_bytes_max: usize,
    pub(super) page_size: Option<u32>,
}

impl Door for HttpDoor {
    fn ask(self: Arc<Self>, ask: Ask, page_key: Option<String>) -> Answer<Option<String>> {
        Box::pin(async move {
            let request = Request::of(ask, page_key.as_deref(), self.page_size);
            match &self.authority {
                Authority::Fixed(header) => self.insist(&request, Some(header)).await,
                Authority::Exchanged(exchange) => self.with_token(&request, exchange).await,
            }
        })
    }
}

impl HttpDoor {
    /// Sends with a token. One that is refused (it ran out early, or was withdrawn) is renewed once.
    async fn with_token(
        &self,
        request: &Request,
        exchange: &Exchange,
    ) -> Result<Option<String>, ClientError> {
        let token = self.token(exchange).await?;
        match self.insist(request, Some(&token)).await {
            Err(error) if error.cause() == Some(Cause::Unauthenticated) => {
                exchange.forget(&token);
                let token = self.token(exchange).await?;
                self.insist(request, Some(&token)).await
            }
            result => result,
        }
    }

    /// The token of the moment, renewed when it is about to run out.
    async fn token(&self, exchange: &Exchange) -> Result<HeaderValue, ClientError> {
        if let Some(token) = exchange.fresh(Instant::now()) {
            return Ok(token.header.clone());
        }
        let _turn = exchange.turn.lock().await;
        let asked = Instant::now();
        if let Some(token) = exchange.fresh(asked) {
            return Ok(token.header.clone());
        }
        let request = Request::token(exchange.body.clone());
        let answer = self
            .insist(&request, None)
            .await
            .map_err(|error| match error {
                ClientError::Refused(refused) => ClientError::Token(refused),
                error => error,
            })?;
        let answer = answer.unwrap_or_default();
        Ok(exchange.accept(&answer, asked)?.header.clone())
    }

    /// Sends until there is an answer, as far as that is safe.
    async fn insist(
        &self,
        request: &Request,
        authorization: Option<&HeaderValue>,
    ) -> Result<Option<String>, ClientError> {
        let mut attempt = 0;
        loop {
            let error = match self.send(request, authorization).await {
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
        let address = self.base.join(&request.path);
        let mut sending = self.http.request(request.method.clone(), address);
        if let Some(value) = authorization {
            sending = sending.header(AUTHORIZATION, value);
        }
        if let Some(body) = &request.body {
            sending = sending
                .header(CONTENT_TYPE, "application/json")
                .body(body.clone());
        }
        let mut answer = sending.send().await.map_err(|error| self.broken(error))?;
        let status = answer.status();
        let headers = std::mem::take(answer.headers_mut());
        let body = self.body(answer).await?;
        if status.is_success() {
            let body = String::from_utf8(body)
                .map_err(|_| ClientError::Answer("a request", "it is no UTF-8".to_owned()))?;
            return Ok(Some(body).filter(|body| !body.is_empty()));
        }
        if status == StatusCode::NOT_FOUND && request.may_be_absent && body.is_empty() {
            return Ok(None);
        }
        Err(refusal(status, &headers, &body).into())
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

/// The body of an error, as far as it is one.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Body {
    code: Option<String>,
    message: String,
    fields: Vec<FieldError>,
}

fn refusal(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Refused {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let body: Body = serde_json::from_slice(body).unwrap_or_default();
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
        (429, _) => Cause::TooMany,
        (500..=599, _) => Cause::Service,
        _ => Cause::Other,
    }
}
