//! The command line: its commands and settings, read together with the environment and the settings file.

use crate::commands;
use crate::failure;
use crate::io;
use crate::settings::{Common, Format};
use crate::settings_file;
use crate::told_settings::told;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command, CommandFactory, Error, FromArgMatches, Parser};
use manifest::failure::{Failure, FailureCode};
use sqlite::SqliteStore;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  fieldstone serve --demo                    try it: real airports, countries, languages …
  fieldstone init --tenant Acme --email ada@example.org
                                             a tenant and its administrator, without the demo
  fieldstone apply company.yaml --dry-run    what a manifest would change
  fieldstone key create crm --role MEMBER --area Customers=view,add,edit
  fieldstone check                           verify the store, also beside a running server

Every setting can stand in a TOML file under its flag's name (`listen = \"0.0.0.0:8080\"`).
A flag wins over the environment, the environment over the file. An empty variable is none.

Exit codes:
  0  everything was done
  1  it was not, or `check` found contradictions; standard error tells why
  2  the command line, a variable or the settings file is wrong; nothing was done
  3  a manifest was applied or a file imported, and something of it was left out

With --format json there is one JSON document on standard output, whatever happens; a failure is its
`error`: {\"message\", \"causes\", \"code\"}.";

/// Master data, clean and typed: one program, one folder.
#[derive(Parser)]
#[command(name = "fieldstone", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: commands::Command,

    /// The settings file, where it holds a secret.
    #[arg(skip)]
    pub(crate) secret_settings: Option<PathBuf>,
}

/// The settings that name a store, or the server to ask in place of it.
const DATA: &str = "data";
const DATABASE: &str = "database";
const SERVER: &str = "server";

/// Settings that are secrets, and where they are taken from instead of the command line.
const SECRETS: [(&str, &str); 3] = [
    (
        "key",
        "--key-file FILE (`-` for standard input) or FIELDSTONE_KEY",
    ),
    (
        "password",
        "--password-file FILE (`-` for standard input) or FIELDSTONE_PASSWORD",
    ),
    (
        "s3_secret_access_key",
        "--s3-secret-access-key-file FILE, FIELDSTONE_S3_SECRET_ACCESS_KEY or the settings file",
    ),
];

/// Reads the command line, the environment and the file.
pub(crate) fn read(arguments: &[OsString]) -> Result<Arguments, Error> {
    let first = parse(Arguments::command(), arguments, &BTreeSet::new());
    let config = match &first {
        Ok(first) => first.common.config.clone(),
        // `--help` shows the defaults that hold, so it too reads the file it is told of
        Err(error) if error.kind() == ErrorKind::DisplayHelp => named_config(arguments),
        Err(_) => None,
    };
    let Some(config) = config else {
        return first;
    };
    let (command, in_file) = settings_file::set_defaults(Arguments::command(), &config)
        .map_err(|text| Arguments::command().error(ErrorKind::ValueValidation, text))?;
    let read = parse(command, arguments, &in_file.names)?;
    Ok(Arguments {
        secret_settings: in_file.holds_secret.then_some(config),
        ..read
    })
}

/// Tells what is wrong with the command line, or shows the help that was asked for.
pub(crate) fn refuse(error: &Error, words: &[OsString]) -> ExitCode {
    // help and version are no failures, and what they print is for people
    if !error.use_stderr() || !wants_json(words) {
        return print(error);
    }
    let text = error.to_string();
    let text = text.split("\n\nUsage:").next().unwrap_or_default();
    let message = text.trim().trim_start_matches("error: ");
    let failure = Failure::new(FailureCode::Usage, message);
    failure::tell_all(&failure, Format::Json);
    failure::exit(&failure).into()
}

/// Shows the help, or what is wrong with the command line; on a terminal, in colours.
fn print(error: &Error) -> ExitCode {
    let text = error.render();
    // who does not read any more needs no telling
    let _ = match (io::is_of_process(), error.use_stderr()) {
        (true, _) => error.print(),
        (false, true) => write!(io::standard_error(), "{text}"),
        (false, false) => write!(io::standard_output(), "{text}"),
    };
    u8::try_from(error.exit_code()).map_or(ExitCode::FAILURE, ExitCode::from)
}

/// Whether JSON is asked for by a command line that can't be read whole.
fn wants_json(words: &[OsString]) -> bool {
    let is_said = words.iter().enumerate().find_map(|(at, word)| {
        let word = word.to_str()?;
        let value = match word.strip_prefix("--format")? {
            "" => words.get(at + 1)?.to_str(),
            rest => rest.strip_prefix('='),
        }?;
        Some(value == "json")
    });
    let by_variable = || {
        let format = io::variable("FIELDSTONE_FORMAT");
        format.map(|format| format == "json")
    };
    let by_file = || {
        let format = settings_file::text_in(&named_config(words)?, "format");
        format.map(|format| format == "json")
    };
    is_said
        .or_else(by_variable)
        .or_else(by_file)
        .unwrap_or(false)
}

