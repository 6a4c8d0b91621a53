//! The indexer: one task that follows the change log and keeps the index at its heels. It begins an index
//! that is empty, or was made of another store, from the records themselves, and reads a schema's records
//! again when a change of the schema makes something else of them. It never writes to the store.

use super::super::{Store, ids};
use super::documents::Documents;
use crate::store::StoreError;
use crate::store::catalog::{Catalog, SchemaEntry};
use crate::store::records::{LogEntry, PageLimit, RecordsPage, Shelf};
use crate::store::search::{Document, Progress, SearchIndex};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// How many entries or records go into one transaction of the index.
const BATCH: usize = 1000;
/// How many records of a dataset that is being read go into one.
const PAGE: PageLimit = PageLimit {
    records: BATCH,
    bytes: 16 << 20,
};
/// How long the indexer rests when it has seen everything and nobody waits: what is written meanwhile goes
/// into the index together, which is less work than piece by piece.
const REST: Duration = Duration::from_millis(100);
/// How long it rests after a failure.
const REST_AFTER_FAILURE: Duration = Duration::from_secs(1);

/// What the indexer and those who wait for it share.
pub(super) struct Bell {
    /// Rung by who waits.
    pub(super) wake: Notify,
    /// Changes with every step.
    pub(super) steps: watch::Sender<u64>,
    /// Set when the indexer is to end.
    pub(super) stop: watch::Sender<bool>,
    /// Why the last step failed.
    pub(super) failure: Mutex<Option<String>>,
}

/// What a step found to do.
enum Step {
    /// Something, and there may be more.
    More,
    /// Something, and nothing was left.
    Last,
    /// Nothing.
    None,
}

pub(super) struct Indexer {
    store: Arc<dyn Store>,
    index: Arc<dyn SearchIndex>,
    bell: Arc<Bell>,
    /// The catalog whose schemas were compared last.
    seen: Option<Arc<Catalog>>,
}

impl Indexer {
    pub(super) fn new(store: Arc<dyn Store>, index: Arc<dyn SearchIndex>, bell: Arc<Bell>) -> Self {
        Indexer {
            store,
            index,
            bell,
            seen: None,
        }
    }

    /// Works until it is told to stop.
    pub(super) async fn run(mut self) {
        let mut stop = self.bell.stop.subscribe();
        let mut is_checked = false;
        while !*stop.borrow_and_update() {
            let step = if is_checked {
                self.step().await
            } else {
                self.recognise().await.map(|()| Step::More)
            };
            is_checked = is_checked || step.is_ok();
            let failure = step.as_ref().err().map(ToString::to_string);
            *self
                .bell
                .failure
                .lock()
                .unwrap_or_else(PoisonError::into_inner) = failure;
            if let Ok(Step::More | Step::Last) = step {
                self.bell.steps.send_modify(|steps| *steps += 1);
            }
            let rest = match step {
                Ok(Step::More) => continue,
                Ok(Step::Last | Step::None) => REST,
                Err(_) => REST_AFTER_FAILURE,
            };
            tokio::select! {
                () = self.bell.wake.notified() => {}
                () = tokio::time::sleep(rest) => {}
                _ = stop.changed() => {}
            }
        }
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
        } else {
            self.index.clear().await
        }
    }

    /// The entry of a number, if the log still has it.
    async fn entry(&self, number: u64) -> Result<Option<LogEntry>, StoreError> {
        let Some(before) = number.checked_sub(1) else {
            return Ok(None);
        };
        let entries = self.store.log(before, 1).await?;
        Ok(entries.into_iter().find(|entry| entry.number == number))
    }

    /// One step.
    async fn step(&mut self) -> Result<Step, StoreError> {
        let Some(progress) = self.index.progress() else {
            self.begin().await?;
            return Ok(Step::More);
        };
        let entries = self.store.log(progress.applied, BATCH).await?;
        // newer than what it is asked for, so that it knows every schema version of the entries
        let catalog = self.store.catalog();
        let mut next = Progress::clone(&progress);
        let is_changed = self.compare(&catalog, &mut next);
        let mut step = Step::More;
        if let Some(last) = entries.last() {
            next.applied = last.number;
            next.mark = mark(last);
            let documents = Documents::new(&catalog);
            let documents = newest(&entries).map(|entry| documents.of_entry(entry));
            let documents = documents.collect::<Result<_, _>>()?;
            let is_last = entries.len() < BATCH && next.walks.is_empty();
            self.index.apply(documents, next).await?;
            if is_last {
                step = Step::Last;
            }
        } else if let Some((dataset, after)) = next
            .walks
            .iter()
            .next()
            .map(|(dataset, after)| (*dataset, *after))
        {
            let documents = self.walk(&catalog, dataset, after, &mut next).await?;
            self.index.apply(documents, next).await?;
        } else if is_changed {
            self.index.apply(Vec::new(), next).await?;
        } else {
            step = Step::None;
        }
        self.seen = Some(catalog);
        Ok(step)
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
        catalog: &Catalog,
        dataset: u32,
        after: u64,
        next: &mut Progress,
    ) -> Result<Vec<Document>, StoreError> {
        let page = self.store.page(dataset, Shelf::Live, after, PAGE);
        let RecordsPage { records, behind } = page.await?;
        match records.last().filter(|_| behind.is_some()) {
            Some(last) => next.walks.insert(dataset, last.id.place.sequence),
            None => next.walks.remove(&dataset),
        };
        let documents = Documents::new(catalog);
        records
            .iter()
            .map(|record| documents.of_record(record))
            .collect()
    }

    /// Notes the schemas' versions, and the datasets to be read again because of them.
    fn compare(&self, catalog: &Arc<Catalog>, next: &mut Progress) -> bool {
        if self
            .seen
            .as_ref()
            .is_some_and(|seen| Arc::ptr_eq(seen, catalog))
        {
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

/// The newest entry of each record.
fn newest(entries: &[LogEntry]) -> impl Iterator<Item = &LogEntry> {
    let mut seen = HashSet::new();
    let mut newest: Vec<&LogEntry> = entries
        .iter()
        .rev()
        .filter(|entry| seen.insert(entry.id.place))
        .collect();
    newest.reverse();
    newest.into_iter()
}

/// Whether records show words under the version in force that they did not show under an earlier one: a
/// field is active again, or is of another type or format. New names and fields that are switched off
/// need no reading.
fn shows_more(entry: &SchemaEntry, earlier: i64) -> bool {
    let Some(old) = entry.version(earlier) else {
        return true;
    };
    let was_there = |id: &str| {
        let versions = entry.versions.iter();
        let before = versions.filter(|version| version.number < earlier);
        before
            .flat_map(|version| &version.schema.fields)
            .any(|field| field.id == id)
    };
    entry.current().schema.active_fields().any(|field| {
        match old.schema.fields.iter().find(|old| old.id == field.id) {
            None => was_there(&field.id),
            Some(old) => {
                !old.active
                    || old.data_type != field.data_type
                    || old.date_shape() != field.date_shape()
                    || old.time_shape() != field.time_shape()
                    || old.moment_shape() != field.moment_shape()
            }
        }
    })
}
