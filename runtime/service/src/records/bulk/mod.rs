//! Many writes of a dataset in one request, a line each: each is judged and answered as a request of its own would be,
//! in the order of the lines, and none stops the others. Writes are handed to the store as they are judged, so that it
//! commits many at once; a line that looks at what a line before it writes waits for that one first. docs/interface.md,
//! "Many writes at once".
//!
//! ```text
//! {"create":{"Code":"AAH","Name":"Aachen"}}
//! {"update":{"_dataObjectId":"Zk3vQ9tB0mXw7LcR","_version":3,"Name":null}}
//! {"upsert":{"Code":"BER","Name":"Berlin"}}
//! {"delete":{"_dataObjectId":"Zk3vQ9tB0mXw7LcR","_version":4}}

mod judge;
mod lines;
mod note;
mod trial;
mod waiting;

use crate::quota_rooms::HeldRoom;
use crate::{Caller, DatasetPermit, Refusal, Service};
use lines::{BulkLine, lines, unreadable};
use note::BulkNote;
use store::StoreError;
use store::catalog::{Verb, Via};
use store::records::Change;
use tracing::Instrument as _;
pub use trial::BulkJudged;
use waiting::{Slot, Waiting};
use wire::manage::BulkResult;

/// Lines that a request has at most.
pub const BULK_LINES_MAX: usize = 10_000;

/// Writes that are waited for together, at most: as many as the store commits at once.
const WAITING_MAX: usize = 256;

/// What was done by a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkAction {
    /// A record was made.
    Created,
    /// A record was changed.
    Updated,
    /// A record was deleted.
    Deleted,
}

/// What became of a line that was done.
#[derive(Clone, Debug)]
pub struct BulkDone {
    /// What was done.
    pub action: BulkAction,
    /// `_dataObjectId`
    pub id: String,
    /// `_version` by now.
    pub version: i64,
    /// `_errors` as JSON text; `None` when the record is clean, or was deleted.
    pub errors: Option<String>,
}

/// A line that was judged.
struct Judged {
    permit: DatasetPermit,
    action: BulkAction,
    change: Change,
    /// The version that was compared; none where the newest counts, whichever it is.
    sent: Option<i64>,
    /// The room of a record that is made, until it is.
    room: Option<HeldRoom>,
    /// Whether its primary key may be one that it does not have yet.
    takes_key: bool,
}

impl Service {
    /// Does the writes of a request's lines and tells what became of each, by its number in the order of the lines;
    /// empty lines are passed over. The id of the job that it is remembered as, so that it can be undone: of a request
    /// that wrote anything and has more than one line.
    ///
    /// # Errors
    /// No such dataset, a caller that may do nothing to its records, more than [`BULK_LINES_MAX`] lines: then nothing was
    /// done. The store's, where it fails before any line was done; later, its failure is the verdict of a line.
    pub async fn write_many(
        &self,
        by: &Caller,
        dataset: &str,
        body: &[u8],
        tell: impl FnMut(u64, Result<BulkDone, Refusal>) + Send,
    ) -> Result<Option<String>, Refusal> {
        let span = tracing::debug_span!("records.bulk", dataset);
        self.bulk(by, dataset, body, tell).instrument(span).await
    }

    async fn bulk(
        &self,
        by: &Caller,
        dataset: &str,
        body: &[u8],
        mut tell: impl FnMut(u64, Result<BulkDone, Refusal>) + Send,
    ) -> Result<Option<String>, Refusal> {
        let permit = self.permit_many(by, dataset)?;
        let count = within_limit(body)?;
        let mut note = BulkNote::new(self, &permit).await?;
        let by = by.clone().working_for(Via::Bulk, note.id());
        let (mut waiting, mut result) = (Waiting::default(), BulkResult::default());
        let mut tell = |number, outcome: Result<BulkDone, Refusal>| {
            let is_any_done = result.created + result.updated + result.deleted > 0;
            match outcome {
                Err(Refusal::Store(error)) if !is_any_done => return Err(error),
                outcome => {
                    count_in(&mut result, &outcome);
                    tell(number, outcome);
                }
            }
            Ok(())
        };
        for (number, text) in lines(body) {
            if waiting.writes.len() >= WAITING_MAX {
                self.settle(&by, dataset, &mut waiting, &mut tell).await?;
            }
            let line = match serde_json::from_slice::<BulkLine<'_>>(text) {
                Ok(line) => line,
                Err(error) => {
                    waiting.writes.push(Slot::Told(number, unreadable(&error)));
                    continue;
                }
            };
            if self.must_wait(&waiting.busy, &line) {
                self.settle(&by, dataset, &mut waiting, &mut tell).await?;
            }
            let mut judged = self
                .judge_line(&by, dataset, &line, Some(&waiting.busy))
                .await;
            // what waits may give room back, or not need what it took
            let is_full = matches!(judged, Err(Refusal::QuotaExceeded { .. }));
            if matches!(judged, Ok(None)) || is_full && waiting.is_any_written() {
                self.settle(&by, dataset, &mut waiting, &mut tell).await?;
                judged = self.judge_line(&by, dataset, &line, None).await;
            }
            match judged {
                Ok(Some(judged)) => {
                    if count > 1 {
                        note.begin();
                    }
                    self.hand_over(&mut waiting, number, line, judged);
                }
                Ok(None) => {}
                Err(refusal) => waiting.writes.push(Slot::Told(number, refusal)),
            }
        }
        self.settle(&by, dataset, &mut waiting, &mut tell).await?;
        Ok(note.end(&result).await?)
    }

    /// Refuses who may do nothing at all to the records of a dataset, before its lines are read.
    ///
    /// # Errors
    /// No such dataset, missing rights, a service that only reads.
    pub fn permit_many(&self, by: &Caller, dataset: &str) -> Result<DatasetPermit, Refusal> {
        if self.store().is_read_only() {
            return Err(StoreError::ReadOnly.into());
        }
        let caller = self.newest(by)?;
        let permit = |verb| caller.permit_managed_records(&[verb], dataset);
        // of those that are missing, the right to change records is named
        permit(Verb::Add)
            .or_else(|_| permit(Verb::Edit))
            .or_else(|missing| match permit(Verb::Delete) {
                Err(Refusal::Forbidden(_)) => Err(missing),
                other => other,
            })
    }
}

/// The number of lines; a refusal of too many.
fn within_limit(body: &[u8]) -> Result<usize, Refusal> {
    let count = lines(body).count();
    if count > BULK_LINES_MAX {
        let text = format!("has {count} lines; send {BULK_LINES_MAX} at most at a time");
        return Err(Refusal::invalid("$", text));
    }
    Ok(count)
}

fn count_in(result: &mut BulkResult, outcome: &Result<BulkDone, Refusal>) {
    let count = match outcome.as_ref().map(|done| done.action) {
        Ok(BulkAction::Created) => &mut result.created,
        Ok(BulkAction::Updated) => &mut result.updated,
        Ok(BulkAction::Deleted) => &mut result.deleted,
        Err(_) => &mut result.refused,
    };
    *count += 1;
}
