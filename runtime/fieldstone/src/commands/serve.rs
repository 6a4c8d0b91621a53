//! `fieldstone serve`: opens the data folder, answers until it is told to stop, and closes it clean.

use crate::deployment::{Deployment, FileOptions};
use crate::listen::{Door, Limits};
use crate::manifest::apply::{Applied, Mode, apply};
use crate::settings::Common;
use crate::system::SystemEntropy;
use crate::token_file::Token;
use crate::{demo, operator, tls, web_address, welcome};
use anyhow::{Context as _, bail};
use clap::{ArgAction, Args};
use runtime::http::DoorSettings;
use runtime::service::{Service, Settings};
use runtime::store::StoreError;
use runtime::store::sqlite::SqliteOptions;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How often times of use are written.
const FLUSH_PAUSE: Duration = Duration::from_secs(5);
/// How often files that no record refers to are looked for.
const CLEAN_PAUSE: Duration = Duration::from_secs(3 * 3600);
/// How long after the start the first time is: a server that is started every hour cleans, too.
const CLEAN_FIRST: Duration = Duration::from_secs(5 * 60);

#[derive(Args)]
#[command(next_help_heading = "Settings of the server")]
pub(crate) struct Options {
    /// Where to listen; port 0 picks a free one
    #[arg(
        long,
        env = "FIELDSTONE_LISTEN",
        value_name = "ADDR",
        default_value = "127.0.0.1:8080"
    )]
    listen: String,

    /// Load the demo tenant, if it is not there: real airports, countries, languages …
    #[arg(long, env = "FIELDSTONE_DEMO", action = ArgAction::SetTrue)]
    demo: bool,

    /// The address that clients use, for links behind a proxy; without it, the one listened on
    #[arg(
        long,
        env = "FIELDSTONE_PUBLIC_URL",
        value_name = "URL",
        value_parser = web_address::base
    )]
    public_url: Option<String>,

    /// A certificate chain (PEM), to serve HTTPS
    #[arg(long, env = "FIELDSTONE_TLS_CERT", value_name = "FILE")]
    tls_cert: Option<PathBuf>,

    /// The certificate's private key (PEM)
    #[arg(long, env = "FIELDSTONE_TLS_KEY", value_name = "FILE")]
    tls_key: Option<PathBuf>,

    /// Items of a page when the request does not say
    #[arg(
        long,
        env = "FIELDSTONE_PAGE_SIZE",
        value_name = "COUNT",
        default_value_t = 100
    )]
    page_size: usize,

    /// Items of a page at most
    #[arg(
        long,
        env = "FIELDSTONE_PAGE_SIZE_MAX",
        value_name = "COUNT",
        default_value_t = 1000
    )]
    page_size_max: usize,

    /// Bytes of records at which a page ends, though more follow: bounds what a page takes of memory
    #[arg(
        long,
        env = "FIELDSTONE_PAGE_BYTES",
        value_name = "BYTES",
        default_value_t = 16 << 20
    )]
    page_bytes: usize,

    /// Bytes of memory for records that were looked up by primary key before; 0 for none. Unless said, an
    /// eighth of the memory, 1 GiB at most
    #[arg(long, env = "FIELDSTONE_RECORD_CACHE_BYTES", value_name = "BYTES")]
    record_cache_bytes: Option<u64>,

    /// Bytes of memory for pages of records that were read before; 0 for none
    #[arg(
        long,
        env = "FIELDSTONE_PAGE_CACHE_BYTES",
        value_name = "BYTES",
        default_value_t = 128 << 20
    )]
    page_cache_bytes: u64,

    /// Bytes of a request's body at most
    #[arg(
        long,
        env = "FIELDSTONE_BODY_BYTES_MAX",
        value_name = "BYTES",
        default_value_t = 1 << 20
    )]
    body_bytes_max: usize,

    /// Seconds a client may take to send a body
    #[arg(
        long,
        env = "FIELDSTONE_BODY_SECONDS",
        value_name = "SECONDS",
        default_value_t = 30
    )]
    body_seconds: u64,

    /// Seconds a client may take for a TLS hand-shake or the head of a request; also how long an idle
    /// connection is kept
    #[arg(
        long,
        env = "FIELDSTONE_HEAD_SECONDS",
        value_name = "SECONDS",
        default_value_t = 30
    )]
    head_seconds: u64,

    /// Seconds that requests in flight get when the server stops
    #[arg(
        long,
        env = "FIELDSTONE_STOP_SECONDS",
        value_name = "SECONDS",
        default_value_t = 30
    )]
    stop_seconds: u64,

    /// Seconds a session of management may stay unused; it ends after twelve hours in any case
    #[arg(
        long,
        env = "FIELDSTONE_SESSION_IDLE_SECONDS",
        value_name = "SECONDS",
        default_value_t = 7200,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    session_idle_seconds: u64,

    /// An origin (scheme, host and port) whose pages may ask; with a comma between several. Without
    /// one, no other site's pages may
    #[arg(
        long,
        env = "FIELDSTONE_CORS_ORIGIN",
        value_name = "ORIGIN",
        value_delimiter = ',',
        value_parser = web_address::origin
    )]
    cors_origin: Vec<String>,

    /// Requests a second that one credential may make of the data interface in the mean; without it, as
    /// many as it likes
    #[arg(
        long,
        env = "FIELDSTONE_REQUESTS_PER_SECOND_MAX",
        value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    requests_per_second_max: Option<u32>,

    #[command(flatten)]
    files: FileOptions,
}

