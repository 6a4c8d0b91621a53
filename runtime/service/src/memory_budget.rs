//! The memory that requests may take together: bodies that come in, pages that are made, answers that are on
//! their way out. What there is no room for is refused before memory is taken for it. Nobody takes all: the
//! large leave room for the small, one tenant for the others, and one caller for the others of its tenant. It says
//! nothing of what is kept between requests (catalog, caches), which has limits of its own.

use crate::Refusal;
use bytes::Bytes;
use rustc_hash::FxHasher;
use std::hash::Hasher as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Up to so many bytes something is small: it finds room when the large does not any more.
const SMALL_BYTES_MAX: usize = 16 << 10;
/// The part of the budget that is never small, however little there is.
const SMALL_PART: usize = 1024;
/// The part of the budget that is left for the small.
const KEPT_FOR_SMALL_PART: usize = 4;
/// The part of the budget that one caller may have for large things.
const CALLER_PART: usize = 2;
/// The eighths of the budget that all callers of one tenant may have for large things: more than one caller, less than all.
const TENANT_EIGHTHS: usize = 5;
/// Callers are told apart by a hash, and so are tenants: so many of each.
const OWNERS: usize = 64;
/// What a page is made in takes so many times its bytes: its records, and their text.
const TIMES_WHILE_MADE: usize = 2;
/// The part of the budget that a page begins with, and its bytes at most.
const FIRST_PART: usize = 16;
const FIRST_BYTES_MAX: usize = 1 << 20;
/// The bytes that a page of records begins with at most: a hundred of some hundred bytes each. Many are read at once where
/// the store is another machine's, and each holds its room while it waits.
const RECORDS_BYTES_MAX: usize = 128 << 10;
/// When to come back.
const RETRY_SECONDS: u64 = 2;

/// The most bytes of a budget that a body can have: one caller leaves room for others, and what is read of a body takes as
/// much again.
pub fn body_bytes_max(budget_bytes: usize) -> usize {
    budget_bytes / CALLER_PART / 2
}

/// A number of bytes, and who has how many of them.
#[derive(Debug)]
pub struct MemoryBudget {
    bytes: usize,
    taken: AtomicUsize,
    by_tenant: [AtomicUsize; OWNERS],
    by_caller: [AtomicUsize; OWNERS],
}

/// Who takes memory: a caller of a tenant, or all who show no credential.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owner {
    tenant: usize,
    caller: usize,
}

impl Owner {
    /// The owner by the ids of a tenant and of a caller; both are empty for all without a credential.
    pub fn of(tenant: &str, caller: &str) -> Self {
        Owner {
            tenant: bucket(tenant),
            caller: bucket(caller),
        }
    }
}

fn bucket(id: &str) -> usize {
    let mut hasher = FxHasher::default();
    hasher.write(id.as_bytes());
    let hash = hasher.finish();
    // INVARIANT: the rest is less than the number of owners
    usize::try_from((hash ^ (hash >> 32)) % OWNERS as u64).unwrap_or(0)
}

impl MemoryBudget {
    /// A budget of which nothing is taken.
    pub fn new(bytes: usize) -> Arc<Self> {
        Arc::new(MemoryBudget {
            bytes,
            taken: AtomicUsize::new(0),
            by_tenant: [const { AtomicUsize::new(0) }; OWNERS],
            by_caller: [const { AtomicUsize::new(0) }; OWNERS],
        })
    }

    /// The bytes up to which something is so small that it need not ask.
    pub fn too_small_to_ask(&self) -> usize {
        SMALL_BYTES_MAX.min(self.bytes / SMALL_PART)
    }

