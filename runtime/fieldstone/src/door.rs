//! How a command reaches the store: it opens the folder itself, or, when a server has it, asks that server.

use crate::deployment::Deployment;
use crate::operator::{self, Outcome, Request};
use crate::settings::Common;
use crate::system::SystemEntropy;
use crate::token_file::Token;
use anyhow::{Context as _, anyhow, bail};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HOST};
use hyper_util::rt::TokioIo;
use runtime::service::secrets::random_text;
use runtime::store::StoreError;
use std::path::Path;
use tokio::net::TcpStream;

/// Whether a command may make the store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    /// It must be there.
    Existing,
    /// It is made if it is not there.
    Any,
    /// If it is not there, an empty one elsewhere stands for it and goes again.
    Imagined,
}

/// Does what is asked, here or in the running server.
pub(crate) async fn ask(
    common: &Common,
    store: Store,
    request: Request,
) -> anyhow::Result<Outcome> {
    let folder = &common.data;
    match store {
        Store::Existing if !holds_store(folder) => {
            return Err(StoreError::Missing(folder.display().to_string()).into());
        }
        Store::Imagined if !holds_store(folder) => return ask_imagined(request).await,
        Store::Existing | Store::Imagined | Store::Any => {}
    }
    match Deployment::for_command(folder).await {
        Ok(opened) => ask_here(opened, request).await,
        Err(in_use @ StoreError::InUse(_)) => match Token::read(folder)? {
            Some(token) => ask_server(&token, &request).await,
            None => Err(in_use.into()),
        },
        Err(error) => Err(error).with_context(|| format!("can't open {}", folder.display())),
    }
}

/// Does it in this process.
async fn ask_here(opened: Deployment, request: Request) -> anyhow::Result<Outcome> {
    let outcome = operator::carry_out(opened.service(), request).await;
    opened.close().await?;
    outcome
}

async fn ask_imagined(request: Request) -> anyhow::Result<Outcome> {
    let name = format!("fieldstone-{}", random_text(&SystemEntropy, 20));
    let folder = std::env::temp_dir().join(name);
    let opened = Deployment::for_command(&folder).await?;
    let outcome = ask_here(opened, request).await;
    std::fs::remove_dir_all(&folder)
        .with_context(|| format!("can't remove {}", folder.display()))?;
    outcome
}

/// Whether the folder has a store in it.
pub(crate) fn holds_store(folder: &Path) -> bool {
    folder.join("fieldstone.db").is_file()
}

async fn ask_server(token: &Token, request: &Request) -> anyhow::Result<Outcome> {
    let address = token.address;
    let away = || {
        format!(
            "the process that has the data folder does not answer at {address}; is it starting or stopping?"
        )
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
