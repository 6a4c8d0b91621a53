//! Records that the file of an import does not have, deleted at last. Nothing goes where a row could not be stored: its
//! record would count as missing. Nor does what someone else wrote since the import was asked for, nor a record whose primary
//! key the file has in another form than it is stored, nor anything by a file without rows.

use super::repeats::hash_of_key;
use super::{Cursor, Import};
use crate::jobs::context::{Halt, Step};
use crate::jobs::revise;
use crate::{DatasetPermit, Refusal};
use store::records::{Change, PageLimit, Shelf, StoredRecord, WriteVerdict};

/// Records that are looked at in a step.
const PAGE: PageLimit = PageLimit {
    records: 512,
    bytes: 2 << 20,
};

impl Import<'_> {
    /// Deletes the records that no row had.
    pub(super) fn delete_missing(&mut self) -> Result<(), Halt> {
        let result = &self.tally.result;
        let why = if result.rejected > 0 {
            "not every row could be stored"
        } else if result.rows == 0 {
            "the file has no rows"
        } else {
            return self.delete_all();
        };
        let text = format!("nothing was deleted, though it was asked for: {why}");
        let update = self.update(&self.cursor, &self.tally)?;
        self.context.step(Vec::new(), update, vec![text])?;
        Ok(())
    }

    fn delete_all(&mut self) -> Result<(), Halt> {
        let service = self.context.service.clone();
        let mut tries = service.tries();
        loop {
            let permit = self.context.permit(&self.verbs)?;
            let store = self.context.service.store();
            let after = self.cursor.missing_after;
            let page = store.page(permit.dataset().number, Shelf::Live, after, PAGE);
            let page = self.context.wait(page)?;
            let (mut changes, mut log) = (Vec::new(), Vec::new());
            for record in &page.records {
                if !self.is_missing(record)? {
                    continue;
                }
                if self.is_there_in_another_form(&permit, record)? {
                    let id = service.ids.record(record.id);
                    log.push(format!(
                        "the file has the primary key of {id} in another form than it is stored, so the record stays"
                    ));
                    continue;
                }
                changes.push(Change::Delete {
                    id: record.id,
                    version: record.version,
                });
            }
            let Some(last) = page.records.last() else {
                return Ok(());
            };
            if !self.delete(&permit, (changes, log), last.id.place.sequence)? {
                self.context.wait(tries.another())?;
                continue;
            }
            tries = service.tries();
            if page.behind.is_none() {
                return Ok(());
            }
        }
    }

    /// Whether the file does not have a record, and nobody wrote it since the import was asked for.
    fn is_missing(&self, record: &StoredRecord) -> Result<bool, Halt> {
        let place = record.id.place;
        if self.places.has(place.sequence) {
            return Ok(false);
        }
        let store = self.context.service.store();
        let newest = self.context.wait(store.last_change(place))?;
        Ok(newest.is_none_or(|entry| entry.number <= self.context.job.log_after))
    }

    /// Whether the file has the primary key of a record in the form that it has by the schema of now, and the record is stored
    /// with another one. What is in the file is then another record's row, or a new one's, and may be this one's as well.
    fn is_there_in_another_form(
        &self,
        permit: &DatasetPermit,
        record: &StoredRecord,
    ) -> Result<bool, Halt> {
        let restated = match revise::restated(self.context, permit, record) {
            Ok(restated) => restated,
            Err(Refusal::Store(error)) => return Err(error.into()),
            // a key that is none by now stands in no row
            Err(_) => return Ok(false),
        };
        if !restated.is_restated {
            return Ok(false);
        }
        if let Some(there) = self.there(permit, &restated.checked)? {
            return Ok(self.places.has(there.id.place.sequence));
        }
        // it is a dry run, and the row would make a record
        let key = restated.checked.primary_key().map(hash_of_key);
        Ok(key.is_some_and(|key| self.repeats.has(&key)))
    }

    /// Deletes records of a page in one step; `false` when someone overtook it and nothing was.
    fn delete(
        &mut self,
        permit: &DatasetPermit,
        (changes, log): (Vec<Change>, Vec<String>),
        after: u64,
    ) -> Result<bool, Halt> {
        let cursor = Cursor {
            missing_after: after,
            ..self.cursor.clone()
        };
        let mut tally = self.tally.clone();
        tally.result.deleted += changes.len() as u64;
        let changes = changes.into_iter().filter(|_| !self.options.dry_run);
        let writes = changes.map(|change| self.write(permit, change)).collect();
        let update = self.update(&cursor, &tally)?;
        match self.context.step(writes, update, log)? {
            Step::Done(_) => {
                (self.cursor, self.tally) = (cursor, tally);
                Ok(true)
            }
            Step::Refused(verdicts) => {
                let is_gone = verdicts.contains(&WriteVerdict::SchemaChanged);
                if is_gone {
                    // the permit says what of it is not there any more
                    self.context.permit(&self.verbs)?;
                }
                Ok(false)
            }
        }
    }
}
