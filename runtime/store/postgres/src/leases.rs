//! The rows of leases: who does what at a time, and until when nobody else does.

use crate::connection::Values;
use crate::error::Failure;
use crate::{Inner, PostgresStore};
use store::StoreFuture;
use store::leases::{Lease, Leases};

const HOLD: &str = "INSERT INTO leases (name, holder, held_until) VALUES ($1, $2, $3)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
   WHERE leases.holder = excluded.holder OR leases.held_until <= $4 OR leases.held_until > $5";

impl Inner {
    /// Takes a lease, or prolongs one's own; whether it is the holder's now.
    pub(crate) async fn hold_lease(&self, lease: &Lease) -> Result<bool, Failure> {
        let (at, until) = (lease.at.millis(), lease.until.millis());
        let believed = lease.believed_until().millis();
        let given: Values<'_> = &[&lease.name, &lease.holder, &until, &at, &believed];
        let held = self.connections.change(HOLD, given).await?;
        Ok(held > 0)
    }
}

impl Leases for PostgresStore {
    fn hold_lease(&self, lease: Lease) -> StoreFuture<'_, bool> {
        let inner = self.inner.clone();
        self.see_through(async move { inner.hold_lease(&lease).await })
    }
}
