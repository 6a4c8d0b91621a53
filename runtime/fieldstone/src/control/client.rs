//! The command's side: it opens the data folder itself, or, when a server has it, asks that server.

use super::beginning::Beginning;
use super::token_file::Endpoint;
use crate::deployment::Deployment;
use crate::settings::Common;
use anyhow::{Context as _, anyhow, bail};
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, HOST};
use hyper_util::rt::TokioIo;
use manifest::By;
use manifest::events::Events;
use manifest::operations::{Outcome, Request, carry_out};
use service::secrets::random_text;
use service::signing::SIGNING_SECRET_FILE;
use service::{Settings, SystemEntropy};
use sqlite::{SqliteOptions, SqliteStore};
use store::StoreError;
use tokio::net::TcpStream;

/// What a command needs of the store.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreNeed {
    /// It must be there.
    Existing,
    /// It is made if it is not there.
    Any,
    /// It is made if it is not there, beside other files of a store, too.
    Created,
    /// If it is not there, an empty one elsewhere stands for it and goes again.
    Simulated,
}

/// Does what is asked, here or in the running server.
pub(crate) async fn submit(
    common: &Common,
    store: StoreNeed,
    request: Request,
) -> anyhow::Result<Outcome> {
    let folder = &common.data;
    match store {
        StoreNeed::Existing if !SqliteStore::is_in(folder)? => {
            return Err(StoreError::Missing(folder.display().to_string()).into());
        }
        StoreNeed::Simulated if !SqliteStore::is_in(folder)? => {
            return submit_to_empty(settings(common)?, request).await;
        }
        StoreNeed::Existing | StoreNeed::Simulated | StoreNeed::Any | StoreNeed::Created => {}
    }
    let options = SqliteOptions {
        create: store == StoreNeed::Created,
        ..SqliteOptions::default()
    };
    let settings = settings(common)?;
    let signing_secret_file = common.signing_secret_file();
    let beginning = Beginning::of(folder, &signing_secret_file);
    match Deployment::for_command(folder, options, settings, signing_secret_file).await {
        Ok(opened) => begin_or_take_back(opened, request, beginning).await,
        Err(in_use @ StoreError::InUse(_)) => match Endpoint::read(folder)? {
            Some(endpoint) => send(&endpoint, &request).await,
            None => Err(in_use.into()),
        },
        Err(error) => {
            take_back(beginning)?;
            Err(error).with_context(|| format!("can't open {}", folder.display()))
        }
    }
}

/// Does it in this process; where it begins a store and comes to nothing, there is none afterwards. What is all new or
/// nothing, as a first tenant with its administrator, comes to nothing when any of it fails.
async fn begin_or_take_back(
    opened: Deployment,
    request: Request,
    beginning: Option<Beginning>,
) -> anyhow::Result<Outcome> {
    let is_all_or_nothing = matches!(&request, Request::Apply { mode, .. } if mode.only_new);
    let outcome = carry_out(opened.service(), &By::Operator, request, &Events::none()).await;
    let is_empty = opened.service().store().catalog().tenants.is_empty();
    opened.close().await?;
    let has_failed = match &outcome {
        Ok(Outcome::Applied(report)) => report.failure.is_some(),
        Ok(_) => false,
        Err(_) => true,
    };
    if has_failed && (is_empty || is_all_or_nothing) {
        take_back(beginning)?;
    }
    outcome
}

fn take_back(beginning: Option<Beginning>) -> anyhow::Result<()> {
    let taken_back = beginning.map_or(Ok(()), Beginning::take_back);
    taken_back.context("the store that was begun can't be removed")
}

/// Does it in this process.
async fn carry_out_here(opened: Deployment, request: Request) -> anyhow::Result<Outcome> {
    let outcome = carry_out(opened.service(), &By::Operator, request, &Events::none()).await;
    opened.close().await?;
    outcome
}

/// What a command's service is to know.
fn settings(common: &Common) -> anyhow::Result<Settings> {
    Ok(Settings {
        breached_passwords: common.breached_passwords()?,
        ..Settings::default()
    })
}

async fn submit_to_empty(settings: Settings, request: Request) -> anyhow::Result<Outcome> {
    let name = format!("fieldstone-{}", random_text(&SystemEntropy, 20));
    let folder = std::env::temp_dir().join(name);
    let (options, secret_file) = (SqliteOptions::default(), folder.join(SIGNING_SECRET_FILE));
    let opened = Deployment::for_command(&folder, options, settings, secret_file);
    let outcome = match opened.await {
        Ok(opened) => carry_out_here(opened, request).await,
        Err(error) => Err(error.into()),
    };
    // what could not be made needs no removing
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("can't remove {}", folder.display()))?;
    }
    outcome
}

async fn send(endpoint: &Endpoint, request: &Request) -> anyhow::Result<Outcome> {
    let address = endpoint.address;
    let away = || {
        format!(
            "the process that has the data folder does not answer at {address}; is it starting or stopping?"
        )
    };
    let stream = TcpStream::connect(address).await.with_context(away)?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let message = hyper::Request::post("/")
        .header(HOST, address.to_string())
        .header(AUTHORIZATION, &endpoint.secret)
        .body(Full::new(Bytes::from(serde_json::to_vec(request)?)))?;
    let response = sender.send_request(message).await.with_context(away)?;
    let status = response.status();
    let body = response.into_body().collect().await?.to_bytes();
    drop(sender);
    connection.abort();
    match status.as_u16() {
        200 => Ok(serde_json::from_slice(&body)?),
        401 => bail!("the running server does not take the token file's secret; start it again"),
        _ => Err(anyhow!("{}", String::from_utf8_lossy(&body))),
    }
}
