//! Room that tenants have within a quota: what is known to fit, and what was taken of it and is being written, which no
//! count has yet. What is counted is never told here; docs/interface.md, "Quotas".

use crate::Refusal;
use crate::quota::Quota;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::OwnedMutexGuard;

/// Rooms of all tenants within one quota.
#[derive(Default)]
pub(crate) struct HeldRooms {
    of_tenants: Mutex<FxHashMap<String, Room>>,
}

#[derive(Default)]
struct Room {
    /// What is known to fit beside all that is held.
    left: u64,
    held: Arc<AtomicU64>,
    /// Locked while it is counted what the tenant has: who asks meanwhile waits in the order of asking, and none counts again.
    /// Each tenant has its own: one whose quota is used up is counted at each try.
    counting: Arc<tokio::sync::Mutex<()>>,
}

/// Room that was taken. It is held until what it was taken for is stored, or is not to be: what is counted meanwhile may or
/// may not have it, so that nobody else gets it. Who goes away before the store has answered lets go of it early.
#[must_use = "it is let go of at once"]
pub(crate) struct HeldRoom {
    of: Arc<AtomicU64>,
    count: u64,
}

impl HeldRoom {
    /// Holds the room of another one of the same tenant, too.
    pub(crate) fn join(&mut self, mut other: HeldRoom) {
        self.count += std::mem::take(&mut other.count);
    }
}

impl Drop for HeldRoom {
    fn drop(&mut self) {
        self.of.fetch_sub(self.count, Ordering::AcqRel);
    }
}

impl HeldRooms {
    /// Takes room; `None` where too little is known to fit.
    pub(crate) fn take(&self, tenant: &str, wanted: u64) -> Option<HeldRoom> {
        let mut rooms = self.of_tenants.lock();
        let room = rooms.get_mut(tenant).filter(|it| it.left >= wanted)?;
        room.left -= wanted;
        room.held.fetch_add(wanted, Ordering::AcqRel);
        Some(HeldRoom {
            of: room.held.clone(),
            count: wanted,
        })
    }

    /// Whether so much is known to fit; nothing is taken.
    pub(crate) fn has(&self, tenant: &str, wanted: u64) -> bool {
        let rooms = self.of_tenants.lock();
        rooms.get(tenant).is_some_and(|it| it.left >= wanted)
    }

    /// Waits until nobody else counts what a tenant has.
    pub(crate) async fn counting(&self, tenant: &str) -> OwnedMutexGuard<()> {
        let counting = {
            let mut rooms = self.of_tenants.lock();
            let room = rooms.entry(tenant.to_owned()).or_default();
            room.counting.clone()
        };
        counting.lock_owned().await
    }

    /// To be asked before it is counted what a tenant has: what is held, which the count may lack. Nothing is known to fit
    /// until it is [noted](Self::note).
    pub(crate) fn held(&self, tenant: &str) -> u64 {
        let mut rooms = self.of_tenants.lock();
        let room = rooms.entry(tenant.to_owned()).or_default();
        room.left = 0;
        room.held.load(Ordering::Acquire)
    }

    /// Notes what fits beside what was held when the count began. `false`, and nothing is noted, where that is less than is
    /// wanted and some of it was let go of since: what it was for may be counted as well, so it is to be counted anew.
    #[must_use = "it may have to be counted anew"]
    pub(crate) fn note(&self, tenant: &str, left: u64, (held, wanted): (u64, u64)) -> bool {
        let mut rooms = self.of_tenants.lock();
        let room = rooms.entry(tenant.to_owned()).or_default();
        // nothing is taken while it is counted, so there can only be less
        let is_sure = left >= wanted || room.held.load(Ordering::Acquire) == held;
        if is_sure {
            room.left = left;
        }
        is_sure
    }

    /// Forgets what was known to fit.
    pub(crate) fn forget(&self, tenant: &str) {
        if let Some(room) = self.of_tenants.lock().get_mut(tenant) {
            room.left = 0;
        }
    }
}

/// Refuses more than the quota has left.
///
/// # Errors
/// [`Refusal::QuotaExceeded`].
pub(crate) fn require(what: Quota, quota: u64, used: u64, wanted: u64) -> Result<(), Refusal> {
    if wanted > quota.saturating_sub(used) {
        return Err(Refusal::QuotaExceeded { what, quota });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tokio::time::timeout;

    /// What counting does, of a tenant with so much.
    fn count(rooms: &HeldRooms, quota: u64, used: u64) {
        let held = rooms.held("t");
        let left = quota.saturating_sub(used).saturating_sub(held);
        assert!(rooms.note("t", left, (held, 1)), "nothing is let go of");
    }

    #[test]
    fn what_is_held_is_given_to_nobody_else_however_often_it_is_counted() {
        let rooms = HeldRooms::default();
        assert!(rooms.take("t", 1).is_none(), "nothing is known");
        count(&rooms, 3, 1);
        let held: Vec<_> = (0..2).filter_map(|_| rooms.take("t", 1)).collect();
        assert_eq!(held.len(), 2);
        for _ in 0..3 {
            // none of them is stored by now
            count(&rooms, 3, 1);
            assert!(rooms.take("t", 1).is_none());
        }
        drop(held);
        // they were not stored after all
        assert!(rooms.take("t", 1).is_none(), "it is not counted yet");
        count(&rooms, 3, 1);
        assert!(rooms.has("t", 2) && !rooms.has("t", 3) && !rooms.has("other", 1));
        assert!(rooms.take("t", 2).is_some());
    }

    #[test]
    fn who_counts_knows_of_nothing_that_fits_meanwhile() {
        let rooms = HeldRooms::default();
        count(&rooms, 2, 0);
        assert_eq!(rooms.held("t"), 0);
        assert!(rooms.take("t", 1).is_none());
        assert!(rooms.note("t", 2, (0, 1)));
        assert!(rooms.take("t", 1).is_some());
        rooms.forget("t");
        assert!(rooms.take("t", 1).is_none());
    }

    #[test]
    fn what_is_stored_while_it_is_counted_takes_no_room_twice() {
        let rooms = HeldRooms::default();
        count(&rooms, 4, 2);
        let mut both: Vec<_> = (0..2).filter_map(|_| rooms.take("t", 1)).collect();
        // one is refused, and of four places three are taken
        drop(both.pop());
        let held = rooms.held("t");
        assert_eq!(held, 1);
        // the other one is stored before it is counted, and let go of behind that
        let left = 4 - 3 - held;
        drop(both);
        assert!(!rooms.note("t", left, (held, 1)));
        assert!(rooms.take("t", 1).is_none(), "it is not known yet");
        count(&rooms, 4, 3);
        assert!(rooms.take("t", 1).is_some());
    }

    #[tokio::test]
    async fn who_counts_one_tenant_holds_up_no_other() {
        let rooms = HeldRooms::default();
        let counting = rooms.counting("t").await;
        let others = [rooms.counting("other"), rooms.counting("t")];
        let wait = Duration::from_millis(50);
        let [other, own] = others.map(|asked| timeout(wait, asked));
        assert!(other.await.is_ok());
        assert!(own.await.is_err());
        drop(counting);
        assert!(timeout(wait, rooms.counting("t")).await.is_ok());
    }
}
