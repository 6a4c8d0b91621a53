//! Verifies the store of a folder and the search index beside it, reading only: also beside the process that has it. What is
//! wrong with an index stands apart, because it is made of the records and can be made of them again.

use super::access::Untouched;
use super::{SqliteStore, check, commit_mark, data_folder, open, search};
use crate::error::Failure;
use std::path::Path;
use store::StoreError;

/// What contradicts in a folder.
#[derive(Debug, Default)]
pub struct FolderCheck {
    /// In the store itself.
    pub store: Vec<String>,
    /// In its search index.
    pub index: Vec<String>,
}

impl SqliteStore {
    /// Checks the store of a folder and the search index beside it, reading only: also beside the process that has it.
    ///
    /// # Errors
    /// When there is no store, it is from a newer version, or the disk fails.
    pub fn check_folder(folder: &Path) -> Result<Vec<String>, StoreError> {
        let FolderCheck { mut store, index } = Self::check_folder_in_parts(folder)?;
        store.extend(index);
        Ok(store)
    }

    /// The same, with what is wrong with the index by itself.
    ///
    /// # Errors
    /// As of [`check_folder`](Self::check_folder).
    pub fn check_folder_in_parts(folder: &Path) -> Result<FolderCheck, StoreError> {
        data_folder::refuse_link(folder)?;
        let file = folder.join(data_folder::FILE);
        let _untouched = Untouched::of(&file);
        // a log that someone writes goes on while it is looked at
        let lost = if data_folder::is_held(folder) {
            None
        } else {
            commit_mark::contradiction(&file)?
        };
        let looked = || -> Result<_, Failure> {
            let connection = open::existing(folder)?;
            Ok(FolderCheck {
                store: check::check(&connection)?,
                index: search::check(folder, &connection)?,
            })
        };
        let Some(lost) = lost else {
            return Ok(looked()?);
        };
        // with another's log there may be nothing to look at
        let mut found = looked().unwrap_or_default();
        let lost = format!("the database {lost}: what was written last may be lost");
        found.store.insert(0, lost);
        Ok(found)
    }
}
