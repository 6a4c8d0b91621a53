//! What the command line says of comparing. It opens nothing.

use crate::data_files::FileOptions;
use std::path::PathBuf;

/// The examples under `generator diff --help`.
const EXAMPLES: &str = "\
Examples:
  generator diff old/airport.json airport.json
                                             every difference, and whom it concerns
  generator diff git:main:schemas schemas --fail-on api,data
                                             in CI: a branch beside main, folder by folder
  generator diff src/generated https://data.example.org --fail-on readers,writers
                                             whether a running service fits the types
  generator diff old.json new.json --records rows.csv
                                             how many rows would become faulty, and where
  generator diff https://data.example.org new.json --records https://data.example.org
                                             how many records of its dataset would
  generator diff git:main:schemas schemas --format markdown >> \"$GITHUB_STEP_SUMMARY\"
                                             for a pull request

A schema is a file, `-`, a folder (its *.json, or the code that was generated into it), `git:REVISION:PATH` of a file \
or folder, or the base address of a running service, with a credential in the environment as for `generator fetch`. A \
file that ends in .rs is generated code.

Fields are matched by their fieldId; where ids were made of names, or the schemas share none, by name.

Exit codes:
  0  nothing found
  1  something differs (or concerns who is named by --fail-on)
  2  wrong usage, an invalid schema, or something that can't be read";

/// Compare schemas, and tell whom each difference concerns
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The schema or schemas as they were
    #[arg(value_name = "OLD")]
    pub(super) old: String,

    /// The schema or schemas as they are to be
    #[arg(value_name = "NEW")]
    pub(super) new: String,

    /// Exit 1 only if one of these is concerned: `data` (stored values become faulty), `api` (code that uses
    /// generated types may not compile any more), `readers`, `writers`
    #[arg(long, value_name = "AUDIENCE", value_enum, value_delimiter = ',')]
    pub(super) fail_on: Vec<Audience>,

    /// How differences are told
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "text")]
    pub(super) format: Format,

    /// Compare only this schema, by id or name; may be given several times
    #[arg(long = "schema", value_name = "ID|NAME")]
    pub(super) schemas: Vec<String>,

    /// The lock that keeps the names of the generated code; without one, they are those of a first generation
    #[arg(long, value_name = "FILE")]
    pub(super) lock: Option<PathBuf>,

    /// Count the rows of this file that become faulty: they are read under the old schema, carried over and
    /// judged under the new one. `--fail-on data` then goes by them. An address is that of a dataset of the old schema,
    /// or of a service that has it
    #[arg(long, value_name = "FILE|URL")]
    pub(super) records: Option<PathBuf>,

    /// The dataset of the service at --records, by id or name, where the schema has several
    #[arg(long, value_name = "ID|NAME", requires = "records")]
    pub(super) dataset: Option<String>,

    /// The codes of data domains, for --records: a JSON object with an array of codes for each domain's id
    #[arg(long, value_name = "FILE", requires = "records")]
    pub(super) domains: Option<PathBuf>,

    #[command(flatten)]
    pub(super) file: FileOptions,
}

impl Arguments {
    /// How everything else than differences is shown.
    pub(crate) fn format(&self) -> crate::findings::Format {
        match self.format {
            Format::Json => crate::findings::Format::Json,
            Format::Text | Format::Markdown => crate::findings::Format::Human,
        }
    }
}

/// Who may be concerned.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Audience {
    Data,
    Api,
    Readers,
    Writers,
}

/// How differences are told.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
    Markdown,
}
