//! The indexer: one thread that follows the change log and keeps the index at its heels. It begins an index
//! that is empty, or was made of another store, from the records themselves, and reads a schema's records
//! again when a change of the schema makes something else of them. A record that can't be read is told in
//! the log and left out. It never writes to the store.

use super::batch::{BATCH, Batch};
use super::documents::{DocumentMaker, gone};
use super::signals::{IndexSignals, REST, REST_AFTER_FAILURE};
use super::versions::are_read_again;
use crate::Store;
use crate::ids::{self, IdCipher};
use std::collections::HashSet;
use std::sync::Arc;
use store::catalog::{Catalog, SchemaEntry};
use store::records::{LogEntry, PageLimit, RecordId, RecordPlace, RecordsPage, Shelf};
use store::search::{Progress, SearchIndex};
use store::{Lack, RottenRow, StoreError, chain};
use tokio::runtime::Handle;

/// How many records are read together: what is committed meanwhile waits with its pages for the log to begin anew.
const RECORDS_AT_ONCE: usize = 256;

/// An entry of the log by its number, and the record that it is about.
type Entry = (u64, RecordId);

/// What a step found to do.
enum StepOutcome {
    /// Something, and there may be more.
    More,
    /// Something, and nothing was left.
    Last,
    /// Nothing.
    None,
}

pub(super) struct Indexer {
    pub(super) store: Arc<dyn Store>,
    pub(super) index: Arc<dyn SearchIndex>,
    pub(super) signals: Arc<IndexSignals>,
    /// What the log calls records.
    pub(super) ids: IdCipher,
    /// Those of the catalog whose schemas were compared last.
    pub(super) documents: Option<DocumentMaker>,
}

impl Indexer {
    /// Works until it is told to stop. What of the store takes its time is done by the threads of a runtime.
    pub(super) fn run(mut self, threads: &Handle) {
        let mut is_checked = false;
        while !self.signals.is_stopped() {
            let signals = self.signals.clone();
            let is_to_empty = signals.is_asked_anew();
            let step = threads.block_on(async {
                let step = async {
                    if is_checked {
                        self.step().await
                    } else {
                        self.recognise().await.map(|()| StepOutcome::More)
                    }
                };
                tokio::select! {
                    step = step => Some(step),
                    () = signals.stopped() => None,
                }
            });
            let Some(step) = step else { return };
            is_checked = is_checked || step.is_ok();
            let failure = step.as_ref().err().map(|error| chain(error));
            // the index tells of damage itself, and the next step makes it anew
            let is_damage = matches!(step, Err(StoreError::IndexDamaged));
            self.note(failure.filter(|_| !is_damage));
            match &step {
                Ok(StepOutcome::More | StepOutcome::Last) => {
                    self.signals.steps.send_modify(|steps| steps.done += 1);
                }
                Ok(StepOutcome::None) => self.index.rest(),
                Err(error) => {
                    // a disk may be full for long, and what is in the index is found meanwhile
                    let is_unanswered = match error {
                        StoreError::Unreachable(_)
                        | StoreError::Refused(_)
                        | StoreError::RolledBack(_) => true,
                        StoreError::Lacking { what, .. } => *what != Lack::Room,
                        _ => false,
                    };
                    self.signals.steps.send_modify(|steps| {
                        steps.failed += 1;
                        steps.unanswered += u64::from(is_unanswered);
                        steps.not_emptied += u64::from(is_to_empty);
                    });
                }
            }
            if is_checked && self.index.is_read_only() {
                return;
            }
            match step {
                Ok(StepOutcome::More) => {}
                Ok(StepOutcome::Last | StepOutcome::None) => self.signals.rest(REST),
                Err(_) => self.signals.rest(REST_AFTER_FAILURE),
            }
        }
    }

    /// Remembers why a step failed, if it did; the log has it once.
    fn note(&self, failure: Option<String>) {
        let mut known = self.signals.failure.lock();
        if let Some(failure) = failure.as_ref().filter(|_| known.is_none()) {
            tracing::error!(
                error = failure,
                "the search index can't follow; searches find what is in it, if they find anything"
            );
        }
        *known = failure;
    }

    /// Throws away an index that was made of another store, or of this one before it was put back to an
    /// earlier day.
    async fn recognise(&self) -> Result<(), StoreError> {
        let Some(progress) = self.index.progress() else {
            return Ok(());
        };
        let entry = self.entry(progress.applied).await?;
        let is_ours = progress.applied <= self.store.log_head().await?
            && entry.is_none_or(|entry| mark(&entry) == progress.mark);
        if is_ours {
            Ok(())
        } else if self.index.is_read_only() {
            Err(StoreError::Damaged(
                "the search index is of another store".to_owned(),
            ))
        } else {
            self.index.clear().await
        }
    }

