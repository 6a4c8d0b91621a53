//! Compares the index with the records, as of one moment: that it has those that are there and no others. The words of a record
//! it can't judge: what they come from, the service knows.

use super::{FORMAT, STORED, progress};
use crate::PostgresStore;
use crate::connections::{Transaction, transact};
use crate::error::Failure;
use store::{Catalogs as _, StoreError};

const BEHIND: &str = "SELECT number FROM change_log WHERE number > $1 ORDER BY number LIMIT 1";
const LACKING: &str = "SELECT r.dataset, count(*), min(r.sequence) FROM records r
   LEFT JOIN search_records i ON i.dataset = r.dataset AND i.sequence = r.sequence
   WHERE NOT r.deleted AND i.sequence IS NULL GROUP BY r.dataset ORDER BY r.dataset";
const GONE: &str = "SELECT i.dataset, count(*), min(i.sequence) FROM search_records i
   LEFT JOIN records r ON r.dataset = i.dataset AND r.sequence = i.sequence AND NOT r.deleted
   WHERE r.sequence IS NULL GROUP BY i.dataset ORDER BY i.dataset";

/// A dataset's number, how many of its records differ, and the sequence of the first of them.
type Differing = (i64, i64, i64);

impl PostgresStore {
    /// In which datasets the index has not the records that there are, in words. Nothing is told of one that is being made, or
    /// is behind what was written last.
    ///
    /// # Errors
    /// When the database can't be asked.
    pub async fn check_index(&self) -> Result<Vec<String>, StoreError> {
        let compared: Result<[Vec<Differing>; 2], Failure> = transact!(&self.inner.connections, tx => {
            tx.take_time();
            self.inner.take_moment(tx).await?;
            tx.keeps_nothing();
            if is_whole(tx).await? {
                Ok([differing(tx, LACKING).await?, differing(tx, GONE).await?])
            } else {
                Ok([Vec::new(), Vec::new()])
            }
        });
        let [lacking, gone] = compared?;
        let catalog = self.catalog();
        let named = |number: i64| {
            let known = u32::try_from(number).ok();
            let dataset = known.and_then(|number| catalog.datasets_by_number.get(&number));
            dataset.map_or_else(|| format!("of number {number}"), |it| it.id.clone())
        };
        let lacking = lacking.into_iter().map(|(number, count, first)| {
            let dataset = named(number);
            format!("the search index: it lacks records of the dataset {dataset}, {count} from sequence {first} on")
        });
        let gone = gone.into_iter().map(|(number, count, first)| {
            let dataset = named(number);
            format!("the search index: it has records of the dataset {dataset} that are not there, {count} from sequence {first} on")
        });
        Ok(lacking.chain(gone).collect())
    }
}

/// Whether the index has all that the log tells of.
async fn is_whole(tx: &Transaction) -> Result<bool, Failure> {
    let row = tx.row(STORED, &[]).await?;
    let Some(row) = row.filter(|row| row.get::<_, i64>(0) == FORMAT) else {
        return Ok(false);
    };
    let Some(progress) = progress(row.get(1))?.filter(|it| it.walks.is_empty()) else {
        return Ok(false);
    };
    let applied = progress.applied.cast_signed();
    Ok(tx.row(BEHIND, &[&applied]).await?.is_none())
}

async fn differing(tx: &Transaction, sql: &str) -> Result<Vec<Differing>, Failure> {
    let rows = tx.rows(sql, &[]).await?;
    let differing = rows.iter().map(|row| (row.get(0), row.get(1), row.get(2)));
    Ok(differing.collect())
}
