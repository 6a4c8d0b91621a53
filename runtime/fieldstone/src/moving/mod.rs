//! Moves a whole store into another one, whatever keeps each: a data folder or a database. Rows go as they are, so that ids,
//! versions, histories and credentials are the same afterwards; how far it is stands in the target, which nobody else opens
//! until all is there and compared. What the rows mean, nobody here knows.

mod comparing;
mod contents;
mod copying;
mod place;
mod secrets;

pub(crate) use comparing::{Compared, compare};
pub(crate) use contents::{ContentPlace, Contents, Uncopied, look_for_contents, move_contents};
pub(crate) use copying::{Copied, copy, occupied, refuse_work_under_way};
pub(crate) use place::{OpenStore, Place, refuse_shown_password};
pub(crate) use secrets::Secrets;

use crate::watch::Watch;
use sqlite::{SqliteStore, StoreCopy};
use std::path::Path;
use store::transfer::{TransferRow, TransferSource, TransferTarget};

/// Rows are read so many at first, then as many as have about so many bytes.
const ROWS_AT_FIRST: usize = 64;
const ROWS_MAX: usize = 4096;
const BYTES_AT_A_TIME: usize = 4 << 20;

/// How many rows the next page has, by those of the last one.
fn next_page(rows: &[TransferRow]) -> usize {
    let bytes: usize = rows.iter().map(bytes_of).sum();
    match bytes.checked_div(rows.len()) {
        Some(each) => (BYTES_AT_A_TIME / each.max(1)).clamp(1, ROWS_MAX),
        None => ROWS_AT_FIRST,
    }
}

/// About how many bytes a row has.
fn bytes_of(row: &TransferRow) -> usize {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let of_texts = match row {
        TransferRow::Record(row) => row.body.len() + length(&row.errors) + length(&row.hidden),
        TransferRow::Entry(row) => {
            length(&row.before) + length(&row.after) + length(&row.errors) + length(&row.hidden)
        }
        TransferRow::Noun { document, .. }
        | TransferRow::Trail { document, .. }
        | TransferRow::File { document, .. }
        | TransferRow::Job { document, .. }
        | TransferRow::Delivery { document, .. }
        | TransferRow::DeadLetter { document, .. } => document.len(),
        TransferRow::Dataset { .. }
        | TransferRow::Counter { .. }
        | TransferRow::DayCount { .. } => 0,
    };
    of_texts + 128
}

/// A data folder's database with all that a store has at a moment, in a folder that goes with it; it is made in this one.
pub(crate) async fn snapshot(
    source: &dyn TransferSource,
    parent: Option<&Path>,
) -> anyhow::Result<StoreCopy> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("trial-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    let folder = match parent {
        Some(parent) => builder.tempdir_in(parent)?,
        None => builder.tempdir()?,
    };
    let path = folder.path().to_owned();
    let store = tokio::task::spawn_blocking(move || SqliteStore::open_to_move(&path)).await??;
    let mut watch = Watch::new(crate::settings::Format::Json);
    copy(source, &store, Vec::new(), &mut watch).await?;
    store.settle().await?;
    let compared = compare(source, &store, &mut watch).await?;
    compared.require_same()?;
    store.finish().await?;
    tokio::task::spawn_blocking(move || store.close()).await?;
    Ok(StoreCopy::of(folder))
}
