//! What SQLite takes by itself for what the service has it do, on one thread, without HTTP, judging, or checksums: rows of
//! the same tables read from the service's own file, and written to one that begins as its file does. Nothing of the
//! service can take less, as long as SQLite keeps the records.

mod reads;
mod rows;
mod updates;
mod writes;

use crate::digits::grouped;
use crate::ground::Ground;
use crate::report::Report;
use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;
use writes::{GROUP, STEP, Writes};

/// Adds the rows; nobody has the large dataset open.
pub(crate) fn measure(ground: &Ground, report: &mut Report) -> anyhow::Result<()> {
    let data = ground.folder.join("large").join("data");
    let records = grouped(ground.large);
    let reads = reads::measure(&data.join("fieldstone.db"), ground.large)?;
    let Writes { created, updated } =
        writes::measure(&data, &ground.folder.join("floors"), ground.large)?;
    let all = [
        (
            format!("a record by primary key, {records} records"),
            reads.by_key,
        ),
        (format!("a page of 100, {records} records"), reads.page),
        (
            format!("rows of a new record and its entry of the log, {GROUP} at a time"),
            created.rows,
        ),
        ("its part of a checkpoint".to_owned(), created.checkpoint),
        (
            format!("its words and facts in the index, {STEP} at a time"),
            created.index,
        ),
        (
            format!("row of an updated record and its entry of the log, {GROUP} at a time"),
            updated.rows,
        ),
        (
            "the update's part of a checkpoint".to_owned(),
            updated.checkpoint,
        ),
        (
            format!("the update's words and facts in the index, {STEP} at a time"),
            updated.index,
        ),
    ];
    for (what, took) in all {
        let none = || "–".to_owned();
        report.plain.push([
            format!("SQLite alone: {what}"),
            none(),
            format!("{:.1} µs", took.as_secs_f64() * 1e6),
            none(),
            none(),
            none(),
        ]);
    }
    Ok(())
}

/// The processor time of some work of this thread.
fn timed(work: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<Duration> {
    let began = processor_time();
    work()?;
    Ok(processor_time().saturating_sub(began))
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    // no thread has worked for less than nothing
    Duration::try_from(time).unwrap_or_default()
}
