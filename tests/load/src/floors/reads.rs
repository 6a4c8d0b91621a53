//! Rows that are read as the service reads them, with the file mapped into memory, which is SQLite's quickest way.

use super::timed;
use crate::records::code;
use crate::searches::opened;
use crate::target::Chance;
use anyhow::ensure;
use rusqlite::{Connection, Row, params};
use std::path::Path;
use std::time::Duration;

/// How many are read; of each that many before it counts.
const READS: u32 = 20_000;
const WARM_UP: u32 = 2_000;
const PAGE_SIZE: i64 = 100;

const MAPPED: &str = "PRAGMA mmap_size = 1099511627776; PRAGMA query_only = ON;";
const BOUNDS: &str = "SELECT dataset, min(place), max(place) FROM records";
const COLUMNS: &str = "place, nonce, version, schema_version, deleted, last_change, checksum, primary_key, errors, hidden, body";
const BY_KEY: &str = "dataset = ?1 AND primary_key = ?2 AND deleted = 0";
const PAGE: &str = "place > ?1 ORDER BY place LIMIT ?2";

/// What a read takes.
pub(super) struct Reads {
    pub(super) by_key: Duration,
    pub(super) page: Duration,
}

pub(super) fn measure(file: &Path, records: u64) -> anyhow::Result<Reads> {
    let store = opened(file)?;
    store.execute_batch(MAPPED)?;
    let bounds = store.query_row(BOUNDS, [], |row| {
        Ok([row.get::<_, i64>(0)?, row.get(1)?, row.get(2)?])
    })?;
    let mut chance = Chance(7);
    let mut by_key = |count| keys(&store, bounds[0], records, count, &mut chance);
    by_key(WARM_UP)?;
    let of_keys = timed(|| by_key(READS))?;
    let mut page = |count| pages(&store, [bounds[1], bounds[2]], count, &mut chance);
    page(WARM_UP)?;
    let of_pages = timed(|| page(READS))?;
    Ok(Reads {
        by_key: of_keys / READS,
        page: of_pages / READS,
    })
}

fn keys(
    store: &Connection,
    dataset: i64,
    records: u64,
    count: u32,
    chance: &mut Chance,
) -> anyhow::Result<()> {
    let mut statement = store.prepare(&select(BY_KEY))?;
    for _ in 0..count {
        let key = code(chance.next() % records);
        let bytes = statement.query_row(params![dataset, key], taken)?;
        ensure!(bytes > 0, "a record is empty");
    }
    Ok(())
}

fn pages(
    store: &Connection,
    [first, last]: [i64; 2],
    count: u32,
    chance: &mut Chance,
) -> anyhow::Result<()> {
    let mut statement = store.prepare(&select(PAGE))?;
    let starts = (last - first - PAGE_SIZE).max(1).unsigned_abs();
    for _ in 0..count {
        let start = first + i64::try_from(chance.next() % starts)?;
        let mut rows = statement.query([start, PAGE_SIZE])?;
        let mut read = 0;
        while let Some(row) = rows.next()? {
            ensure!(taken(row)? > 0, "a record is empty");
            read += 1;
        }
        ensure!(read == PAGE_SIZE, "a page has {read} records");
    }
    Ok(())
}

/// The statement that reads records where something holds.
pub(super) fn select(condition: &str) -> String {
    format!("SELECT {COLUMNS} FROM records WHERE {condition}")
}

/// Takes all columns of a row, its texts where they lie; how many bytes its values have.
fn taken(row: &Row<'_>) -> rusqlite::Result<usize> {
    for column in 0..7 {
        row.get::<_, i64>(column)?;
    }
    for column in 7..10 {
        row.get_ref(column)?.as_str_or_null()?;
    }
    Ok(row.get_ref(10)?.as_str()?.len())
}