fn parse(
    command: Command,
    arguments: &[OsString],
    in_file: &BTreeSet<String>,
) -> Result<Arguments, Error> {
    let heard = without_variables(command.clone(), &is_unset);
    let matches = heard.clone().try_get_matches_from(arguments);
    let mut matches = matches.or_else(|error| match error.kind() {
        // it names every variable, also those that are empty
        ErrorKind::DisplayHelp => command.try_get_matches_from(arguments),
        _ => Err(error),
    })?;
    refuse_shown_secrets(&matches)?;
    if is_server_overruled(&matches) {
        let is_server = |arg: &Arg| arg.get_id() == SERVER;
        matches = without_variables(heard, &is_server).try_get_matches_from(arguments)?;
    }
    let mut arguments = Arguments::from_arg_matches(&matches)?;
    refuse_second_store(&matches, &arguments)?;
    if let commands::Command::Serve(options) = &mut arguments.command {
        options.told = told(&Arguments::command(), &matches, in_file);
    }
    Ok(arguments)
}

/// The command as if the variables of some settings were not there.
fn without_variables(command: Command, of: &dyn Fn(&Arg) -> bool) -> Command {
    let command = command.mut_args(|arg| {
        if of(&arg) {
            return arg.env(None::<&'static str>);
        }
        arg
    });
    command.mut_subcommands(|below| without_variables(below, of))
}

/// Whether the variable of a setting is not there, or empty: a file for containers gives those that nobody filled in so.
fn is_unset(arg: &Arg) -> bool {
    let name = arg.get_env().and_then(OsStr::to_str);
    name.and_then(io::variable).is_none()
}

/// Whether the environment names a server and a flag the store to work on: the flag wins.
fn is_server_overruled(matches: &ArgMatches) -> bool {
    let is_named = |id| source(matches, id) == Some(ValueSource::CommandLine);
    source(matches, SERVER) == Some(ValueSource::EnvVariable)
        && [DATA, DATABASE].into_iter().any(is_named)
}

/// Where a setting comes from, by the innermost command that has it; `None` where it has no value.
fn source(matches: &ArgMatches, id: &str) -> Option<ValueSource> {
    let below = matches.subcommand();
    let below = below.and_then(|(_, below)| source(below, id));
    let is_here = || matches.ids().any(|own| own == id);
    below.or_else(|| is_here().then(|| matches.value_source(id)).flatten())
}

/// Refuses a folder that a flag names beside a database that none does, where one of them would be passed over without a
/// word: the folder has a store, or is to get one. Otherwise it is the folder of files beside the database. Who asks a server opens
/// neither.
fn refuse_second_store(matches: &ArgMatches, arguments: &Arguments) -> Result<(), Error> {
    if source(matches, SERVER).is_some() {
        return Ok(());
    }
    let is_named = |id| source(matches, id) == Some(ValueSource::CommandLine);
    let common = &arguments.common;
    if common.database.address().is_none() || is_named(DATABASE) || !is_named(DATA) {
        return Ok(());
    }
    let begins_store = matches!(
        arguments.command,
        commands::Command::Init(_) | commands::Command::Apply(_)
    );
    // one that can't be read is told by whoever opens it
    if !begins_store && !SqliteStore::is_in(&common.data).unwrap_or(false) {
        return Ok(());
    }
    let text = format!(
        "--data names the folder {}, and FIELDSTONE_DATABASE, or the settings file, a database: either may be meant; for the folder, add --database= with nothing behind it, for the database, leave --data out or name the database by its flag, too",
        common.data.display()
    );
    Err(Arguments::command().error(ErrorKind::ArgumentConflict, text))
}

/// Refuses secrets on the command line: every user of the machine can read it.
fn refuse_shown_secrets(matches: &ArgMatches) -> Result<(), Error> {
    for id in matches.ids() {
        let secret = SECRETS.iter().find(|(own, _)| id == own);
        let is_shown = matches.value_source(id.as_str()) == Some(ValueSource::CommandLine);
        if id == DATABASE
            && is_shown
            && let Some(address) = matches.get_one::<String>(DATABASE)
            && postgres::has_password(address)
        {
            let text = "--database with a password can be read by every user of this machine (`ps`); give the address \
                        without it and --database-password-file FILE, or FIELDSTONE_DATABASE or the settings file";
            return Err(Arguments::command().error(ErrorKind::ArgumentConflict, text));
        }
        if let Some((name, instead)) = secret.filter(|_| is_shown) {
            let flag = name.replace('_', "-");
            let text = format!(
                "--{flag} on the command line can be read by every user of this machine (`ps`); give {instead}"
            );
            return Err(Arguments::command().error(ErrorKind::ArgumentConflict, text));
        }
    }
    match matches.subcommand() {
        Some((_, below)) => refuse_shown_secrets(below),
        None => Ok(()),
    }
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
    io::variable("FIELDSTONE_CONFIG").map(PathBuf::from)
}
