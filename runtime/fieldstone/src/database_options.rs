//! What an operator can set about a database that keeps the store in place of the data folder.

use crate::secret_input;
use anyhow::Context as _;
use clap::Args;
use manifest::failure::{Failure, FailureCode};
use postgres::{Password, PostgresOptions, PostgresStore};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Where the database is, and what opens it.
#[derive(Args, Clone)]
#[command(next_help_heading = "Settings of a database")]
pub(crate) struct DatabaseOptions {
    /// A database that speaks PostgreSQL's protocol (`postgres://USER@HOST/NAME`, several hosts separated by commas)
    /// and keeps the store in place of the data folder; any number of servers may share it. A password in it is
    /// refused on the command line, where `ps` shows it
    #[arg(
        id = "database",
        long = "database",
        global = true,
        env = "FIELDSTONE_DATABASE",
        value_name = "URL",
        hide_env_values = true,
        hide_default_value = true
    )]
    pub(crate) address: Option<String>,

    /// A file with the database's password, read again for each new connection; `-` for standard input
    #[arg(
        id = "database-password-file",
        long = "database-password-file",
        global = true,
        env = "FIELDSTONE_DATABASE_PASSWORD_FILE",
        value_name = "FILE"
    )]
    password_file: Option<PathBuf>,

    /// Root certificates (PEM) by which the database proves who it is, with `sslmode=require` in its address; without
    /// it, those that the machine trusts
    #[arg(
        id = "database-root-certificates",
        long = "database-root-certificates",
        global = true,
        env = "FIELDSTONE_DATABASE_ROOT_CERTIFICATES",
        value_name = "FILE"
    )]
    root_certificates: Option<PathBuf>,

    /// Connections to the database at most
    #[arg(
        id = "database-connections",
        long = "database-connections",
        global = true,
        env = "FIELDSTONE_DATABASE_CONNECTIONS",
        value_name = "COUNT",
        default_value_t = 16,
        value_parser = clap::value_parser!(u16).range(2..)
    )]
    connections_max: u16,

    /// Seconds that the database may go without an answer before a connection to it counts as lost, 3600 at most
    #[arg(
        id = "database-answer-seconds",
        long = "database-answer-seconds",
        global = true,
        env = "FIELDSTONE_DATABASE_ANSWER_SECONDS",
        value_name = "SECONDS",
        default_value_t = 15,
        value_parser = clap::value_parser!(u64).range(1..=3600)
    )]
    answer_seconds: u64,
}

impl DatabaseOptions {
    /// The address, where a database keeps the store.
    pub(crate) fn address(&self) -> Option<&str> {
        self.address
            .as_deref()
            .filter(|address| !address.is_empty())
    }

    /// The file with its password, where a database keeps the store.
    pub(crate) fn password_file(&self) -> Option<&Path> {
        self.address().and(self.password_file.as_deref())
    }

    /// How it is opened.
    pub(crate) fn options(&self) -> anyhow::Result<PostgresOptions> {
        let password = self.password_file.as_deref().map(password);
        Ok(PostgresOptions {
            connections_max: self.connections_max.into(),
            answer: Duration::from_secs(self.answer_seconds),
            password: password.transpose()?,
            root_certificates: self.root_certificates.clone(),
        })
    }
}

/// The password in a file. It is read again for each connection, unless it comes from what can be read once, as standard input.
pub(crate) fn password(file: &Path) -> anyhow::Result<Password> {
    let first = secret_input::read(file)?;
    if file == Path::new("-") || !file.is_file() {
        return Ok(Password::fixed(first));
    }
    let file = file.to_owned();
    let read = move || secret_input::read(&file).map_err(|error| format!("{error:#}"));
    Ok(Password::read_again(first, read))
}

/// Refuses a database without a store; nothing is made there.
pub(crate) async fn require_store(address: &str, options: &PostgresOptions) -> anyhow::Result<()> {
    let shown = postgres::shown(address);
    let is_there = PostgresStore::is_in(address, options).await;
    if is_there.with_context(|| format!("can't open {shown}"))? {
        return Ok(());
    }
    Err(no_store(&shown))
}

/// What is told of a database without a store.
pub(crate) fn no_store(shown: &str) -> anyhow::Error {
    let message = format!("{shown} holds no store; make one with `fieldstone init`");
    Failure::new(FailureCode::NoStore, message).into()
}
