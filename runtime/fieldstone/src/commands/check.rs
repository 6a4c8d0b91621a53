//! `fieldstone check`: verifies the store, reading only, so that it may run beside a server.

use crate::failure::{self, Exit};
use crate::output;
use crate::settings::{Common, Format};
use crate::watch::Watch;
use manifest::failure::{Failure, FailureCode};
use serde::Serialize;
use sqlite::SqliteStore;
use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// What was found, as programs read it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Verdict<'a> {
    data: &'a Path,
    is_sound: bool,
    contradictions: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a Failure>,
}

pub(crate) fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let mut watch = Watch::new(common.format);
    watch.begin(&format!("checking the store in {}", common.data.display()));
    let found = SqliteStore::check_folder(&common.data);
    watch.end()?;
    let found = found?;
    let count = found.len();
    let failure = (count > 0).then(|| Failure {
        message: format!(
            "{count} contradictions; restore a backup, or ask for help with this output"
        ),
        causes: Vec::new(),
        code: FailureCode::Unsound,
    });
    match common.format {
        Format::Json => output::show_json(&Verdict {
            data: &common.data,
            is_sound: found.is_empty(),
            contradictions: &found,
            error: failure.as_ref(),
        })?,
        Format::Text => write_text(&common.data, &found)?,
    }
    let Some(failure) = failure else {
        return Ok(Exit::Done.into());
    };
    failure::tell(&failure);
    Ok(Exit::Failed.into())
}

fn write_text(data: &Path, found: &[String]) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    if found.is_empty() {
        writeln!(out, "the store in {} is sound", data.display())?;
    }
    for contradiction in found {
        // who has seen enough, as `head`, changes nothing of the verdict
        if writeln!(out, "{contradiction}").is_err() {
            break;
        }
    }
    Ok(())
}
