//! `fieldstone compact`: writes the databases of a data folder anew.

use crate::failure::Exit;
use crate::output;
use crate::owner;
use crate::settings::{Common, Format};
use crate::standard_output::standard_output;
use crate::watch::Watch;
use manifest::failure::{Failure, FailureCode};
use serde::Serialize;
use sqlite::SqliteStore;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;
use store::StoreError;

/// What was done, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Done<'a> {
    data: &'a Path,
    bytes_before: u64,
    bytes: u64,
}

pub(crate) async fn run(common: &Common) -> anyhow::Result<ExitCode> {
    crate::engine::refuse_database(
        &common.database,
        "compacting",
        "the database gives room back by its own means (VACUUM)",
    )?;
    owner::require_own(&common.data)?;
    let mut watch = Watch::new(common.format);
    watch.begin(&format!("compacting {}", common.data.display()));
    let folder = common.data.clone();
    let work = tokio::task::spawn_blocking(move || SqliteStore::compact_folder(&folder));
    let compacted = work.await;
    watch.end()?;
    let compacted = match compacted? {
        Err(StoreError::InUse(folder)) => {
            let message = format!(
                "a server has the data folder {folder}, and has its databases open; stop it, compact, and start it again"
            );
            return Err(Failure::new(FailureCode::FolderInUse, message).into());
        }
        compacted => compacted?,
    };
    let (data, bytes_before, bytes) = (&common.data, compacted.before, compacted.after);
    match common.format {
        Format::Json => output::show_json(&Done {
            data,
            bytes_before,
            bytes,
        })?,
        Format::Text => {
            let mut out = standard_output();
            let shown = data.display();
            writeln!(
                out,
                "compacted {shown}: {bytes_before} bytes before, {bytes} now"
            )?;
        }
    }
    Ok(Exit::Done.into())
}
