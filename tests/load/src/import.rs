//! A row about loading: a file of records until a search finds the last one, beside the `sqlite3` program, which imports
//! the same rows as CSV into a table with the same unique index, in one transaction, and then puts their text into FTS5.

use crate::digits::grouped;
use crate::ground::{Ground, started};
use crate::program::ended_cpu;
use crate::records::Record;
use crate::report::Report;
use crate::seed::{Content, fieldstone, seed};
use anyhow::{Context as _, ensure};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const COLUMNS: &str = "code, name, description, price, stock, weight, listed, introduced, changed, contact, page, category";

/// How long something took, and the processor time of it.
#[derive(Clone, Copy)]
struct Took {
    time: Duration,
    cpu: Duration,
}

impl Took {
    fn of<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<(T, Self)> {
        let (began, before) = (Instant::now(), ended_cpu()?);
        let done = work()?;
        let took = Took {
            time: began.elapsed(),
            cpu: ended_cpu()?.saturating_sub(before),
        };
        Ok((done, took))
    }

    fn cell(self, records: u64) -> anyhow::Result<String> {
        let count = f64::from(u32::try_from(records)?);
        let seconds = self.time.as_secs_f64().max(1e-9);
        let cpu = self.cpu.as_secs_f64();
        Ok(format!(
            "{seconds:.1} s; {}/s; {:.1} µs",
            grouped(count / seconds),
            cpu * 1e6 / count
        ))
    }
}

pub(crate) async fn measure(ground: &Ground, report: &mut Report) -> anyhow::Result<()> {
    let records = ground.large;
    let folder = ground.folder.join("import");
    // the dataset must be there: it has one record
    let content = Content::clean(1);
    let seeded = seed(
        &ground.program,
        &folder,
        ground.database.as_deref(),
        content,
    )?;
    write_files(&folder, records)?;
    let theirs = beside(&folder)?;
    let ((), mut ours) = Took::of(|| import(ground, &folder))?;
    let began = Instant::now();
    let target = started(ground, "import", seeded, records + 1, &[])?;
    target.catch_up().await?;
    ours.time += began.elapsed();
    ours.cpu += target.running.cpu()?;
    target.running.stop()?;
    let (their_cell, ratio) = match theirs {
        None => ("–".to_owned(), "–".to_owned()),
        Some(theirs) => {
            let of = |took: fn(Took) -> Duration| {
                took(theirs).as_secs_f64() / took(ours).as_secs_f64().max(1e-9)
            };
            let (time, cpu) = (of(|took| took.time), of(|took| took.cpu));
            let ratio = format!("{time:.2} (by processor time {cpu:.2})");
            (theirs.cell(records)?, ratio)
        }
    };
    if theirs.is_none() {
        report
            .notes
            .push("import: there is no program `sqlite3` here to compare with.".to_owned());
    }
    report.plain.push([
        format!(
            "import of NDJSON until a search finds it, {} records",
            grouped(records)
        ),
        "sqlite3, CSV".to_owned(),
        ours.cell(records)?,
        their_cell,
        ratio,
        "≥ 0.5".to_owned(),
    ]);
    std::fs::remove_dir_all(folder)?;
    Ok(())
}

/// Records as NDJSON.
pub(crate) fn write_lines(path: &Path, records: u64) -> anyhow::Result<()> {
    write_lines_of(path, records, Record::become_number)
}

/// The same of records that become what they are by this.
pub(crate) fn write_lines_of(
    path: &Path,
    records: u64,
    become_number: impl Fn(&mut Record<String>, u64),
) -> anyhow::Result<()> {
    let mut lines = BufWriter::new(File::create(path)?);
    let mut record = Record::default();
    for number in 1..=records {
        become_number(&mut record, number);
        serde_json::to_writer(&mut lines, &record)?;
        lines.write_all(b"\n")?;
    }
    lines.into_inner()?.sync_data()?;
    Ok(())
}

/// The same records as NDJSON and as CSV.
fn write_files(folder: &Path, records: u64) -> anyhow::Result<()> {
    let create = |name: &str| anyhow::Ok(BufWriter::new(File::create(folder.join(name))?));
    let (mut lines, mut rows) = (create("rows.ndjson")?, create("rows.csv")?);
    let mut record = Record::default();
    for number in 1..=records {
        record.become_number(number);
        serde_json::to_writer(&mut lines, &record)?;
        lines.write_all(b"\n")?;
        record.write_csv(&mut rows)?;
    }
    lines.into_inner()?.sync_data()?;
    rows.into_inner()?.sync_data()?;
    Ok(())
}

pub(crate) fn import(ground: &Ground, folder: &Path) -> anyhow::Result<()> {
    let ended = fieldstone(&ground.program, folder, ground.database.as_deref())
        .args(["--log", "error", "import", "rows.ndjson"])
        .args(["--into", "Load/Product/Products"])
        .stdout(Stdio::null())
        .output()
        .context("can't start the program")?;
    ensure!(
        ended.status.success(),
        "the import ended with {}: {}",
        ended.status,
        String::from_utf8_lossy(&ended.stderr)
    );
    Ok(())
}

/// The same by the `sqlite3` program; `None` where there is none.
fn beside(folder: &Path) -> anyhow::Result<Option<Took>> {
    let file = folder.join("beside.db");
    let script = format!(
        "PRAGMA journal_mode = WAL;
CREATE TABLE records ({COLUMNS});
CREATE UNIQUE INDEX records_key ON records (code);
CREATE VIRTUAL TABLE words USING fts5({COLUMNS}, content = '');
.mode csv
BEGIN;
.import rows.csv records
COMMIT;
INSERT INTO words (rowid, {COLUMNS}) SELECT rowid, {COLUMNS} FROM records;
"
    );
    let (done, took) = Took::of(|| {
        let mut program = Command::new("sqlite3");
        program.current_dir(folder).args(["-batch", "-bail"]);
        let started = program
            .arg(&file)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        let mut child = match started {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            started => started.context("can't start sqlite3")?,
        };
        let mut stdin = child.stdin.take().context("sqlite3 without its input")?;
        stdin.write_all(script.as_bytes())?;
        drop(stdin);
        Ok(Some(child.wait()?))
    })?;
    let Some(status) = done else { return Ok(None) };
    ensure!(status.success(), "sqlite3 ended with {status}");
    Ok(Some(took))
}
