//! What an operator has told a database that costs what was acknowledged, when the database or its machine ends without a
//! word: it is the operator's, and is told in the log when a store is opened.

use crate::connections::Connections;
use crate::error::Failure;

// as a session of this program has it, which takes over none that a role or a database was told for others (`session.rs`)
const RISKS: &str = "SELECT name FROM pg_settings
   WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND setting = 'off'";

/// Warns of settings by which what was acknowledged may be lost.
pub(crate) async fn warn_of_risks(connections: &Connections) -> Result<(), Failure> {
    for row in connections.read(RISKS, &[]).await? {
        let setting: &str = row.get(0);
        tracing::warn!(
            setting,
            "the database has {setting} = off: what was acknowledged may be lost when it or its machine ends without a word"
        );
    }
    Ok(())
}
