//! `fieldstone apply`: brings the store to what manifests say.

use crate::control::{self, ServerArgs, StoreNeed};
use crate::output;
use crate::rejects::Rejects;
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

    /// Write the records that can't be stored to this file, one JSON object a line: dataset, file, line, reason,
    /// record. One that is there is replaced when the work has come to its end; a file that is read is refused
    #[arg(long, value_name = "FILE")]
    rejects: Option<PathBuf>,

    /// The tenant of who signs in, where the server has several; without it, the one that the manifests name, if
    /// that is one
    #[arg(long, value_name = "NAME", requires = "sign_in")]
    tenant: Option<String>,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) async fn run(common: &Common, options: ApplyOptions) -> anyhow::Result<ExitCode> {
    let mut manifest = Manifest::default();
    let mut inputs = options.server.files();
    inputs.extend(common.config.clone());
    for path in &options.files {
        let (one, files) = read::file(path)?;
        manifest.tenants.extend(one.tenants);
        inputs.extend(files);
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
        [only] => options.tenant.or_else(|| only.name.clone()),
        _ => options.tenant,
    };
    let mut watch = Watch::new(common.format).stoppable();
    if let Some(path) = &options.rejects {
        watch = watch.with_rejects(Rejects::create(path, &inputs, &common.data)?);
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
    // a command that did nothing leaves the file of rejected records as it was
    let outcome = outcome.await?;
    let watched = watch.end();
    if let Outcome::Applied(report) = outcome {
        let exit = output::apply_report(&report, common.format, watched.err())?;
        return Ok(exit.into());
    }
    Ok(ExitCode::SUCCESS)
}
