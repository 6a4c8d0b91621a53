//! Allowances that all servers take from: a row for each holder who lacks something of its own, so that a try at one server
//! counts at every other one. It is the database's own clock that says what came back: one server whose clock is ahead, or was
//! just now, has no more than the others. How many records a tenant may have is looked after by who writes them
//! (`write/rooms.rs`); room for files of jobs is in a table of its own (`job_room.rs`).

use crate::PostgresStore;
use crate::connection::Values;
use crate::connections::transact;
use store::StoreFuture;
use store::shared_limits::{JobBytes, JobRoom, SharedLimits, TakeVerdict, Taken};
use wire::Timestamp;

// what is new is whole so long behind now, so now is that much before it: no engine need know the time twice. No clock but one that
// was ahead leaves more than all to come back, and $4 for which a statement may have waited: nobody knows how much there is then, so
// there is as much as is wanted, once
const TAKE: &str = "INSERT INTO allowances (name, whole_at)
   VALUES ($1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint + $2::bigint)
   ON CONFLICT (name) DO UPDATE
   SET whole_at = CASE WHEN allowances.whole_at > excluded.whole_at - $2::bigint + $3::bigint + $4::bigint
       THEN excluded.whole_at - $2::bigint + $3::bigint
     ELSE greatest(allowances.whole_at + $2::bigint, excluded.whole_at) END
   WHERE allowances.whole_at > excluded.whole_at - $2::bigint + $3::bigint + $4::bigint
     OR greatest(allowances.whole_at + $2::bigint, excluded.whole_at)
       <= excluded.whole_at - $2::bigint + $3::bigint";
const LACKS: &str = "SELECT whole_at - (extract(epoch FROM clock_timestamp()) * 1000000)::bigint
   FROM allowances WHERE name = $1";
// what follows a beginning is an address, whose characters are all before this one
const LACKING: &str = "SELECT a.name, a.whole_at - n.now
   FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) n,
     unnest($1::text[]) AS b (beginning) JOIN allowances a ON a.name >= b.beginning AND a.name < b.beginning || '~'
   WHERE a.whole_at > n.now";
const GIVE_BACK: &str = "UPDATE allowances SET whole_at = whole_at - $2 WHERE name = $1";
const NOW: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
const HAS_WHOLE: &str = "SELECT name FROM allowances WHERE whole_at <= $1 LIMIT 1";
const FORGET: &str = "DELETE FROM allowances WHERE whole_at <= $1";

/// For how long a statement that looks at the clock may wait until it has its row.
const WAITED_MICROS: i64 = 5_000_000;

impl SharedLimits for PostgresStore {
    fn shares_limits(&self) -> bool {
        true
    }

    fn take_allowances(&self, wanted: Vec<Taken>) -> StoreFuture<'_, TakeVerdict> {
        let inner = self.inner.clone();
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                for one in &wanted {
                    let [taken, all] = costs(one);
                    let waited = one.allowance.each_micros.max(WAITED_MICROS);
                    let given: Values<'_> = &[&one.holder, &taken, &all, &waited];
                    let has_left = tx.execute(TAKE, given).await? > 0;
                    if has_left {
                        continue;
                    }
                    let row = tx.row(LACKS, &[&one.holder]).await?;
                    let lacks = row.map_or(0, |row| row.get::<_, i64>(0));
                    let lacking = lacks.max(0) + taken - all;
                    // what was taken of others goes back with the transaction
                    tx.keeps_nothing();
                    return Ok(Err(lacking.max(1)));
                }
                Ok(Ok(()))
            })
        })
    }

    fn lacking_allowances(&self, beginnings: Vec<String>) -> StoreFuture<'_, Vec<(String, i64)>> {
        self.read(|inner| async move {
            let rows = inner.connections.read(LACKING, &[&beginnings]).await?;
            Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
        })
    }

    fn give_back_allowances(&self, taken: Vec<Taken>) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                for one in &taken {
                    tx.execute(GIVE_BACK, &[&one.holder, &costs(one)[0]]).await?;
                }
                Ok(())
            })
        })
    }

    fn forget_whole_allowances(&self) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move {
            let now = inner.connections.read_one(NOW, &[]).await?;
            let now = now.map_or(i64::MIN, |row| row.get::<_, i64>(0));
            // who looks again and again must not write for it
            let has_whole = inner.connections.read_one(HAS_WHOLE, &[&now]).await?;
            if has_whole.is_some() {
                inner.connections.change(FORGET, &[&now]).await?;
            }
            Ok(())
        })
    }

    fn take_job_room(&self, room: JobRoom, at: Timestamp) -> StoreFuture<'_, Option<u64>> {
        let inner = self.inner.clone();
        self.see_through(async move { inner.take_job_room(&room, at).await })
    }

    fn note_job_bytes(&self, counted: JobBytes, at: Timestamp) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.see_through(async move { inner.note_job_bytes(&counted, at).await })
    }

    fn job_bytes_elsewhere(&self, tenant: &str, folder: &str) -> StoreFuture<'_, u64> {
        let (tenant, folder) = (tenant.to_owned(), folder.to_owned());
        self.read(|inner| async move { inner.job_bytes_elsewhere(&tenant, &folder).await })
    }

    fn records_at_most(&self, tenant: &str) -> StoreFuture<'_, Option<u64>> {
        let tenant = tenant.to_owned();
        self.read(|inner| async move { inner.records_at_most(&tenant).await })
    }

    fn limit_records(&self, of_tenant_max: u64) {
        self.inner.rooms.limit_to(of_tenant_max);
    }
}

/// The microseconds that a taking costs, and those of all that there may be at once.
fn costs(taken: &Taken) -> [i64; 2] {
    let each = taken.allowance.each_micros;
    [taken.count, taken.allowance.at_once].map(|count| count.saturating_mul(each))
}
