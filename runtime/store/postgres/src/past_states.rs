//! The values of a record behind an entry of the change log. Entries hold only how values differed (`store::delta`): the newest
//! values are the record's own, and each earlier ones follow from those behind them. Now and then some are kept whole, so
//! that no way back is long. Each entry has a digest of the values behind it: what somebody changed by hand, and what would
//! follow from that, is told as what is not as it was written. An entry without a digest has its values itself.

use crate::connection::{Given, Values};
use crate::connections::Reads;
use crate::error::Failure;
use crate::log_row::{LogReader, LogRow};
use rustc_hash::{FxHashMap, FxHashSet};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use store::delta;
use store::records::{LogAction, LogEntry, PageLimit, RecordId, is_object};
use tokio_postgres::Row;

/// After how many versions the values are kept whole.
pub(crate) const KEPT_EACH: i64 = 16;

// for each record from where the way is shortest, which is what was kept whole or the record itself, back from entry to
// entry. Of one dataset at a time: an engine that divides tables follows no entries through several shards
const WAYS: &str = "WITH RECURSIVE way (sequence, oldest, number, prior, before, body) AS (
     SELECT w.sequence, w.oldest, l.number, l.prior, l.before, coalesce((SELECT p.body FROM past_states p
       WHERE p.dataset = $1 AND p.sequence = w.sequence AND p.number = w.kept), r.body)
     FROM (SELECT u.sequence, u.nonce, u.oldest, (SELECT min(k.number) FROM past_states k
         WHERE k.dataset = $1 AND k.sequence = u.sequence AND k.number >= u.newest) AS kept
       FROM unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
         AS u (sequence, nonce, newest, oldest)) AS w
     JOIN records r ON r.dataset = $1 AND r.sequence = w.sequence AND r.nonce = w.nonce
     JOIN change_log l ON l.dataset = $1 AND l.number = coalesce(w.kept, r.last_change)
     UNION ALL
     SELECT w.sequence, w.oldest, l.number, l.prior, l.before, NULL::text
     FROM way w JOIN change_log l ON l.dataset = $1 AND l.number = w.prior
     WHERE w.number > w.oldest AND l.number < w.number AND l.sequence = w.sequence)
   SELECT number, before, body FROM way ORDER BY sequence, number DESC";

// the records of which these entries are the newest, in whatever datasets
pub(crate) const NEWEST: &str = "SELECT w.number, r.body
   FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[])
     AS w (dataset, sequence, nonce, number)
   JOIN records r ON r.dataset = w.dataset AND r.sequence = w.sequence
   WHERE r.nonce = w.nonce AND r.last_change = w.number";

/// Entries whose values are looked for at a time, at most: each may bring those of some fifteen others along.
const ENTRIES_AT_ONCE: usize = 100;
/// The same where there is a limit of bytes, until it is known how large they are.
const ENTRIES_AT_FIRST: usize = 4;

/// What values are known by.
pub(crate) fn digest(body: &str) -> i64 {
    let bytes = Sha256::digest(body).into_iter().take(8);
    bytes.fold(0, |sum, byte| (sum << 8) | i64::from(byte))
}

/// The entries of rows, up to the limit of bytes, and to one that is not as it was written.
pub(crate) async fn read_some(
    reads: Reads<'_>,
    rows: &[Row],
    limit: PageLimit,
) -> Result<Vec<LogEntry>, Failure> {
    let (mut reader, mut entries, mut bytes) = (LogReader::default(), Vec::new(), 0);
    let mut most = match limit.bytes {
        usize::MAX => ENTRIES_AT_ONCE,
        _ => ENTRIES_AT_FIRST,
    };
    let mut rest = rows;
    while !rest.is_empty() && !limit.is_reached(entries.len(), bytes) {
        let (rows, behind) = rest.split_at(rest.len().min(most));
        rest = behind;
        for entry in read_whole(reads, &mut reader, rows).await? {
            if limit.is_reached(entries.len(), bytes) {
                return Ok(entries);
            }
            let entry = match entry {
                // who comes for more is told
                Err(_) if !entries.is_empty() => return Ok(entries),
                entry => entry?,
            };
            bytes += entry.bytes();
            entries.push(entry);
        }
        let mean = (bytes / entries.len().max(1)).max(1);
        most = (limit.bytes.saturating_sub(bytes) / mean).clamp(1, ENTRIES_AT_ONCE);
    }
    Ok(entries)
}

/// The entries of rows with the values before and after each, or what is told in place of one.
pub(crate) async fn read_whole(
    reads: Reads<'_>,
    reader: &mut LogReader,
    rows: &[Row],
) -> Result<Vec<Result<LogEntry, Failure>>, Failure> {
    let mut filled = Vec::with_capacity(rows.len());
    for rows in rows.chunks(ENTRIES_AT_ONCE) {
        let rows: Vec<_> = rows.iter().map(|row| reader.read(row)).collect();
        let read: Vec<&LogRow> = rows.iter().flatten().collect();
        let mut states = behind(reads, &read).await?;
        filled.extend(rows.into_iter().map(|row| {
            let row = row?;
            let state = states.remove(&row.entry.number);
            fill(row, state)
        }));
    }
    Ok(filled)
}

