//! `fieldstone check`: verifies the store, reading only, so that it may run beside a server.

use crate::settings::Common;
use sqlite::SqliteStore;
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let found = SqliteStore::check_folder(&common.data)?;
    let mut out = std::io::stdout().lock();
    if found.is_empty() {
        writeln!(out, "the store in {} is sound", common.data.display())?;
        return Ok(ExitCode::SUCCESS);
    }
    for contradiction in &found {
        // who has seen enough, as `head`, changes nothing of the verdict
        if writeln!(out, "{contradiction}").is_err() {
            break;
        }
    }
    let count = found.len();
    eprintln!("error: {count} contradictions; restore a backup, or ask for help with this output");
    Ok(ExitCode::FAILURE)
}
