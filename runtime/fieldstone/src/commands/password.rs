//! The password of a user who is made, wherever it comes from.

use crate::secret_input;
use clap::Args;
use std::path::PathBuf;

/// Where the password is.
#[derive(Args)]
pub(crate) struct PasswordArgs {
    /// A file with the password, `-` for standard input. Without it, the environment's counts (`FIELDSTONE_PASSWORD`);
    /// without both, a password is made and printed once
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,

    /// Refused on the command line, where `ps` shows it
    #[arg(
        long,
        env = "FIELDSTONE_PASSWORD",
        value_name = "PASSWORD",
        hide = true,
        hide_env_values = true
    )]
    password: Option<String>,
}

impl PasswordArgs {
    /// The password; `None` where one is to be made.
    pub(crate) fn read(self) -> anyhow::Result<Option<String>> {
        match self.password_file {
            Some(path) => secret_input::read(&path).map(Some),
            None => Ok(self.password),
        }
    }
}
