//! What an operator can set: flag before environment before file before default. The file's values
//! become the defaults of the flags, so that each setting is declared once and `--help` shows what holds.

use crate::commands::Command;
use clap::builder::OsStr;
use clap::error::ErrorKind;
use clap::{ArgAction, Args, CommandFactory, Error, FromArgMatches, Parser, ValueEnum};
use std::path::{Path, PathBuf};

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

/// What every command can be told.
#[derive(Args, Clone)]
#[command(next_help_heading = "Settings of every command")]
pub(crate) struct Common {
    /// A TOML file with settings, named as the flags
    #[arg(long, global = true, env = "FIELDSTONE_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// The data folder
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_DATA",
        value_name = "DIR",
        default_value = "fieldstone-data"
    )]
    pub(crate) data: PathBuf,

    /// What is logged: error, warn, info, debug or trace, also by room (`info,runtime::store=debug`)
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_LOG",
        value_name = "LEVEL",
        default_value = "info"
    )]
    pub(crate) log: String,

    /// How it is logged
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_LOG_FORMAT",
        value_enum,
        value_name = "FORMAT",
        default_value = "text"
    )]
    pub(crate) log_format: LogFormat,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For machines: one JSON object a line.
    Json,
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
    let command = with_file(Arguments::command(), &config)?;
    Arguments::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// The file named on a command line that asks for help.
fn named_config(arguments: &[std::ffi::OsString]) -> Option<PathBuf> {
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

/// The command whose defaults are the file's values.
fn with_file(mut command: clap::Command, path: &Path) -> Result<clap::Command, Error> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| wrong(format!("can't read the settings file {shown}: {error}")))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // the error's whole text quotes the line, which may hold a secret
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        let what = error.message();
        wrong(format!(
            "the settings file {shown} is no TOML: line {line}: {what}"
        ))
    })?;
    for (name, value) in table {
        let value = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(is_on) => is_on.to_string(),
            _ => {
                let kinds = "a text, a whole number, true or false";
                return Err(wrong(format!("{shown}: `{name}` must be {kinds}")));
            }
        };
        command =
            set_default(command, &name, value).map_err(|text| wrong(format!("{shown}: {text}")))?;
    }
    Ok(command)
}

fn set_default(command: clap::Command, name: &str, value: String) -> Result<clap::Command, String> {
    let is_setting = |arg: &clap::Arg| {
        arg.get_long() == Some(name) && arg.get_env().is_some() && name != "config"
    };
    let common = command.get_arguments().find(|arg| is_setting(arg)).cloned();
    if let Some(arg) = common {
        try_value(&arg, &value)?;
        let id = arg.get_id().clone();
        return Ok(command.mut_arg(id, |arg| arg.default_value(OsStr::from(value))));
    }
    let serve = command
        .find_subcommand("serve")
        .ok_or("there is no `serve`")?;
    let Some(arg) = serve.get_arguments().find(|arg| is_setting(arg)) else {
        return Err(format!(
            "there is no setting `{name}`; `fieldstone serve --help` lists them"
        ));
    };
    try_value(arg, &value)?;
    let id = arg.get_id().clone();
    Ok(command.mut_subcommand("serve", |serve| {
        serve.mut_arg(id, |arg| arg.default_value(OsStr::from(value)))
    }))
}

/// Whether the setting takes the value: a mistake in the file is to name the file.
fn try_value(arg: &clap::Arg, value: &str) -> Result<(), String> {
    let name = arg.get_long().unwrap_or_default();
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let alone = clap::Command::new("fieldstone").arg(if is_switch {
        clap::Arg::new("value")
            .long(name.to_owned())
            .value_parser(["true", "false"])
    } else {
        arg.clone().global(false)
    });
    match alone.try_get_matches_from(["fieldstone", &format!("--{name}={value}")]) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Err(first.trim_start_matches("error: ").to_owned())
        }
    }
}

fn wrong(text: String) -> Error {
    Arguments::command().error(ErrorKind::ValueValidation, text)
}
