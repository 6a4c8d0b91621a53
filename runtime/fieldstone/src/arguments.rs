//! The command line: its commands and settings, read together with the environment and the settings file.

use crate::commands::Command;
use crate::settings::Common;
use crate::settings_file;
use clap::error::ErrorKind;
use clap::{CommandFactory, Error, FromArgMatches, Parser};
use std::ffi::OsString;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  fieldstone serve --demo                    try it: real airports, countries, languages …
  fieldstone init --tenant Acme              a tenant and its administrator, without the demo
  fieldstone apply company.yaml --dry-run    what a manifest would change
  fieldstone key create crm --role MEMBER --area Customers=view,add,edit
  fieldstone check                           verify the store, also beside a running server

Every setting can stand in a TOML file under its flag's name (`listen = \"0.0.0.0:8080\"`).
A flag wins over the environment, the environment over the file.";

/// Master data, clean and typed: one program, one folder.
#[derive(Parser)]
#[command(name = "fieldstone", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Reads the command line, the environment and the file.
pub(crate) fn read() -> Result<Arguments, Error> {
    let arguments: Vec<_> = std::env::args_os().collect();
    let first = Arguments::try_parse_from(&arguments);
    let config = match &first {
        Ok(first) => first.common.config.clone(),
        // `--help` shows the defaults that hold, so it too reads the file it is told of
        Err(error) if error.kind() == ErrorKind::DisplayHelp => named_config(&arguments),
        Err(_) => None,
    };
    let Some(config) = config else {
        return first;
    };
    let command = settings_file::set_defaults(Arguments::command(), &config)
        .map_err(|text| Arguments::command().error(ErrorKind::ValueValidation, text))?;
    Arguments::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// The file named on a command line that asks for help.
fn named_config(arguments: &[OsString]) -> Option<PathBuf> {
    let mut words = arguments.iter().filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        if word == "--config" {
            return words.next().map(PathBuf::from);
        }
        if let Some(path) = word.strip_prefix("--config=") {
            return Some(path.into());
        }
    }
    std::env::var_os("FIELDSTONE_CONFIG").map(PathBuf::from)
}