    /// The entry of a number, if the log still has it as it was written.
    async fn entry(&self, number: u64) -> Result<Option<LogEntry>, StoreError> {
        let Some(before) = number.checked_sub(1) else {
            return Ok(None);
        };
        let entries = match self.store.log(before, PageLimit::of(1)).await {
            Err(StoreError::Rotten(_)) => return Ok(None),
            entries => entries?,
        };
        Ok(entries.into_iter().find(|entry| entry.number == number))
    }

    /// What makes documents by a catalog: that of the last step, where it is by this one, too.
    fn document_maker(&mut self, catalog: &Arc<Catalog>) -> DocumentMaker {
        let last = self.documents.take();
        let same = last.filter(|maker| Arc::ptr_eq(maker.catalog(), catalog));
        same.unwrap_or_else(|| DocumentMaker::new(catalog.clone()))
    }

    /// One step.
    async fn step(&mut self) -> Result<StepOutcome, StoreError> {
        if self.index.is_damaged() || self.signals.is_asked_anew() {
            self.index.clear().await?;
            self.signals.note_emptied();
            return Ok(StepOutcome::More);
        }
        let Some(progress) = self.index.progress() else {
            self.begin().await?;
            return Ok(StepOutcome::More);
        };
        let counted = self.signals.counted();
        let (entries, rotten) = self.entries_behind(progress.applied).await?;
        let is_idle = entries.is_empty() && rotten.is_none() && progress.walks.is_empty();
        // newer than what it is asked for, so that it knows every dataset and schema version of the entries
        let catalog = if is_idle {
            self.store.catalog()
        } else {
            self.store.current_catalog().await?
        };
        let mut next = Progress::clone(&progress);
        let is_changed = self.compare(&catalog, &mut next);
        let mut documents = self.document_maker(&catalog);
        let mut step = StepOutcome::More;
        let batch = if let Some((newest, _)) = entries.last() {
            let (batch, last) = self.changed(&entries, &mut documents).await?;
            next.applied = last;
            let entry = self.entry(last).await?;
            next.mark = entry.as_ref().map(mark).unwrap_or_default();
            // what comes meanwhile is gathered: together it is less work
            let is_end = entries.len() < BATCH.records && last == *newest;
            if is_end && next.walks.is_empty() {
                step = StepOutcome::Last;
            }
            batch
        } else if let Some((number, id)) = rotten {
            // the record itself tells what the entry can't
            (next.applied, next.mark) = (number, String::new());
            let mut batch = Batch::default();
            self.read(&[(number, id)], &mut batch, &mut documents)
                .await?;
            batch
        } else if let Some((dataset, after)) = next.walks.pop_first() {
            self.walk(dataset, after, &mut next, &mut documents).await?
        } else if is_changed {
            Batch::default()
        } else if self.index.look_again().await? {
            return Ok(StepOutcome::More);
        } else {
            self.documents = Some(documents);
            // writes are counted still that a step took which came before their count
            self.signals.set_behind(0, counted);
            return Ok(StepOutcome::None);
        };
        if !batch.left_out.is_empty() && self.is_outdated(&catalog).await? {
            // a record that was written meanwhile may be of a version that only the newer one knows
            return Ok(StepOutcome::More);
        }
        let applied = next.applied;
        let versions = is_changed.then(|| next.versions.clone());
        self.index.apply(batch.documents, next).await?;
        self.note_behind(applied).await?;
        self.tell(&batch.left_out);
        // another server's step may have come first, and this one have written nothing: the schemas are compared again
        let noted = self.index.progress();
        let is_noted = |versions| noted.is_some_and(|noted| noted.versions == versions);
        self.documents = versions.is_none_or(is_noted).then_some(documents);
        Ok(step)
    }

    /// Notes how many entries of the log there are behind one.
    async fn note_behind(&self, applied: u64) -> Result<(), StoreError> {
        let counted = self.signals.counted();
        let head = self.store.log_head().await?;
        let behind = head.saturating_sub(applied);
        self.signals.set_behind(behind, counted);
        Ok(())
    }

    /// Whether there is a newer catalog by now.
    async fn is_outdated(&self, catalog: &Arc<Catalog>) -> Result<bool, StoreError> {
        let newest = self.store.current_catalog().await?;
        Ok(!Arc::ptr_eq(catalog, &newest))
    }

    /// The entries behind a number: each by its own, with its record; or, where the first one is not as it was written, that
    /// one alone.
    async fn entries_behind(
        &self,
        applied: u64,
    ) -> Result<(Vec<Entry>, Option<Entry>), StoreError> {
        match self.store.log_records(applied, BATCH.records).await {
            Err(StoreError::Rotten(RottenRow::Entry { number, id })) => {
                Ok((Vec::new(), Some((number, id))))
            }
            entries => Ok((entries?, None)),
        }
    }

