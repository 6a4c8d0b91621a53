//! A moment that a move reads: a connection whose reads all see it, and that may hold others off. Where nobody waits for a read any
//! more, the connection is closed: whoever had it next would stand in this transaction, and its locks would stay.

use crate::citus;
use crate::connection::Connection;
use crate::connections::Connections;
use crate::error::Failure;

// what is read waits for what is written elsewhere, however long that takes
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ;
   SET LOCAL idle_in_transaction_session_timeout = 0";

/// A moment under way.
pub(super) struct Moment(Option<Connection>);

impl Moment {
    pub(super) async fn begin(connections: &Connections) -> Result<Self, Failure> {
        let moment = Moment(Some(connections.get().await?));
        moment.take_time();
        match moment.batch(BEGIN).await {
            Ok(()) => Ok(moment),
            Err(failure) => {
                moment.end().await;
                Err(failure)
            }
        }
    }

    /// Begins one beside writers, the same on every node.
    pub(super) async fn begin_beside_writers(connections: &Connections) -> Result<Self, Failure> {
        let is_divided = citus::is_there(connections).await?;
        let moment = Moment::begin(connections).await?;
        if is_divided && let Err(failure) = citus::take_moment(&moment).await {
            moment.end().await;
            return Err(failure);
        }
        Ok(moment)
    }

    /// Ends it; the connection is used again.
    pub(super) async fn end(mut self) {
        if let Some(connection) = self.0.take() {
            connection.take_back().await;
        }
    }
}

impl std::ops::Deref for Moment {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        // INVARIANT: only `end`, which consumes it, takes the connection
        self.0.as_ref().expect("it is under way")
    }
}

impl Drop for Moment {
    fn drop(&mut self) {
        if let Some(connection) = self.0.take() {
            connection.close();
        }
    }
}
