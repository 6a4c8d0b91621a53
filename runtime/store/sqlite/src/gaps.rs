//! Stretches of places without a live record, so that a page jumps over them however long they are. A create
//! makes none and costs nothing; a delete begins a gap or joins those beside it; a restore cuts one in two;
//! what is purged stays in its gap. Each is as long as it can be: two never touch.

use rusqlite::{Connection, OptionalExtension, Result};

const JOIN_NEXT: &str = "DELETE FROM gaps WHERE first = ?1 + 1 RETURNING last";
const JOIN_PREVIOUS: &str = "UPDATE gaps SET last = ?2
   WHERE first = (SELECT max(first) FROM gaps WHERE first < ?1) AND last = ?1 - 1";
const BEGIN: &str = "INSERT INTO gaps (first, last) VALUES (?1, ?2)";
const KEEP_BEHIND: &str = "INSERT INTO gaps (first, last) SELECT ?1 + 1, last FROM gaps
   WHERE first = (SELECT max(first) FROM gaps WHERE first <= ?1) AND last > ?1";
const KEEP_BEFORE: &str = "UPDATE gaps SET last = ?1 - 1
   WHERE first = (SELECT max(first) FROM gaps WHERE first < ?1) AND last >= ?1";
const END: &str = "DELETE FROM gaps WHERE first = ?1";
const LAST: &str = "SELECT last FROM gaps WHERE first <= ?1 ORDER BY first DESC LIMIT 1";
const FORGET_ALL: &str = "DELETE FROM gaps";
// what lies between two live records, before the first, and between the last and the end, for which the place behind the
// last one given stands
const MAKE_ALL: &str = "INSERT INTO gaps (first, last)
   SELECT before + 1, place - 1 FROM (
     SELECT place, lag(place, 1, dataset << 40) OVER (PARTITION BY dataset ORDER BY place) AS before FROM (
       SELECT place, dataset FROM records WHERE deleted = 0
       UNION ALL SELECT (dataset << 40) + last_sequence + 1, dataset FROM dataset_state))
   WHERE place - before > 1";

/// Finds every gap anew, by the records that are there.
pub(super) fn make_anew(connection: &Connection) -> Result<()> {
    connection.execute(FORGET_ALL, [])?;
    connection.execute(MAKE_ALL, [])?;
    Ok(())
}

/// Notes that the record of a place is no longer alive.
pub(super) fn open(connection: &Connection, place: i64) -> Result<()> {
    let next: Option<i64> = connection
        .prepare_cached(JOIN_NEXT)?
        .query_row([place], |row| row.get(0))
        .optional()?;
    let last = next.unwrap_or(place);
    let joined = connection
        .prepare_cached(JOIN_PREVIOUS)?
        .execute([place, last])?;
    if joined == 0 {
        connection.prepare_cached(BEGIN)?.execute([place, last])?;
    }
    Ok(())
}

/// Notes that the record of a place is alive again.
pub(super) fn close(connection: &Connection, place: i64) -> Result<()> {
    for part in [KEEP_BEHIND, KEEP_BEFORE, END] {
        connection.prepare_cached(part)?.execute([place])?;
    }
    Ok(())
}

/// The last place of the gap that a place lies in.
pub(super) fn last(connection: &Connection, place: i64) -> Result<i64> {
    let last: Option<i64> = connection
        .prepare_cached(LAST)?
        .query_row([place], |row| row.get(0))
        .optional()?;
    // never back, also when the gaps are damaged
    Ok(last.unwrap_or(place).max(place))
}