/// The entry of a row with the values before and after it, by those behind it.
pub(crate) fn fill(row: LogRow, state: Option<String>) -> Result<LogEntry, Failure> {
    let rotten = row.rotten();
    let LogRow { mut entry, digest } = row;
    if let Some(digest) = digest {
        let is_own = |state: &String| entry.after.is_none() && self::digest(state) == digest;
        let Some(state) = state.filter(is_own) else {
            return Err(rotten);
        };
        if entry.action == LogAction::Delete {
            // one that could not be read was deleted all the same
            entry.before = Some(state).filter(|state| is_object(state));
        } else {
            if let Some(told) = &entry.before {
                let Some(before) = delta::earlier(told, &state) else {
                    return Err(rotten);
                };
                // nothing is told of what could not be read
                entry.before = Some(before).filter(|before| !before.is_empty());
            }
            entry.after = Some(state);
        }
    }
    if entry.has_form() {
        Ok(entry)
    } else {
        Err(rotten)
    }
}

/// The values behind these entries, as far as something leads to them, by the entry's number.
pub(crate) async fn behind(
    reads: Reads<'_>,
    rows: &[&LogRow],
) -> Result<FxHashMap<u64, String>, Failure> {
    let with_digest = rows.iter().copied().filter(|row| row.digest.is_some());
    let mut rows: Vec<&LogRow> = with_digest.collect();
    let mut states = FxHashMap::default();
    // of many datasets, most are done by one statement: entries that nothing followed
    let dataset_of = |row: &LogRow| row.entry.id.place.dataset;
    if rows
        .windows(2)
        .any(|pair| dataset_of(pair[0]) != dataset_of(pair[1]))
    {
        newest(reads, &rows, &mut states).await?;
        rows.retain(|row| !states.contains_key(&row.entry.number));
    }
    // of each record, the newest and the oldest
    let mut wanted = BTreeMap::<i64, BTreeMap<(i64, i64), (i64, i64)>>::new();
    let mut numbers = FxHashSet::default();
    for row in rows {
        let RecordId { place, nonce } = row.entry.id;
        let number = row.entry.number.cast_signed();
        let of_dataset = wanted.entry(i64::from(place.dataset)).or_default();
        let record = (place.sequence.cast_signed(), nonce.cast_signed());
        let (newest, oldest) = of_dataset.entry(record).or_insert((number, number));
        (*newest, *oldest) = ((*newest).max(number), (*oldest).min(number));
        numbers.insert(number);
    }
    if wanted.is_empty() {
        return Ok(states);
    }
    let asked: Vec<_> = wanted
        .into_iter()
        .map(|(dataset, records)| {
            let (sequences, nonces): (Vec<i64>, Vec<i64>) = records.keys().copied().unzip();
            let (newest, oldest): (Vec<i64>, Vec<i64>) = records.values().copied().unzip();
            (dataset, [sequences, nonces, newest, oldest])
        })
        .collect();
    let given = asked.iter().map(|(dataset, columns)| {
        let [sequences, nonces, newest, oldest] = columns;
        let values: Given<'_> = vec![dataset, sequences, nonces, newest, oldest];
        values
    });
    let given: Vec<Given<'_>> = given.collect();
    for rows in reads.rows_each(WAYS, &given).await? {
        go_back(&rows, &numbers, &mut states);
    }
    Ok(states)
}

/// Notes the values behind entries that are the newest about their records: the records' own.
async fn newest(
    reads: Reads<'_>,
    rows: &[&LogRow],
    states: &mut FxHashMap<u64, String>,
) -> Result<(), Failure> {
    let column = |of: fn(&LogRow) -> i64| rows.iter().map(|row| of(row)).collect::<Vec<i64>>();
    let datasets = column(|row| i64::from(row.entry.id.place.dataset));
    let sequences = column(|row| row.entry.id.place.sequence.cast_signed());
    let nonces = column(|row| row.entry.id.nonce.cast_signed());
    let numbers = column(|row| row.entry.number.cast_signed());
    let digests = rows
        .iter()
        .map(|row| (row.entry.number.cast_signed(), row.digest));
    let digests: FxHashMap<i64, Option<i64>> = digests.collect();
    let given: Values<'_> = &[&datasets, &sequences, &nonces, &numbers];
    for row in reads.rows(NEWEST, given).await? {
        let (number, body): (i64, String) = (row.get(0), row.get(1));
        // where a record was changed by hand, what was kept of its past may lead to the entry all the same
        if digests.get(&number) == Some(&Some(digest(&body))) {
            states.insert(number.cast_unsigned(), body);
        }
    }
    Ok(())
}

/// Goes from entry to entry, and notes the values behind those that are wanted.
fn go_back(rows: &[Row], wanted: &FxHashSet<i64>, states: &mut FxHashMap<u64, String>) {
    let mut state: Option<String> = None;
    for row in rows {
        let number: i64 = row.get(0);
        let told: Option<&str> = row.get(1);
        // where a way begins
        if let Some(body) = row.get::<_, Option<String>>(2) {
            state = Some(body);
        }
        let Some(body) = state.take() else { continue };
        state = match told {
            Some(told) => delta::earlier(told, &body),
            None => Some(body.clone()),
        };
        if wanted.contains(&number) {
            states.insert(number.cast_unsigned(), body);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_known_by_their_digest() {
        // the first eight bytes of SHA-256, as other programs tell it
        assert_eq!(digest(""), 0xe3b0_c442_98fc_1c14_u64.cast_signed());
        assert_ne!(digest("{}"), digest("{ }"));
    }
}
