//! Verifies the catalog: that each noun has what it refers to, and what was issued and uploaded its owner. It only reads.

use crate::error::Failure;
use rusqlite::Connection;
use store::catalog::Catalog;
use store::catalog_check;
use store::issued_tables::IssuedTables;

/// Every file that is known.
const FILES: &str = "SELECT id, dataset FROM files ORDER BY id";

/// Adds what is missing of what the catalog, and what belongs to it, refer to.
pub(super) fn check(
    connection: &Connection,
    catalog: &Catalog,
    issued: &IssuedTables,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    catalog_check::check(catalog, issued, found);
    lost_files(connection, catalog, found)
}

/// Files of datasets that are not there.
fn lost_files(
    connection: &Connection,
    catalog: &Catalog,
    found: &mut Vec<String>,
) -> Result<(), Failure> {
    let mut statement = connection.prepare(FILES)?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, dataset): (String, String) = (row.get(0)?, row.get(1)?);
        if !catalog.datasets.contains_key(&dataset) {
            found.push(catalog_check::file_of_none(&id));
        }
    }
    Ok(())
}
