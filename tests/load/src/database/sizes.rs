//! What a record takes in the database, table by table, with its indexes, as they are when the tables were vacuumed.

use super::{Place, TABLES};
use crate::digits::grouped;
use crate::report::Report;
use anyhow::{Context as _, ensure};

/// Rows of what the records of a database take, and of all of it together.
pub(super) fn of_records(
    place: &Place,
    database: &str,
    records: u64,
    report: &mut Report,
) -> anyhow::Result<()> {
    let list = TABLES.map(|table| format!("'{table}'")).join(", ");
    let told = place.run(&format!(
        "\\connect {database}
VACUUM ANALYZE;
\\pset tuples_only on
\\pset format unaligned
SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname IN ({list})
  ORDER BY relname;"
    ))?;
    let mut all = [0_u64; 2];
    let mut tables = 0;
    for line in told.lines().filter(|line| line.contains('|')) {
        let cells: Vec<&str> = line.split('|').collect();
        let [table, rows, indexes] = cells[..] else {
            continue;
        };
        let sizes: [u64; 2] = [rows.parse()?, indexes.parse()?];
        add(report, &format!("`{table}`"), sizes, records)?;
        all = [all[0] + sizes[0], all[1] + sizes[1]];
        tables += 1;
    }
    ensure!(tables == TABLES.len(), "tables are missing: {told}");
    add(report, "all tables", all, records)
}

/// A row: the bytes of a record, and which of them are indexes.
fn add(report: &mut Report, what: &str, sizes: [u64; 2], records: u64) -> anyhow::Result<()> {
    let records = f64::from(u32::try_from(records).context("fewer records")?);
    let bytes = |count: u64| -> anyhow::Result<f64> {
        // a size in KiB fits, and so does what it makes for a record
        Ok(f64::from(u32::try_from(count >> 10).context("a smaller database")?) * 1024.0 / records)
    };
    let [rows, indexes] = [bytes(sizes[0])?, bytes(sizes[1])?];
    report.plain.push([
        format!("disk of a record in the database, {what}"),
        "its indexes alone".to_owned(),
        format!("{} bytes", grouped(rows + indexes)),
        format!("{} bytes", grouped(indexes)),
        "–".to_owned(),
        "–".to_owned(),
    ]);
    Ok(())
}
