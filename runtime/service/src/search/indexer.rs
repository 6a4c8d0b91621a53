//! The indexer: one task that follows the change log and keeps the index at its heels. It begins an index
//! that is empty, or was made of another store, from the records themselves, and reads a schema's records
//! again when a change of the schema makes something else of them. A record that can't be read is told in
//! the log and left out. It never writes to the store.

use super::documents::DocumentMaker;
use super::versions::shows_more;
use crate::Store;
use crate::ids::{self, IdCipher};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use store::catalog::{Catalog, SchemaEntry};
use store::records::{
    LogEntry, PageLimit, RecordId, RecordPlace, RecordsPage, Shelf, StoredRecord,
};
use store::search::{Document, Progress, SearchIndex};
use store::{RottenRow, StoreError};
use tokio::sync::{Notify, watch};

/// How many entries, or records of a dataset that is being read, go into one transaction of the index.
const BATCH: PageLimit = PageLimit {
    records: 2000,
    bytes: 4 << 20,
};
/// How long the indexer rests when it has seen everything and nobody waits: what is written meanwhile goes
/// into the index together, which is less work than piece by piece.
const REST: Duration = Duration::from_millis(200);
/// How long it rests after a failure.
const REST_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// What the indexer and those who wait for it share.
pub(super) struct IndexSignals {
    /// Rung by who waits.
    pub(super) wake: Notify,
    /// Changes with every step.
    pub(super) steps: watch::Sender<Steps>,
    /// Set when the indexer is to end.
    pub(super) stop: watch::Sender<bool>,
    /// Why the last step failed.
    pub(super) failure: Mutex<Option<String>>,
}

/// How many steps there were.
#[derive(Clone, Copy, Default)]
pub(super) struct Steps {
    /// Those that were done; the first one says that the index is of this store.
    pub(super) done: u64,
    /// Those that failed.
    pub(super) failed: u64,
}

/// What a step found to do.
enum StepOutcome {
    /// Something, and there may be more.
    More,
    /// Something, and nothing was left.
    Last,
    /// Nothing.
    None,
}

/// What goes into the index in one transaction.
#[derive(Default)]
struct Batch {
    documents: Vec<Document>,
    /// The records that can't be read, and why.
    left_out: Vec<(RecordId, StoreError)>,
}

impl Batch {
    fn add(&mut self, record: &StoredRecord, documents: &mut DocumentMaker) {
        let id = record.id;
        let document = documents.of_record(record).unwrap_or_else(|error| {
            self.left_out.push((id, error));
            gone(id.place)
        });
        self.documents.push(document);
    }

