//! What every part of a search needs, and when it is to give up.

use super::columns::Columns;
use super::sql_key::{FIRST, places_of};
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension as _};
use std::cell::Cell;
use std::time::Instant;
use store::StoreError;
use store::search::Aim;

/// How many looks there are between two at the clock.
const LOOKS: u32 = 64;

/// What every part of a search needs.
pub(super) struct Looking<'c> {
    pub(super) connection: &'c Connection,
    pub(super) columns: &'c Columns,
    pub(super) deadline: Instant,
    pub(super) looks: Cell<u32>,
}

impl Looking<'_> {
    /// Gives up when the time is over; called with every question to the database, since none of them may
    /// be long enough for the database to look at the clock.
    pub(super) fn look(&self) -> Result<(), Failure> {
        let looks = self.looks.get().wrapping_add(1);
        self.looks.set(looks);
        if looks.is_multiple_of(LOOKS) && Instant::now() >= self.deadline {
            return Err(StoreError::TimedOut.into());
        }
        Ok(())
    }

    /// The datasets that have a record: in each of the others, every word would be looked for as well.
    pub(super) fn with_records(&self, aims: &[Aim]) -> Result<Vec<Aim>, Failure> {
        let mut first = self.connection.prepare_cached(FIRST)?;
        let mut found = Vec::new();
        for aim in aims {
            self.look()?;
            let Some((from, to)) = places_of(aim.dataset) else {
                continue;
            };
            let place = first.query_row([from, to], |row| row.get::<_, i64>(0));
            if place.optional()?.is_some() {
                found.push(aim.clone());
            }
        }
        Ok(found)
    }
}