    /// How many bytes are taken.
    pub fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }

    /// Room for bytes, if there is.
    ///
    /// # Errors
    /// [`Refusal::NoRoom`].
    pub fn reserve(self: &Arc<Self>, owner: Owner, bytes: usize) -> Result<Reservation, Refusal> {
        let mut room = self.take(owner, 0);
        room.grow_to(bytes)?;
        Ok(room)
    }

    /// Room for bytes, whether there is or not: what was done already must be told.
    pub fn take(self: &Arc<Self>, owner: Owner, bytes: usize) -> Reservation {
        let mut room = Reservation {
            budget: self.clone(),
            owner,
            bytes: 0,
        };
        room.add(bytes);
        room
    }

    /// Room for the beginning of a page of so many bytes at most.
    ///
    /// # Errors
    /// [`Refusal::NoRoom`].
    pub(crate) fn reserve_page(
        self: &Arc<Self>,
        owner: Owner,
        bytes_max: usize,
    ) -> Result<PageRoom, Refusal> {
        let first = bytes_max.min(FIRST_BYTES_MAX).min(self.bytes / FIRST_PART);
        self.reserve_page_of(owner, [first, first, bytes_max])
    }

    /// Room for the beginning of a page of records.
    ///
    /// # Errors
    /// [`Refusal::NoRoom`].
    pub(crate) fn reserve_records_page(
        self: &Arc<Self>,
        owner: Owner,
        bytes_max: usize,
    ) -> Result<PageRoom, Refusal> {
        let next = bytes_max.min(FIRST_BYTES_MAX).min(self.bytes / FIRST_PART);
        let first = next.min(RECORDS_BYTES_MAX);
        self.reserve_page_of(owner, [first, next, bytes_max])
    }

    /// Room for the beginning of a page that is small most of the time: a list of what the catalog has.
    ///
    /// # Errors
    /// [`Refusal::NoRoom`].
    pub(crate) fn reserve_short_page(
        self: &Arc<Self>,
        owner: Owner,
        bytes_max: usize,
    ) -> Result<PageRoom, Refusal> {
        let first = bytes_max.min(FIRST_BYTES_MAX).min(self.bytes / FIRST_PART);
        let short = first.min(SMALL_BYTES_MAX / TIMES_WHILE_MADE);
        self.reserve_page_of(owner, [short, first, bytes_max])
    }

    fn reserve_page_of(
        self: &Arc<Self>,
        owner: Owner,
        [bytes, bytes_next, bytes_max]: [usize; 3],
    ) -> Result<PageRoom, Refusal> {
        let reservation = self.reserve(owner, bytes.saturating_mul(TIMES_WHILE_MADE).max(1))?;
        Ok(PageRoom {
            reservation,
            bytes,
            bytes_next,
            bytes_max,
        })
    }
}

/// Bytes of a budget; they are given back when this is dropped.
#[derive(Debug)]
pub struct Reservation {
    budget: Arc<MemoryBudget>,
    owner: Owner,
    bytes: usize,
}

impl Reservation {
    /// Makes it so many bytes in all, if there is room; one that has as many stays.
    ///
    /// # Errors
    /// [`Refusal::NoRoom`]; then it is as large as before.
    pub fn grow_to(&mut self, bytes: usize) -> Result<(), Refusal> {
        let more = bytes.saturating_sub(self.bytes);
        if more == 0 {
            return Ok(());
        }
        let all = self.budget.bytes;
        self.add(more);
        let has_room = if bytes <= SMALL_BYTES_MAX {
            self.budget.taken() <= all
        } else {
            let (tenant, caller) = self.counters();
            self.budget.taken() <= all - all / KEPT_FOR_SMALL_PART
                && tenant.load(Ordering::Relaxed) <= all / 8 * TENANT_EIGHTHS
                && caller.load(Ordering::Relaxed) <= all / CALLER_PART
        };
        if has_room {
            return Ok(());
        }
        self.give_back(more);
        Err(Refusal::NoRoom {
            seconds: RETRY_SECONDS,
        })
    }

    /// The most that a body can have whose room this is.
    pub fn body_bytes_max(&self) -> usize {
        body_bytes_max(self.budget.bytes)
    }

    /// The most that one caller can have.
    pub fn caller_bytes_max(&self) -> usize {
        self.budget.bytes / CALLER_PART
    }

    /// The bytes, holding their room until nobody holds them any more.
    pub fn attach(self, bytes: Bytes) -> Bytes {
        Bytes::from_owner(BytesWithRoom {
            bytes,
            _reservation: self,
        })
    }

    fn add(&mut self, bytes: usize) {
        self.bytes += bytes;
        self.budget.taken.fetch_add(bytes, Ordering::Relaxed);
        let (tenant, caller) = self.counters();
        tenant.fetch_add(bytes, Ordering::Relaxed);
        caller.fetch_add(bytes, Ordering::Relaxed);
    }

    fn give_back(&mut self, bytes: usize) {
        self.bytes -= bytes;
        self.budget.taken.fetch_sub(bytes, Ordering::Relaxed);
        let (tenant, caller) = self.counters();
        tenant.fetch_sub(bytes, Ordering::Relaxed);
        caller.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// What the tenant has, and what the caller has.
    fn counters(&self) -> (&AtomicUsize, &AtomicUsize) {
        let Owner { tenant, caller } = self.owner;
        (
            &self.budget.by_tenant[tenant],
            &self.budget.by_caller[caller],
        )
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.give_back(self.bytes);
    }
}

/// Bytes with their room.
struct BytesWithRoom {
    bytes: Bytes,
    _reservation: Reservation,
}

impl AsRef<[u8]> for BytesWithRoom {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Room for a page while it is made: at first for a page as most are, and for a large one when it turns out to
/// be one. Where there is none for that, the page ends early, as one of large records does in any case.
#[derive(Debug)]
pub(crate) struct PageRoom {
    reservation: Reservation,
    bytes: usize,
    bytes_next: usize,
    bytes_max: usize,
}

impl PageRoom {
    /// Bytes at which the page ends.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Makes room for as much as most pages have, or as any may have; whether there is more than before.
    pub(crate) fn grow(&mut self) -> bool {
        let larger = if self.bytes < self.bytes_next {
            self.bytes_next
        } else {
            self.bytes_max
        };
        let wanted = larger.saturating_mul(TIMES_WHILE_MADE);
        let has_grown = self.bytes < larger && self.reservation.grow_to(wanted).is_ok();
        if has_grown {
            self.bytes = larger;
        }
        has_grown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let budget = MemoryBudget::new(8 * MIB);
        let mut first = budget.reserve(Owner::of("t", "a"), MIB).unwrap();
        first.grow_to(3 * MIB).unwrap();
        assert!(first.grow_to(5 * MIB).is_err());
        assert_eq!(budget.taken(), 3 * MIB, "a refusal leaves it as it was");
        let bytes = first.attach(Bytes::from(vec![7; 100]));
        let part = bytes.slice(90..);
        drop(bytes);
        assert_eq!((&part[..], budget.taken()), (&[7; 10][..], 3 * MIB));
        drop(part);
        assert_eq!(budget.taken(), 0);
    }

