//! Proves that the database takes writes: by a small one, and by what other work was refused for. It changes nothing but a counter.

use crate::Inner;
use crate::connections::Connections;
use crate::error::Failure;
use std::time::Duration;
use store::{Lack, StoreError};

const PROVE: &str = "UPDATE counters SET value = value + 1 WHERE name = 'proof'";
// what is larger than its memory goes to the disk, some 1.4 MB, and is gone when it ends: no right is needed for it, and nothing
// is left behind
const FILL: &str = "BEGIN; SET LOCAL work_mem = '64kB'; SET LOCAL temp_tablespaces = '';
   SELECT count(*) FROM generate_series(1, 100000) AS g (n); COMMIT";
/// How long nothing may have been refused before the disk is tried.
const QUIET: Duration = Duration::from_secs(10);

impl Inner {
    /// Writes once, to the only host that takes writes and has room for more.
    pub(crate) async fn prove_write(&self) -> Result<(), Failure> {
        self.connections.get().await?.execute(PROVE, &[]).await?;
        self.connections.require_one_primary()?;
        require_room(&self.connections).await
    }
}

/// Refuses a database that refused something for lack of room, until it has some again.
async fn require_room(connections: &Connections) -> Result<(), Failure> {
    let Some(full) = connections.room().full_since() else {
        return Ok(());
    };
    if full.elapsed() < QUIET {
        let source = "it refused a statement a moment ago, since its disk is full".into();
        let what = Lack::Room;
        return Err(StoreError::Lacking { what, source }.into());
    }
    let connection = connections.get().await?;
    if let Err(failure) = connection.batch(FILL).await {
        connection.take_back().await;
        if failure.is_of_room() || failure.is_unreachable() {
            return Err(failure);
        }
        // an engine that takes no such statement tells nothing of its disk
    }
    connections.room().note_room(full);
    Ok(())
}
