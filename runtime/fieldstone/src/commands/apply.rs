//! `fieldstone apply`: brings the store to what manifests say.

use crate::control::{self, StoreNeed};
use crate::output::{self, Format};
use crate::settings::Common;
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

    /// How the result is printed
    #[arg(long, value_enum, default_value = "text")]
    output: Format,
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
    let outcome = control::submit(common, store, Request::Apply { manifest, mode }).await?;
    if let Outcome::Applied(report) = outcome {
        return output::apply_report(&report, options.output);
    }
    Ok(ExitCode::SUCCESS)
}
