//! The file of signing secrets: read whole, and written in one step, for its user alone. What its lines mean is
//! told beside it.

use super::SigningSecrets;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use store::StoreError;

/// The file's name in a data folder, unless a setting names another file.
pub const SIGNING_SECRET_FILE: &str = "fieldstone.secret";

/// Bytes that a file has at most.
const BYTES_MAX: u64 = 1 << 20;

/// Why signing secrets can't be had or changed.
#[derive(Debug, thiserror::Error)]
pub enum SigningSecretError {
    /// The service was made without a file of secrets, and its store keeps none, since other servers have a file.
    #[error(
        "the signing secret is not in the store: its servers have it in a file; name that (--signing-secret-file)"
    )]
    NoFile,
    /// There is no file, and the store keeps none itself, though its tenants had some.
    #[error(
        "the file of signing secrets {} is not there: a server makes a new one, and links that are out stop working; if it is another file, name that (--signing-secret-file), else bring it back from a backup",
        .path.display()
    )]
    Lost {
        /// Which file.
        path: PathBuf,
    },
    /// The store that keeps the secrets failed.
    #[error("the store that keeps the signing secrets failed")]
    Store(#[source] StoreError),
    /// The file can't be read or written.
    #[error("the file of signing secrets {} can't be used", .path.display())]
    Unusable {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is no list of secrets.
    #[error("the file of signing secrets {} can't be read: {problem}", .path.display())]
    Unreadable {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it, without what it holds.
        problem: String,
    },
}

impl From<SigningSecretError> for StoreError {
    fn from(error: SigningSecretError) -> Self {
        match error {
            SigningSecretError::Store(error) => error,
            error => StoreError::File(io::Error::other(error)),
        }
    }
}

/// A file of secrets.
pub(crate) struct SigningSecretFile {
    path: PathBuf,
}

impl SigningSecretFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        SigningSecretFile { path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// A file that was there is there no more.
    pub(super) fn is_gone(&self) -> SigningSecretError {
        self.unusable(io::ErrorKind::NotFound.into())
    }

    /// There is no file, and should be one.
    pub(super) fn is_lost(&self) -> SigningSecretError {
        SigningSecretError::Lost {
            path: self.path.clone(),
        }
    }

    /// The secrets; `None` where there is no file.
    pub(super) fn read(&self) -> Result<Option<SigningSecrets>, SigningSecretError> {
        let read = || {
            if std::fs::metadata(&self.path)?.len() > BYTES_MAX {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            std::fs::read_to_string(&self.path)
        };
        let text = match read() {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.unusable(error)),
        };
        let secrets = SigningSecrets::parse(&text);
        secrets
            .map(Some)
            .map_err(|problem| SigningSecretError::Unreadable {
                path: self.path.clone(),
                problem,
            })
    }

    /// Puts the secrets in place of those that were there: all of them or, when it fails, none.
    pub(super) fn write(&self, secrets: &SigningSecrets) -> Result<(), SigningSecretError> {
        self.replace(secrets).map_err(|error| self.unusable(error))
    }

    fn replace(&self, secrets: &SigningSecrets) -> io::Result<()> {
        // a link stays one: what it leads to is replaced
        let place = self.path.canonicalize();
        let place = place.unwrap_or_else(|_| self.path.clone());
        let mut name = place.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let new = place.with_file_name(name);
        // what a crash left behind keeps its mode when it is opened, so it goes first
        match std::fs::remove_file(&new) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&new)?;
        file.write_all(secrets.to_text().as_bytes())?;
        file.sync_all()?;
        std::fs::rename(&new, &place)?;
        // the name is on disk once its folder is; where a folder can't be opened, the system sees to it
        if let Some(Ok(folder)) = place.parent().map(std::fs::File::open) {
            folder.sync_all()?;
        }
        Ok(())
    }

    fn unusable(&self, source: io::Error) -> SigningSecretError {
        SigningSecretError::Unusable {
            path: self.path.clone(),
            source,
        }
    }
}
