//! What whoever starts a server is told, on the terminal and as a service of the system, and the demo that it may load.

use super::options::ServeOptions;
use crate::logs::tell_beside;
use crate::settings::{Format, LogFormat};
use crate::standard_output::standard_output;
use crate::{demo, demo_customers, welcome};
use anyhow::bail;
use manifest::events::Events;
use manifest::{ApplyMode, ApplyReport, By, apply};
use service::Service;
use std::io::{ErrorKind, Write as _};
use std::path::Path;
use std::sync::Arc;

/// Where a newcomer is, and how to be told.
pub(super) struct Place<'a> {
    pub(super) folder: &'a Path,
    pub(super) is_in_database: bool,
    pub(super) log_format: LogFormat,
}

/// Loads the demo if that is asked for, and tells a newcomer how to go on.
pub(super) async fn greet(
    service: &Arc<Service>,
    options: &ServeOptions,
    url: &str,
    place: &Place<'_>,
) -> anyhow::Result<()> {
    let folder = place.folder;
    if options.demo {
        let report = load_demo(service).await?;
        let text = welcome::demo(service, report.as_ref(), url, folder, options.demo_records);
        tell_beside(place.log_format, &text.await?);
    } else if service.store().catalog().tenants.is_empty() {
        let link = set_up_link(service, options.door().pages_path).await;
        let text = welcome::empty(folder, place.is_in_database, link.as_deref());
        tell_beside(place.log_format, &text);
    }
    Ok(())
}

/// The link by which the first tenant is made in a browser; `None` without the application, and where there is a tenant by now.
/// The code follows `#`, so that no server is sent it. It is in no log, only in what the program prints to whoever started it.
async fn set_up_link(service: &Service, pages_path: Option<String>) -> Option<String> {
    let path = pages_path?;
    let offered = service.offer_set_up().await.unwrap_or_else(|error| {
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the store keeps no code now by which a browser could make the first tenant, so no link is told; `fieldstone init` makes it"
        );
        None
    });
    let code = offered?;
    let address = service.settings().public_url.trim_end_matches('/');
    Some(format!("{address}{path}/setup#{code}"))
}

/// Loads the demo where it is not; `None` where it is.
async fn load_demo(service: &Arc<Service>) -> anyhow::Result<Option<ApplyReport>> {
    let catalog = service.store().catalog();
    let tenant = catalog.tenants.values().find(|it| it.name == demo::TENANT);
    // users come after records: without one, the loading was cut short, and goes on
    let is_whole = |tenant: &str| catalog.users.values().any(|user| user.tenant == tenant);
    if tenant.is_some_and(|tenant| is_whole(&tenant.id)) {
        return Ok(None);
    }
    let (manifest, mode) = (demo::manifest()?, ApplyMode::default());
    let report = apply(service, &By::Operator, &manifest, mode, &Events::none()).await?;
    match report.failure {
        Some(failure) => bail!("the demo can't be loaded: {failure}"),
        None => Ok(Some(report)),
    }
}

/// What whoever started the process is told.
pub(super) enum SystemState {
    /// It serves.
    Ready,
    /// It is about to end.
    Stopping,
}

/// Tells systemd, where that started it and waits for it.
#[cfg(target_os = "linux")]
pub(super) fn tell_system(state: &SystemState) {
    let state = match state {
        SystemState::Ready => sd_notify::NotifyState::Ready,
        SystemState::Stopping => sd_notify::NotifyState::Stopping,
    };
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd can't be told how the server is");
    }
}

/// Elsewhere nobody waits for it.
#[cfg(not(target_os = "linux"))]
pub(super) fn tell_system(_: &SystemState) {}

/// Tells whoever started the process that it serves.
pub(super) fn say_listening(format: Format, url: &str) -> anyhow::Result<()> {
    let line = match format {
        Format::Text => format!("listening on {url}"),
        Format::Json => serde_json::json!({"listening": url}).to_string(),
    };
    let mut out = standard_output();
    match writeln!(out, "{line}").and_then(|()| out.flush()) {
        // who started it and read what it tells has gone
        Err(error) if error.kind() == ErrorKind::BrokenPipe => return Err(error.into()),
        Err(error) => tracing::warn!(%error, url, "it serves, and can't tell so"),
        Ok(()) => {}
    }
    tell_system(&SystemState::Ready);
    Ok(())
}

/// Begins the import of the demo's many customers. Without them, it serves as well.
pub(super) async fn add_customers(service: Arc<Service>, count: u64) {
    match demo_customers::begin(&service, count).await {
        Ok(false) => {}
        Ok(true) => tracing::info!(count, "a job imports the demo's customers"),
        Err(refusal) => {
            tracing::warn!(error = %refusal, "the demo's customers are not imported");
        }
    }
}
