//! How many records a tenant may still get, exactly, whichever servers write. It is summed up under the lock that each write
//! holds until it is committed, the number of the change log, and not again until that number has risen by as much as there
//! was room: each new record is an entry of the log, so there can't be fewer left than that.
//!
//! What was summed up last is kept beside the log's number, for servers that begin: where each dataset is a shard of its own, the
//! sum asks all nodes, and one that is away would hold up the records of all others.

use crate::Inner;
use crate::connection::Connection;
use crate::connections::Transaction;
use crate::error::Failure;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use store::Catalog;
use store::records::{Change, Write};

const RECORDS: &str = "SELECT coalesce(sum(records), 0)::bigint FROM dataset_state
   WHERE dataset = ANY ($1::bigint[])";
// how many records there were, less the number of the log: by as much as that has risen since, there are more at most
const KEPT: &str = "SELECT value FROM counters WHERE name = $1";
const KEEP: &str = "INSERT INTO counters (name, value) VALUES ($1, $2)
   ON CONFLICT (name) DO UPDATE SET value = excluded.value";
const AT_MOST: &str = "SELECT k.value + l.value FROM counters k JOIN counters l ON l.name = 'log'
   WHERE k.name = $1";

/// The row of a tenant among the counters; `transfer/write.rs` knows what they begin with.
fn kept_name(tenant: &str) -> String {
    format!("records:{tenant}")
}

/// What is known of rooms.
pub(crate) struct RecordRooms {
    /// Records that a tenant may have.
    quota: AtomicU64,
    of_tenants: Mutex<FxHashMap<String, Room>>,
}

/// What was left when the log had this head.
#[derive(Clone, Copy)]
struct Room {
    left: u64,
    head: u64,
    /// When the connection was made that told so.
    told_by: Instant,
}

impl Room {
    /// What is left at least when the log has come to a head, by what a connection tells: nothing is known where the log went
    /// back since, or may have, as where that connection is a newer one.
    fn least(self, connection: &Connection, head: u64) -> u64 {
        if connection.made() > self.told_by {
            return 0;
        }
        let written = head.checked_sub(self.head);
        written.map_or(0, |written| self.left.saturating_sub(written))
    }
}

/// The rooms of a transaction's tenants, as its writes so far leave them.
#[derive(Default)]
pub(super) struct RoomsDraft {
    pub(super) quota: u64,
    /// The tenants of datasets that may get a record.
    tenants: FxHashMap<i64, String>,
    left: BTreeMap<String, u64>,
}

impl RoomsDraft {
    /// Takes the room of a record; whether there was one.
    pub(super) fn take(&mut self, dataset: i64) -> bool {
        let left = self
            .tenants
            .get(&dataset)
            .and_then(|it| self.left.get_mut(it));
        // a dataset without a tenant is of no catalog
        let Some(left) = left else { return true };
        let has_room = *left > 0;
        *left = left.saturating_sub(1);
        has_room
    }

    /// Gives the room of a record back that was deleted.
    pub(super) fn give_back(&mut self, dataset: i64) {
        let tenant = self.tenants.get(&dataset);
        if let Some(left) = tenant.and_then(|tenant| self.left.get_mut(tenant)) {
            *left += 1;
        }
    }
}

impl RecordRooms {
    /// Without a limit.
    pub(crate) fn new() -> Self {
        RecordRooms {
            quota: AtomicU64::new(u64::MAX),
            of_tenants: Mutex::default(),
        }
    }

    pub(crate) fn limit_to(&self, quota: u64) {
        self.quota.store(quota, Ordering::Relaxed);
        self.of_tenants.lock().clear();
    }

    /// The rooms that writes ask for. To be asked behind their locks.
    pub(super) async fn of_writes(
        &self,
        tx: &Transaction,
        catalog: &Catalog,
        writes: &[&Write],
        head: u64,
    ) -> Result<RoomsDraft, Failure> {
        let mut draft = RoomsDraft {
            quota: self.quota.load(Ordering::Relaxed),
            ..RoomsDraft::default()
        };
        let mut wanted: BTreeMap<&str, u64> = BTreeMap::new();
        for write in writes {
            let grows = matches!(
                write.change,
                Change::Create { .. } | Change::Restore { .. } | Change::RestoreAs { .. }
            );
            let dataset = catalog.datasets_by_number.get(&write.dataset);
            if let Some(dataset) = dataset.filter(|_| draft.quota < u64::MAX) {
                *wanted.entry(&dataset.tenant).or_default() += u64::from(grows);
                let number = i64::from(write.dataset);
                draft.tenants.insert(number, dataset.tenant.clone());
            }
        }
        for (tenant, wanted) in wanted.into_iter().filter(|(_, wanted)| *wanted > 0) {
            let known = self.of_tenants.lock().get(tenant).copied();
            let mut left = known.map_or(0, |room| room.least(tx, head));
            if left < wanted {
                left = self.look_up(tx, catalog, tenant, (wanted, head)).await?;
            }
            draft.left.insert(tenant.to_owned(), left);
        }
        Ok(draft)
    }

    /// What is left of a tenant's quota: at least this much where that is as much as is wanted, else exactly.
    async fn look_up(
        &self,
        tx: &Transaction,
        catalog: &Catalog,
        tenant: &str,
        (wanted, head): (u64, u64),
    ) -> Result<u64, Failure> {
        let quota = self.quota.load(Ordering::Relaxed);
        let name = kept_name(tenant);
        let kept = tx.row(KEPT, &[&name]).await?;
        let most = kept.map(|row| head.saturating_add_signed(row.get(0)));
        let mut left = most.map_or(0, |most| quota.saturating_sub(most));
        if left < wanted {
            let used = sum_up(tx, catalog, tenant).await?;
            let kept = used.cast_signed() - head.cast_signed();
            tx.execute(KEEP, &[&name, &kept]).await?;
            left = quota.saturating_sub(used);
        }
        let room = Room {
            left,
            head,
            told_by: tx.made(),
        };
        self.of_tenants.lock().insert(tenant.to_owned(), room);
        Ok(left)
    }
}

async fn sum_up(tx: &Transaction, catalog: &Catalog, tenant: &str) -> Result<u64, Failure> {
    let own = catalog.datasets.values().filter(|it| it.tenant == tenant);
    let own: Vec<i64> = own.map(|it| i64::from(it.number)).collect();
    let row = tx.row(RECORDS, &[&own]).await?;
    Ok(row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
}

impl Inner {
    /// How many records a tenant has at most, if that is known without asking for each dataset.
    pub(crate) async fn records_at_most(&self, tenant: &str) -> Result<Option<u64>, Failure> {
        let name = kept_name(tenant);
        let row = self.connections.read_one(AT_MOST, &[&name]).await?;
        Ok(row.map(|row| row.get::<_, i64>(0).max(0).cast_unsigned()))
    }
}
