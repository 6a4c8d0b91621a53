//! Room for files of jobs, which servers share whatever folders they keep them in: a row for each tenant and folder. Who takes
//! room of a tenant holds one row of its own meanwhile, so that all is summed up by one after the other.

use crate::Inner;
use crate::connections::transact;
use crate::error::Failure;
use store::shared_limits::{JobBytes, JobRoom};
use wire::Timestamp;

const BEGIN: &str = "INSERT INTO job_room (tenant, folder, bytes_at_most, counted_at)
   SELECT t, '', 0, $2 FROM unnest($1::text[]) AS w (t) ORDER BY t ON CONFLICT DO NOTHING";
const HOLD: &str = "SELECT tenant FROM job_room WHERE tenant = ANY ($1::text[]) AND folder = ''
   ORDER BY tenant FOR UPDATE";
const USED: &str = "SELECT coalesce(sum(bytes_at_most), 0)::bigint FROM job_room WHERE tenant = $1";
const TAKE: &str = "INSERT INTO job_room AS r (tenant, folder, bytes_at_most, counted_at)
   VALUES ($1, $2, $3, $4) ON CONFLICT (tenant, folder)
   DO UPDATE SET bytes_at_most = r.bytes_at_most + excluded.bytes_at_most";
const OF_FOLDER: &str = "SELECT tenant FROM job_room WHERE folder = $1 OR counted_at < $2";
const FORGET: &str = "DELETE FROM job_room
   WHERE tenant = ANY ($1::text[]) AND folder <> '' AND (folder = $2 OR counted_at < $3)";
const NOTE: &str = "INSERT INTO job_room (tenant, folder, bytes_at_most, counted_at)
   SELECT t, $3, b, $4 FROM unnest($1::text[], $2::bigint[]) AS w (t, b)";
const ELSEWHERE: &str = "SELECT coalesce(sum(bytes_at_most), 0)::bigint FROM job_room
   WHERE tenant = $1 AND folder <> $2";

/// How long a folder counts of which nothing is told: servers count theirs several times as often.
const FORGOTTEN_SECONDS: i64 = 24 * 3600;

impl Inner {
    /// See [`take_job_room`](store::SharedLimits::take_job_room).
    pub(crate) async fn take_job_room(
        &self,
        room: &JobRoom,
        at: Timestamp,
    ) -> Result<Option<u64>, Failure> {
        let (tenants, at) = ([&*room.tenant], at.millis());
        transact!(&self.connections, tx => {
            tx.execute(BEGIN, &[&&tenants[..], &at]).await?;
            tx.rows(HOLD, &[&&tenants[..]]).await?;
            let used = tx.row(USED, &[&room.tenant]).await?;
            let used = used.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned());
            let left = room.bytes_max.saturating_sub(used);
            let Some(more) = left.checked_sub(room.bytes) else {
                tx.keeps_nothing();
                return Ok(None);
            };
            let aside = room.aside.min(more);
            let taken = room.bytes.saturating_add(aside).cast_signed();
            tx.execute(TAKE, &[&room.tenant, &room.folder, &taken, &at]).await?;
            Ok(Some(aside))
        })
    }

    /// See [`note_job_bytes`](store::SharedLimits::note_job_bytes).
    pub(crate) async fn note_job_bytes(
        &self,
        counted: &JobBytes,
        at: Timestamp,
    ) -> Result<(), Failure> {
        let before = at.plus_seconds(-FORGOTTEN_SECONDS).millis();
        let at = at.millis();
        let counts = counted
            .of_tenants
            .iter()
            .map(|(_, bytes)| bytes.cast_signed());
        let counts: Vec<i64> = counts.collect();
        let counted_of = counted.of_tenants.iter().map(|(tenant, _)| tenant.clone());
        let counted_of: Vec<String> = counted_of.collect();
        transact!(&self.connections, tx => {
            let rows = tx.rows(OF_FOLDER, &[&counted.folder, &before]).await?;
            let mut tenants: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
            tenants.extend(counted_of.iter().cloned());
            if tenants.is_empty() {
                tx.keeps_nothing();
                return Ok(());
            }
            tx.execute(BEGIN, &[&tenants, &at]).await?;
            tx.rows(HOLD, &[&tenants]).await?;
            tx.execute(FORGET, &[&tenants, &counted.folder, &before]).await?;
            tx.execute(NOTE, &[&counted_of, &counts, &counted.folder, &at]).await?;
            Ok(())
        })
    }

    /// See [`job_bytes_elsewhere`](store::SharedLimits::job_bytes_elsewhere).
    pub(crate) async fn job_bytes_elsewhere(
        &self,
        tenant: &str,
        folder: &str,
    ) -> Result<u64, Failure> {
        let row = self
            .connections
            .read_one(ELSEWHERE, &[&tenant, &folder])
            .await?;
        Ok(row.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }
}
