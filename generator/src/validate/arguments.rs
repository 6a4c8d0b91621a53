//! What the command line says of validating. It opens nothing.

use crate::data_files::FileOptions;
use std::path::PathBuf;

/// The examples under `generator validate --help`.
const EXAMPLES: &str = "\
Examples:
  generator validate customer.json customers.csv
                                             every fault with its line, column, field and rule
  generator validate customer.json customers.csv --map \"Kundennr=Customer No\" --split ';'
                                             a column under another name, several values in a cell
  zcat dump.gz | generator validate customer.json - --format json
                                             standard input; findings as JSON, one a line
  generator validate customer.json in.csv --normal-form clean.ndjson --rejects mend.csv
                                             clean rows as they would be stored, others as they are

Reads CSV, NDJSON and JSON arrays, also packed with gzip or zstd, and finds by its content what a file is.

A duplicate primary key is shown at its later row; one that comes more than about 900,000 rows later may be shown at \
the end, when its row is in the normal form already.

Exit codes:
  0  nothing found
  1  findings
  2  wrong usage, an invalid schema, or a file that can't be read or written";

/// Check data files against a schema
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The schema document
    #[arg(value_name = "SCHEMA")]
    pub(super) schema: PathBuf,

    /// Data files, or `-` for standard input; their rows are taken as one dataset's
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,

    /// How findings are told: for people, as JSON (one a line, the summary last), as SARIF 2.1.0, or as
    /// annotations of GitHub Actions
    #[arg(long, value_name = "FORMAT", value_enum, default_value = "human")]
    pub(super) format: Format,

    /// Write each clean row as it would be stored: as CSV if the name ends in .csv, else as NDJSON
    #[arg(long, value_name = "FILE")]
    pub(super) normal_form: Option<PathBuf>,

    /// In a normal form as CSV, put ' before texts that a spreadsheet would take for a formula, and the mark of UTF-8
    /// before all
    #[arg(long, requires = "normal_form")]
    pub(super) for_spreadsheets: bool,

    /// Write each row with findings as it stands, to be mended and read again
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,

    /// The codes of data domains: a JSON object with an array of codes for each domain's id
    #[arg(long, value_name = "FILE")]
    pub(super) domains: Option<PathBuf>,

    /// The field that a column is for; `COLUMN=` leaves the column out; may be given several times
    #[arg(long = "map", value_name = "COLUMN=FIELD", value_parser = mapping)]
    pub(super) mappings: Vec<tabular::Mapping>,

    /// What parts the values of a cell of a field with several, beside JSON arrays
    #[arg(long, value_name = "CHAR")]
    pub(super) split: Option<char>,

    /// What stands before the decimals of numbers that are text: `comma` for 1.234,50, `point` for 1,234.50. Without it a
    /// point does, and 12.000 is neither a whole number nor money
    #[arg(long, value_name = "MARK", value_parser = decimal_mark)]
    pub(super) decimal_mark: Option<tabular::DecimalMark>,

    #[command(flatten)]
    pub(super) file: FileOptions,
}

impl Arguments {
    /// How everything else than findings is shown.
    pub(crate) fn format(&self) -> crate::findings::Format {
        match self.format {
            Format::Json => crate::findings::Format::Json,
            Format::Human | Format::Sarif | Format::Github => crate::findings::Format::Human,
        }
    }
}

/// How findings are told.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Format {
    Human,
    Json,
    Sarif,
    Github,
}

fn decimal_mark(text: &str) -> Result<tabular::DecimalMark, String> {
    tabular::DecimalMark::named(text).ok_or_else(|| "`comma` or `point`".to_owned())
}

fn mapping(text: &str) -> Result<tabular::Mapping, String> {
    tabular::Mapping::parse(text).ok_or_else(|| "a column, `=` and a field".to_owned())
}