pub(crate) async fn run(common: &Common, options: Options) -> anyhow::Result<ExitCode> {
    let tls = match (&options.tls_cert, &options.tls_key) {
        (Some(certificate), Some(key)) => Some(tls::acceptor(certificate, key)?),
        (None, None) => None,
        _ => bail!("--tls-cert and --tls-key go together; give both or neither"),
    };
    if !(1..=options.page_size_max).contains(&options.page_size) {
        bail!("--page-size must be from 1 to --page-size-max");
    }
    // asked for before anything is done, so that a signal during the start stops clean, too
    let stop = stop_signal()?;
    let shown = &options.listen;
    let listener = TcpListener::bind(shown).await;
    let listener = listener.with_context(|| format!("can't listen on {shown}"))?;
    let address = listener.local_addr()?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let own_url = format!("{scheme}://{address}");
    if tls.is_none() && !address.ip().is_loopback() {
        tracing::warn!(
            %address,
            "plain HTTP beyond this machine: credentials travel in the clear; give --tls-cert and --tls-key, or put a proxy with TLS in front"
        );
    }
    if options.public_url.is_none() && address.ip().is_unspecified() {
        tracing::warn!(
            "links will begin with {own_url}, which clients can't follow; give --public-url"
        );
    }
    let settings = settings(&options, &own_url);
    let store = store_options(&options);
    let opened = Deployment::for_server(&common.data, store, settings, &options.files).await?;
    Token::forget(&common.data)?;
    let service = opened.service();
    if options.demo {
        let applied = load_demo(service).await?;
        welcome::demo(service, applied.as_ref(), &own_url, &common.data).await?;
    } else if service.store().catalog().tenants.is_empty() {
        welcome::empty(&common.data);
    }
    let limits = Limits {
        head: Duration::from_secs(options.head_seconds),
        stop: Duration::from_secs(options.stop_seconds),
    };
    let door = DoorSettings {
        cors_origins: options.cors_origin,
        requests_per_second_max: options.requests_per_second_max,
    };
    let public = Door {
        listener,
        tls,
        router: runtime::http::router_with(service.clone(), &door)
            .nest("/admin", runtime::admin::router(service.clone())),
        limits,
    };
    serve(service, common, public, &own_url, stop).await?;
    opened.close().await?;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

fn store_options(options: &Options) -> SqliteOptions {
    let default = SqliteOptions::default();
    SqliteOptions {
        record_cache_bytes: options
            .record_cache_bytes
            .unwrap_or(default.record_cache_bytes),
    }
}

fn settings(options: &Options, own_url: &str) -> Settings {
    let public_url = options.public_url.as_deref().unwrap_or(own_url);
    Settings {
        page_size: options.page_size,
        page_size_max: options.page_size_max,
        page_bytes: options.page_bytes,
        page_cache_bytes: options.page_cache_bytes,
        body_bytes_max: options.body_bytes_max,
        body_time_max: Duration::from_secs(options.body_seconds),
        session_idle_max: Duration::from_secs(options.session_idle_seconds),
        public_url: public_url.to_owned(),
    }
}

/// Loads the demo where it is not; `None` where it is.
async fn load_demo(service: &Arc<Service>) -> anyhow::Result<Option<Applied>> {
    let catalog = service.store().catalog();
    let tenant = catalog.tenants.values().find(|it| it.name == demo::TENANT);
    // users come after records: without one, the loading was cut short, and goes on
    let is_whole = |tenant: &str| catalog.users.values().any(|user| user.tenant == tenant);
    if tenant.is_some_and(|tenant| is_whole(&tenant.id)) {
        return Ok(None);
    }
    let applied = apply(service, &demo::manifest()?, Mode::default()).await?;
    match applied.failure {
        Some(failure) => bail!("the demo can't be loaded: {failure}"),
        None => Ok(Some(applied)),
    }
}

/// Answers the public and the operator until `stop`.
async fn serve(
    service: &Arc<Service>,
    common: &Common,
    public: Door,
    own_url: &str,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    let token = Token::new(listener.local_addr()?, &SystemEntropy);
    let commands = Door {
        listener,
        tls: None,
        router: operator::router(service.clone(), &token.secret),
        limits: public.limits,
    };
    let token_file = token.write(&common.data)?;
    let (stopping, stopped) = watch::channel(false);
    let until_stopped = || {
        let mut stopped = stopped.clone();
        async move {
            // a sender that is gone means the end as well
            let _ = stopped.wait_for(|is_stopping| *is_stopping).await;
        }
    };
    let noting = || service.flush_last_used();
    let cleaning = || async {
        let cleaned = service.clean_files().await?;
        tracing::debug!(?cleaned, "looked for files without a record");
        Ok(())
    };
    // the port takes connections since it was bound; from here on they are answered
    let mut out = std::io::stdout();
    writeln!(out, "listening on {own_url}")?;
    out.flush()?;
    tracing::info!(url = own_url, data = %common.data.display(), "listening");
    let stopper = async {
        stop.await;
        tracing::info!("stopping: requests in flight are answered first");
        // nobody listening means everything has ended already
        let _ = stopping.send(true);
    };
    tokio::join!(
        public.serve(until_stopped()),
        commands.serve(until_stopped()),
        every(
            [FLUSH_PAUSE; 2],
            "noting times of use",
            noting,
            until_stopped()
        ),
        every(
            [CLEAN_FIRST, CLEAN_PAUSE],
            "cleaning up files",
            cleaning,
            until_stopped()
        ),
        stopper
    );
    drop(token_file);
    Ok(())
}

/// Does something after a first pause, then again after each next one, until `stop`, which also breaks it off.
async fn every<F: Future<Output = Result<(), StoreError>>>(
    [first, next]: [Duration; 2],
    what: &str,
    work: impl Fn() -> F,
    stop: impl Future<Output = ()>,
) {
    let again = async {
        let mut pause = first;
        loop {
            tokio::time::sleep(pause).await;
            pause = next;
            if let Err(error) = work().await {
                tracing::error!(
                    error = &error as &dyn std::error::Error,
                    what,
                    "housekeeping failed"
                );
            }
        }
    };
    tokio::select! {
        () = again => {}
        () = stop => {}
    }
}

/// Ends when the process is told to stop.
#[cfg(unix)]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Ends when the process is told to stop.
#[cfg(not(unix))]
fn stop_signal() -> anyhow::Result<impl Future<Output = ()>> {
    Ok(async {
        // without signals there is only the end of the process
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
