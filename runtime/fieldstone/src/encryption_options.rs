//! What an operator can say about who can read backups. Keys and passphrases come from files, never from the command line.

use crate::backup::{Encryption, Opener};
use crate::failure::usage;
use crate::secret_input;
use clap::Args;
use std::path::{Path, PathBuf};

/// For whom one backup is encrypted.
#[derive(Args)]
pub(crate) struct EncryptionOptions {
    /// Encrypts it for the holder of a key, by its public half (`age1…`); several, by commas or said again
    #[arg(
        long,
        env = "FIELDSTONE_BACKUP_ENCRYPT_TO",
        value_name = "KEY",
        value_delimiter = ','
    )]
    encrypt_to: Vec<String>,

    /// Encrypts it for who knows the passphrase in a file, `-` for standard input
    #[arg(
        long,
        env = "FIELDSTONE_BACKUP_PASSPHRASE_FILE",
        value_name = "FILE",
        conflicts_with = "encrypt_to"
    )]
    passphrase_file: Option<PathBuf>,
}

impl EncryptionOptions {
    /// `None` for everyone who has the file.
    pub(crate) fn encryption(&self) -> anyhow::Result<Option<Encryption>> {
        encryption(&self.encrypt_to, self.passphrase_file.as_deref())
    }
}

/// For whom backups are encrypted; `None` for everyone who has the file.
///
/// # Errors
/// A key that is none, a passphrase that can't be read.
pub(crate) fn encryption(
    keys: &[String],
    passphrase_file: Option<&Path>,
) -> anyhow::Result<Option<Encryption>> {
    Ok(match passphrase_file {
        Some(file) => Some(Encryption::for_passphrase(secret_input::read(file)?)),
        None if keys.is_empty() => None,
        None => Some(Encryption::for_keys(keys).map_err(|error| usage(error.to_string()))?),
    })
}

/// What opens a backup that is encrypted.
#[derive(Args)]
pub(crate) struct DecryptionOptions {
    /// A file with the secret keys that open an encrypted backup, as `age-keygen` writes it
    #[arg(long, value_name = "FILE")]
    decrypt_with: Option<PathBuf>,

    /// A file with the passphrase that opens an encrypted backup, `-` for standard input
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl DecryptionOptions {
    /// The file with the passphrase.
    pub(crate) fn passphrase_file(&self) -> Option<&Path> {
        self.passphrase_file.as_deref()
    }

    /// What opens it; nothing, where nothing is named.
    ///
    /// # Errors
    /// A file that can't be read, or holds no key.
    pub(crate) fn opener(&self) -> anyhow::Result<Opener> {
        let mut opener = Opener::default();
        if let Some(file) = &self.decrypt_with {
            opener = opener.with_keys(file)?;
        }
        if let Some(file) = &self.passphrase_file {
            opener = opener.with_passphrase(secret_input::read(file)?);
        }
        Ok(opener)
    }
}
