//! Verifies the index: its pages and trees, that it holds what was written, and the records that the store has. The words of a
//! record it can't judge: what they come from, the service knows.

use super::{begun, open, verify};
use crate::access::Untouched;
use crate::error::Failure;
use rusqlite::Connection;
use std::path::Path;
use store::records::RecordPlace;
use store::search::Progress;

/// SQLite's own opinion, the full-text trees included; the first of it, since whatever it is, the index is made anew.
const INTEGRITY: &str = "PRAGMA integrity_check(5)";
const INDEXED: &str = "SELECT rowid FROM words ORDER BY rowid";
const LIVE: &str = "SELECT place FROM records WHERE deleted = 0 ORDER BY place";
const LOG_HEAD: &str = "SELECT coalesce(max(number), 0) FROM change_log";

/// How many records are named of those that the index has and the store has not, or the other way round.
const NAMED_MAX: usize = 5;

/// Compares the index of a folder with its store; one that is not there is made at the next start, and
/// so is one of another version, such as what a loss of power leaves of an index's first moments.
pub(crate) fn check(folder: &Path, store: &Connection) -> Result<Vec<String>, Failure> {
    let file = folder.join(open::FILE);
    if !file.try_exists()? {
        return Ok(Vec::new());
    }
    let _untouched = Untouched::of(&file);
    if open::is_of_another_version(&file) {
        return Ok(Vec::new());
    }
    let mut found = match open::reading(&file) {
        Ok((index, _)) => compared(&index, store)?,
        Err(error) => vec![format!("it can't be read: {error}")],
    };
    for words in &mut found {
        *words = format!("the search index: {words}");
    }
    Ok(found)
}

fn compared(index: &Connection, store: &Connection) -> Result<Vec<String>, Failure> {
    let damage = damage(index);
    if !damage.is_empty() {
        return Ok(damage);
    }
    let Some(progress) = open::progress(index)? else {
        return Ok(Vec::new());
    };
    let head: i64 = store.query_row(LOG_HEAD, [], |row| row.get(0))?;
    if !is_whole(&progress, head) {
        return Ok(Vec::new());
    }
    let mut differing = differing(&places(index, INDEXED)?, &places(store, LIVE)?);
    if differing.is_empty() && !is_as_written(index)? {
        differing.push("it does not hold what was written there".to_owned());
    }
    // beside a server, both may have gone on between the looks
    let now: i64 = store.query_row(LOG_HEAD, [], |row| row.get(0))?;
    let is_still = open::progress(index)?.is_some_and(|later| later == progress);
    Ok(if now == head && is_still {
        differing
    } else {
        Vec::new()
    })
}

fn is_whole(progress: &Progress, head: i64) -> bool {
    progress.walks.is_empty() && progress.applied == head.cast_unsigned()
}

/// What is wrong with the pages and trees of an index.
fn damage(index: &Connection) -> Vec<String> {
    let answers = || -> rusqlite::Result<Vec<String>> {
        let mut statement = index.prepare(INTEGRITY)?;
        let rows = statement.query_map([], |row| row.get(0))?;
        rows.collect()
    };
    match answers() {
        Ok(mut answers) => {
            answers.retain(|answer| answer != "ok");
            answers
        }
        Err(error) => vec![error.to_string()],
    }
}

fn is_as_written(index: &Connection) -> Result<bool, Failure> {
    index.execute_batch(begun::TABLE)?;
    verify::is_as_written(index)
}

fn places(connection: &Connection, query: &str) -> Result<Vec<i64>, Failure> {
    let mut statement = connection.prepare(query)?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Places of one list that are not in the other, both in order.
fn differing(indexed: &[i64], live: &[i64]) -> Vec<String> {
    let is_in = |places: &[i64], place: &i64| places.binary_search(place).is_ok();
    let name = |place: &i64| {
        let RecordPlace { dataset, sequence } = RecordPlace::of_number(*place);
        format!("the record at place {place} (dataset {dataset}, sequence {sequence})")
    };
    let lacking = live.iter().filter(|place| !is_in(indexed, place));
    let lacking = lacking.map(|place| format!("it lacks {}", name(place)));
    let extra = indexed.iter().filter(|place| !is_in(live, place));
    let extra = extra.map(|place| format!("it has {}, which is not there", name(place)));
    let mut all = lacking.chain(extra);
    let mut named: Vec<String> = all.by_ref().take(NAMED_MAX).collect();
    let more = all.count();
    if more > 0 {
        named.push(format!("it differs in {more} more records"));
    }
    named
}
