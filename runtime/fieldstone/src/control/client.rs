//! The command's side: it asks the server that was named; else it opens the data folder itself, or, when a server
//! has it, asks that one.

use super::api::Api;
use super::beginning::Beginning;
use super::connection::{CONNECT_TIMEOUT, Connection, SILENCE_MAX, refusal, unreachable};
use super::remote::ServerArgs;
use super::token_file::Endpoint;
use crate::backup;
use crate::database_options::require_store;
use crate::deployment::Deployment;
use crate::owner;
use crate::settings::Common;
use crate::watch::Watch;
use anyhow::Context as _;
use manifest::events::channel;
use manifest::failure::{Failure, FailureCode};
use manifest::operations::{Outcome, Request, carry_out};
use manifest::{By, operator_of};
use reqwest::StatusCode;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use service::secrets::random_text;
use service::signing::SIGNING_SECRET_FILE;
use service::{Settings, SystemEntropy};
use sqlite::{SqliteOptions, SqliteStore};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::StoreError;

/// Events that wait to be seen.
const WAITING_MAX: usize = 1024;

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

/// Does what is asked by the server that was named, else here or in the server of the data folder. `tenant` is the
/// one that the command is about, where it names one.
pub(crate) async fn submit_to(
    server: &ServerArgs,
    tenant: Option<&str>,
    common: &Common,
    store: StoreNeed,
    request: Request,
    watch: &mut Watch,
) -> anyhow::Result<Outcome> {
    match server
        .carry_out(tenant, common.plain_links, request, watch)
        .await
    {
        Ok(outcome) => outcome,
        Err(request) => submit(common, store, request, watch).await,
    }
}

/// Does what is asked, here or in the server of the data folder.
pub(crate) async fn submit(
    common: &Common,
    store: StoreNeed,
    request: Request,
    watch: &mut Watch,
) -> anyhow::Result<Outcome> {
    if let Some(address) = common.database.address() {
        require_database(common, address, store).await?;
        let opened = Deployment::in_database(common, address, settings(common)?).await?;
        return carry_out_here(opened, request, watch).await;
    }
    let folder = &common.data;
    match store {
        StoreNeed::Existing if !SqliteStore::is_in(folder)? => {
            return Err(StoreError::Missing(folder.display().to_string()).into());
        }
        StoreNeed::Simulated if !SqliteStore::is_in(folder)? => {
            return submit_to_empty(settings(common)?, request, watch).await;
        }
        StoreNeed::Existing | StoreNeed::Simulated | StoreNeed::Any | StoreNeed::Created => {}
    }
    let options = SqliteOptions {
        create: store == StoreNeed::Created,
        ..SqliteOptions::default()
    };
    let mut beginning = Beginning::of(folder, &common.signing_secret_file());
    match open_folder(common, options, &mut beginning).await? {
        Folder::Opened(opened) => begin_or_take_back(*opened, request, beginning, watch).await,
        Folder::Served(endpoint) => send(&endpoint, &request, watch).await,
    }
}

/// The data folder.
enum Folder {
    /// Opened by this process.
    Opened(Box<Deployment>),
    /// A server has it.
    Served(Endpoint),
}

/// Opens the data folder, or finds the server that has it. What was begun is taken back where it can't be opened.
async fn open_folder(
    common: &Common,
    options: SqliteOptions,
    beginning: &mut Option<Beginning>,
) -> anyhow::Result<Folder> {
    let folder = &common.data;
    if let Err(refusal) = owner::require_own(folder) {
        // a server makes what it makes as the user that it runs as
        return match Endpoint::of_holder(folder)? {
            Some(endpoint) => Ok(Folder::Served(endpoint)),
            None => Err(refusal),
        };
    }
    let (settings, secret_file) = (settings(common)?, common.signing_secret_file());
    match Deployment::for_command(folder, options, settings, secret_file).await {
        Ok(opened) => Ok(Folder::Opened(Box::new(opened))),
        Err(in_use @ StoreError::InUse(_)) => match Endpoint::of_holder(folder)? {
            Some(endpoint) => Ok(Folder::Served(endpoint)),
            None => Err(anyhow::Error::new(in_use).context(
                "no server takes the command here; a server elsewhere is asked by its address (`--server`)",
            )),
        },
        Err(error) => {
            take_back(beginning.take())?;
            Err(error).with_context(|| format!("can't open {}", folder.display()))
        }
    }
}

