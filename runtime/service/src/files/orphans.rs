//! Cleaning: files that no record refers to, live or deleted, go after a time of grace. In two strides, so
//! that a write in flight is not robbed of its file: first a file is condemned, which the next record that
//! refers to it takes back; when a later cleaning finds it unused still, it goes. A purge condemns what its record had, and
//! that has no time of grace. Where a record can't be read, nobody knows which files it has, so none of its dataset goes.

use super::FileBackend;
use super::leftovers::gone;
use super::links::named_id;
use crate::Service;
use object_store::ObjectStoreExt as _;
use schema::json::{Node, Value, parse};
use std::collections::{HashMap, HashSet};
use store::catalog::Dataset;
use store::files::FileRow;
use store::records::{PageLimit, RecordId, RecordsPage, Shelf, StoredRecord};
use store::{RottenRow, StoreError};
use tokio::sync::OwnedRwLockReadGuard;
use tracing::Instrument as _;
use wire::Timestamp;

/// How long a file stays condemned: longer than any request takes.
const CONDEMNED_SECONDS: i64 = 3600;
/// How many records are looked at in one go.
const PAGE: PageLimit = PageLimit {
    records: 1000,
    bytes: 16 << 20,
};

/// Records of a dataset that can't be read and are told one by one; the check names all.
const TOLD_MAX: usize = 100;

/// What a cleaning did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CleaningReport {
    /// Files that will go with a later cleaning, if they stay unused.
    pub condemned: usize,
    /// Files that went.
    pub removed: usize,
    /// Contents without a file that went: what uploads left behind that broke off.
    pub leftovers: usize,
}

/// What the records of a dataset say of some files.
#[derive(Default)]
struct Uses {
    /// Those that a record refers to.
    used: Vec<FileRow>,
    /// Records that can't be read: what they refer to is not known.
    unreadable: Vec<RecordId>,
}

/// Records that cleanings could not read and told, by the number of their dataset.
pub(crate) type ToldRecords = parking_lot::Mutex<HashMap<u32, Vec<RecordId>>>;

/// Contents that stay.
#[derive(Debug)]
pub struct HeldFiles {
    _held: OwnedRwLockReadGuard<()>,
}

impl Service {
    /// Cleans once, as of a moment. [`open`](Self::open) sees to it that it is done every few hours.
    ///
    /// # Errors
    /// The store's and the object store's; what was done until then is done.
    pub async fn clean_files(&self, now: Timestamp) -> Result<CleaningReport, StoreError> {
        let span = tracing::debug_span!("files.clean");
        self.clean_all(now).instrument(span).await
    }

    /// Lets no content go as long as what this gives is held: who copies the store finds all that it refers to.
    pub async fn hold_files(&self) -> HeldFiles {
        HeldFiles {
            _held: self.files_held.clone().read_owned().await,
        }
    }

