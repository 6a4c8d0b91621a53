//! `fieldstone serve`: opens the data folder, answers until it is told to stop, and closes it clean.

mod backup_options;
mod connection_options;
mod door_options;
mod greeting;
mod job_options;
mod metrics_door;
mod options;
mod quota_options;
mod retention_options;
mod settings_of_rooms;
mod trace_options;

use greeting::{Place, SystemState, add_customers, greet, say_listening, tell_system};
use metrics_door::MetricsDoor;
pub(crate) use options::ServeOptions;

use crate::backup;
use crate::control::{self, Endpoint, Having, TokenFile};
use crate::deployment::Deployment;
use crate::listener::Listener;
use crate::reload::{HangUps, Reload};
use crate::settings::Common;
use crate::tls::Certificate;
use crate::{file_length_limit, growth, stop_signal, told_settings, traces};
use axum::Router;
use server::{DoorSettings, Frames};
use service::manage::SettingView;
use service::{Service, Settings, SystemEntropy};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::ExitCode;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

pub(crate) async fn run(common: &Common, options: ServeOptions) -> anyhow::Result<ExitCode> {
    if !options.backups.is_in_bucket() {
        options.files.storage.require_bucket()?;
    }
    options.backups.require_outside(&common.data)?;
    file_length_limit::warn_if_any();
    // asked for before anything is done, so that a signal during the start stops clean, too
    let stop = stop_signal::listen()?;
    let hang_ups = HangUps::listen()?;
    let certificate = options.certificate()?.map(Arc::new);
    let watched = MetricsDoor::open(options.metrics_listen.as_deref()).await?;
    let backups = options
        .backups
        .schedule(&options.files.storage, common.plain_links)
        .await?;
    let (deployment, public, url) = assemble(common, &options, certificate.as_deref()).await?;
    let served = async {
        if !deployment.is_read_only() {
            Endpoint::remove_left(&common.data)?;
        }
        let place = Place {
            folder: &common.data,
            is_in_database: deployment.is_in_database(),
            log_format: common.log_format,
        };
        greet(deployment.service(), &options, &url, &place).await?;
        let reload = Reload {
            service: deployment.service().clone(),
            certificate,
        };
        let reload = tokio::spawn(reload.run(hang_ups));
        let growth = (options.store_warn_bytes > 0 && !deployment.is_in_database())
            .then(|| tokio::spawn(growth::watch(common.data.clone(), options.store_warn_bytes)));
        let backups = backups
            .map(|schedule| tokio::spawn(backup::keep(deployment.backup_source(), schedule)));
        let watched = watched.map(|door| door.listener(&deployment, &common.data, &public));
        let doors = Doors {
            public,
            watched,
            url,
            demo_records: options.demo.then_some(options.demo_records),
        };
        let served = serve(&deployment, common, doors, stop).await;
        for task in [Some(reload), growth, backups].into_iter().flatten() {
            task.abort();
            // it is over when it says so: until then it holds the service
            let _ = task.await;
        }
        served
    };
    let served = served.await;
    // also where it could not be served: jobs were taken at once, and one that is not given back counts as one that ended the
    // program
    let closed = deployment.close().await;
    served?;
    closed?;
    tracing::info!("stopped");
    Ok(ExitCode::SUCCESS)
}

/// Opens the data folder, and the public listener with what answers on it; gives its address, too.
async fn assemble(
    common: &Common,
    options: &ServeOptions,
    certificate: Option<&Certificate>,
) -> anyhow::Result<(Deployment, Listener, String)> {
    let tls = certificate.map(Certificate::acceptor).transpose()?;
    options.check()?;
    options.check_engine(&common.database)?;
    options.connections.check()?;
    let shown = &options.listen;
    let socket = TcpListener::bind(shown).await;
    let socket = socket.map_err(|error| cannot_listen(error, shown, "--listen"))?;
    let address = socket.local_addr()?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let url = format!("{scheme}://{address}");
    if tls.is_none() && !address.ip().is_loopback() {
        tracing::warn!(
            %address,
            "plain HTTP beyond this machine: credentials travel in the clear; give --tls-cert and --tls-key, or put a proxy with TLS in front"
        );
    }
    if options.public_url.is_none() && address.ip().is_unspecified() {
        tracing::warn!(
            "links will begin with {url}, which clients can't follow; give --public-url"
        );
    }
    let settings = options.service(&url, common.plain_links);
    let settings = Settings {
        breached_passwords: common.breached_passwords()?,
        told: told(common, options, &settings).into(),
        ..settings
    };
    let store = options.store();
    let deployment =
        Deployment::for_server(common, store, settings, (&options.files, &options.webhooks));
    let deployment = deployment.await?;
    let door = options.door();
    let router = router(&deployment, &door);
    let router = match options.traces.traces() {
        Some(_) => traces::around(router),
        None => router,
    };
    let public = Listener {
        socket,
        tls,
        router,
        frames: Arc::new(Frames::new(deployment.service(), &door)),
        limits: options.time_limits(),
        connections: options.connections.limits(),
    };
    Ok((deployment, public, url))
}