/// Refuses a database without a store to what asks for one; what looks only makes none either.
async fn require_database(common: &Common, address: &str, need: StoreNeed) -> anyhow::Result<()> {
    if matches!(need, StoreNeed::Any | StoreNeed::Created) {
        return Ok(());
    }
    require_store(address, &common.database.options()?).await
}

/// Does it in this process; where it begins a store and comes to nothing, there is none afterwards. What is all new or
/// nothing, as a first tenant with its administrator, comes to nothing when any of it fails.
async fn begin_or_take_back(
    opened: Deployment,
    request: Request,
    beginning: Option<Beginning>,
    watch: &mut Watch,
) -> anyhow::Result<Outcome> {
    let is_all_or_nothing = matches!(&request, Request::Apply { mode, .. } if mode.only_new);
    let outcome = watched(&opened, request, watch).await;
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
async fn carry_out_here(
    opened: Deployment,
    request: Request,
    watch: &mut Watch,
) -> anyhow::Result<Outcome> {
    let outcome = watched(&opened, request, watch).await;
    opened.close().await?;
    outcome
}

async fn watched(
    opened: &Deployment,
    request: Request,
    watch: &mut Watch,
) -> anyhow::Result<Outcome> {
    let (events, mut seen) = channel(WAITING_MAX);
    let is_stopped = Arc::new(AtomicBool::new(false));
    let events = events.until(is_stopped.clone());
    let mut stop = watch.stop()?;
    if matches!(request, Request::RebuildIndex) {
        opened.start_index().await?;
    }
    let work = async {
        let outcome = carry_out(opened.service(), &By::Operator, request, &events).await;
        drop(events);
        outcome
    };
    let watching = async {
        loop {
            tokio::select! {
                event = seen.recv() => match event {
                    Some(event) => watch.see(&event),
                    None => break,
                },
                () = &mut stop, if !is_stopped.load(Ordering::Relaxed) => {
                    is_stopped.store(true, Ordering::Relaxed);
                }
            }
        }
    };
    let (outcome, ()) = tokio::join!(work, watching);
    outcome
}

/// What a command's service is to know.
fn settings(common: &Common) -> anyhow::Result<Settings> {
    Ok(Settings {
        breached_passwords: common.breached_passwords()?,
        ..Settings::default()
    })
}

async fn submit_to_empty(
    settings: Settings,
    request: Request,
    watch: &mut Watch,
) -> anyhow::Result<Outcome> {
    let name = format!("fieldstone-{}", random_text(&SystemEntropy, 20));
    let folder = std::env::temp_dir().join(name);
    let (options, secret_file) = (SqliteOptions::default(), folder.join(SIGNING_SECRET_FILE));
    let opened = Deployment::for_command(&folder, options, settings, secret_file);
    let outcome = match opened.await {
        Ok(opened) => carry_out_here(opened, request, watch).await,
        Err(error) => Err(error.into()),
    };
    // what could not be made needs no removing
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .with_context(|| format!("can't remove {}", folder.display()))?;
    }
    outcome
}

/// A backup from the server that holds a folder; `None` where none takes commands there.
pub(crate) async fn backup_of_server(folder: &Path) -> anyhow::Result<Option<reqwest::Response>> {
    let Some(endpoint) = Endpoint::of_holder(folder)? else {
        return Ok(None);
    };
    // it looks at the whole store before it sends anything, which takes its time
    let http = to_own_server()?.build()?;
    let asked = http
        .post(format!("http://{}{}", endpoint.address, backup::PATH))
        .header(AUTHORIZATION, secret_header(&endpoint)?);
    let answer = asked.send().await.map_err(|error| unreachable(&error))?;
    match answer.status() {
        StatusCode::OK => Ok(Some(answer)),
        StatusCode::INTERNAL_SERVER_ERROR => {
            let failure: Failure = answer.json().await.context("the server gave no backup")?;
            Err(failure.into())
        }
        _ => Err(refusal(answer).await.into()),
    }
}

