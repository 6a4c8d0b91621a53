//! `generator export`: a schema written for those who do not read ours. It reads files and prints; what is written is
//! the library's.

use crate::data_files::{Failure, is_standard_input};
use crate::findings::{FormatOption, Reporter};
use crate::output_file::{Output, is_standard_output};
use crate::schema_file;
use generator::{Input, Target};
use schema::Schema;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What a schema is from that came by standard input.
const STANDARD_INPUT: &str = "standard input";

/// The examples under `generator export --help`.
const EXAMPLES: &str = "\
Examples:
  generator export airport.json --to json-schema
                                             JSON Schema 2020-12 of a record
  generator export schemas --to sqlite       CREATE TABLE with checks, one for each schema
  generator export airport.json --to typescript --out airport.ts
                                             types of a record; `python` likewise
  generator export schemas --to python --out types
                                             a file for each schema
  generator export customer.json --to dictionary --out customer.md
                                             a data dictionary (`markdown` is the same);
                                             `dictionary-html` or `html` is a page

An export describes a record as it is stored and served. It is never stricter than the schema; calendars, \
addresses and codes of data domains are beyond most of them.

Exit codes:
  0  all is well
  2  wrong usage, an invalid schema, or a file that can't be read or written";

/// Write a schema as JSON Schema, as tables, as types of another language or as a data dictionary
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Schema files, directories (every *.json directly in them), or `-` for standard input
    #[arg(value_name = "SCHEMA", required = true)]
    schemas: Vec<PathBuf>,

    /// What to write
    #[arg(long, value_name = "TARGET", value_enum, visible_alias = "language")]
    to: To,

    /// Write to this file instead of printing (`-` prints); several schemas as JSON Schema, TypeScript, Python or pages are
    /// a file each in this directory
    #[arg(short, long, value_name = "FILE|DIR")]
    out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) output: FormatOption,
}

impl Arguments {
    /// Whether the export goes to standard output.
    pub(crate) fn prints_export(&self) -> bool {
        self.out.as_deref().is_none_or(is_standard_output)
    }
}

/// What a schema is written as.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum To {
    JsonSchema,
    Sqlite,
    Postgresql,
    Typescript,
    Python,
    #[value(alias = "markdown")]
    Dictionary,
    #[value(alias = "html")]
    DictionaryHtml,
}

impl To {
    /// How the name of such a file ends.
    fn ending(self) -> &'static str {
        match self {
            To::JsonSchema => "schema.json",
            To::Sqlite | To::Postgresql => "sql",
            To::Typescript => "ts",
            To::Python => "py",
            To::Dictionary => "md",
            To::DictionaryHtml => "html",
        }
    }
}

impl From<To> for Target {
    fn from(to: To) -> Self {
        match to {
            To::JsonSchema => Target::JsonSchema,
            To::Sqlite => Target::Sqlite,
            To::Postgresql => Target::Postgresql,
            To::Typescript => Target::TypeScript,
            To::Python => Target::Python,
            To::Dictionary => Target::Markdown,
            To::DictionaryHtml => Target::Html,
        }
    }
}

/// Exports schemas; yields that nothing was found.
pub(crate) fn export(arguments: &Arguments, reporter: &Reporter) -> Result<bool, Failure> {
    let inputs = inputs(&arguments.schemas)?;
    let is_one_document = !matches!(arguments.to, To::Sqlite | To::Postgresql | To::Dictionary);
    let is_folder = |out: &&Path| is_one_document && (inputs.len() > 1 || out.is_dir());
    let out = arguments
        .out
        .as_deref()
        .filter(|out| !is_standard_output(out));
    let folder = out.filter(is_folder);
    if is_one_document && inputs.len() > 1 && folder.is_none() {
        let message = "several schemas are several documents";
        let help = "name a directory for them with --out, or export them one by one";
        return Err(Failure::new(message, help));
    }
    let mut schemas = Vec::new();
    for input in &inputs {
        let read = generator::read_schema(input);
        schemas.push(schema_file::usable(read, &input.name, "export", reporter)?);
    }
    if let Some(folder) = folder {
        return into_folder(folder, arguments.to, &inputs, &schemas);
    }
    let text = generator::export_all(&schemas, arguments.to.into())
        .map_err(|error| Failure::new(error.to_string(), error.help()))?;
    if let Some(path) = out {
        written(path, &text, &inputs)?.end()?;
    } else {
        let mut out = std::io::stdout().lock();
        let printed = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        printed.map_err(|error| Failure::output(&error))?;
    }
    Ok(true)
}

/// Writes a file for each schema, which is named as its document is; all of them, or none.
fn into_folder(
    folder: &Path,
    to: To,
    inputs: &[Input],
    schemas: &[Schema],
) -> Result<bool, Failure> {
    // by names in small letters: some machines tell no others apart
    let mut files = BTreeMap::new();
    for (input, schema) in inputs.iter().zip(schemas) {
        let name = format!("{}.{}", stem(input, schema), to.ending());
        let text = generator::export(schema, to.into())
            .map_err(|error| Failure::new(error.to_string(), error.help()))?;
        if files
            .insert(name.to_lowercase(), (name.clone(), text))
            .is_some()
        {
            let message = format!("two of the schemas would be the file {name}");
            return Err(Failure::new(message, "rename one of their documents"));
        }
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::file("create", folder, &error))?;
    let files = files.into_values();
    let files = files.map(|(name, text)| written(&folder.join(name), &text, inputs));
    let files: Vec<Output> = files.collect::<Result<_, _>>()?;
    files.into_iter().try_for_each(Output::end)?;
    Ok(true)
}

/// A file with all of its text, which has not yet taken its place. A document that was read is not written over.
fn written(path: &Path, text: &str, inputs: &[Input]) -> Result<Output, Failure> {
    let is_read = path.canonicalize().is_ok_and(|path| {
        let mut read = inputs.iter().map(|input| Path::new(&input.name));
        read.any(|input| input.canonicalize().is_ok_and(|input| input == path))
    });
    if is_read {
        let message = format!("{} would be written over", path.display());
        return Err(Failure::new(message, "name a place without schemas"));
    }
    let mut output = Output::create(path)?;
    output.write(|file| file.write_all(text.as_bytes()).and_then(|()| file.flush()))?;
    Ok(output)
}

/// What the file of a schema is called: as its document, or as the schema, where that came by standard input.
fn stem(input: &Input, schema: &Schema) -> String {
    if input.name != STANDARD_INPUT {
        let stem = Path::new(&input.name).file_stem().unwrap_or_default();
        return stem.to_string_lossy().into_owned();
    }
    let letters = schema.name.chars().flat_map(char::to_lowercase);
    let letters = letters.map(|letter| {
        if letter.is_alphanumeric() {
            letter
        } else {
            '_'
        }
    });
    let name: String = letters.collect();
    if generator::is_device(&name) {
        return name + "_";
    }
    name
}

fn inputs(paths: &[PathBuf]) -> Result<Vec<Input>, Failure> {
    let mut inputs = Vec::new();
    for path in paths {
        if is_standard_input(path) {
            let text = std::io::read_to_string(std::io::stdin());
            let text = text.map_err(|error| Failure::file("read", path, &error))?;
            inputs.push(Input::new(STANDARD_INPUT, text));
            continue;
        }
        for file in generator::schema_files(path)? {
            inputs.push(generator::read(&file)?);
        }
    }
    if inputs.is_empty() {
        let message = "there is no *.json file in these directories";
        return Err(Failure::new(message, "name a schema file"));
    }
    Ok(inputs)
}
