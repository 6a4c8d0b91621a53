//! The rows of leases: who does what at a time, and until when nobody else does. It is the database's own clock that says
//! when: a server whose clock is off takes nothing from another one, and keeps nothing from it.

use crate::connection::Values;
use crate::error::Failure;
use crate::{Inner, PostgresStore};
use std::time::Duration;
use store::StoreFuture;
use store::leases::{Lease, Leases};

// what is new ends so long behind now, so now is that much before it: no engine need know the time twice
const HOLD: &str = "INSERT INTO leases (name, holder, held_until)
   VALUES ($1, $2, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $3::bigint)
   ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, held_until = excluded.held_until
   WHERE leases.holder = excluded.holder OR leases.held_until <= excluded.held_until - $3::bigint
     OR leases.held_until > excluded.held_until - $3::bigint + $4::bigint";
/// No lease is longer, so that no sum of moments is too large for a column.
const MILLIS_MAX: i64 = 100 * 366 * 24 * 3600 * 1000;

impl Inner {
    /// Takes a lease, or prolongs one's own; whether it is the holder's now.
    pub(crate) async fn hold_lease(&self, lease: &Lease) -> Result<bool, Failure> {
        let [time, believed] = [lease.time, lease.longest_believed()].map(millis);
        let given: Values<'_> = &[&lease.name, &lease.holder, &time, &believed];
        let held = self.connections.change(HOLD, given).await?;
        Ok(held > 0)
    }
}

fn millis(time: Duration) -> i64 {
    let millis = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    millis.min(MILLIS_MAX)
}

impl Leases for PostgresStore {
    fn hold_lease(&self, lease: Lease) -> StoreFuture<'_, bool> {
        let inner = self.inner.clone();
        self.see_through(async move { inner.hold_lease(&lease).await })
    }
}
