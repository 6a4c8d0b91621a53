//! `fieldstone openapi`: prints the OpenAPI document that a server shows at `/openapi.json`. It needs no
//! data folder.

use std::io::Write as _;
use std::process::ExitCode;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", server::document())?;
    Ok(ExitCode::SUCCESS)
}
