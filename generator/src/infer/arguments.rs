//! What the command line says of inferring. It opens nothing.

use crate::data_files::FileOptions;
use crate::findings::FormatOption;
use crate::output_file::is_standard_output;
use std::path::PathBuf;

/// The examples under `generator infer --help`.
const EXAMPLES: &str = "\
Examples:
  generator infer customers.csv              print a schema, and why it says what it says
  generator infer customers.csv --out customer.json --name Customer
                                             write the schema to a file; the evidence is printed
  generator infer dump.ndjson.gz | generator -
                                             types of a data file at once

A proposal to be read and mended: data show what is, not what may be. What it takes:
  picklist     2 to 30 different texts of at most 40 characters, each in 10 rows on average
  primary key  the first column of texts or whole numbers that are there in each row and all differ,
               from 2 rows on; below 20 rows a note asks to look twice
  required     a value in each row

Exit codes:
  0  a schema is proposed
  1  the file has no rows, or names that no schema can have
  2  wrong usage, or a file that can't be read or written";

/// Propose a schema for a data file, with the evidence for each setting
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// A data file, or `-` for standard input
    #[arg(value_name = "FILE")]
    pub(super) file: PathBuf,

    /// Write the schema to this file, instead of printing it (`-` prints it)
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,

    /// The schema's name, if not the file's
    #[arg(long, value_name = "NAME")]
    pub(super) name: Option<String>,

    #[command(flatten)]
    pub(super) options: FileOptions,

    #[command(flatten)]
    pub(crate) output: FormatOption,
}

impl Arguments {
    /// Whether the schema goes to standard output.
    pub(crate) fn prints_schema(&self) -> bool {
        self.out.as_deref().is_none_or(is_standard_output)
    }
}