    /// Adds the files that texts of a record's values name. One that can't be read names none: what only it had, a later
    /// cleaning finds.
    pub(crate) fn named_files<'t>(
        &self,
        dataset: &str,
        texts: impl IntoIterator<Item = Option<&'t String>>,
        ids: &mut HashSet<String>,
    ) {
        if self.file_backend.get().is_none() {
            return;
        }
        for text in texts.into_iter().flatten() {
            if let Ok(tree) = parse(text) {
                visit(&tree, &mut |text| {
                    ids.extend(named_id(dataset, text).map(str::to_owned));
                });
            }
        }
    }

    /// Marks files of a record that is gone: the first cleaning after the time that they stay condemned removes those that no
    /// other record refers to, and takes back those that one does.
    pub(crate) async fn condemn_files(
        &self,
        dataset: &str,
        ids: HashSet<String>,
    ) -> Result<(), StoreError> {
        match self.file_backend.get() {
            Some(backend) if !ids.is_empty() => {
                let ids = ids.into_iter().collect();
                let files = &backend.files;
                files.condemn_files(dataset, ids, self.now()).await
            }
            _ => Ok(()),
        }
    }

    async fn clean_all(&self, now: Timestamp) -> Result<CleaningReport, StoreError> {
        let mut cleaned = CleaningReport::default();
        let Ok(_alone) = self.files_held.try_write() else {
            // the next time is soon enough
            return Ok(cleaned);
        };
        if self.store().is_read_only() {
            return Ok(cleaned);
        }
        let Some(backend) = self.file_backend.get() else {
            return Ok(cleaned);
        };
        let before = now.plus_seconds(-backend.settings.grace_seconds);
        let catalog = self.store().catalog();
        for dataset in catalog.datasets.values() {
            let doubtful = backend.files.doubtful_files(&dataset.id, before).await?;
            if !doubtful.is_empty() {
                self.clean_dataset(backend, dataset, doubtful, &mut cleaned)
                    .await?;
            }
        }
        cleaned.leftovers = self.clean_leftovers(backend).await?;
        Ok(cleaned)
    }

    async fn clean_dataset(
        &self,
        backend: &FileBackend,
        dataset: &Dataset,
        doubtful: Vec<FileRow>,
        cleaned: &mut CleaningReport,
    ) -> Result<(), StoreError> {
        let mut unused: HashMap<String, FileRow> = doubtful
            .into_iter()
            .map(|row| (row.file.id.clone(), row))
            .collect();
        let Uses { used, unreadable } = self.look_for_uses(dataset, &mut unused).await?;
        for row in used.iter().filter(|row| row.condemned_at.is_some()) {
            backend.files.reprieve_file(&row.file.id).await?;
        }
        let is_known = unreadable.is_empty();
        self.tell_unreadable(dataset, unreadable);
        if !is_known {
            // each of the others may be one that such a record has
            return Ok(());
        }
        let (condemned, fresh): (Vec<_>, Vec<_>) = unused
            .into_values()
            .partition(|row| row.condemned_at.is_some());
        cleaned.condemned += fresh.len();
        let fresh: Vec<String> = fresh.into_iter().map(|row| row.file.id).collect();
        if !fresh.is_empty() {
            let files = &backend.files;
            files.condemn_files(&dataset.id, fresh, self.now()).await?;
        }
        let before = self.now().plus_seconds(-CONDEMNED_SECONDS);
        for row in condemned {
            // the row first: content without a file is a leftover, a file without content a broken promise
            if backend.files.remove_file(&row.file.id, before).await? {
                let path = super::FileStorage::path(&row.file);
                gone(backend.storage.objects.delete(&path).await)?;
                cleaned.removed += 1;
            }
        }
        Ok(())
    }

    /// Reads all records of a dataset, live and deleted, and moves the files that they refer to out of the unused.
    async fn look_for_uses(
        &self,
        dataset: &Dataset,
        unused: &mut HashMap<String, FileRow>,
    ) -> Result<Uses, StoreError> {
        let mut uses = Uses::default();
        for shelf in [Shelf::Live, Shelf::Deleted] {
            let mut after = 0;
            loop {
                let page = self.store().page(dataset.number, shelf, after, PAGE);
                let RecordsPage { records, behind } = match page.await {
                    // a page ends before such a record, so it is the next one
                    Err(StoreError::Rotten(RottenRow::Record(id))) if id.place.sequence > after => {
                        uses.unreadable.push(id);
                        after = id.place.sequence;
                        continue;
                    }
                    page => page?,
                };
                for record in &records {
                    uses.take_used(&dataset.id, record, unused);
                }
                let last = records.last().filter(|_| behind.is_some());
                let Some(last) = last else { break };
                after = last.id.place.sequence;
                // others want the thread too
                tokio::task::yield_now().await;
            }
        }
        // whether one is deleted is not known of a row that is not as it was written, so both walks meet it
        uses.unreadable.sort_unstable_by_key(|id| id.place);
        uses.unreadable.dedup();
        Ok(uses)
    }

    /// Tells the log of records that a cleaning can't read: of each once, until one could be read again.
    fn tell_unreadable(&self, dataset: &Dataset, mut unreadable: Vec<RecordId>) {
        let mut told = self.told_by_cleanings.lock();
        let before = told.remove(&dataset.number).unwrap_or_default();
        if unreadable.is_empty() {
            return;
        }
        let count = unreadable.len();
        unreadable.truncate(TOLD_MAX);
        for id in unreadable.iter().filter(|id| !before.contains(id)) {
            tracing::error!(
                record.id = self.ids.record(*id),
                dataset = dataset.id,
                count,
                "a record can't be read, so which files it has is not known, and none of its dataset is removed; run `fieldstone check`, and put it right, or delete and purge it"
            );
        }
        told.insert(dataset.number, unreadable);
    }
}

impl Uses {
    /// Moves the files that a record refers to, in active fields or hidden ones, by id or by link, to the used.
    fn take_used(
        &mut self,
        dataset: &str,
        record: &StoredRecord,
        unused: &mut HashMap<String, FileRow>,
    ) {
        let texts = [Some(&record.body), record.hidden.as_ref()];
        let mut is_readable = true;
        for text in texts.into_iter().flatten() {
            match parse(text) {
                Ok(tree) if matches!(tree.value, Value::Object(_)) => visit(&tree, &mut |text| {
                    // a secret that was lost must not cost files
                    let id = named_id(dataset, text);
                    self.used.extend(id.and_then(|id| unused.remove(id)));
                }),
                _ => is_readable = false,
            }
        }
        if !is_readable {
            self.unreadable.push(record.id);
        }
    }
}

fn visit(node: &Node<'_>, take: &mut impl FnMut(&str)) {
    match &node.value {
        Value::String(text) => take(text),
        Value::Array(items) => items.iter().for_each(|item| visit(item, take)),
        Value::Object(members) => members.iter().for_each(|member| visit(&member.value, take)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