    /// The documents of the records that the first entries change, as the store has them, and the last of these entries.
    async fn changed(
        &self,
        entries: &[Entry],
        documents: &mut DocumentMaker,
    ) -> Result<(Batch, u64), StoreError> {
        let (mut batch, mut seen) = (Batch::default(), HashSet::new());
        let is_first = |(_, id): &&Entry| seen.insert(id.place);
        let firsts: Vec<Entry> = entries.iter().filter(is_first).copied().collect();
        let mut rest = firsts.as_slice();
        while !rest.is_empty() && batch.bytes < BATCH.bytes {
            let (next, _) = rest.split_at(rest.len().min(RECORDS_AT_ONCE));
            let read = self.read(next, &mut batch, documents).await?;
            rest = &rest[read.clamp(1, rest.len())..];
        }
        // every entry before the first one whose record was not read
        let end = rest.first().map_or(u64::MAX, |(number, _)| *number);
        let done = entries.iter().take_while(|(number, _)| *number < end);
        let last = done.last().map_or(0, |(number, _)| *number);
        Ok((batch, last))
    }

    /// Adds the first of some records to a batch as the store has them; how many it read.
    async fn read(
        &self,
        entries: &[Entry],
        batch: &mut Batch,
        documents: &mut DocumentMaker,
    ) -> Result<usize, StoreError> {
        let places: Vec<RecordPlace> = entries.iter().map(|(_, id)| id.place).collect();
        let room = BATCH.bytes.saturating_sub(batch.bytes);
        let found = self.store.get_some(&places, room).await?;
        let count = found.len();
        for ((_, id), found) in entries.iter().zip(found) {
            match found {
                Ok(Some(record)) => batch.add(&record, documents),
                Ok(None) => batch.documents.push(gone(id.place)),
                Err(error @ StoreError::Rotten(_)) => batch.leave_out(*id, error),
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    fn tell(&self, left_out: &[(RecordId, StoreError)]) {
        for (id, error) in left_out {
            tracing::error!(
                record.id = self.ids.record(*id),
                error = %error,
                "a record can't be read; searches leave it out until it is written anew"
            );
        }
    }

    /// The beginning of an index: every dataset is to be read, and the log from here on.
    async fn begin(&self) -> Result<(), StoreError> {
        // what is up to it is seen by the walks that begin now
        let applied = self.store.settled_head().await?;
        let entry = self.entry(applied).await?;
        // behind the head: it knows every dataset of what is up to it
        let catalog = self.store.current_catalog().await?;
        let version = |entry: &Arc<SchemaEntry>| (entry.id.clone(), entry.current().number);
        let progress = Progress {
            applied,
            mark: entry.as_ref().map(mark).unwrap_or_default(),
            walks: catalog
                .datasets
                .values()
                .map(|dataset| (dataset.number, 0))
                .collect(),
            versions: catalog.schemas.values().map(version).collect(),
        };
        self.index.apply(Vec::new(), progress).await
    }

    /// The next records of a dataset that is being read.
    async fn walk(
        &self,
        dataset: u32,
        after: u64,
        next: &mut Progress,
        documents: &mut DocumentMaker,
    ) -> Result<Batch, StoreError> {
        let page = self.store.page(dataset, Shelf::Live, after, BATCH).await;
        let RecordsPage { records, behind } = match page {
            // a page ends before such a record, so it is the next one
            Err(error @ StoreError::Rotten(RottenRow::Record(id))) => {
                next.walks.insert(dataset, id.place.sequence);
                let mut batch = Batch::default();
                batch.leave_out(id, error);
                return Ok(batch);
            }
            page => page?,
        };
        if let Some(last) = records.last().filter(|_| behind.is_some()) {
            next.walks.insert(dataset, last.id.place.sequence);
        }
        let mut batch = Batch::default();
        for record in &records {
            batch.add(record, documents);
        }
        Ok(batch)
    }

    /// Notes the schemas' versions, and the datasets to be read again because of them.
    fn compare(&self, catalog: &Arc<Catalog>, next: &mut Progress) -> bool {
        let seen = self.documents.as_ref().map(DocumentMaker::catalog);
        if seen.is_some_and(|seen| Arc::ptr_eq(seen, catalog)) {
            return false;
        }
        let mut is_changed = false;
        for entry in catalog.schemas.values() {
            let now = entry.current().number;
            match next.versions.get(&entry.id) {
                // what a newer catalog had noted, this one does not take back
                Some(version) if *version >= now => continue,
                Some(version) if are_read_again(entry, *version) => {
                    let of_schema = catalog
                        .datasets
                        .values()
                        .filter(|dataset| dataset.schema == entry.id);
                    next.walks
                        .extend(of_schema.map(|dataset| (dataset.number, 0)));
                }
                _ => {}
            }
            next.versions.insert(entry.id.clone(), now);
            is_changed = true;
        }
        is_changed
    }
}

/// What tells an entry from the one of the same number in another log.
fn mark(entry: &LogEntry) -> String {
    let place = entry.id.place;
    format!(
        "{} {} {} {} {} {}",
        place.dataset,
        place.sequence,
        entry.id.nonce,
        entry.version,
        entry.at.millis(),
        ids::hash(entry.after.as_deref().unwrap_or_default())
    )
}
