//! The settings file: its values become the defaults of the flags, so that each setting is declared once
//! and `--help` shows what holds. What the settings are, `settings` and the commands say.

use clap::builder::OsStr;
use clap::{Arg, ArgAction, Command};
use std::collections::BTreeSet;
use std::path::Path;

/// What a settings file has.
pub(crate) struct InFile {
    /// The names of its settings.
    pub(crate) names: BTreeSet<String>,
    /// Whether one of them is a secret.
    pub(crate) holds_secret: bool,
}

/// The command whose defaults are the file's values, and what the file has.
pub(crate) fn set_defaults(mut command: Command, path: &Path) -> Result<(Command, InFile), String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("can't read the settings file {shown}: {error}"))?;
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        // the error's whole text quotes the line, which may hold a secret
        let before = error.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        let what = error.message();
        format!("the settings file {shown} is no TOML: line {line}: {what}")
    })?;
    let mut in_file = InFile {
        names: table.keys().cloned().collect(),
        holds_secret: false,
    };
    for (name, value) in table {
        let value = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(is_on) => is_on.to_string(),
            _ => {
                let kinds = "a text, a whole number, true or false";
                return Err(format!("{shown}: `{name}` must be {kinds}"));
            }
        };
        in_file.holds_secret |= is_secret(&name, &value);
        command = set_default(command, &name, value).map_err(|text| format!("{shown}: {text}"))?;
    }
    Ok((command, in_file))
}

/// Whether who reads the setting has a secret.
fn is_secret(name: &str, value: &str) -> bool {
    match name {
        "database" => postgres::has_password(value),
        "s3-secret-access-key" => !value.is_empty(),
        _ => false,
    }
}

/// Whether the file may have it.
pub(crate) fn is_setting(arg: &Arg) -> bool {
    arg.get_env().is_some() && arg.get_long().is_some_and(|name| name != "config")
}

fn set_default(command: Command, name: &str, value: String) -> Result<Command, String> {
    let is_it = |arg: &&Arg| arg.get_long() == Some(name) && is_setting(arg);
    let common = command.get_arguments().find(is_it).cloned();
    if let Some(arg) = common {
        try_value(&arg, &value)?;
        let id = arg.get_id().clone();
        return Ok(command.mut_arg(id, |arg| arg.default_value(OsStr::from(value))));
    }
    let serve = command
        .find_subcommand("serve")
        .ok_or("there is no `serve`")?;
    let Some(arg) = serve.get_arguments().find(is_it) else {
        return Err(format!(
            "there is no setting `{name}`; `fieldstone serve --help` lists them"
        ));
    };
    try_value(arg, &value)?;
    let id = arg.get_id().clone();
    // other commands may have some of them, too
    let has_it = |command: &&Command| command.get_arguments().any(|arg| *arg.get_id() == id);
    let having = command.get_subcommands().filter(has_it);
    let names: Vec<String> = having.map(|it| it.get_name().to_owned()).collect();
    Ok(names.into_iter().fold(command, |command, name| {
        command.mut_subcommand(name, |command| {
            command.mut_arg(&id, |arg| arg.default_value(OsStr::from(value.clone())))
        })
    }))
}

/// Whether the setting takes the value: a mistake in the file is to name the file.
fn try_value(arg: &Arg, value: &str) -> Result<(), String> {
    let name = arg.get_long().unwrap_or_default();
    let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
    let alone = Command::new("fieldstone").arg(if is_switch {
        Arg::new("value")
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
