//! The commands, one file each: they read arguments, ask for the work, and print what came of it.

pub(crate) mod apply;
pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod client;
pub(crate) mod compact;
mod credential;
pub(crate) mod export;
pub(crate) mod health;
pub(crate) mod import;
pub(crate) mod index;
pub(crate) mod init;
pub(crate) mod jobs;
pub(crate) mod key;
pub(crate) mod manifest;
pub(crate) mod manual;
pub(crate) mod migrate;
pub(crate) mod move_store;
pub(crate) mod openapi;
mod password;
pub(crate) mod repair;
pub(crate) mod restore;
pub(crate) mod secret;
pub(crate) mod serve;
pub(crate) mod tenant;
pub(crate) mod user;

use clap::Subcommand;

/// A command.
#[derive(Subcommand)]
pub(crate) enum Command {
    /// Serve the data folder over HTTP
    Serve(Box<serve::ServeOptions>),
    /// Make a tenant and its administrator
    Init(init::InitOptions),
    /// Bring the store to what manifests say: tenants, areas, schemas, datasets, records, credentials
    Apply(apply::ApplyOptions),
    /// Manifests of what is there
    #[command(subcommand)]
    Manifest(manifest::ManifestCommand),
    /// Make records of a dataset of the rows of files
    Import(Box<import::Options>),
    /// Write the records of a dataset to a file
    Export(Box<export::Options>),
    /// Change the values of one field in many records, or try to
    Repair(Box<repair::Options>),
    /// Imports, exports and repairs that go on, wait, or have ended; what they wrote can be undone
    #[command(subcommand)]
    Jobs(Box<jobs::JobsCommand>),
    /// API keys
    #[command(subcommand)]
    Key(key::KeyCommand),
    /// Application clients
    #[command(subcommand)]
    Client(client::ClientCommand),
    /// Users
    #[command(subcommand)]
    User(user::UserCommand),
    /// Tenants
    #[command(subcommand)]
    Tenant(tenant::TenantCommand),
    /// The signing secret
    #[command(subcommand)]
    Secret(secret::SecretCommand),
    /// The search index
    #[command(subcommand)]
    Index(index::IndexCommand),
    /// Verify every index, counter and primary key against the records, and that the contents of files are there with
    /// their sizes, in the data folder or the bucket that is named; also beside a running server
    Check(Box<check::CheckOptions>),
    /// Back up the data folder, its files and secrets, also beside a running server
    Backup(Box<backup::BackupOptions>),
    /// Make a new data folder of a backup
    Restore(Box<restore::RestoreOptions>),
    /// Write the databases of the data folder anew, without what was removed and without free room in them; not beside a
    /// server
    Compact,
    /// Make the tables of a database, or bring them to this version; any number of programs may do so at once, and a server
    /// does it by itself
    Migrate,
    /// Copy a whole deployment from a data folder into a database, back, or to another of its kind, and compare both
    Move(Box<move_store::MoveOptions>),
    /// Ask the server of the data folder whether it is ready: its store can be read and takes writes
    Health,
    /// Print the OpenAPI document of both interfaces
    Openapi,
    /// Print what a shell needs to complete commands and flags
    Completions(manual::CompletionsOptions),
    /// Print the manual page, or write one for each command
    Man(manual::ManOptions),
}

impl Command {
    /// Whether all that it does is to show something, of which a reader may take as much as it likes.
    pub(crate) fn only_shows(&self) -> bool {
        match self {
            Command::Manifest(verb) => matches!(verb, manifest::ManifestCommand::Schema),
            Command::Jobs(verb) => {
                matches!(
                    **verb,
                    jobs::JobsCommand::List(_) | jobs::JobsCommand::Show(_)
                )
            }
            Command::Key(verb) => matches!(verb, key::KeyCommand::List(_)),
            Command::Client(verb) => matches!(verb, client::ClientCommand::List(_)),
            Command::User(verb) => matches!(verb, user::UserCommand::List(_)),
            Command::Tenant(verb) => matches!(verb, tenant::TenantCommand::List(_)),
            Command::Health | Command::Openapi | Command::Completions(_) | Command::Man(_) => true,
            Command::Serve(_)
            | Command::Init(_)
            | Command::Apply(_)
            | Command::Import(_)
            | Command::Export(_)
            | Command::Repair(_)
            | Command::Secret(_)
            | Command::Index(_)
            | Command::Check(_)
            | Command::Backup(_)
            | Command::Restore(_)
            | Command::Compact
            | Command::Migrate
            | Command::Move(_) => false,
        }
    }
}

/// The name of an encoding on the command line.
fn encoding(name: &str) -> Result<String, String> {
    match service::Encoding::named(name) {
        Some(encoding) => Ok(encoding.name().to_owned()),
        None => Err(format!(
            "must be one of {}",
            service::Encoding::ALL
                .map(service::Encoding::name)
                .join(", ")
        )),
    }
}

/// A character on the command line: one, or `tab`.
fn letter(text: &str) -> Result<char, String> {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        _ if text == "tab" => Ok('\t'),
        (Some(letter), None) => Ok(letter),
        _ => Err("one character, or `tab`".to_owned()),
    }
}
