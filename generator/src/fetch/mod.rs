//! Fetching: schema-detail documents from a running service, by the data interface alone. It finds
//! areas and schemas by id or name, and writes what the service served, byte for byte, or hands it to
//! the generator. It changes nothing at the service and reads no record.

mod failure;
mod files;
mod interface;
mod service;

pub(crate) use failure::Failure;
pub(crate) use files::keep;

use generator::Input;
use service::Service;
use std::path::PathBuf;

/// The examples under `generator fetch --help`.
const EXAMPLES: &str = "\
The credential is read from the environment: FIELDSTONE_API_KEY, or FIELDSTONE_CLIENT_ID and
FIELDSTONE_CLIENT_SECRET.

Examples:
  generator fetch https://data.example.org --schema Airport
                                             write airport.json to this directory
  generator fetch https://data.example.org --area Places --all --dir schemas
                                             every schema of an area, one file each
  generator fetch https://data.example.org --all --out src/generated
                                             the types of every schema at once";

/// Fetch schemas from a running service
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The service's base address
    #[arg(value_name = "URL")]
    url: String,

    /// A schema, by id or name; may be given several times
    #[arg(
        long = "schema",
        value_name = "ID|NAME",
        required_unless_present = "all"
    )]
    schemas: Vec<String>,

    /// Every schema that the credential may see
    #[arg(long, conflicts_with = "schemas")]
    all: bool,

    /// Look only in this business area, by id or name
    #[arg(long, value_name = "ID|NAME")]
    area: Option<String>,

    /// Write the schema files to this directory, with a list of where each came from
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "out")]
    pub(crate) dir: PathBuf,

    /// Write generated types to this directory instead of schema files
    #[arg(short, long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Write nothing; exit 1 and show what would change in the directory of --out
    #[arg(long, requires = "out")]
    pub(crate) check: bool,

    /// What the generated code calls the runtime, such as `fieldstone` or `crate::runtime`
    #[arg(long, value_name = "PATH", requires = "out")]
    pub(crate) runtime: Option<String>,
}

/// One schema, and where it came from.
pub(crate) struct Fetched {
    /// The address of its document.
    pub(crate) address: String,
    /// `schemaId`
    pub(crate) id: String,
    /// `name`
    pub(crate) name: String,
    /// `version`, as it was written; empty when the document has none.
    pub(crate) version: String,
    /// The document as the service served it.
    pub(crate) text: String,
}

impl Fetched {
    /// The document for the generator.
    pub(crate) fn input(&self) -> Input {
        Input::new(&self.address, &self.text)
    }
}

/// Fetches what the arguments ask for.
pub(crate) fn fetch(arguments: &Arguments) -> Result<Vec<Fetched>, Failure> {
    let service = Service::open(&arguments.url)?;
    let all = interface::schemas(&service, arguments.area.as_deref())?;
    let chosen = if arguments.all {
        if all.is_empty() {
            return Err(Failure::new(
                "the credential sees no schema",
                "grant it a business area, and a role that may view SCHEMA MODELS",
            ));
        }
        all.iter().collect()
    } else {
        interface::choose(&all, &arguments.schemas)?
    };
    chosen
        .into_iter()
        .map(|entry| interface::document(&service, entry))
        .collect()
}