/// What answers on the public listener: both interfaces, and the application, unless the store can only be read.
fn router(deployment: &Deployment, door: &DoorSettings) -> Router {
    let service = deployment.service();
    let router = server::router_with(service.clone(), door)
        .nest("/admin", server::admin::router_with(service.clone(), door));
    match door.pages_path.as_deref() {
        Some(path) if !deployment.is_read_only() => {
            let pages = server::admin::pages::router_with(service.clone(), door);
            router.nest_service(path, pages)
        }
        _ => router,
    }
}

/// The settings as administrators are told them: where nobody set anything, with what the server takes.
fn told(common: &Common, options: &ServeOptions, settings: &Settings) -> Vec<SettingView> {
    let limits = options.connections.limits();
    let mut taken = vec![
        ("connections-max", limits.all.to_string()),
        ("connections-per-address-max", limits.an_address.to_string()),
        (
            "memory-budget-bytes",
            settings.memory_budget_bytes.to_string(),
        ),
        ("page-cache-bytes", settings.page_cache_bytes.to_string()),
        ("public-url", settings.public_url.clone()),
    ];
    // a database has its own
    if common.database.address().is_none() {
        let bytes = options.store().record_cache_bytes;
        taken.push(("record-cache-bytes", bytes.to_string()));
    }
    let mut all = options.told.clone();
    told_settings::fill_in(&mut all, &taken);
    let large = ["operation-bytes-max", "bulk-bytes-max"];
    let most = service::body_bytes_max(settings.memory_budget_bytes);
    told_settings::bound(&mut all, &large, most);
    told_settings::bound(&mut all, &["connections-max"], limits.all);
    all
}

/// Who is asked, and by which address clients ask.
struct Doors {
    public: Listener,
    /// The figures.
    watched: Option<Listener>,
    url: String,
    /// The customers that the demo begins to import once all this is answered.
    demo_records: Option<u64>,
}

/// Why an address can't be listened on, and what to do.
fn cannot_listen(error: std::io::Error, shown: &str, flag: &str) -> anyhow::Error {
    let next = match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!(
                "; another program listens there: stop it, or give another one with {flag} (port 0 picks a free one)"
            )
        }
        std::io::ErrorKind::PermissionDenied => {
            format!("; ports below 1024 ask for a right: give a higher one with {flag}")
        }
        std::io::ErrorKind::AddrNotAvailable => {
            "; it is no address of this machine: 0.0.0.0 is all of them".to_owned()
        }
        _ => String::new(),
    };
    anyhow::Error::new(error).context(format!("can't listen on {shown}{next}"))
}

/// Writes where commands find the server. Without, it serves as well, and commands do not reach it.
fn token_file(service: &Service, common: &Common, endpoint: &Endpoint) -> Option<TokenFile> {
    let having = match common.database.address() {
        _ if service.store().is_read_only() => Having::ReadOnly,
        // its servers may share the folder
        Some(_) => Having::Shared,
        None => Having::Alone,
    };
    let written = endpoint.write(&common.data, having);
    if let Err(error) = &written {
        tracing::warn!(
            error = format!("{error:#}"),
            "commands of this machine, such as `fieldstone health`, do not reach the server until it is started again"
        );
    }
    written.ok()
}

/// Answers the public and the operator until `stop`, then what is in flight.
async fn serve(
    deployment: &Deployment,
    common: &Common,
    doors: Doors,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    let Doors {
        public,
        watched,
        url,
        demo_records,
    } = doors;
    let service = deployment.service();
    let socket = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await?;
    let endpoint = Endpoint::new(socket.local_addr()?, &SystemEntropy);
    let commands = Listener {
        socket,
        tls: None,
        router: control::router(
            service.clone(),
            deployment.backup_source(),
            &endpoint.secret,
        ),
        frames: public.frames.clone(),
        limits: public.limits,
        connections: control::CONNECTIONS,
    };
    let token_file = token_file(service, common, &endpoint);
    let (stopping, stopped) = watch::channel(false);
    let until_stopped = || {
        let mut stopped = stopped.clone();
        async move {
            // a sender that is gone means the end as well
            let _ = stopped.wait_for(|is_stopping| *is_stopping).await;
        }
    };
    // the port takes connections since it was bound; from here on they are answered
    say_listening(common.format, &url)?;
    tracing::info!(url, data = %common.data.display(), "listening");
    let customers = demo_records.map(|count| tokio::spawn(add_customers(service.clone(), count)));
    let stopper = async {
        stop.await;
        tell_system(&SystemState::Stopping);
        tracing::info!("stopping: requests in flight are answered first");
        // those that wait for changes would be in flight for long
        service.end_waiting();
        // nobody listening means everything has ended already
        let _ = stopping.send(true);
    };
    tokio::join!(
        public.serve(until_stopped()),
        commands.serve(until_stopped()),
        async {
            if let Some(watched) = watched {
                watched.serve(until_stopped()).await;
            }
        },
        stopper
    );
    if let Some(customers) = customers {
        customers.abort();
        // it is over when it says so: until then it holds the service
        let _ = customers.await;
    }
    drop(token_file);
    Ok(())
}
