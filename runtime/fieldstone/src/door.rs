//! How a command reaches the store: it opens the folder itself, or, when a server has it, asks that server.

use crate::operator::{self, Outcome, Request};
use crate::settings::Common;
use crate::system::{SystemClock, SystemEntropy};
use crate::token_file::Token;
use anyhow::{Context as _, anyhow, bail};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HOST};
use hyper_util::rt::TokioIo;
use runtime::service::{Service, Settings};
use runtime::store::StoreError;
use runtime::store::sqlite::SqliteStore;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpStream;

/// Whether a command may make the store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// It must be there.
    Existing,
    /// It is made if it is not there.
    Any,
}

/// Does what is asked, here or in the running server.
pub(crate) async fn ask(common: &Common, store: Store, request: Request) -> anyhow::Result<Outcome> {
    let folder = &common.data;
    if store == Store::Existing && !holds_store(folder) {
        return Err(StoreError::Missing(folder.display().to_string()).into());
    }
    match SqliteStore::open(folder) {
        Ok(opened) => {
            let service = service(Arc::new(opened), Settings::default()).await?;
            let outcome = operator::carry_out(&service, request).await;
            service.flush_last_used().await?;
            // the store is closed with its last owner, and that waits for what is queued
            drop(service);
            outcome
        }
        Err(in_use @ StoreError::InUse(_)) => match Token::read(folder)? {
            Some(token) => ask_server(&token, &request).await,
            None => Err(in_use.into()),
        },
        Err(error) => Err(error).with_context(|| format!("can't open {}", folder.display())),
    }
}

/// Whether the folder has a store in it.
pub(crate) fn holds_store(folder: &Path) -> bool {
    folder.join("fieldstone.db").is_file()
}

/// The service on a store, with the machine's clock and chance.
pub(crate) async fn service(
    store: Arc<SqliteStore>,
    settings: Settings,
) -> anyhow::Result<Arc<Service>> {
    let (clock, entropy) = (Arc::new(SystemClock), Arc::new(SystemEntropy));
    Ok(Arc::new(Service::new(store, clock, entropy, settings).await?))
}

async fn ask_server(token: &Token, request: &Request) -> anyhow::Result<Outcome> {
    let address = token.address;
    let away = || {
        format!("the process that has the data folder does not answer at {address}; is it starting or stopping?")
    };
    let stream = TcpStream::connect(address).await.with_context(away)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let sent = hyper::Request::post("/")
        .header(HOST, address.to_string())
        .header(AUTHORIZATION, &token.secret)
        .body(Full::new(Bytes::from(serde_json::to_vec(request)?)))?;
    let answer = sender.send_request(sent).await.with_context(away)?;
    let status = answer.status();
    let body = answer.into_body().collect().await?.to_bytes();
    drop(sender);
    connection.abort();
    match status.as_u16() {
        200 => Ok(serde_json::from_slice(&body)?),
        401 => bail!("the running server does not take the token file's secret; start it again"),
        _ => Err(anyhow!("{}", String::from_utf8_lossy(&body))),
    }
}
