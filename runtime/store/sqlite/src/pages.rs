//! Pages of records: walks by place on prepared statements, which end at their limit and read nothing behind
//! it but whether something is there. Where a record is not as it was written, a page ends before it.

use super::gaps;
use super::log_row::{LogReader, select_entry};
use super::row::{limit_of, only, record, select_record, whole_record};
use crate::error::Failure;
use rusqlite::{Connection, Row, Statement, params};
use std::ops::Range;
use store::StoreError;
use store::records::{DeletedPage, Deletion, PageLimit, RecordPlace, RecordsPage};

pub(super) const LIVE: &str = select_record!("WHERE place > ?1 AND place <= ?2 ORDER BY place");
const DELETED: &str = select_record!(
    "WHERE dataset = ?3 AND place > ?1 AND place <= ?2 AND deleted = 1 ORDER BY place"
);
pub(super) const NEWEST_DELETED: &str =
    "SELECT l.place FROM change_log l INDEXED BY change_log_deletions
   CROSS JOIN records r ON r.place = l.place
   WHERE l.place >> 40 = ?1 AND l.action = 'delete' AND l.number < ?2
     AND r.deleted = 1 AND r.last_change = l.number
   ORDER BY l.number DESC LIMIT ?3";
const BY_PLACE: &str = select_record!("WHERE place = ?1");
const DELETION: &str = select_entry!("WHERE number = ?1 AND place = ?2");

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
        if is_passed_over(row) {
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

/// Whether a row is that of a deleted record. One that is not as it was written is taken for a live one: whoever
/// comes to it is told.
fn is_passed_over(row: &Row<'_>) -> bool {
    row.get(4).unwrap_or(false) && record(row).is_ok()
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

/// Deleted records, the one that was deleted last first.
pub(super) fn newest_deleted(
    connection: &Connection,
    dataset: u32,
    before: u64,
    limit: PageLimit,
) -> Result<DeletedPage, Failure> {
    let mut statement = connection.prepare_cached(NEWEST_DELETED)?;
    let before = i64::try_from(before).unwrap_or(i64::MAX);
    // one more than there is room for tells whether something follows
    let most = limit_of(limit.records.saturating_add(1));
    let mut places = statement.query(params![dataset, before, most])?;
    let (mut page, mut bytes) = (DeletedPage::default(), 0);
    let mut reader = LogReader::default();
    while let Some(row) = places.next()? {
        if limit.is_reached(page.records.len(), bytes) {
            page.has_more = true;
            break;
        }
        let place: i64 = row.get(0)?;
        let found = only(connection.prepare_cached(BY_PLACE)?, [place], whole_record);
        let found = match found {
            // behind sound ones, one that is not as it was written ends the page
            Err(_) if !page.records.is_empty() => {
                page.has_more = true;
                break;
            }
            found => found?,
        };
        if let Some(found) = found.filter(|it| it.record.deleted) {
            bytes += found.record.bytes();
            let deletion = deletion(connection, &mut reader, (found.last_change, place))?;
            page.records.push((deletion, found.record));
        }
    }
    Ok(page)
}

/// What the newest entry about a record says of its deletion.
fn deletion(
    connection: &Connection,
    reader: &mut LogReader,
    (number, place): (i64, i64),
) -> Result<Deletion, Failure> {
    let statement = connection.prepare_cached(DELETION)?;
    let entry = match only(statement, [number, place], |row| reader.read(row)) {
        Err(Failure::Store(StoreError::Rotten(_))) => None,
        entry => entry?,
    };
    Ok(Deletion {
        number: number.cast_unsigned(),
        done: entry.map(|entry| (entry.at, entry.actor)),
    })
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

    /// Takes a record in; if the page is full, only notes that it follows. Behind sound ones, one that is not
    /// as it was written ends the page; a page that would begin with it fails.
    fn has_taken(&mut self, row: &Row<'_>) -> Result<bool, Failure> {
        let records = &mut self.page.records;
        if self.limit.is_reached(records.len(), self.bytes) {
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
