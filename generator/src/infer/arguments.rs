//! What the command line says of inferring. It opens nothing.

use crate::data_files::FileOptions;
use std::path::PathBuf;

/// The examples under `generator infer --help`.
const EXAMPLES: &str = "\
Examples:
  generator infer customers.csv              print a schema, and why it says what it says
  generator infer customers.csv --out customer.json --name Customer
                                             write the schema to a file; the evidence is printed
  generator infer dump.ndjson.gz | generator -
                                             types of a data file at once

A proposal to be read and mended: data show what is, not what may be.
Exit codes: 0 a schema is proposed, 1 the file has no rows or names no schema can have, 2 wrong usage";

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
}
