//! Copies the rows of a store, part by part and page by page; what was written, and how far that is, are one transaction of
//! the target, so that whoever is killed goes on.

use super::comparing::fingerprint;
use super::{ROWS_AT_FIRST, next_page};
use crate::failure::conflict;
use crate::watch::Watch;
use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use store::transfer::{Begun, Part, RowKey, TransferRow, TransferSource, TransferTarget};

/// How far a move is, as the target keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Progress {
    /// What tells the store that is moved from others, and from itself at another moment.
    source: String,
    /// How many parts are done.
    parts: usize,
    /// The last row of the part under way that is there.
    after: Option<RowKey>,
    /// How many of its rows are.
    rows: u64,
}

impl Progress {
    fn text(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(self)?)
    }
}

/// Refuses a store with jobs that wait or go on: they are a server's to end.
pub(crate) async fn refuse_work_under_way(source: &dyn TransferSource) -> anyhow::Result<()> {
    let (mut after, mut max, mut count) = (None, ROWS_AT_FIRST, 0);
    loop {
        let rows = source.rows(Part::Jobs, after, max).await?;
        let is_under_way = |row: &&TransferRow| matches!(row, TransferRow::Job { state, .. } if state == "queued" || state == "running");
        count += rows.iter().filter(is_under_way).count();
        let Some(last) = rows.last() else { break };
        (after, max) = (Some(last.key()), next_page(&rows));
    }
    match count {
        0 => Ok(()),
        _ => Err(conflict(format!(
            "{count} jobs wait or go on in the store that is to be moved; let its server end them, or cancel them (`fieldstone jobs cancel ID`), and move again"
        ))),
    }
}

/// When the rows of a store came into another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copied {
    /// Now.
    Now,
    /// By a move that ended, as far as the few rows tell that differ between stores: all of them are to be compared.
    Before,
}

/// Copies all rows into a store that is empty, or goes on where an earlier copy of the same rows ended. `secrets` are more
/// rows, for a store that keeps the signing secrets itself.
pub(crate) async fn copy(
    source: &dyn TransferSource,
    target: &dyn TransferTarget,
    secrets: Vec<TransferRow>,
    watch: &mut Watch,
) -> anyhow::Result<Copied> {
    let Some(mut progress) = begin(source, target).await? else {
        return Ok(Copied::Before);
    };
    while let Some(part) = Part::ALL.get(progress.parts) {
        progress = copy_part(source, target, *part, progress, watch).await?;
    }
    if progress.parts == Part::ALL.len() {
        let next = Progress {
            parts: progress.parts + 1,
            after: None,
            ..progress.clone()
        };
        target.put(secrets, progress.text()?, next.text()?).await?;
    }
    Ok(Copied::Now)
}

/// What is said of a target that has another store.
pub(crate) fn occupied() -> anyhow::Error {
    conflict("the target holds a store already, and nothing is overwritten; name an empty one")
}

/// Begins, or goes on; `None` where the target is a store that a move of this one may have filled to its end.
async fn begin(
    source: &dyn TransferSource,
    target: &dyn TransferTarget,
) -> anyhow::Result<Option<Progress>> {
    let new = Progress {
        source: fingerprint(source).await?,
        parts: 0,
        after: None,
        rows: 0,
    };
    match target.begin(new.text()?).await? {
        Begun::New => Ok(Some(new)),
        Begun::Occupied if fingerprint(target).await? == new.source => Ok(None),
        Begun::Occupied => Err(occupied()),
        Begun::Before(text) => {
            let before: Progress =
                serde_json::from_str(&text).context("how far the move was can't be read")?;
            if before.source != new.source {
                return Err(conflict(
                    "the target was begun from another store, or this one was written since; empty the target, and move again",
                ));
            }
            Ok(Some(before))
        }
    }
}

/// Copies a part, or what is left of it: while a page is written, the next one is read.
async fn copy_part(
    source: &dyn TransferSource,
    target: &dyn TransferTarget,
    part: Part,
    mut progress: Progress,
    watch: &mut Watch,
) -> anyhow::Result<Progress> {
    let mut rows = source
        .rows(part, progress.after.clone(), ROWS_AT_FIRST)
        .await?;
    while let Some(last) = rows.last() {
        let next = Progress {
            after: Some(last.key()),
            rows: progress.rows + rows.len() as u64,
            ..progress.clone()
        };
        let following = source.rows(part, next.after.clone(), next_page(&rows));
        let written = target.put(rows, progress.text()?, next.text()?);
        let (following, written) = tokio::join!(following, written);
        written?;
        rows = following?;
        progress = next;
        watch.tell(&format!("{}: {} rows moved", part.name(), progress.rows));
    }
    let next = Progress {
        parts: progress.parts + 1,
        after: None,
        rows: 0,
        ..progress.clone()
    };
    target
        .put(Vec::new(), progress.text()?, next.text()?)
        .await?;
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::tests::{Paper, due};
    use sqlite::SqliteStore;
    use store::StoreError;

    #[tokio::test]
    async fn a_copy_tells_how_many_rows_of_a_part_are_there() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let source = SqliteStore::open(from.path()).unwrap();
        let target = SqliteStore::open_to_move(to.path()).unwrap();
        let log = Paper::default();
        copy(&source, &target, Vec::new(), &mut due(&log))
            .await
            .unwrap();
        // an empty store has its numbers alone
        assert_eq!(log.text(), "counters: 4 rows moved\n");
    }

    #[tokio::test]
    async fn a_target_is_no_store_from_its_first_moment_until_a_move_into_it_is_over() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let source = SqliteStore::open(from.path()).unwrap();
        // killed before its first row
        drop(SqliteStore::open_to_move(to.path()).unwrap());
        let opened = SqliteStore::open(to.path());
        assert!(
            matches!(opened, Err(StoreError::HalfMoved(_))),
            "{opened:?}"
        );
        let target = SqliteStore::open_to_move(to.path()).unwrap();
        let log = Paper::default();
        copy(&source, &target, Vec::new(), &mut due(&log))
            .await
            .unwrap();
        target.finish().await.unwrap();
        drop(target);
        SqliteStore::open(to.path()).unwrap();
    }
}
