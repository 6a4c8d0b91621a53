//! `fieldstone health`: whether the server that has the data folder is ready. For what looks after a container.

use crate::control::{self, Health};
use crate::settings::{Common, Format};
use crate::standard_output::standard_output;
use serde_json::json;
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) async fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let health = control::health_of_server(&common.data).await?;
    let mut out = standard_output();
    match (health, common.format) {
        (Health::Ready, Format::Text) => writeln!(out, "ready")?,
        (Health::Ready, Format::Json) => writeln!(out, "{}", json!({"ready": true}))?,
        // a server that answers is not to be started again for this
        (Health::Busy(why), Format::Text) => writeln!(out, "running, and busy: {why}")?,
        (Health::Busy(why), Format::Json) => {
            writeln!(out, "{}", json!({"ready": null, "message": why}))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
