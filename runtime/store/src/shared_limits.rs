//! Limits that hold for all servers of one store together: how often something may be tried, and how much a tenant may have.
//! A store that nobody shares keeps none of it; who asks counts in memory then.

use crate::StoreFuture;
use wire::Timestamp;

/// So many at once, and one more whenever the time of one is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// How many at once.
    pub at_once: i64,
    /// After how many microseconds one comes back.
    pub each_micros: i64,
}

/// What is taken from an allowance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Whose allowance it is, and which.
    pub holder: String,
    /// What the holder may at most.
    pub allowance: Allowance,
    /// How many are taken; no more than `at_once`.
    pub count: i64,
}

/// What became of a taking: `Err` has the microseconds after which there is as much.
pub type TakeVerdict = Result<(), i64>;

/// The contract of limits that servers share; what it says by itself is right for a store that nobody shares.
pub trait SharedLimits: Send + Sync {
    /// Whether other servers may take from the same allowances, so that they are kept here.
    fn shares_limits(&self) -> bool {
        false
    }

    /// Takes from each of these, or from none. Who takes from several names them in one order, whatever server it is.
    fn take_allowances(&self, wanted: Vec<Taken>, at: Timestamp) -> StoreFuture<'_, TakeVerdict> {
        let _ = (wanted, at);
        Box::pin(std::future::ready(Ok(Ok(()))))
    }

    /// Gives back what was taken.
    fn give_back_allowances(&self, taken: Vec<Taken>) -> StoreFuture<'_, ()> {
        let _ = taken;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Forgets holders who have everything back.
    fn forget_whole_allowances(&self, at: Timestamp) -> StoreFuture<'_, ()> {
        let _ = at;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Sets how many records a tenant may have that are not deleted. A write that would be one more than that is
    /// [`StoreError::RecordsFull`](crate::StoreError::RecordsFull), whichever server is asked.
    fn limit_records(&self, of_tenant_max: u64) {
        let _ = of_tenant_max;
    }
}
