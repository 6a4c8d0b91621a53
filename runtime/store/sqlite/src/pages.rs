//! Pages of records: walks by place on prepared statements, which end at their limit and read nothing behind
//! it but whether something is there. Where a record is not as it was written, a page ends before it.

use super::gaps;
use super::row::{record, select_record};
use crate::error::Failure;
use rusqlite::{Connection, Row, Statement, params};
use std::ops::Range;
use store::records::{PageLimit, RecordPlace, RecordsPage};

pub(super) const LIVE: &str = select_record!("WHERE place > ?1 AND place <= ?2 ORDER BY place");
const DELETED: &str = select_record!(
    "WHERE dataset = ?3 AND place > ?1 AND place <= ?2 AND deleted = 1 ORDER BY place"
);

/// So many deleted records in a row are stepped over, before the walk asks where their gap ends: about what
/// asking costs.
const STEPS_MAX: usize = 8;

/// Live records of some places.
pub(super) fn live(
    connection: &Connection,
    places: &Range<i64>,
    limit: PageLimit,
) -> Result<RecordsPage, Failure> {
    let mut filling = Filling::new(limit);
    let mut statement = connection.prepare_cached(LIVE)?;
    let mut after = places.start;
    while let Some(gap) = up_to_a_gap(&mut statement, after..places.end, &mut filling)? {
        after = gaps::last(connection, gap)?;
    }
    Ok(filling.page)
}

/// Fills the page until it is full, nothing is left, or a gap is met that is worth a jump: then a place in it.
fn up_to_a_gap(
    statement: &mut Statement<'_>,
    places: Range<i64>,
    filling: &mut Filling,
) -> Result<Option<i64>, Failure> {
    let mut rows = statement.query([places.start, places.end])?;
    let mut steps = 0;
    while let Some(row) = rows.next()? {
        if filling.is_passed_over(row)? {
            steps += 1;
            if steps == STEPS_MAX {
                return Ok(Some(row.get(0)?));
            }
        } else if filling.has_taken(row)? {
            steps = 0;
        } else {
            break;
        }
    }
    Ok(None)
}

/// Deleted records of some places.
pub(super) fn deleted(
    connection: &Connection,
    dataset: u32,
    places: &Range<i64>,
    limit: PageLimit,
) -> Result<RecordsPage, Failure> {
    let mut filling = Filling::new(limit);
    let mut statement = connection.prepare_cached(DELETED)?;
    let mut rows = statement.query(params![places.start, places.end, dataset])?;
    while let Some(row) = rows.next()? {
        if !filling.has_taken(row)? {
            break;
        }
    }
    Ok(filling.page)
}

/// A page that is being filled.
struct Filling {
    page: RecordsPage,
    bytes: usize,
    limit: PageLimit,
}

impl Filling {
    fn new(limit: PageLimit) -> Self {
        Filling {
            page: RecordsPage::default(),
            bytes: 0,
            limit,
        }
    }

    /// Whether a row is that of a deleted record. One that is not as it was written is taken for a live one:
    /// whoever comes to it is told.
    fn is_passed_over(&self, row: &Row<'_>) -> Result<bool, Failure> {
        Ok(row.get(4).unwrap_or(false) && record(row).is_ok())
    }

    /// Takes a record in; if the page is full, only notes that it follows. Behind sound ones, one that is not
    /// as it was written ends the page; a page that would begin with it fails.
    fn has_taken(&mut self, row: &Row<'_>) -> Result<bool, Failure> {
        let records = &mut self.page.records;
        let is_heavy = self.bytes >= self.limit.bytes && !records.is_empty();
        if is_heavy || records.len() >= self.limit.records {
            self.page.behind = Some(RecordPlace::of_number(row.get(0)?).sequence);
            return Ok(false);
        }
        let record = match record(row) {
            Err(_) if !records.is_empty() => {
                self.page.behind = Some(RecordPlace::of_number(row.get(0)?).sequence);
                return Ok(false);
            }
            record => record?,
        };
        self.bytes += record.bytes();
        records.push(record);
        Ok(true)
    }
}
