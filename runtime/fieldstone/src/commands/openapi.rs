//! `fieldstone openapi`: prints the OpenAPI document that a server shows at `/openapi.json`. It needs no
//! data folder.

use crate::standard_output::standard_output;
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) fn run() -> anyhow::Result<ExitCode> {
    let mut out = standard_output();
    writeln!(out, "{}", server::document())?;
    Ok(ExitCode::SUCCESS)
}
