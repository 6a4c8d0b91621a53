//! A data folder, opened whole: the store, and the search index beside it.

use crate::{Access, SqliteOptions, SqliteSearch, SqliteStore};
use std::path::Path;
use std::sync::Arc;
use store::{Records as _, StoreError};

/// The databases of a data folder.
#[derive(Clone, Debug)]
pub struct SqliteFolder {
    /// Catalog, records, and what is known of files.
    pub store: Arc<SqliteStore>,
    /// The index; none where it can't be made or read. The store is none the worse.
    pub index: Option<Arc<SqliteSearch>>,
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
            index: index(folder, &store, options.access)?,
            store: Arc::new(store),
        })
    }
}

/// The index beside a store that was opened.
fn index(
    folder: &Path,
    store: &SqliteStore,
    access: Access,
) -> Result<Option<Arc<SqliteSearch>>, StoreError> {
    let opened = match access {
        _ if store.is_read_only() => SqliteSearch::open_to_read(folder),
        Access::Write => return Ok(Some(Arc::new(SqliteSearch::open(folder)?))),
        Access::WriteUnlessFull | Access::Read => SqliteSearch::open(folder).or_else(|error| {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the search index can't be written; searches tell what it has"
            );
            SqliteSearch::open_to_read(folder)
        }),
    };
    Ok(match opened {
        Ok(index) => Some(Arc::new(index)),
        Err(error) => {
            tracing::error!(
                error = &error as &dyn std::error::Error,
                "the search index can't be read; nothing can be searched"
            );
            None
        }
    })
}
