//! Looks for several things at once: one statement, however many there are.

use crate::connection::Values;
use crate::error::Failure;
use crate::records::{record, select_record, told};
use crate::sql::Sql;
use crate::{Inner, limit_of};
use std::collections::HashMap;
use store::records::{Counts, FoundRecord, RecordId, RecordPlace, StoredRecord};

const SOME: &str = select_record!(
    "WHERE (dataset, sequence) IN (SELECT w.dataset, w.sequence
     FROM unnest($1::bigint[], $2::bigint[]) AS w (dataset, sequence))"
);
const COUNTS_OF: &str =
    "SELECT dataset, records, errored FROM dataset_state WHERE dataset = ANY($1::bigint[])";
const CHANGED_LAST: &str = "SELECT dataset FROM dataset_state WHERE dataset = ANY($1::bigint[])
   ORDER BY last_change DESC LIMIT $2";

/// Records that one statement looks for, so that few large ones are read in vain.
const RECORDS_AT_ONCE: usize = 100;

fn numbers_of(datasets: &[u32]) -> Vec<i64> {
    datasets.iter().copied().map(i64::from).collect()
}

impl Inner {
    /// How many records each of these datasets has.
    pub(crate) async fn counts_of(&self, datasets: &[u32]) -> Result<Vec<Counts>, Failure> {
        let numbers = numbers_of(datasets);
        let rows = self.connections.read(COUNTS_OF, &[&numbers]).await?;
        let found = rows.iter().map(|row| {
            let counts = Counts {
                records: row.get::<_, i64>(1).cast_unsigned(),
                errored: row.get::<_, i64>(2).cast_unsigned(),
            };
            (row.get(0), counts)
        });
        let found: HashMap<i64, Counts> = found.collect();
        let of = |number: &i64| found.get(number).copied().unwrap_or_default();
        Ok(numbers.iter().map(of).collect())
    }

    /// The newest entries of these datasets, and what each is about: they are entries of the datasets that have the newest one.
    pub(crate) async fn newest_changes(
        &self,
        datasets: &[u32],
        most: usize,
    ) -> Result<Vec<(u64, RecordId)>, Failure> {
        let given: Values<'_> = &[&numbers_of(datasets), &limit_of(most)];
        let near = self.connections.read(CHANGED_LAST, given).await?;
        if near.is_empty() {
            return Ok(Vec::new());
        }
        // each dataset's own, so that each is asked where it is
        let mut sql = Sql::default();
        sql.push("SELECT l.number, l.dataset, l.sequence, l.nonce FROM (");
        for (at, row) in near.iter().enumerate() {
            sql.push(if at == 0 { "" } else { " UNION ALL " });
            sql.push("(SELECT number, dataset, sequence, nonce FROM change_log WHERE dataset = ");
            sql.value(row.get::<_, i64>(0));
            sql.push(" ORDER BY number DESC LIMIT ");
            sql.value(limit_of(most));
            sql.push(")");
        }
        sql.push(") l ORDER BY l.number DESC LIMIT ");
        sql.value(limit_of(most));
        let rows = self.connections.read(&sql.text, &sql.given()).await?;
        Ok(rows.iter().map(told).collect())
    }

    /// The first of the records at these places, one at least and no more once they have so many bytes.
    pub(crate) async fn get_some(
        &self,
        places: &[RecordPlace],
        bytes_max: usize,
    ) -> Result<Vec<FoundRecord>, Failure> {
        let (mut found, mut bytes) = (Vec::new(), 0);
        for places in places.chunks(RECORDS_AT_ONCE) {
            let records = self.at_places(places).await?;
            for place in places {
                // one may be asked for twice
                let record = records.get(place).cloned();
                bytes += record.as_ref().map_or(0, StoredRecord::bytes);
                found.push(Ok(record));
                if bytes >= bytes_max {
                    return Ok(found);
                }
            }
        }
        Ok(found)
    }

    async fn at_places(
        &self,
        places: &[RecordPlace],
    ) -> Result<HashMap<RecordPlace, StoredRecord>, Failure> {
        // at a place that no store gives is nothing
        let given = places.iter().filter(|place| place.number().is_some());
        let (datasets, sequences): (Vec<i64>, Vec<i64>) = given
            .map(|place| (i64::from(place.dataset), place.sequence.cast_signed()))
            .unzip();
        let rows = self
            .connections
            .read(SOME, &[&datasets, &sequences])
            .await?;
        let records = rows.iter().map(record);
        Ok(records.map(|record| (record.id.place, record)).collect())
    }
}