    /// Leaves a record out that is not as it was written.
    fn leave_out(&mut self, id: RecordId, error: StoreError) {
        self.left_out.push((id, error));
        self.documents.push(gone(id.place));
    }
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
    /// Works until it is told to stop.
    pub(super) async fn run(mut self) {
        let mut stop = self.signals.stop.subscribe();
        let mut is_checked = false;
        while !*stop.borrow_and_update() {
            let step = if is_checked {
                self.step().await
            } else {
                self.recognise().await.map(|()| StepOutcome::More)
            };
            is_checked = is_checked || step.is_ok();
            let failure = step.as_ref().err().map(ToString::to_string);
            // the index tells of damage itself, and the next step makes it anew
            let is_damage = matches!(step, Err(StoreError::IndexDamaged));
            self.note(failure.filter(|_| !is_damage));
            match step {
                Ok(StepOutcome::More | StepOutcome::Last) => {
                    self.signals.steps.send_modify(|steps| steps.done += 1);
                }
                Ok(StepOutcome::None) => self.index.rest(),
                Err(_) => self.signals.steps.send_modify(|steps| steps.failed += 1),
            }
            if is_checked && self.index.is_read_only() {
                return;
            }
            let rest = match step {
                Ok(StepOutcome::More) => continue,
                Ok(StepOutcome::Last | StepOutcome::None) => REST,
                Err(_) => REST_AFTER_FAILURE,
            };
            tokio::select! {
                () = self.signals.wake.notified() => {}
                () = tokio::time::sleep(rest) => {}
                _ = stop.changed() => {}
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

    /// One step.
    async fn step(&mut self) -> Result<StepOutcome, StoreError> {
        if self.index.is_damaged() {
            self.index.clear().await?;
            return Ok(StepOutcome::More);
        }
        let Some(progress) = self.index.progress() else {
            self.begin().await?;
            return Ok(StepOutcome::More);
        };
        let (entries, rotten) = match self.store.log(progress.applied, BATCH).await {
            Err(StoreError::Rotten(RottenRow::Entry { number, id })) => {
                (Vec::new(), Some((number, id)))
            }
            entries => (entries?, None),
        };
        // newer than what it is asked for, so that it knows every schema version of the entries
        let catalog = self.store.catalog();
        let mut next = Progress::clone(&progress);
        let is_changed = self.compare(&catalog, &mut next);
        let maker = self.documents.take();
        let maker = maker.filter(|maker| Arc::ptr_eq(maker.catalog(), &catalog));
        let mut documents = maker.unwrap_or_else(|| DocumentMaker::new(catalog.clone()));
        let mut step = StepOutcome::More;
        let batch = if let Some(last) = entries.last() {
            next.applied = last.number;
            next.mark = mark(last);
            if next.walks.is_empty() && self.store.log_head().await? <= last.number {
                step = StepOutcome::Last;
            }
            self.changed(&entries, &mut documents).await?
        } else if let Some((number, id)) = rotten {
            // the record itself tells what the entry can't
            (next.applied, next.mark) = (number, String::new());
            let mut batch = Batch::default();
            self.read(id, &mut batch, &mut documents).await?;
            batch
        } else if let Some((dataset, after)) = next.walks.pop_first() {
            self.walk(dataset, after, &mut next, &mut documents).await?
        } else if is_changed {
            Batch::default()
        } else {
            self.documents = Some(documents);
            return Ok(StepOutcome::None);
        };
        if !batch.left_out.is_empty() && !Arc::ptr_eq(&catalog, &self.store.catalog()) {
            // a record that was written meanwhile may be of a version that only the newer one knows
            return Ok(StepOutcome::More);
        }
        self.index.apply(batch.documents, next).await?;
        self.tell(&batch.left_out);
        self.documents = Some(documents);
        Ok(step)
    }

    /// The documents of the records whose words the entries change.
    async fn changed(
        &self,
        entries: &[LogEntry],
        documents: &mut DocumentMaker,
    ) -> Result<Batch, StoreError> {
        let mut batch = Batch::default();
        for entry in changes(entries, |entry| documents.keeps_words(entry)) {
            if let Some(document) = documents.of_entry(entry) {
                batch.documents.push(document);
            } else {
                self.read(entry.id, &mut batch, documents).await?;
            }
        }
        Ok(batch)
    }

    /// Adds a record to a batch as the store has it.
    async fn read(
        &self,
        id: RecordId,
        batch: &mut Batch,
        documents: &mut DocumentMaker,
    ) -> Result<(), StoreError> {
        match self.store.get(id.place).await {
            Ok(Some(record)) => batch.add(&record, documents),
            Ok(None) => batch.documents.push(gone(id.place)),
            Err(error @ StoreError::Rotten(_)) => batch.leave_out(id, error),
            Err(error) => return Err(error),
        }
        Ok(())
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
        let applied = self.store.log_head().await?;
        let entry = self.entry(applied).await?;
        let catalog = self.store.catalog();
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
                Some(version) if *version == now => continue,
                Some(version) if shows_more(entry, *version) => {
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

/// The newest entry of each record whose words change. What one entry changes and the next one changes
/// back counts: a walk may have read the record between them.
fn changes(entries: &[LogEntry], mut keeps_words: impl FnMut(&LogEntry) -> bool) -> Vec<&LogEntry> {
    let mut records: HashMap<RecordPlace, (bool, &LogEntry)> = HashMap::new();
    for entry in entries {
        let (is_changed, newest) = records.entry(entry.id.place).or_insert((false, entry));
        *is_changed = *is_changed || !keeps_words(entry);
        *newest = entry;
    }
    let changed = records.into_values().filter(|(is_changed, _)| *is_changed);
    changed.map(|(_, newest)| newest).collect()
}

/// Takes a record out of the index.
fn gone(place: RecordPlace) -> Document {
    Document {
        place,
        content: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::catalog::{Actor, ActorKind};
    use wire::Timestamp;

    /// An entry that leaves a record with a value.
    fn entry(number: u64, sequence: u64, after: &str) -> LogEntry {
        let place = RecordPlace {
            dataset: 1,
            sequence,
        };
        LogEntry {
            number,
            id: RecordId { place, nonce: 0 },
            action: store::records::LogAction::Update,
            version: 0,
            at: Timestamp::from_millis(0),
            actor: Arc::new(Actor {
                kind: ActorKind::User,
                id: "u".to_owned(),
                name: "ada".to_owned(),
                email: None,
                full_name: None,
                via: None,
            }),
            schema_version: 1,
            before: None,
            after: Some(after.to_owned()),
            errors: None,
            hidden: None,
            prior: None,
        }
    }

    #[test]
    fn of_each_record_that_changes_the_newest_entry_counts() {
        let entries = [
            entry(1, 7, "other"),
            entry(2, 8, "same"),
            entry(3, 9, "same"),
            entry(4, 9, "other"),
            // what was there between may be in the index
            entry(5, 7, "same"),
            entry(6, 8, "same"),
        ];
        let keeps_words = |entry: &LogEntry| entry.after.as_deref() == Some("same");
        let newest = changes(&entries, keeps_words);
        let mut numbers: Vec<u64> = newest.iter().map(|entry| entry.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, [4, 5]);
    }
}