/// What is known of a server that has a folder and runs.
pub(crate) enum Health {
    Ready,
    /// It answers, and could not be asked, for this reason.
    Busy(String),
}

/// Whether the server that has a folder is ready.
pub(crate) async fn health_of_server(folder: &Path) -> anyhow::Result<Health> {
    let Some(endpoint) = Endpoint::of_server(folder)? else {
        anyhow::bail!("no server has the data folder {}", folder.display());
    };
    let http = to_own_server()?.read_timeout(SILENCE_MAX).build()?;
    let asked = http
        .get(format!("http://{}{}", endpoint.address, super::HEALTH))
        .header(AUTHORIZATION, secret_header(&endpoint)?);
    let answer = asked.send().await.map_err(|error| unreachable(&error))?;
    match answer.status() {
        StatusCode::NO_CONTENT => Ok(Health::Ready),
        StatusCode::SERVICE_UNAVAILABLE => {
            // the port itself says why it has no place; a server that is not ready says no more
            let body: serde_json::Value = answer.json().await.unwrap_or_default();
            match body["message"].as_str() {
                Some(message) => Ok(Health::Busy(message.to_owned())),
                None => Err(anyhow::anyhow!(
                    "the server is not ready: its store can't be read, or takes no writes; its log tells why"
                )),
            }
        }
        _ => Err(refusal(answer).await.into()),
    }
}

/// Connections to the server of a folder.
fn to_own_server() -> anyhow::Result<reqwest::ClientBuilder> {
    Ok(reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        // it is this machine's own, and what it is shown is no proxy's
        .no_proxy()
        .tls_backend_preconfigured(super::remote::no_tls()?))
}

fn secret_header(endpoint: &Endpoint) -> anyhow::Result<HeaderValue> {
    let mut authorization = HeaderValue::from_str(&endpoint.secret)?;
    authorization.set_sensitive(true);
    Ok(authorization)
}

/// Management of the server that was named, else of the data folder, here or in the server that has it. `tenant` is
/// the one that it is about; without it, the only one there is.
pub(crate) async fn open_api(
    server: &ServerArgs,
    tenant: Option<&str>,
    common: &Common,
) -> anyhow::Result<Api> {
    if let Some(remote) = server.connect(tenant, common.plain_links).await? {
        return Ok(Api::elsewhere(remote));
    }
    if let Some(address) = common.database.address() {
        require_database(common, address, StoreNeed::Existing).await?;
        let opened = Deployment::in_database(common, address, settings(common)?).await?;
        return api_here(opened, tenant).await;
    }
    let folder = &common.data;
    if !SqliteStore::is_in(folder)? {
        return Err(StoreError::Missing(folder.display().to_string()).into());
    }
    match open_folder(common, SqliteOptions::default(), &mut None).await? {
        Folder::Opened(opened) => api_here(*opened, tenant).await,
        Folder::Served(endpoint) => Api::beside(&endpoint, tenant),
    }
}

/// Management of a store that this process has open.
async fn api_here(opened: Deployment, tenant: Option<&str>) -> anyhow::Result<Api> {
    match operator_of(opened.service(), tenant) {
        Ok(caller) => Ok(Api::here(opened, caller)),
        Err(error) => {
            opened.close().await?;
            Err(error)
        }
    }
}

/// Has it done by the server that holds the folder.
async fn send(
    endpoint: &Endpoint,
    request: &Request,
    watch: &mut Watch,
) -> anyhow::Result<Outcome> {
    let address = endpoint.address;
    let connection = Connection {
        http: to_own_server()?.read_timeout(SILENCE_MAX).build()?,
        url: format!("http://{address}/"),
        authorization: secret_header(endpoint)?,
    };
    let outcome = connection.carry_out(request, watch).await;
    outcome.map_err(|error| match Failure::of(&error).code {
        FailureCode::Unreachable => error.context(format!(
            "the process that has the data folder does not answer at {address}; is it starting or stopping?"
        )),
        FailureCode::Unauthenticated => error.context(
            "the running server does not take the token file's secret; start it again",
        ),
        _ => error,
    })
}
