//! Why nothing was fetched, and what to do. No text holds a credential.

use crate::data_files::Failure;
use std::path::Path;

/// Why nothing was fetched.
#[derive(Debug)]
pub(crate) struct FetchError {
    message: String,
    help: String,
}

impl FetchError {
    /// An error and what to do about it.
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        FetchError {
            message: message.into(),
            help: help.into(),
        }
    }

    /// A file that can't be used.
    pub(super) fn file(action: &str, path: &Path, error: &std::io::Error) -> Self {
        let help = if error.kind() == std::io::ErrorKind::InvalidData {
            generator::Error::help_with_file(error)
        } else {
            "may this user write there, and is there room?"
        };
        FetchError::new(format!("can't {action} {}: {error}", path.display()), help)
    }

    /// The error as any command has it.
    pub(crate) fn into_failure(self) -> Failure {
        Failure::new(self.message, self.help)
    }
}