    #[test]
    fn a_caller_leaves_room_for_others_and_the_large_for_the_small() {
        let budget = MemoryBudget::new(8 * MIB);
        let ask = |id: &str, bytes| budget.reserve(Owner::of(id, id), bytes);
        let held = ask("a", 4 * MIB).unwrap();
        assert!(ask("a", MIB).is_err(), "half of it is its own");
        assert!(ask("a", SMALL_BYTES_MAX).is_ok());
        let other = ask("b", 2 * MIB).unwrap();
        assert!(ask("c", MIB).is_err(), "a quarter is kept");
        let small: Vec<_> = std::iter::from_fn(|| ask("c", SMALL_BYTES_MAX).ok()).collect();
        assert_eq!(small.len(), 2 * MIB / SMALL_BYTES_MAX);
        let told = budget.take(Owner::of("c", "c"), MIB);
        assert_eq!(budget.taken(), 9 * MIB);
        drop((held, other, small, told));
        assert_eq!(budget.taken(), 0);
    }

    #[test]
    fn however_many_callers_a_tenant_has_other_tenants_find_room() {
        let budget = MemoryBudget::new(96 * MIB);
        let ask = |tenant: &str, caller: &str| {
            budget.reserve(Owner::of(tenant, &format!("{tenant}{caller}")), MIB)
        };
        let callers = ["a", "b", "c", "d"];
        let mut held = Vec::new();
        while let Some(more) = callers.iter().find_map(|it| ask("alpha", it).ok()) {
            held.push(more);
        }
        assert_eq!(held.len(), 60, "five eighths");
        assert!(ask("beta", "a").is_ok());
        // one caller alone leaves room for the others of its tenant
        held.clear();
        held.extend(std::iter::from_fn(|| ask("alpha", "a").ok()));
        assert_eq!(held.len(), 48, "half");
        assert!(ask("alpha", "b").is_ok());
    }

    #[test]
    fn one_caller_may_wait_for_many_pages_of_records_at_once() {
        let budget = MemoryBudget::new(96 * MIB);
        let page = || budget.reserve_records_page(Owner::of("t", "a"), 16 * MIB);
        let pages: Vec<_> = std::iter::from_fn(|| page().ok()).take(128).collect();
        assert_eq!(pages.len(), 128);
        drop(pages);
        let mut page = page().unwrap();
        let mut bytes = vec![page.bytes()];
        while page.grow() {
            bytes.push(page.bytes());
        }
        assert_eq!(bytes, [RECORDS_BYTES_MAX, MIB, 16 * MIB]);
    }

    #[test]
    fn a_page_begins_small_and_grows_while_there_is_room() {
        let budget = MemoryBudget::new(64 * MIB);
        let page = |id: &str| budget.reserve_page(Owner::of(id, id), 16 * MIB);
        let mut first = page("a").unwrap();
        assert_eq!(first.bytes(), MIB);
        assert!(first.grow() && !first.grow());
        assert_eq!((first.bytes(), budget.taken()), (16 * MIB, 32 * MIB));
        let mut second = page("b").unwrap();
        assert!(!second.grow());
        assert_eq!((second.bytes(), budget.taken()), (MIB, 34 * MIB));
        assert!(page("a").is_err());
        // a list of little finds room all the same, and ends early
        let mut short = budget
            .reserve_short_page(Owner::of("a", "a"), 16 * MIB)
            .unwrap();
        assert_eq!(short.bytes(), SMALL_BYTES_MAX / TIMES_WHILE_MADE);
        assert!(!short.grow());
        drop((first, second));
        assert!(short.grow());
        assert_eq!(short.bytes(), MIB);
        assert!(short.grow() && !short.grow());
        assert_eq!(short.bytes(), 16 * MIB);
    }
}
