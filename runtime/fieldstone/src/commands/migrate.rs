//! `fieldstone migrate`: makes the tables of a database, or brings them to this version.

use crate::failure::usage;
use crate::output;
use crate::settings::{Common, Format};
use crate::standard_output::standard_output;
use anyhow::Context as _;
use postgres::PostgresStore;
use std::io::Write as _;
use std::process::ExitCode;

pub(crate) async fn run(common: &Common) -> anyhow::Result<ExitCode> {
    let Some(address) = common.database.address() else {
        return Err(usage(
            "a data folder is brought to this version by whatever opens it; give the address of a database: --database or FIELDSTONE_DATABASE",
        ));
    };
    let shown = postgres::shown(address);
    let done = PostgresStore::migrate(address, &common.database.options()?).await;
    let done = done.with_context(|| format!("can't migrate {shown}"))?;
    if common.format == Format::Json {
        output::show_json(&serde_json::json!({
            "database": shown, "steps": done.steps, "placed": done.placed
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = standard_output();
    match done.steps {
        0 => writeln!(out, "{shown} is of this version already")?,
        1 => writeln!(out, "migrated {shown}: 1 step")?,
        steps => writeln!(out, "migrated {shown}: {steps} steps")?,
    }
    if done.placed > 0 {
        writeln!(out, "placed {} tables on the nodes of Citus", done.placed)?;
    }
    Ok(ExitCode::SUCCESS)
}
