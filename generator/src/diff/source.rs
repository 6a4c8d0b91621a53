//! Where schemas come from: a file, standard input, a folder, a revision of git, generated code, a running service. Each
//! is read whole; nothing is written.

use crate::data_files::{Failure, is_standard_input};
use crate::findings::Reporter;
use crate::schema_file::usable;
use generator::Input;
use schema::Schema;
use std::io;
use std::path::Path;
use std::process::Command;

/// The schemas of one side.
pub(super) struct Side {
    /// Each with what it was read from.
    pub(super) schemas: Vec<(String, Schema)>,
    /// Whether one schema was named, which goes with whatever stands on the other side.
    pub(super) is_one: bool,
}

/// Reads a side as it was named.
pub(super) fn read(named: &str, reporter: &Reporter) -> Result<Side, Failure> {
    let (inputs, is_one) = inputs(named)?;
    let mut schemas = Vec::new();
    let mut is_one = is_one;
    for input in inputs {
        let read = if is_code(&input.name) {
            generator::read_generated(&input)
        } else {
            generator::read_schema(&input).map(|schema| vec![schema])
        };
        let found = usable(read, &input.name, "compare", reporter)?;
        is_one &= found.len() == 1;
        schemas.extend(found.into_iter().map(|schema| (input.name.clone(), schema)));
    }
    Ok(Side { schemas, is_one })
}

/// Whether a file is generated code; all others are documents.
fn is_code(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|end| end == "rs")
}

/// The files of a folder that hold schemas: its documents, else its generated code but the list of modules.
fn chosen(mut names: Vec<String>) -> Vec<String> {
    let is_document = |name: &str| generator::is_document(Path::new(name));
    if names.iter().any(|name| is_document(name)) {
        names.retain(|name| is_document(name));
    } else {
        let is_list = |name: &str| Path::new(name).file_name().is_some_and(|it| it == "mod.rs");
        names.retain(|name| is_code(name) && !is_list(name));
    }
    names.sort();
    names
}

fn inputs(named: &str) -> Result<(Vec<Input>, bool), Failure> {
    if let Some(rest) = named.strip_prefix("git:") {
        return of_git(named, rest);
    }
    if named.starts_with("http://") || named.starts_with("https://") {
        return of_service(named);
    }
    let path = Path::new(named);
    if is_standard_input(path) {
        let text = io::read_to_string(io::stdin());
        let text = text.map_err(|error| Failure::file("read", path, &error))?;
        return Ok((vec![Input::new("standard input", text)], true));
    }
    if !path.is_dir() {
        return Ok((vec![generator::read(path)?], true));
    }
    let unread = |error| Failure::file("read", path, &error);
    let mut names = Vec::new();
    for entry in path.read_dir().map_err(unread)? {
        let file = entry.map_err(unread)?.path();
        if file.is_file() {
            names.extend(file.to_str().map(str::to_owned));
        }
    }
    let inputs: Result<Vec<_>, _> = chosen(names)
        .iter()
        .map(|it| generator::read(Path::new(it)))
        .collect();
    let inputs = inputs?;
    if inputs.is_empty() {
        return Err(empty(named));
    }
    Ok((inputs, false))
}

fn empty(named: &str) -> Failure {
    Failure::new(
        format!("{named} holds no schema document and no generated code"),
        "name a folder with *.json files, or one that the generator wrote",
    )
}

/// `REVISION:PATH`, the path as it stands from here.
fn of_git(named: &str, rest: &str) -> Result<(Vec<Input>, bool), Failure> {
    let Some((revision, path)) = rest.split_once(':').filter(|(revision, _)| {
        // what begins with a hyphen would be an option
        !revision.is_empty() && !revision.starts_with('-')
    }) else {
        let help = "write git:REVISION:PATH, such as git:main:schemas/airport.json";
        return Err(Failure::new(format!("{named} names no file of git"), help));
    };
    let object = match path {
        "" | "." => format!("{revision}:./"),
        path if path.starts_with('/') => {
            let help = "write the path as it stands from here";
            return Err(Failure::new(format!("{named} has an absolute path"), help));
        }
        path => format!("{revision}:./{}", path.trim_end_matches('/')),
    };
    let kind = git(named, &["cat-file", "-t", &object])?;
    if kind.trim() != "tree" {
        let text = git(named, &["show", &object])?;
        return Ok((vec![Input::new(named, text)], true));
    }
    let listed = git(named, &["ls-tree", "-z", "--name-only", &object])?;
    let mut inputs = Vec::new();
    let names = listed.split('\0').map(str::to_owned).collect();
    for name in chosen(names) {
        let at = object.trim_end_matches('/');
        let text = git(named, &["show", &format!("{at}/{name}")])?;
        let shown = format!("{}/{name}", named.trim_end_matches('/'));
        inputs.push(Input::new(shown, text));
    }
    if inputs.is_empty() {
        return Err(empty(named));
    }
    Ok((inputs, false))
}

fn git(named: &str, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new("git").args(arguments).output();
    let output = output.map_err(|error| {
        let help = "install git, or name files";
        Failure::new(format!("can't run git to read {named}: {error}"), help)
    })?;
    if output.status.success() {
        let help = "schema documents are UTF-8; mend the file";
        return String::from_utf8(output.stdout)
            .map_err(|_| Failure::new(format!("{named} is not UTF-8"), help));
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let told = told.lines().next().unwrap_or("it does not say why").trim();
    let help = "write git:REVISION:PATH with the path as it stands from here";
    Err(Failure::new(
        format!("git can't read {named}: {told}"),
        help,
    ))
}

#[cfg(feature = "fetch")]
fn of_service(url: &str) -> Result<(Vec<Input>, bool), Failure> {
    let downloads = crate::fetch::all(url).map_err(crate::fetch::FetchError::into_failure)?;
    let inputs = downloads.iter().map(crate::fetch::Download::input);
    Ok((inputs.collect(), false))
}

#[cfg(not(feature = "fetch"))]
fn of_service(url: &str) -> Result<(Vec<Input>, bool), Failure> {
    let help = "build it with the feature `fetch`, or name files";
    let message = format!("this program can't ask {url}");
    Err(Failure::new(message, help))
}
