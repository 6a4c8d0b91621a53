//! What the command line says of fetching. It asks nobody.

use crate::findings::FormatOption;
use std::path::PathBuf;

/// The examples under `generator fetch --help`.
const EXAMPLES: &str = "\
The credential is read from the environment: FIELDSTONE_API_KEY, or FIELDSTONE_CLIENT_ID and \
FIELDSTONE_CLIENT_SECRET.

Examples:
  generator fetch https://data.example.org --schema Airport
                                             write airport.json to this directory
  generator fetch https://data.example.org --area Places --all --dir schemas
                                             every schema of an area, one file each
  generator fetch https://data.example.org --all --out src/generated
                                             the types of every schema at once

Exit codes:
  0  done
  1  with --out an invalid schema, or with --check a file that differs
  2  wrong usage, or what can't be fetched, read or written";

/// Fetch schemas from a running service
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = clap::ArgGroup::new("chosen").args(["schemas", "all"]).required(true).multiple(true))]
pub(crate) struct Arguments {
    /// The service's base address
    #[arg(value_name = "URL")]
    pub(super) url: String,

    /// A schema, by id or name; may be given several times
    #[arg(long = "schema", value_name = "ID|NAME")]
    pub(super) schemas: Vec<String>,

    /// Every schema that the credential may see
    #[arg(long, conflicts_with = "schemas")]
    pub(super) all: bool,

    /// Look only in this business area, by id or name
    #[arg(long, value_name = "ID|NAME")]
    pub(super) area: Option<String>,

    /// Write the schema files to this directory, with a list of where each came from
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "out")]
    pub(crate) dir: PathBuf,

    /// Write generated types to this directory instead of schema files
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// A file with certificates (PEM) to trust in place of the machine's own; without it, the one that `FIELDSTONE_CA_FILE`
    /// names, if it does
    #[arg(long, value_name = "FILE")]
    pub(super) ca_file: Option<PathBuf>,

    /// Write nothing; exit 1 and show what would change in the directory
    #[arg(long)]
    pub(crate) check: bool,

    /// What the generated code calls the runtime, such as `fieldstone` or `crate::runtime`
    #[arg(long, value_name = "PATH", requires = "out", conflicts_with = "dir")]
    pub(crate) runtime: Option<String>,

    /// Tell errors only: no warnings, no notes, no files that were written
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Keep every identifier that this file knows, and note new ones in it; with --check a stale one is a finding.
    /// Build scripts read it (`Config::lock_file`)
    #[arg(long, value_name = "FILE", requires = "out", conflicts_with = "dir")]
    pub(crate) lock: Option<PathBuf>,

    /// Find the identifier of a field anew, told as `Schema.Field`, by its display name or its id; the old name stays as
    /// a deprecated accessor until the schema's next version. May be given several times
    #[arg(
        long,
        value_name = "FIELD",
        requires = "lock",
        conflicts_with = "check"
    )]
    pub(crate) relock: Vec<String>,

    /// Keep codes that the enum of a static picklist does not have, told as `Schema.Field`, by its display name or its
    /// id; `*` is every static picklist. May be given several times
    #[arg(long, value_name = "FIELD", requires = "out", conflicts_with = "dir")]
    pub(crate) open_picklist: Vec<String>,

    #[command(flatten)]
    pub(crate) output: FormatOption,
}

impl Arguments {
    /// The base address of the service, where all of its schemas are fetched.
    pub(crate) fn whole(&self) -> Option<&str> {
        let is_whole = self.all && self.area.is_none();
        is_whole.then(|| self.url.trim().trim_end_matches('/'))
    }
}
