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
            toml::Value::Array(items) if takes_several(&command, &name) => match joined(&items) {
                Some(text) if text.is_empty() => continue,
                Some(text) => text,
                None => {
                    return Err(format!(
                        "{shown}: each of `{name}` must be a text that is not empty and has no comma"
                    ));
                }
            },
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

/// Whether a setting takes several values.
fn takes_several(command: &Command, name: &str) -> bool {
    let serve = command.find_subcommand("serve").into_iter();
    let all = command
        .get_arguments()
        .chain(serve.flat_map(Command::get_arguments));
    let mut own = all.filter(|arg| arg.get_long() == Some(name) && is_setting(arg));
    own.any(|arg| arg.get_value_delimiter() == Some(SEVERAL))
}

/// What stands between several values of a setting.
const SEVERAL: char = ',';

/// A list as one text.
fn joined(items: &[toml::Value]) -> Option<String> {
    let texts = items.iter().map(|item| {
        let text = item.as_str()?;
        (!text.is_empty() && !text.contains(SEVERAL)).then_some(text)
    });
    let texts: Vec<&str> = texts.collect::<Option<_>>()?;
    Some(texts.join(SEVERAL.to_string().as_str()))
}

/// A setting of a file that is a text, where the file can be read and has it.
pub(crate) fn text_in(path: &Path, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let table: toml::Table = text.parse().ok()?;
    Some(table.get(name)?.as_str()?.to_owned())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory as _;

    /// The values of a setting of a server, by a settings file.
    fn values(settings: &str, id: &str) -> Result<Vec<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.toml");
        std::fs::write(&path, settings).unwrap();
        let (command, _) = set_defaults(Arguments::command(), &path)?;
        let matches = command.try_get_matches_from(["fieldstone", "serve"]);
        let matches = matches.unwrap();
        let (_, serve) = matches.subcommand().unwrap();
        let values = serve.get_raw(id).into_iter().flatten();
        Ok(values
            .map(|value| value.to_string_lossy().into_owned())
            .collect())
    }

    #[test]
    fn a_setting_that_takes_several_values_takes_a_list() {
        let two = ["https://a.example", "https://b.example"];
        let list = format!("cors-origin = {two:?}");
        assert_eq!(values(&list, "cors_origin").unwrap(), two);
        let text = format!("cors-origin = {:?}", two.join(","));
        assert_eq!(values(&text, "cors_origin").unwrap(), two);
        let none = values("trusted-proxy = []", "trusted_proxy").unwrap();
        assert_eq!(none, Vec::<String>::new());
        for wrong in ["[5]", "[\"a,b\"]", "[\"\"]"] {
            let told = values(&format!("cors-origin = {wrong}"), "cors_origin").unwrap_err();
            let words = "each of `cors-origin` must be a text that is not empty and has no comma";
            assert!(told.contains(words), "{told}");
        }
        let one = values("page-size = [5]", "page_size").unwrap_err();
        assert!(one.contains("must be a text, a whole number"), "{one}");
    }
}
