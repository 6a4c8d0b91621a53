//! `fieldstone health`: whether the server that has the data folder is ready. For what looks after a container.

use crate::control;
use crate::settings::{Common, Format};
use crate::standard_output::standard_output;
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) async fn run(common: &Common) -> anyhow::Result<ExitCode> {
    control::health_of_server(&common.data).await?;
    let mut out = standard_output();
    match common.format {
        Format::Text => writeln!(out, "ready")?,
        Format::Json => writeln!(out, "{}", serde_json::json!({"ready": true}))?,
    }
    Ok(ExitCode::SUCCESS)
}
