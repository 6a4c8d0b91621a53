//! Where the log goes: to standard error, as text or JSON. What is worth a line, the rooms decide.

use crate::settings::{Common, LogFormat};
use anyhow::Context as _;
use std::io::IsTerminal as _;
use tracing_subscriber::EnvFilter;

/// Starts logging.
pub(crate) fn start(common: &Common) -> anyhow::Result<()> {
    let filter = EnvFilter::builder().parse(&common.log).with_context(|| {
        format!(
            "`{}` is no log level; use info, or warn,runtime=debug",
            common.log
        )
    })?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let started = match common.log_format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().flatten_event(true).try_init(),
    };
    started.map_err(|error| anyhow::anyhow!("the log can't be started: {error}"))
}
