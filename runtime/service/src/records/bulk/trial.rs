//! Lines that are judged and not written: what each would do, by the store as it is and by the lines before it.

use super::lines::{BulkLine, invalid, lines, named_by, unreadable};
use super::waiting::Busy;
use super::{BulkAction, Judged, within_limit};
use crate::records::refused;
use crate::{Caller, DatasetPermit, Refusal, Service};
use std::borrow::Cow;
use store::records::{Change, NewContent, WriteVerdict};

/// Lines whose records are read together.
const LINES_AT_ONCE: usize = 100;

/// What a line would do.
#[derive(Clone, Debug)]
pub struct BulkJudged {
    /// What would be done.
    pub action: BulkAction,
    /// `_dataObjectId`; of a record that would be made there is none.
    pub id: Option<String>,
    /// `_errors` as JSON text; `None` when the record would be clean, or be deleted.
    pub errors: Option<String>,
}

impl Service {
    /// Judges the lines of a request as [`Service::write_many`] would do them, and writes nothing. A line about a record
    /// that a line before it is about is refused: what it would find is not there yet.
    ///
    /// # Errors
    /// Those of [`Service::write_many`] before anything is done.
    pub async fn judge_many(
        &self,
        by: &Caller,
        dataset: &str,
        body: &[u8],
        mut tell: impl FnMut(u64, Result<BulkJudged, Refusal>) + Send,
    ) -> Result<(), Refusal> {
        let permit = self.permit_many(by, dataset)?;
        within_limit(body)?;
        let mut busy = Busy {
            tried: Some(0),
            ..Busy::default()
        };
        let read = lines(body).map(|(number, text)| {
            let line = serde_json::from_slice::<BulkLine<'_>>(text);
            (number, line)
        });
        let read: Vec<_> = read.collect();
        let named = read.iter().map(|(_, line)| named_by(line.as_ref().ok()?));
        let named: Vec<Option<Cow<'_, str>>> = named.collect();
        for (at, (number, line)) in read.iter().enumerate() {
            self.read_ahead(&permit, &named[at..], &mut busy).await?;
            let outcome = match line {
                Ok(line) => self.try_line(by, dataset, line, &mut busy).await,
                Err(error) => Err(unreadable(error)),
            };
            match outcome {
                Err(Refusal::Store(error)) => return Err(error.into()),
                outcome => tell(*number, outcome),
            }
        }
        Ok(())
    }

    /// Reads the record that the first of some lines names, where it was not read yet, and with it some of those that the
    /// lines behind it name.
    async fn read_ahead(
        &self,
        permit: &DatasetPermit,
        named: &[Option<Cow<'_, str>>],
        busy: &mut Busy,
    ) -> Result<(), Refusal> {
        let first = named.first().and_then(Option::as_ref);
        if first.is_none_or(|first| busy.read.contains_key(&**first)) {
            return Ok(());
        }
        let near = named.iter().take(LINES_AT_ONCE).flatten();
        let near: Vec<&str> = near.map(|id| &**id).collect();
        let found = self.find_first(permit, &near).await?;
        let near = near.into_iter().map(str::to_owned);
        busy.read = near.zip(found).collect();
        Ok(())
    }

    async fn try_line(
        &self,
        by: &Caller,
        dataset: &str,
        line: &BulkLine<'_>,
        busy: &mut Busy,
    ) -> Result<BulkJudged, Refusal> {
        let again = || {
            invalid("a line before this one is about the same record; try each of them on its own")
        };
        if self.must_wait(busy, line) {
            return Err(again());
        }
        let judged = self.judge_line(by, dataset, line, Some(busy)).await?;
        let judged = judged.ok_or_else(again)?;
        let (place, content) = match &judged.change {
            Change::Create { content, .. } => (None, Some(content)),
            Change::Update { id, content, .. } => (Some(*id), Some(content)),
            Change::Delete { id, .. }
            | Change::Revert { id, .. }
            | Change::Restore { id, .. }
            | Change::RestoreAs { id, .. }
            | Change::Purge { id, .. } => (Some(*id), None),
        };
        if let Some(content) = content {
            self.require_free_key(&judged, content, busy).await?;
            busy.keys.extend(content.primary_key.clone());
        }
        busy.places.extend(place.map(|id| id.place));
        let more = match judged.action {
            BulkAction::Created => 1,
            BulkAction::Updated => 0,
            BulkAction::Deleted => -1,
        };
        busy.tried = busy.tried.map(|before| before + more);
        Ok(BulkJudged {
            action: judged.action,
            id: place.map(|id| self.ids.record(id)),
            errors: content.and_then(|content| content.errors.clone()),
        })
    }

    /// Refuses a primary key that another record has, or would have by a line before; the store does when it writes.
    async fn require_free_key(
        &self,
        judged: &Judged,
        content: &NewContent,
        busy: &Busy,
    ) -> Result<(), Refusal> {
        let Some(key) = content.primary_key.as_deref() else {
            return Ok(());
        };
        let mut is_taken = busy.keys.contains(key);
        if !is_taken && judged.takes_key {
            let holder = self.store.by_key(judged.permit.dataset().number, key);
            is_taken = holder.await?.is_some_and(|holder| {
                let is_own =
                    matches!(&judged.change, Change::Update { id, .. } if id.place == holder.id.place);
                // what a line before it changes has given its key up, or stands among those that are taken
                !is_own && !busy.places.contains(&holder.id.place)
            });
        }
        if is_taken {
            let version = judged.permit.schema().current();
            return Err(refused(WriteVerdict::DuplicateKey, version, 0));
        }
        Ok(())
    }
}
