//! Whether the signing secrets of a store can be had, in the words of those who look at a store, or make a backup of it or
//! another store of that. They are looked for as by a server that begins; nothing is made, and nothing of them is told.

use service::signing::{SigningSecretError, require_secrets};
use std::path::Path;
use store::catalog::Catalog;

/// How what is told of them begins, among other problems.
const BEGINNING: &str = "the signing secrets: ";

/// What is wrong with them; `None` where nothing is. Without a file, the store is to keep them itself.
pub(crate) fn problem(file: Option<&Path>, catalog: &Catalog) -> Option<String> {
    let error = require_secrets(file, catalog).err()?;
    Some(format!("{BEGINNING}{:#}", anyhow::Error::new(error)))
}

/// What is wrong with those that came out of a backup, whose file has no name that anyone knows.
pub(crate) fn problem_in_backup(file: &Path, catalog: &Catalog) -> Option<String> {
    let why = match require_secrets(Some(file), catalog).err()? {
        SigningSecretError::Unreadable { problem, .. } => {
            format!("those in it can't be read: {problem}")
        }
        SigningSecretError::Unusable { source, .. } => {
            format!("those in it can't be read: {source}")
        }
        SigningSecretError::Lost { .. }
        | SigningSecretError::NoFile
        | SigningSecretError::Store(_) => "it has none".to_owned(),
    };
    Some(format!(
        "{BEGINNING}{why}; the next start makes a new one, and links that are out stop working"
    ))
}

/// Whether a problem is one of them.
pub(crate) fn is_of_secrets(problem: &str) -> bool {
    problem.starts_with(BEGINNING)
}
