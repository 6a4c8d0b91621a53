//! Management, asked by a command: the same requests and the same handlers, whether they are answered in this process,
//! by the server that has the data folder, or by one elsewhere.

use super::connection::{refused, unreachable};
use super::remote::{MANAGEMENT, Remote, no_tls};
use super::server::TENANT_HEADER;
use super::token_file::Endpoint;
use crate::deployment::Deployment;
use crate::pieces::Pieces;
use anyhow::Context as _;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, LOCATION};
use axum::http::{HeaderMap, HeaderValue, Method, Request, Response};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use manifest::failure::{Failure, FailureCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use service::Caller;
use std::io::{self, Write};
use std::pin::Pin;
use std::time::Duration;
use wire::RawJson;
use wire::manage::JobView;

/// How long an answer may take that is no file.
const ANSWER_TIME_MAX: Duration = Duration::from_secs(60);
/// Bytes of an answer that is no file.
const ANSWER_BYTES_MAX: usize = 64 << 20;

/// Management of one tenant.
pub(crate) struct Api {
    way: Way,
}

enum Way {
    Here {
        opened: Deployment,
        router: TowerToHyperService<Router>,
        caller: Box<Caller>,
    },
    There {
        http: reqwest::Client,
        server: String,
        headers: HeaderMap,
        /// What is to be closed.
        remote: Option<Remote>,
    },
}

/// What goes with a request.
pub(crate) enum Sent {
    Nothing,
    Json(RawJson),
    File(Pieces),
}

impl Api {
    /// Of a data folder that this process holds.
    pub(super) fn here(opened: Deployment, caller: Caller) -> Self {
        let router = server::admin::router_of_known_callers(opened.service().clone());
        Api {
            way: Way::Here {
                opened,
                router: TowerToHyperService::new(router),
                caller: Box::new(caller),
            },
        }
    }

    /// Of the server that holds the data folder.
    pub(super) fn beside(endpoint: &Endpoint, tenant: Option<&str>) -> anyhow::Result<Self> {
        let http = reqwest::Client::builder()
            .connect_timeout(super::connection::CONNECT_TIMEOUT)
            // it is this machine's own, and what it is shown is no proxy's
            .no_proxy()
            .tls_backend_preconfigured(no_tls()?)
            .build()?;
        let mut headers = HeaderMap::new();
        let mut secret = HeaderValue::from_str(&endpoint.secret)?;
        secret.set_sensitive(true);
        headers.insert(AUTHORIZATION, secret);
        if let Some(tenant) = tenant {
            let tenant = HeaderValue::from_bytes(tenant.as_bytes());
            headers.insert(TENANT_HEADER, tenant.context("no tenant has such a name")?);
        }
        Ok(Api {
            way: Way::There {
                http,
                server: format!("http://{}", endpoint.address),
                headers,
                remote: None,
            },
        })
    }

    /// Of a server elsewhere.
    pub(super) fn elsewhere(remote: Remote) -> Self {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, remote.authorization.clone());
        Api {
            way: Way::There {
                http: remote.http.clone(),
                server: remote.server.clone(),
                headers,
                remote: Some(remote),
            },
        }
    }

    /// Whether work goes on when the command has ended.
    pub(crate) fn outlives_the_command(&self) -> bool {
        matches!(self.way, Way::There { .. })
    }

    /// Works a job off, where nobody else does.
    pub(crate) async fn run_job(&self, job: &JobView) -> anyhow::Result<()> {
        match &self.way {
            Way::Here { opened, .. } => opened.run_job(job).await,
            Way::There { .. } => Ok(()),
        }
    }

    /// Asks, and reads the answer.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        sent: Sent,
    ) -> anyhow::Result<T> {
        let answer = self.send(method, path, sent).await?;
        let body = to_bytes(answer.into_body(), ANSWER_BYTES_MAX).await;
        let body = body.map_err(|error| Failure {
            message: "the server's answer broke off; ask again".to_owned(),
            causes: vec![error.to_string()],
            code: FailureCode::Unavailable,
        })?;
        serde_json::from_slice(&body).context(
            "the server answered what this command does not know; is it of another version?",
        )
    }

    /// Asks for a file, and writes it. Gives its length in bytes.
    pub(crate) async fn download(
        &self,
        path: &str,
        out: &mut impl Write,
        mut seen: impl FnMut(u64),
    ) -> anyhow::Result<u64> {
        let answer = self.send(Method::GET, path, Sent::Nothing).await?;
        let mut body = answer.into_body();
        let mut bytes = 0;
        loop {
            let frame = std::future::poll_fn(|context| {
                hyper::body::Body::poll_frame(Pin::new(&mut body), context)
            });
            let Some(frame) = frame.await else {
                return Ok(bytes);
            };
            let frame = frame.map_err(io::Error::other);
            let frame = frame.context("the file broke off on its way; ask again")?;
            if let Ok(piece) = frame.into_data() {
                out.write_all(&piece)?;
                bytes += piece.len() as u64;
                seen(bytes);
            }
        }
    }

    /// Sends a request; what is refused is an error.
    async fn send(&self, method: Method, path: &str, sent: Sent) -> anyhow::Result<Response<Body>> {
        let (answer, address) = match &self.way {
            Way::Here { router, caller, .. } => {
                let mut request = Request::new(Body::empty());
                *request.method_mut() = method;
                *request.uri_mut() = format!("{MANAGEMENT}{path}").parse()?;
                request.extensions_mut().insert(Caller::clone(caller));
                let content_type = match sent {
                    Sent::Nothing => None,
                    Sent::Json(value) => {
                        *request.body_mut() = serde_json::to_vec(&value)?.into();
                        Some("application/json")
                    }
                    Sent::File(pieces) => {
                        *request.body_mut() = Body::new(pieces);
                        Some("application/octet-stream")
                    }
                };
                if let Some(content_type) = content_type {
                    let value = HeaderValue::from_static(content_type);
                    request.headers_mut().insert(CONTENT_TYPE, value);
                }
                let Ok(answer) = router.call(request).await;
                (answer, "this machine")
            }
            Way::There {
                http,
                server,
                headers,
                ..
            } => {
                let request = http.request(method, format!("{server}{MANAGEMENT}{path}"));
                let request = request.headers(headers.clone());
                let request = match sent {
                    Sent::Nothing => request,
                    Sent::Json(value) => request.timeout(ANSWER_TIME_MAX).json(&value),
                    Sent::File(pieces) => request
                        .header(CONTENT_TYPE, "application/octet-stream")
                        .body(reqwest::Body::wrap(pieces)),
                };
                let answer = request.send().await.map_err(|error| unreachable(&error))?;
                (Response::from(answer).map(Body::new), server.as_str())
            }
        };
        if answer.status().is_success() {
            return Ok(answer);
        }
        Err(self.refusal(answer, address).await.into())
    }

    async fn refusal(&self, answer: Response<Body>, address: &str) -> Failure {
        let status = answer.status().as_u16();
        let elsewhere = answer.headers().get(LOCATION).cloned();
        let elsewhere = elsewhere.as_ref().and_then(|it| it.to_str().ok());
        let body = to_bytes(answer.into_body(), ANSWER_BYTES_MAX).await;
        let body = body
            .ok()
            .and_then(|body| serde_json::from_slice(&body).ok());
        let body: Value = body.unwrap_or_default();
        let failure = refused(status, address, elsewhere, &body);
        match (status, body["message"].as_str()) {
            (413, Some(told)) => Failure {
                message: format!(
                    "{told}; split the file, or have the server started with a larger limit"
                ),
                ..failure
            },
            _ => failure,
        }
    }

    /// Ends the session, or closes the data folder.
    pub(crate) async fn close(self) -> anyhow::Result<()> {
        match self.way {
            Way::Here { opened, router, .. } => {
                drop(router);
                opened.close().await
            }
            Way::There { remote, .. } => {
                if let Some(remote) = remote {
                    remote.close().await;
                }
                Ok(())
            }
        }
    }
}
