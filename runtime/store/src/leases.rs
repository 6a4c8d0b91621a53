//! The contract of leases: what one server at a time does for all that share a store. Who is silent for longer than its lease
//! has it no more, so another one goes on with what a dead one did.

use crate::StoreFuture;
use wire::Timestamp;

/// How far the clocks of servers may be apart, in seconds.
const CLOCKS_APART_SECONDS_MAX: i64 = 300;

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
    /// When it asks.
    pub at: Timestamp,
    /// Until when it has the lease, unless it asks again. The moment of asking lets go of it.
    pub until: Timestamp,
    /// Until when anyone may have it who asks at this moment: one that lasts longer, by more than clocks are apart, was taken
    /// by a clock that was ahead, and holds nobody off.
    pub latest: Timestamp,
}

impl Lease {
    /// Behind which end one that another server has is none.
    pub fn believed_until(&self) -> Timestamp {
        self.latest.plus_seconds(CLOCKS_APART_SECONDS_MAX)
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
