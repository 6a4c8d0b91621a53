//! `fieldstone completions` and `fieldstone man`: what shells and `man` are told of the command line, made of the
//! command line itself, so that neither can fall behind. They need no data folder.

use crate::outside::require_outside;
use crate::standard_output::standard_output;
use anyhow::Context as _;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

#[derive(Args)]
pub(crate) struct CompletionsOptions {
    /// The shell they are for
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

#[derive(Args)]
pub(crate) struct ManOptions {
    /// A folder to write a page for each command to, such as /usr/local/share/man/man1; it is made if it is not
    /// there. Without one, the program's own page is printed
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn completions(
    options: &CompletionsOptions,
    mut command: Command,
) -> anyhow::Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(options.shell, &mut command, "fieldstone", &mut text);
    standard_output().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn pages(
    options: &ManOptions,
    command: Command,
    data: &Path,
) -> anyhow::Result<ExitCode> {
    let Some(folder) = &options.folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        standard_output().write_all(&page)?;
        return Ok(ExitCode::SUCCESS);
    };
    require_outside(None, folder, data)?;
    let write = || {
        std::fs::create_dir_all(folder)?;
        let mut command = command.disable_help_subcommand(true);
        command.build();
        let mut written = Vec::new();
        write_pages(&command, folder, &mut written)?;
        std::io::Result::Ok(written)
    };
    let written = write();
    let written =
        written.with_context(|| format!("can't write the pages to {}", folder.display()))?;
    let mut out = standard_output();
    for page in written {
        writeln!(out, "{}", page.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The page of a command, then those of the commands below it.
fn write_pages(
    command: &Command,
    folder: &Path,
    written: &mut Vec<PathBuf>,
) -> std::io::Result<()> {
    written.push(clap_mangen::Man::new(command.clone()).generate_to(folder)?);
    let below = command.get_subcommands().filter(|it| !it.is_hide_set());
    for command in below {
        write_pages(command, folder, written)?;
    }
    Ok(())
}
