//! The contract of leases: what one server at a time does for all that share a store. Who is silent for longer than its lease
//! has it no more, so another one goes on with what a dead one did. How long that is, one clock says for all of them, the
//! store's: those of the servers are asked nothing.

use crate::StoreFuture;
use std::time::Duration;
use wire::Timestamp;

/// How far the clocks of servers may be apart, in seconds.
pub const CLOCKS_APART_SECONDS_MAX: i64 = 300;

/// Whether a moment that is noted as past lies so far ahead that the clock was wrong which it is by.
pub fn is_ahead(moment: Timestamp, now: Timestamp) -> bool {
    moment > now.plus_seconds(CLOCKS_APART_SECONDS_MAX)
}

/// What a server asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// What it does while it has the lease.
    pub name: String,
    /// Who it is; nobody else is called so.
    pub holder: String,
    /// For how long it has the lease from now on, unless it asks again. No time at all lets go of it.
    pub time: Duration,
    /// For how long anyone may have it: one that lasts longer, by more than clocks are apart, was taken while the store's
    /// clock was ahead, and holds nobody off.
    pub longest: Duration,
}

impl Lease {
    /// How long one that another server has may last still; one that lasts longer is none.
    pub fn longest_believed(&self) -> Duration {
        let apart = Duration::from_secs(CLOCKS_APART_SECONDS_MAX.unsigned_abs());
        self.longest.saturating_add(apart)
    }
}

/// The contract of a store of leases; what it says by itself is right for a store that nobody shares.
pub trait Leases: Send + Sync {
    /// Takes a lease, or prolongs one's own; whether it is the holder's now: while one server has it, no other does. Of a
    /// store that servers don't share, always.
    fn hold_lease(&self, lease: Lease) -> StoreFuture<'_, bool> {
        let _ = lease;
        Box::pin(std::future::ready(Ok(true)))
    }
}
