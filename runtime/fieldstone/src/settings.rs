//! What an operator can tell every command. A flag wins over the environment, that over the settings file,
//! that over the default.

use crate::database_options::DatabaseOptions;
use crate::plain_links::PlainLinks;
use clap::{Args, ValueEnum};
use service::signing::SIGNING_SECRET_FILE;
use service::{BreachedPasswords, BreachedPasswordsError};
use std::path::PathBuf;

/// What every command can be told.
#[derive(Args, Clone)]
#[command(next_help_heading = "Settings of every command")]
pub(crate) struct Common {
    /// A TOML file with settings, named as the flags
    #[arg(long, global = true, env = "FIELDSTONE_CONFIG", value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// The data folder
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_DATA",
        value_name = "DIR",
        default_value = "fieldstone-data"
    )]
    pub(crate) data: PathBuf,

    /// The file of signing secrets; without it, fieldstone.secret in the data folder. Made where there is none
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_SIGNING_SECRET_FILE",
        value_name = "FILE"
    )]
    pub(crate) signing_secret_file: Option<PathBuf>,

    /// How results and errors are printed: for people, or as one JSON document on standard output
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_FORMAT",
        value_enum,
        value_name = "FORMAT",
        default_value = "text"
    )]
    pub(crate) format: Format,

    /// A list of passwords that became known by breaches elsewhere and that nobody may choose: SHA-1 in hex, one a
    /// line, in order, as such lists are distributed. It is searched where it is, so it may have many gigabytes
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_BREACHED_PASSWORDS",
        value_name = "FILE"
    )]
    breached_passwords: Option<PathBuf>,

    /// What is logged: error, warn, info, debug, trace or off, also by room (`info,store=debug`)
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_LOG",
        value_name = "LEVEL",
        default_value = "info"
    )]
    pub(crate) log: String,

    /// The form of the log's lines
    #[arg(
        long,
        global = true,
        env = "FIELDSTONE_LOG_FORMAT",
        value_enum,
        value_name = "FORMAT",
        default_value = "text"
    )]
    pub(crate) log_format: LogFormat,

    #[command(flatten)]
    pub(crate) plain_links: PlainLinks,

    // last: what stands behind it would have its heading
    #[command(flatten)]
    pub(crate) database: DatabaseOptions,
}

impl Common {
    /// The file of signing secrets.
    pub(crate) fn signing_secret_file(&self) -> PathBuf {
        let own = || self.data.join(SIGNING_SECRET_FILE);
        self.signing_secret_file.clone().unwrap_or_else(own)
    }

    /// The list of breached passwords, open; `None` where there is none to ask.
    pub(crate) fn breached_passwords(
        &self,
    ) -> Result<Option<BreachedPasswords>, BreachedPasswordsError> {
        let path = self.breached_passwords.as_deref();
        path.map(BreachedPasswords::open).transpose()
    }
}

/// How results and errors are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; a manifest is YAML.
    #[value(alias = "yaml")]
    Text,
    /// For programs: one JSON document.
    Json,
}

/// How a line of the log looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For machines: one JSON object a line.
    Json,
}
