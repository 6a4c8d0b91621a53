//! The records of a dataset that have a key of one field in a range, in order of places. A range that few
//! are in is read from the keys' own order and sorted; one that many are in is looked for record by record,
//! and its first hits come soon. Which of the two it is, a few samples tell, and once more where many were looked at.

use super::facts::keys_of;
use super::looking::Looking;
use super::orders::is_ordered;
use super::sql_key::{FIRST, LAST, SqlKey, field_number, places_of};
use crate::error::Failure;
use rusqlite::{CachedStatement, OptionalExtension, Row, params};
use std::ops::Bound;
use store::search::{Key, KeyRange};

pub(super) const FACTS_AT: &str = "SELECT facts FROM facts WHERE place = ?1";
pub(super) const FACTS_FROM: &str =
    "SELECT place, facts FROM facts WHERE place >= ?1 AND place <= ?2
   ORDER BY place LIMIT ?3";
/// So few are always read and sorted.
const FEW: usize = 2000;
/// So many may be.
const MANY: usize = 200_000;
/// How many records are looked at to know how many are in the range.
const SAMPLES: i64 = 256;
/// From this part of the samples on, records are looked at one by one.
const SHARE: i64 = 16;
/// From this part on also where many of them were.
const SHARE_LATER: i64 = 6;
/// How many are looked at one by one before that: a millisecond or two.
const LOOKED_AT_MAX: u32 = 512;
/// Records that are read at a time, at first and at most.
const ROWS: usize = 64;
const ROWS_MAX: usize = 4096;

/// The first and the last place that a dataset has a record at.
pub(super) fn span(looking: &Looking<'_>, dataset: u32) -> Result<Option<(i64, i64)>, Failure> {
    let Some((first, last)) = places_of(dataset) else {
        return Ok(None);
    };
    let ask = |sql| {
        let mut statement = looking.connection.prepare_cached(sql)?;
        let found = statement.query_row([first, last], |row| row.get::<_, i64>(0));
        Ok::<_, Failure>(found.optional()?)
    };
    Ok(ask(FIRST)?.zip(ask(LAST)?))
}

/// The conditions by which the rows of `keys` are in a range, with `?2` and `?3` as its ends.
pub(super) fn within(range: &KeyRange) -> String {
    let from = match range.from {
        Bound::Included(_) => " AND key >= ?2",
        Bound::Excluded(_) => " AND key > ?2",
        Bound::Unbounded => "",
    };
    let to = match range.to {
        Bound::Included(_) => " AND key <= ?3",
        Bound::Excluded(_) => " AND key < ?3",
        Bound::Unbounded => "",
    };
    format!("{from}{to}")
}

/// The statement that lists the records in a range.
pub(super) fn listed(range: &KeyRange) -> String {
    let within = within(range);
    format!("SELECT sequence FROM keys WHERE field = ?1{within} LIMIT ?4")
}

/// An end of a range as SQLite has it; one that is not there is never looked at.
pub(super) fn end(bound: &Bound<Key>) -> Option<SqlKey<'_>> {
    match bound {
        Bound::Included(key) | Bound::Excluded(key) => Some(SqlKey(key)),
        Bound::Unbounded => None,
    }
}

/// The records with a key in a range.
pub(super) struct ValueStream<'c> {
    looking: &'c Looking<'c>,
    dataset: u32,
    field: u32,
    range: KeyRange,
    at: CachedStatement<'c>,
    /// Places of the range, in order: all of them in a part of the dataset.
    places: Vec<i64>,
    /// That part: its first place and its last.
    covers: (i64, i64),
    /// How many records are read at a time.
    rows: usize,
    /// How many of the samples are in the range; `None` where the keys have no order.
    sampled: Option<i64>,
    /// How many records were looked at one by one.
    looked_at: u32,
}

impl<'c> ValueStream<'c> {
    pub(super) fn new(
        looking: &'c Looking<'c>,
        dataset: u32,
        field: u32,
        range: KeyRange,
    ) -> Result<Self, Failure> {
        let mut stream = ValueStream {
            looking,
            dataset,
            field,
            range,
            at: looking.connection.prepare_cached(FACTS_AT)?,
            places: Vec::new(),
            covers: (0, -1),
            rows: ROWS,
            sampled: None,
            looked_at: 0,
        };
        if is_ordered(looking.connection, dataset, field)? && !stream.list(FEW)? {
            stream.sampled = Some(stream.sample()?);
            stream.list_if_rare(SHARE)?;
        }
        Ok(stream)
    }

