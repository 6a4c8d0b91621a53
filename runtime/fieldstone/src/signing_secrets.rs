//! Whether the signing secrets of a store can be had, in the words of those who look at a store, or make a backup of it or
//! another store of that. They are looked for as by a server that begins; nothing is made, and nothing of them is told.

use service::signing::require_secrets;
use std::path::Path;
use store::catalog::Catalog;

/// How what is told of them begins, among other problems.
const BEGINNING: &str = "the signing secrets: ";

/// What is wrong with them; `None` where nothing is. Without a file, the store is to keep them itself.
pub(crate) fn problem(file: Option<&Path>, catalog: &Catalog) -> Option<String> {
    let error = require_secrets(file, catalog).err()?;
    Some(format!("{BEGINNING}{:#}", anyhow::Error::new(error)))
}

/// Whether a problem is one of them.
pub(crate) fn is_of_secrets(problem: &str) -> bool {
    problem.starts_with(BEGINNING)
}
