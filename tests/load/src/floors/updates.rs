//! What the service writes for an update of one field, the stock, of records that were made as the service makes them: its own
//! statements, which stand in its sources, and what they are given. Counters of the dataset stay as they are.

use super::reads::select;
use super::rows::Rows;
use crate::records::{spread, stock};
use anyhow::{Context as _, bail, ensure};
use rusqlite::types::Value;

const OF_RECORD: &str = include_str!("../../../../runtime/store/sqlite/src/write/change.rs");
const OF_LOG: &str = include_str!("../../../../runtime/store/sqlite/src/log_row.rs");
const OF_INDEX: &str = include_str!("../../../../runtime/store/sqlite/src/search/write.rs");

/// What stands before the stock in a record's values.
const STOCK: &str = "\"Stock\":";

/// The numbers of so many records, each once, in an order that is not theirs.
pub(super) fn scattered(count: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    numbers.sort_unstable_by_key(|number| spread(*number as u64));
    numbers
}

/// A statement as a source of the service names it.
fn statement(source: &str, name: &str) -> anyhow::Result<String> {
    let named = source.split_once(&format!("const {name}: &str ="));
    let (_, behind) = named.with_context(|| format!("no statement is called {name}"))?;
    let quoted = behind.split('"').nth(1).context("a statement in quotes")?;
    Ok(quoted.to_owned())
}

/// The store's part, of records of these numbers: it reads the record, adds an entry to the log, which says what the values were,
/// and changes the record.
pub(super) fn of_store(
    [records, entries]: &[Rows; 2],
    numbers: &[usize],
) -> anyhow::Result<[Rows; 3]> {
    let newest = entries.rows.last().and_then(|entry| entry.first());
    let Some(Value::Integer(newest)) = newest else {
        bail!("the log has no numbers");
    };
    let mut updates = [
        Rows::of(select("place = ?1")),
        Rows::of(statement(OF_LOG, "PUT")?),
        Rows::of(statement(OF_RECORD, "UPDATE")?),
    ];
    for (number, change) in numbers.iter().zip(newest + 1..) {
        let (record, made) = (&records.rows[*number], &entries.rows[*number]);
        let stocks = [0, 1].map(|version| stock(*number as u64, version));
        let all = given(record, made, change, stocks)?;
        for (update, given) in updates.iter_mut().zip(all) {
            update.rows.push(given);
        }
    }
    Ok(updates)
}

/// What the statements of the store are given for an update: of a record, of the entry that made it, and for the next entry.
fn given(
    record: &[Value],
    made: &[Value],
    change: i64,
    [old, new]: [i64; 2],
) -> anyhow::Result<[Vec<Value>; 3]> {
    let [
        place,
        nonce,
        _,
        _,
        schema_version,
        _,
        prior,
        _,
        errors,
        hidden,
        Value::Text(body),
        checksum,
    ] = record
    else {
        bail!("records have other columns");
    };
    let [_, of, _, _, _, _, at, actor, _, _, after, _, no_errors, _] = made else {
        bail!("entries of the log have other columns");
    };
    ensure!(of == place, "entries of the log are in another order");
    let stock = body.find(STOCK).context("a record without a stock")?;
    let (first, rest) = body.split_at(stock + STOCK.len());
    let last = rest.strip_prefix(&old.to_string());
    let last = last.filter(|last| last.starts_with(','));
    let last = last.context("a record has another stock")?;
    // as the store tells values by those behind them, where no digit stays
    let before = format!("{} {} {old}", first.len(), last.len());
    let body = Value::Text(format!("{first}{new}{last}"));
    let (change, version) = (Value::Integer(change), Value::Integer(1));
    // checksums are those of before: they have as many bytes
    let entry = [
        &change,
        place,
        nonce,
        &Value::Text("update".to_owned()),
        &version,
        schema_version,
        at,
        actor,
        prior,
        &Value::Text(before),
        after,
        checksum,
        no_errors,
        hidden,
    ];
    let row = [
        place,
        schema_version,
        &change,
        errors,
        hidden,
        &body,
        checksum,
    ];
    let owned = |values: &[&Value]| -> Vec<Value> { values.iter().copied().cloned().collect() };
    Ok([owned(&[place]), owned(&entry), owned(&row)])
}

/// The index's part: it reads what it knows of the record beside its words, and writes both anew, since FTS5 takes the words of
/// a row as a whole, and the stock is one of them. A step takes its records in order.
pub(super) fn of_index(
    [words, facts]: &[Rows; 2],
    mut numbers: Vec<usize>,
    step: usize,
) -> anyhow::Result<[Rows; 3]> {
    let mut updates = [
        Rows::of(statement(OF_INDEX, "FACTS")?),
        Rows::of(words.statement.replacen("INSERT", "INSERT OR REPLACE", 1)),
        Rows::of(statement(OF_INDEX, "PUT_FACTS")?),
    ];
    for numbers in numbers.chunks_mut(step) {
        numbers.sort_unstable();
        for number in numbers {
            let [place, Value::Blob(facts)] = &facts.rows[*number][..] else {
                bail!("facts have other columns");
            };
            let mut facts = facts.clone();
            // one byte is enough: SQLite writes no page whose bytes stay, and asks not what they mean
            let last = facts.last_mut().context("a record without facts")?;
            *last = !*last;
            let [known, put_words, put] = &mut updates;
            known.rows.push(vec![place.clone()]);
            // FTS5 doesn't ask which words stay
            put_words.rows.push(words.rows[*number].clone());
            put.rows.push(vec![place.clone(), Value::Blob(facts)]);
        }
    }
    Ok(updates)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_found_in_the_sources_of_the_service() {
        let found = |source, name| statement(source, name).unwrap();
        let update = found(OF_RECORD, "UPDATE");
        assert!(update.starts_with("UPDATE records SET version = version + 1"));
        assert!(update.ends_with("WHERE place = ?1"), "{update}");
        assert!(found(OF_LOG, "PUT").starts_with("INSERT INTO change_log"));
        assert!(found(OF_INDEX, "FACTS").starts_with("SELECT facts FROM facts"));
        assert!(found(OF_INDEX, "PUT_FACTS").contains("INTO facts"));
        assert!(statement(OF_LOG, "NONE").is_err());
    }

    #[test]
    fn an_update_changes_the_stock_alone_and_says_what_it_was() {
        let integers = |count| vec![Value::Integer(7); count];
        let body = |stock| format!("{{\"Price\":12,\"Stock\":{stock},\"Weight\":12}}");
        let mut record = integers(12);
        record[10] = Value::Text(body(12));
        let [read, entry, row] = given(&record, &integers(14), 9, [12, 345]).unwrap();
        assert_eq!(read, integers(1));
        assert_eq!((entry.len(), &entry[0]), (14, &Value::Integer(9)));
        let before = "20 13 12".to_owned();
        assert_eq!(entry[9], Value::Text(before));
        assert_eq!((row.len(), &row[2]), (7, &Value::Integer(9)));
        assert_eq!(row[5], Value::Text(body(345)));
        assert!(given(&record, &integers(14), 9, [13, 345]).is_err());
    }

    #[test]
    fn scattered_numbers_are_each_there_once() {
        let mut numbers = scattered(100);
        assert!(!numbers.is_sorted());
        numbers.sort_unstable();
        assert!(numbers.iter().copied().eq(0..100));
    }
}
