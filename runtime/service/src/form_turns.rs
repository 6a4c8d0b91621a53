//! Forms that might be the same take turns on this server: of a record that is made (`records/once.rs`) and of a job that comes with
//! a file (`jobs/asked_once.rs`). Among servers that share a store, those of records have a lease beside.

use tokio::sync::{Mutex, MutexGuard};

/// So many forms make records, or put in files of jobs, at a time on a server.
const TURNS: usize = 32;

/// The turns of forms on this server.
#[derive(Default)]
pub(crate) struct FormTurns([Mutex<()>; TURNS]);

impl FormTurns {
    /// The turn of what may be the same.
    pub(crate) async fn take(&self, hash: u64) -> MutexGuard<'_, ()> {
        self.0[turn_of(hash)].lock().await
    }
}

/// Which turn is that of a hash.
pub(crate) fn turn_of(hash: u64) -> usize {
    usize::from(hash.to_be_bytes()[0]) % TURNS
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn what_may_be_the_same_takes_turns_and_another_turn_is_free() {
        let turns = FormTurns::default();
        let at_once = |hash| tokio::time::timeout(Duration::ZERO, turns.take(hash));
        let [one, other] = [1_u64 << 56, 2 << 56];
        let held = turns.take(one).await;
        assert!(at_once(one).await.is_err());
        assert!(at_once(other).await.is_ok());
        drop(held);
        assert!(at_once(one).await.is_ok());
    }
}
