//! What can be asked for, what comes of it, and the carrying out, by whoever asks. Requests and outcomes travel
//! as JSON between a command and a server. No request says who asks: that is found by the door it comes through.

use crate::by::By;
use crate::events::Events;
use crate::export::{ExportRequest, export};
use crate::{ApplyMode, ApplyReport, Manifest, apply, credentials, tenants};
use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};
use service::Service;
use service::signing::RotatedSecret;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tracing::Instrument as _;

/// One thing to do.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Bring the store to what a manifest says.
    Apply {
        /// The manifest, with the content of the files it names.
        manifest: Manifest,
        /// How.
        mode: ApplyMode,
    },
    /// Write a tenant down as a manifest.
    Export(ExportRequest),
    /// Show, switch or delete credentials.
    Credentials(credentials::CredentialRequest),
    /// Show the tenants, or give one another name.
    Tenants(tenants::TenantRequest),
    /// Sign with a new secret.
    RotateSecret {
        /// The file of secrets that is meant, where one was named.
        file: Option<PathBuf>,
    },
    /// Make the search index anew.
    RebuildIndex,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// What was applied.
    Applied(ApplyReport),
    /// The tenant as a manifest; the lines of its record files were told as events.
    Exported(Manifest),
    /// The credentials that there are, or the one that was changed.
    Credentials(Vec<credentials::CredentialView>),
    /// The tenants that there are, or the one that was renamed.
    Tenants(Vec<tenants::TenantName>),
    /// The id of the secret that signs now, and of the one that did.
    SecretRotated {
        /// Of the new one.
        id: String,
        /// Of the old one.
        retired_id: String,
    },
    /// That the search index is empty, and is being made anew.
    IndexEmptied {
        /// How many datasets are to be read for it.
        datasets: usize,
    },
}

/// Does it, and tells meanwhile what goes on.
///
/// # Errors
/// What refuses it: mistakes in what was sent, missing rights, what contradicts the store, a store that fails.
/// What an application did before it stopped is no error but told in its report ([`ApplyReport::failure`]).
pub async fn carry_out(
    service: &Arc<Service>,
    by: &By,
    request: Request,
    events: &Events,
) -> anyhow::Result<Outcome> {
    match request {
        Request::Apply { manifest, mode } => {
            let span = tracing::debug_span!("apply", dry_run = mode.dry_run);
            let report = apply(service, by, &manifest, mode, events)
                .instrument(span)
                .await?;
            Ok(Outcome::Applied(report))
        }
        Request::Export(request) => {
            let span = tracing::debug_span!("export", records = request.records);
            let manifest = export(service, by, &request, events)
                .instrument(span)
                .await?;
            Ok(Outcome::Exported(manifest))
        }
        Request::Credentials(request) => {
            let span = tracing::debug_span!("credentials", kind = ?request.kind);
            let credentials = credentials::carry_out(service, by, request).instrument(span);
            Ok(Outcome::Credentials(credentials.await?))
        }
        Request::Tenants(request) => {
            let tenants = tenants::carry_out(service, by, request);
            Ok(Outcome::Tenants(tenants.await?))
        }
        Request::RotateSecret { file } => {
            by.operator("rotate the signing secret")?;
            require_own_file(service, file.as_deref())?;
            let RotatedSecret { id, retired_id } = service.rotate_signing_secret().await?;
            tracing::info!(id, retired_id, "signing with a new secret");
            Ok(Outcome::SecretRotated { id, retired_id })
        }
        Request::RebuildIndex => {
            by.operator("make the search index anew")?;
            let emptied = service.rebuild_index().await;
            let datasets =
                emptied.context("the search index can't be emptied; the log says why")?;
            tracing::info!(datasets, "the search index is made anew");
            Ok(Outcome::IndexEmptied { datasets })
        }
    }
}

/// Refuses a file of secrets that is named and is another than the one that the service signs with: the one that is
/// meant would stay as it is.
fn require_own_file(service: &Service, named: Option<&Path>) -> anyhow::Result<()> {
    let Some((named, own)) = named.zip(service.signing_secret_file()) else {
        return Ok(());
    };
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if real(named) == real(&own) {
        return Ok(());
    }
    bail!(
        "the running server signs with the secrets of {}, not with those of {}; leave --signing-secret-file out, or name its file",
        real(&own).display(),
        named.display()
    )
}