    /// Reads those in the range where they are less than a part of all.
    fn list_if_rare(&mut self, share: i64) -> Result<(), Failure> {
        let is_rare = self.sampled.is_some_and(|hits| hits < SAMPLES / share);
        if !is_rare || !self.list(MANY)? {
            self.places.clear();
            self.covers = (0, -1);
        }
        Ok(())
    }

    /// Whether all that are in the range are known.
    pub(super) fn is_listed(&self) -> bool {
        self.covers == (i64::MIN, i64::MAX)
    }

    /// Reads those in the range, unless there are more than so many.
    fn list(&mut self, most: usize) -> Result<bool, Failure> {
        let sql = listed(&self.range);
        let mut statement = self.looking.connection.prepare_cached(&sql)?;
        let limit = i64::try_from(most + 1).unwrap_or(i64::MAX);
        let number = field_number(self.dataset, self.field);
        let range = (end(&self.range.from), end(&self.range.to));
        let mut rows = statement.query(params![number, range.0, range.1, limit])?;
        let base = places_of(self.dataset).map_or(0, |(first, _)| first);
        self.places.clear();
        while let Some(row) = rows.next()? {
            self.places.push(base + row.get::<_, i64>(0)?);
        }
        if self.places.len() > most {
            return Ok(false);
        }
        self.places.sort_unstable();
        self.places.dedup();
        self.covers = (i64::MIN, i64::MAX);
        Ok(true)
    }

    /// How many of some records all over the dataset are in the range.
    fn sample(&self) -> Result<i64, Failure> {
        let Some((first, last)) = span(self.looking, self.dataset)? else {
            return Ok(0);
        };
        let mut statement = self.looking.connection.prepare_cached(FACTS_FROM)?;
        let step = ((last - first) / SAMPLES).max(1);
        let mut hits = 0;
        for sample in 0..SAMPLES {
            self.looking.look()?;
            let is_in = statement
                .query_row([first + sample * step, last, 1], |row| self.is_in(row, 1))
                .optional()?;
            hits += i64::from(is_in == Some(true));
        }
        Ok(hits)
    }

    /// Whether the facts of a row are in the range.
    fn is_in(&self, row: &Row<'_>, column: usize) -> rusqlite::Result<bool> {
        let facts = row.get_ref(column)?.as_blob()?;
        Ok(keys_of(facts, self.field).any(|key| self.range.holds(&key)))
    }

    /// The first of them at a place or behind it.
    pub(super) fn seek(&mut self, from: i64) -> Result<Option<i64>, Failure> {
        let last = places_of(self.dataset).map_or(i64::MAX, |(_, last)| last);
        let mut from = from;
        while from <= last {
            let (first, covered) = self.covers;
            if (first..=covered).contains(&from) {
                let at = self.places.partition_point(|place| *place < from);
                if let Some(place) = self.places.get(at) {
                    return Ok(Some(*place));
                }
                if covered >= last {
                    return Ok(None);
                }
                from = covered + 1;
            }
            self.read(from, last)?;
        }
        Ok(None)
    }

    /// Looks at the next records from a place on.
    fn read(&mut self, from: i64, last: i64) -> Result<(), Failure> {
        self.looking.look()?;
        let mut statement = self.looking.connection.prepare_cached(FACTS_FROM)?;
        let limit = i64::try_from(self.rows).unwrap_or(i64::MAX);
        let mut rows = statement.query([from, last, limit])?;
        self.places.clear();
        let (mut count, mut end) = (0, last);
        while let Some(row) = rows.next()? {
            let place = row.get(0)?;
            if self.is_in(row, 1)? {
                self.places.push(place);
            }
            (count, end) = (count + 1, place);
        }
        self.covers = (from, if count < self.rows { last } else { end });
        self.rows = (self.rows * 2).min(ROWS_MAX);
        Ok(())
    }

    /// Whether the record at a place is one of them.
    pub(super) fn has(&mut self, place: i64) -> Result<bool, Failure> {
        if (self.covers.0..=self.covers.1).contains(&place) {
            return Ok(self.places.binary_search(&place).is_ok());
        }
        self.looked_at += 1;
        if self.looked_at == LOOKED_AT_MAX {
            self.list_if_rare(SHARE_LATER)?;
            return self.has(place);
        }
        self.looking.look()?;
        let (field, range) = (self.field, &self.range);
        let found = self.at.query_row([place], |row| {
            let facts = row.get_ref(0)?.as_blob()?;
            Ok(keys_of(facts, field).any(|key| range.holds(&key)))
        });
        Ok(found.optional()? == Some(true))
    }
}
