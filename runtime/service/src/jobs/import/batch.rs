//! A batch of rows, stored: what each row does is planned (`plan.rs`), and committed in one step with the counts and where
//! to go on. The store does all of a step or nothing. Where someone else wrote a row's record meanwhile, the rows before it
//! are stored first, and it is planned anew at the head of the next step.

use super::plan::Attempt;
use super::rows::Batch;
use super::{Cursor, Import, THE_REJECTS};
use crate::DatasetPermit;
use crate::jobs::context::{Halt, Step, opening_failed};
use crate::jobs::growing_file::{GrowingFile, length_of};
use std::collections::HashSet;
use store::StoreError;
use store::jobs::{JobFile, JobFilePart};
use store::records::WriteVerdict;
use wire::manage::ImportMode;

/// How often a step is planned that someone else overtakes each time. It has fewer rows each time, at last a single one.
const TRIES_MAX: u32 = 32;

impl Import<'_> {
    /// Stores a batch; `false` when the schema or its data domains changed, and some of its rows or none are stored.
    pub(super) fn store(&mut self, batch: &Batch) -> Result<bool, Halt> {
        self.rejects.learn(&batch.head);
        self.tally
            .head(batch.head.found.as_ref(), &batch.head.unused);
        let done = self.cursor.rows.saturating_sub(batch.first);
        let mut start = usize::try_from(done).unwrap_or(usize::MAX);
        start = start.min(batch.rows.len());
        if self.options.delete_missing {
            self.find_again(batch, start)?;
        }
        if start == batch.rows.len() && self.is_behind(batch) {
            return self.pass();
        }
        loop {
            // rights may have gone while the batch waited
            let permit = self.context.permit(&self.verbs)?;
            if permit.rules() != batch.permit.rules() {
                return Ok(false);
            }
            match self.part(&permit, batch, start)? {
                None => return Ok(false),
                Some(end) if end == batch.rows.len() => return Ok(true),
                Some(end) => start = end,
            }
        }
    }

    /// Whether the import was behind a batch before it was taken up again: where it goes on must not go back.
    fn is_behind(&self, batch: &Batch) -> bool {
        let end = batch.first + batch.rows.len() as u64;
        end < self.cursor.rows || self.cursor.is_read
    }

    /// Ends the import where the rows that can't be stored have more bytes than any file that is sent: a packed one may
    /// hold a thousand times its own.
    fn require_room(&self, rejects_bytes: u64) -> Result<(), Halt> {
        let bytes_max = self.context.service.settings().jobs.upload_bytes_max;
        if rejects_bytes <= bytes_max {
            return Ok(());
        }
        let text = format!(
            "the rows that can't be stored have more than {bytes_max} bytes; look at the first ones, mend the file and send it anew"
        );
        Err(Halt::Failed(text))
    }

    /// A step that stores nothing, by which who cancels is heard.
    fn pass(&self) -> Result<bool, Halt> {
        let update = self.update(&self.cursor, &self.tally)?;
        self.context.step(Vec::new(), update, Vec::new())?;
        Ok(true)
    }

    /// Finds the records of rows that were stored before the import was taken up again.
    fn find_again(&mut self, batch: &Batch, end: usize) -> Result<(), Halt> {
        for row in &batch.rows[..end] {
            if let Ok(checked) = &row.judged
                && let Ok(Some(record)) = self.meant(&batch.permit, row, checked)?
            {
                self.places.put(record.id.place.sequence);
            }
        }
        Ok(())
    }

    /// Stores rows from `start` on, in one step: where the next ones begin; `None` when the schema or its data
    /// domains changed.
    fn part(
        &mut self,
        permit: &DatasetPermit,
        batch: &Batch,
        start: usize,
    ) -> Result<Option<usize>, Halt> {
        let mut taken = HashSet::new();
        for _ in 0..TRIES_MAX {
            self.context.go_on()?;
            let end_max = start.saturating_add(self.step_rows).min(batch.rows.len());
            let Attempt {
                mut tally,
                writes,
                writers,
                rejects,
                blank,
                kept,
                keys,
                repeated,
                rooms: _rooms,
                end,
            } = self.plan(permit, batch, start..end_max, &taken)?;
            tally.result.rows += (end - start - blank) as u64;
            let rejects_parts = self.write_rejects(&rejects)?;
            let is_whole = end == batch.rows.len();
            let rows = &batch.rows[start..end];
            tally.read(&batch.head.fields, rows);
            let is_read = batch.is_last && is_whole;
            let cursor = Cursor {
                rows: batch.first + end as u64,
                rejects_parts,
                is_read,
                ..self.cursor.clone()
            };
            self.progress.rows = cursor.rows;
            self.progress.bytes = batch.bytes;
            if is_read {
                self.progress.bytes = self.progress.bytes_total.unwrap_or(batch.bytes);
            }
            let update = self.update(&cursor, &tally)?;
            match self.context.step(writes, update, Vec::new())? {
                Step::Done(verdicts) => {
                    self.rejects.commit(cursor.rejects_parts.clone());
                    (self.cursor, self.tally) = (cursor, tally);
                    if let Some(first) = rows.first() {
                        self.repeats.note(keys, first.line, repeated);
                    }
                    self.note_places(kept, &verdicts);
                    self.step_rows = self.step_rows.saturating_mul(2);
                    return Ok(Some(end));
                }
                Step::Refused(verdicts) if verdicts.contains(&WriteVerdict::SchemaChanged) => {
                    return Ok(None);
                }
                Step::Refused(verdicts) => {
                    let both: Vec<_> = verdicts.iter().zip(writers).collect();
                    if self.options.mode == ImportMode::Create {
                        taken.extend(duplicates(&both));
                    } else if let Some(row) = overtaken(&both) {
                        self.step_rows = (row - start).clamp(1, (end - start).div_ceil(2));
                    }
                }
            }
        }
        Err(StoreError::Overtaken.into())
    }

    /// Appends rows that can't be stored to their file: what it has then.
    fn write_rejects(&mut self, rows: &[u8]) -> Result<Vec<JobFilePart>, Halt> {
        let context = self.context;
        context.require_room(rows.len())?;
        let folder = context.folder()?;
        let written = self.rejects.write(rows, |committed| {
            let own = (JobFile::Rejects, &*context.holder);
            GrowingFile::open(folder, &context.job.id, own, committed)
        });
        let rejects_parts = written.map_err(opening_failed(THE_REJECTS))?;
        self.require_room(length_of(&rejects_parts))?;
        Ok(rejects_parts)
    }

    /// Notes the records that the rows of a step have, where others are to be deleted.
    fn note_places(&mut self, kept: Vec<u64>, verdicts: &[WriteVerdict]) {
        if !self.options.delete_missing {
            return;
        }
        for place in kept {
            self.places.put(place);
        }
        for verdict in verdicts {
            if let WriteVerdict::Done { id, .. } = verdict {
                self.places.put(id.place.sequence);
            }
        }
    }
}

/// Rows whose key another record has.
fn duplicates(writes: &[(&WriteVerdict, usize)]) -> impl Iterator<Item = usize> {
    let duplicates = writes
        .iter()
        .filter(|(it, _)| **it == WriteVerdict::DuplicateKey);
    duplicates.map(|(_, row)| *row)
}

/// The first row whose record someone else wrote meanwhile.
fn overtaken(writes: &[(&WriteVerdict, usize)]) -> Option<usize> {
    let is_lost =
        |(verdict, _): &&(&WriteVerdict, usize)| !matches!(verdict, WriteVerdict::Done { .. });
    writes.iter().find(is_lost).map(|(_, row)| *row)
}
