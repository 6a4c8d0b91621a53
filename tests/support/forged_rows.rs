//! Changes rows of a store from outside so that their checksums are right: what is wrong with one then, its form or another store
//! tells alone. What a checksum is made of stands here a second time, by another hand.

use rusqlite::{Connection, Row};

/// The columns that the checksum of a table's rows is of: numbers, then texts.
const SUMMED: [(&str, &str, &str); 2] = [
    (
        "records",
        "place nonce version schema_version deleted last_change",
        "primary_key errors hidden body",
    ),
    (
        "change_log",
        "number place nonce version schema_version at coalesce(prior,0)",
        "action actor before after errors hidden",
    ),
];

/// Changes one row, and its checksum with it.
///
/// # Panics
/// When it is not one, or of a table without checksums.
pub(crate) fn forge_row(store: &mut Connection, statement: &str) {
    let is_changed = |table: &str| statement.starts_with(&format!("UPDATE {table} "));
    let summed = SUMMED.iter().find(|(table, ..)| is_changed(table));
    let (table, numbers, texts) = summed.expect("a table with checksums");
    let [numbers, texts] = [numbers, texts].map(|it| it.split(' ').collect::<Vec<_>>());
    let change = store.transaction().expect("the lock");
    let changed = format!("{statement} RETURNING rowid");
    let mut changed = change.prepare(&changed).expect("a statement");
    let rows = changed.query_map([], |row| row.get(0)).expect("rows");
    let rows: Vec<i64> = rows.collect::<Result<_, _>>().expect("rows");
    drop(changed);
    let [row] = rows[..] else {
        panic!("{statement}: {rows:?}");
    };
    let columns = [&*numbers, &*texts].concat().join(", ");
    let read = format!("SELECT {columns} FROM {table} WHERE rowid = ?1");
    let sum = change.query_row(&read, [row], |row| {
        checksum(row, numbers.len(), texts.len())
    });
    let put = format!("UPDATE {table} SET checksum = ?2 WHERE rowid = ?1");
    let put = change.execute(&put, [row, sum.expect("the row")]);
    assert_eq!(put.expect("a statement"), 1, "{statement}");
    change.commit().expect("written");
}

/// That of so many numbers, and so many texts behind them.
fn checksum(row: &Row<'_>, numbers: usize, texts: usize) -> rusqlite::Result<i64> {
    let mut bytes = Vec::new();
    for number in 0..numbers {
        bytes.extend(row.get::<_, i64>(number)?.to_le_bytes());
    }
    let texts = (numbers..numbers + texts).map(|text| row.get(text));
    let texts: Vec<Option<String>> = texts.collect::<Result<_, _>>()?;
    for text in &texts {
        let length = text.as_ref().map_or(u64::MAX, |text| text.len() as u64);
        bytes.extend(length.to_le_bytes());
    }
    bytes.extend(texts.into_iter().flatten().flat_map(String::into_bytes));
    Ok(i64::from(crc32(&bytes).cast_signed()))
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg());
    !bytes
        .iter()
        .fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}
