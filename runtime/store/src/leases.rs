//! The contract of leases: what one server at a time does for all that share a store. Who is silent for longer than its lease
//! has it no more, so another one goes on with what a dead one did.

use crate::StoreFuture;
use wire::Timestamp;

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
