//! One thing for the writer to do, who waits for it, and what it finds in the transaction under way. When it is done, and
//! with what else, the writer says.

use super::write::Tally;
use crate::error::Failure;
use rusqlite::Connection;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use store::StoreError;
use store::catalog::Catalog;
use store::issued_tables::IssuedDraft;
use tokio::sync::oneshot;
use tracing::Span;

/// The catalog, tokens and sessions as the transaction under way leaves them, and what it counts.
pub(super) struct State {
    pub(super) catalog: Arc<Catalog>,
    pub(super) issued: IssuedDraft,
    pub(super) tally: Tally,
}

/// One thing for the writer to do.
pub(super) trait Job: Send {
    /// Does it inside a transaction that may still be taken back; then it is done again.
    fn run(&mut self, connection: &Connection, state: &mut State) -> Result<(), Failure>;

    /// Whether it writes a record and asks nothing of the tables that are written at the end of the transaction.
    fn is_of_a_record(&self) -> bool;

    /// Answers who waits that it is on disk, or why not.
    fn answer(self: Box<Self>, ended: Result<(), Failure>);
}

/// Work as a closure.
pub(super) struct Task<T, F> {
    pub(super) work: F,
    pub(super) is_of_a_record: bool,
    /// Of who queued it; it ends with the answer.
    pub(super) span: Span,
    pub(super) outcome: Option<T>,
    pub(super) reply: oneshot::Sender<Result<T, Failure>>,
}

impl<T, F> Job for Task<T, F>
where
    T: Send,
    F: FnMut(&Connection, &mut State) -> Result<T, Failure> + Send,
{
    fn run(&mut self, connection: &Connection, state: &mut State) -> Result<(), Failure> {
        self.outcome = None;
        // what a panic leaves half done is rolled back with the transaction
        let ended = catch_unwind(AssertUnwindSafe(|| {
            self.span.in_scope(|| (self.work)(connection, state))
        }));
        self.outcome = Some(ended.map_err(|_| StoreError::Panicked)??);
        Ok(())
    }

    fn is_of_a_record(&self) -> bool {
        self.is_of_a_record
    }

    fn answer(self: Box<Self>, ended: Result<(), Failure>) {
        let Task { outcome, reply, .. } = *self;
        // who no longer waits needs no answer
        let _ = reply.send(ended.and_then(|()| outcome.ok_or(StoreError::Closed.into())));
    }
}
