//! A pooler between this program and the database: one that keeps a session for each connection is as good as none. One that
//! gives each transaction any session it has would lose settings and prepared statements now and then, so it is refused.

use crate::advice;
use crate::connections::Connections;
use crate::error::Failure;
use crate::tries::Tries;
use store::StoreError;

// by the number alone, sessions of two machines may be taken for one
const SESSION: &str = "SELECT concat(pg_backend_pid(), ' ', inet_server_addr())";

/// How often two connections are compared: where others use the pooler, too, one of them may get a session of its own.
const LOOKS: usize = 5;

/// Refuses what gives two connections one session.
pub(crate) async fn require_sessions(connections: &Connections) -> Result<(), Failure> {
    let mut tries = Tries::default();
    loop {
        match share_a_session(connections).await {
            Err(failure) if tries.has_another(&failure).await => {}
            Ok(true) => return Err(StoreError::Database(advice::NO_SESSION.into()).into()),
            ended => return ended.map(|_| ()),
        }
    }
}

/// Whether two connections that are both there have one session in turns. What is asked is not prepared: that is what would
/// fail.
async fn share_a_session(connections: &Connections) -> Result<bool, Failure> {
    let one = connections.get_anyway().await?;
    // where there is no room for another one just now, nothing can be learned
    let Ok(other) = connections.get_anyway().await else {
        return Ok(false);
    };
    let mut is_shared = false;
    for _ in 0..LOOKS {
        is_shared |= one.batch_told(SESSION).await? == other.batch_told(SESSION).await?;
    }
    // who counts the connections of others counts no idle one of ours
    other.close();
    Ok(is_shared)
}
