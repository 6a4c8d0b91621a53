//! `fieldstone index`: the search index, which is made of the records and can be made of them again.

use crate::control::{self, StoreNeed};
use crate::output;
use crate::settings::{Common, Format};
use crate::standard_output::standard_output;
use crate::watch::Watch;
use clap::Subcommand;
use manifest::operations::{Outcome, Request};
use std::io::Write as _;
use std::process::ExitCode;

#[derive(Subcommand)]
pub(crate) enum IndexCommand {
    /// Empty the search index and have it made anew from the records, also beside running servers; searches wait meanwhile,
    /// and everything else works
    Rebuild,
}

pub(crate) async fn run(common: &Common, verb: IndexCommand) -> anyhow::Result<ExitCode> {
    let IndexCommand::Rebuild = verb;
    let mut watch = Watch::new(common.format);
    let request = Request::RebuildIndex;
    let outcome = control::submit(common, StoreNeed::Existing, request, &mut watch).await?;
    if let Outcome::IndexEmptied { datasets } = outcome {
        if common.format == Format::Json {
            output::show_json(&serde_json::json!({"datasets": datasets}))?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut out = standard_output();
        writeln!(
            out,
            "the search index is empty, and is made anew by who serves it; datasets to read: {datasets}"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}
