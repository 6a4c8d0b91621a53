//! The address of the page by which a file is imported that was tried: with what was said of the trial filled in.

use super::tried_file::said_of_cells;
use service::manage::{DecimalMark, ImportMode, ImportOptions};
use url::form_urlencoded::Serializer;

/// The address of the page with the options of a dry run filled in, and its file, behind that of the dataset.
pub(super) fn address_of(options: &ImportOptions, job: &str) -> String {
    let mut pairs = Serializer::new(String::new());
    pairs.append_pair("fileOf", job);
    let mode = match options.mode {
        ImportMode::Create => "create",
        ImportMode::Update => "update",
        ImportMode::Upsert => "upsert",
        ImportMode::Replace => "replace",
    };
    pairs.append_pair("mode", mode);
    let mut say = |name, value: Option<String>| {
        if let Some(value) = value {
            pairs.append_pair(name, &value);
        }
    };
    let word = |character: char| match character {
        '\t' => "tab".to_owned(),
        character => character.to_string(),
    };
    say("format", options.format.map(|it| it.as_str().to_owned()));
    say("encoding", options.encoding.clone());
    say("delimiter", options.delimiter.map(word));
    say("quote", options.quote.map(word));
    say("header", options.header.map(|it| it.to_string()));
    say("sheet", options.sheet.clone());
    say("split", options.split.map(word));
    let mark = options.decimal_mark.map(DecimalMark::as_str);
    say("decimalMark", mark.map(str::to_owned));
    for (name, said) in said_of_cells(options) {
        say(name, Some(said));
    }
    let tick = |is_on: bool| is_on.then(|| "true".to_owned());
    say("forSpreadsheets", tick(options.for_spreadsheets));
    say("deleteMissing", tick(options.delete_missing));
    say("ignoreVersion", tick(options.ignore_version));
    for line in &options.map {
        say("map", Some(line.clone()));
    }
    format!("import?{}", pairs.finish())
}
