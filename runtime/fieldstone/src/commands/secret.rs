//! `fieldstone secret`: the signing secret, which download links are signed with.

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
pub(crate) enum SecretCommand {
    /// Sign with a new secret from now on, also in a running server; links that the old one signed work
    /// until they run out
    Rotate,
}

pub(crate) async fn run(common: &Common, verb: SecretCommand) -> anyhow::Result<ExitCode> {
    let SecretCommand::Rotate = verb;
    // the server that is asked may run in another folder
    let named = common.signing_secret_file.as_deref();
    let file = named.map(std::path::absolute).transpose()?;
    let request = Request::RotateSecret { file };
    let mut watch = Watch::new(common.format);
    let outcome = control::submit(common, StoreNeed::Existing, request, &mut watch).await?;
    if let Outcome::SecretRotated { id, retired_id } = outcome {
        if common.format == Format::Json {
            let ids = serde_json::json!({"id": id, "retiredId": retired_id});
            output::show_json(&ids)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut out = standard_output();
        writeln!(out, "signing with secret {id}; {retired_id} is retired")?;
    }
    Ok(ExitCode::SUCCESS)
}
