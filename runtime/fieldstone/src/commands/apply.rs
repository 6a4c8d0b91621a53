//! `fieldstone apply`: brings the store to what manifests say.

use crate::control::{self, ServerArgs, StoreNeed};
use crate::output;
use crate::settings::Common;
use crate::watch::Watch;
use clap::Args;
use manifest::operations::{Outcome, Request};
use manifest::{ApplyMode, Manifest, read};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct ApplyOptions {
    /// Manifests, YAML or JSON (*.json), taken together; the paths in them are as seen from their folder
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Show what would change and write nothing
    #[arg(long)]
    dry_run: bool,

    /// Change also records that someone edited since a manifest wrote them, and make those anew that someone deleted
    #[arg(long)]
    overwrite: bool,

    /// Write the records that can't be stored to this file, one JSON object a line: dataset, file, line, reason, record
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) async fn run(common: &Common, options: ApplyOptions) -> anyhow::Result<ExitCode> {
    let mut manifest = Manifest::default();
    for path in &options.files {
        manifest.tenants.extend(read::file(path)?.tenants);
    }
    let manifest = manifest.merge();
    let mode = ApplyMode {
        dry_run: options.dry_run,
        overwrite: options.overwrite,
        ..ApplyMode::default()
    };
    let store = if options.dry_run {
        StoreNeed::Simulated
    } else {
        StoreNeed::Any
    };
    let tenant = match manifest.tenants.as_slice() {
        [only] => only.name.clone(),
        _ => None,
    };
    let mut watch = Watch::new(common.format);
    if let Some(path) = &options.rejects {
        watch = watch.with_rejects(path)?;
    }
    let request = Request::Apply { manifest, mode };
    let server = &options.server;
    let outcome = control::submit_to(
        server,
        tenant.as_deref(),
        common,
        store,
        request,
        &mut watch,
    );
    let outcome = outcome.await;
    let watched = watch.end();
    let outcome = outcome?;
    if let Outcome::Applied(report) = outcome {
        let exit = output::apply_report(&report, common.format, watched.err())?;
        return Ok(exit.into());
    }
    Ok(ExitCode::SUCCESS)
}
