//! `fieldstone check`: verifies the store, reading only, so that it may run beside a server.

use crate::settings::Common;
use runtime::store::sqlite::SqliteStore;
use std::process::ExitCode;

pub(crate) fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let found = SqliteStore::check_folder(&common.data)?;
    if found.is_empty() {
        println!("the store in {} is sound", common.data.display());
        return Ok(ExitCode::SUCCESS);
    }
    for contradiction in &found {
        println!("{contradiction}");
    }
    let count = found.len();
    eprintln!("error: {count} contradictions; restore a backup, or ask for help with this output");
    Ok(ExitCode::FAILURE)
}
