//! A data folder, opened whole: the store, and the search index beside it.

use crate::{SqliteOptions, SqliteSearch, SqliteStore};
use std::path::Path;
use std::sync::Arc;
use store::StoreError;

/// The databases of a data folder.
#[derive(Clone, Debug)]
pub struct SqliteFolder {
    /// Catalog, records, and what is known of files.
    pub store: Arc<SqliteStore>,
    /// The index.
    pub index: Arc<SqliteSearch>,
}

impl SqliteFolder {
    /// Opens the databases of a folder, making what is not there, and locks the folder.
    ///
    /// # Errors
    /// Those of [`SqliteStore::open`].
    pub fn open(folder: &Path, options: SqliteOptions) -> Result<Self, StoreError> {
        // the store first: it has the folder's lock
        let store = SqliteStore::open_with(folder, options)?;
        Ok(SqliteFolder {
            store: Arc::new(store),
            index: Arc::new(SqliteSearch::open(folder)?),
        })
    }
}
