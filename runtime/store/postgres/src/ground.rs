//! Whether a store may begin where an address leads: in texts of UTF-8, in a schema that has no tables of others by the names
//! of ours, and not in front of another store, which nobody would see any more.

use crate::advice;
use crate::connection::Values;
use crate::connections::Connections;
use crate::error::Failure;
use crate::migrate::{is_begun, tables};
use store::StoreError;

const ENCODING: &str = "SELECT current_setting('server_encoding')";
// who may not read a table finds it all the same
const TAKEN: &str = "SELECT c.relname::text, n.nspname::text
   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE n.nspname = current_schema() AND c.relname::text = ANY($1::text[]) ORDER BY c.relname";
// others may have a table of one of these names
const BEHIND: &str = "SELECT n.nspname::text, current_schema()::text
   FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
   WHERE c.relname IN ('migrations', 'change_log', 'dataset_state')
     AND n.nspname = ANY(current_schemas(false)) AND n.nspname <> current_schema()
   GROUP BY n.nspname HAVING count(*) = 3 ORDER BY n.nspname";

/// Refuses a database without a store where none can begin, or none should; whether there is one.
pub(crate) async fn require(connections: &Connections) -> Result<bool, Failure> {
    if is_begun(connections).await? {
        return Ok(true);
    }
    require_utf8(connections).await?;
    require_first(connections).await?;
    require_free(connections).await?;
    Ok(false)
}

/// Refuses a database that keeps texts otherwise than in UTF-8: it takes what its encoding has, and refuses the first name that
/// it has not.
async fn require_utf8(connections: &Connections) -> Result<(), Failure> {
    let row = connections.read_one(ENCODING, &[]).await?;
    let found: Option<String> = row.and_then(|row| row.get(0));
    match found.filter(|found| !found.eq_ignore_ascii_case("utf8")) {
        None => Ok(()),
        Some(found) => refused(format!(
            "its texts are in {found}, and they must be in UTF8; make another one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        )),
    }
}

/// Refuses a schema without a store that `search_path` names before one that has one, as where somebody made a schema of the
/// user's name beside a store in `public`.
pub(crate) async fn require_first(connections: &Connections) -> Result<(), Failure> {
    let rows = connections.read(BEHIND, &[]).await?;
    match rows.first() {
        None => Ok(()),
        Some(row) => refused(advice::of_a_store_behind(row.get(1), row.get(0))),
    }
}

/// Refuses a schema that has tables of others.
async fn require_free(connections: &Connections) -> Result<(), Failure> {
    let names: Vec<&str> = tables().collect();
    let given: Values<'_> = &[&names];
    let rows = connections.read(TAKEN, given).await?;
    let Some(row) = rows.first() else {
        return Ok(());
    };
    // another program may have begun meanwhile: then they are ours
    if is_begun(connections).await? {
        return Ok(());
    }
    let taken: Vec<&str> = rows.iter().map(|row| row.get::<_, &str>(0)).collect();
    refused(advice::of_tables_of_others(row.get(1), &taken))
}

fn refused(words: String) -> Result<(), Failure> {
    Err(StoreError::Database(words.into()).into())
}
