//! One dataset of a store: where stories read and write records, in few words.

use crate::engines::{Store, StoreFolder, wait};
use runtime::store::StoreError;
use runtime::store::catalog::{Actor, ActorKind};
use runtime::store::records::{
    Change, Counts, NewContent, PageLimit, RecordId, RecordPlace, RecordsPage, Shelf, StoredRecord,
    Write, WriteVerdict,
};
use runtime::value::Timestamp;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

static NONCES: AtomicU64 = AtomicU64::new(u64::MAX - 5);

/// A dataset of an opened store, by its number.
#[derive(Clone)]
pub(crate) struct TestDataset {
    pub(crate) store: Arc<dyn Store>,
    /// The number that records say it by.
    pub(crate) number: u32,
}

pub(crate) fn actor() -> Actor {
    Actor {
        kind: ActorKind::ApiKey,
        id: "key-1".to_owned(),
        name: "Nightly \"import\"".to_owned(),
        email: None,
        full_name: None,
        via: None,
        job: None,
    }
}

pub(crate) fn done(version: i64) -> impl Fn(WriteVerdict) -> bool {
    move |verdict| matches!(verdict, WriteVerdict::Done { version: found, .. } if found == version)
}

/// Content with a key, and the text beside it.
pub(crate) fn content(key: &str, text: &str) -> NewContent {
    NewContent {
        body: serde_json::json!({ "Key": key, "Text": text }).to_string(),
        primary_key: Some(key.to_owned()),
        schema_version: 1,
        errors: None,
        hidden: None,
    }
}

/// Content that has a fault.
pub(crate) fn faulty(key: &str) -> NewContent {
    NewContent {
        errors: Some(r#"[{"name":"Text","errors":"is required"}]"#.to_owned()),
        ..content(key, "")
    }
}

impl StoreFolder {
    /// The first dataset of the opened store.
    pub(crate) fn dataset(&self) -> TestDataset {
        TestDataset::new(self.open(), 1)
    }
}

impl TestDataset {
    pub(crate) fn new(store: Arc<dyn Store>, number: u32) -> Self {
        TestDataset { store, number }
    }

    /// Another dataset of the same store.
    pub(crate) fn beside(&self, number: u32) -> Self {
        TestDataset::new(self.store.clone(), number)
    }

    pub(crate) fn change(&self, change: Change) -> WriteVerdict {
        wait(self.store.write(self.write(change)))
    }

    pub(crate) fn write(&self, change: Change) -> Write {
        Write {
            dataset: self.number,
            actor: actor(),
            at: Timestamp::from_millis(1_769_850_300_007),
            judged_under: None,
            audit: None,
            change,
        }
    }

    pub(crate) fn creation(content: NewContent) -> Change {
        Change::Create {
            nonce: NONCES.fetch_add(1, Ordering::Relaxed),
            content,
        }
    }

    /// Tries to create a record with a key.
    pub(crate) fn offer(&self, content: NewContent) -> WriteVerdict {
        self.change(Self::creation(content))
    }

    /// Creates a record with a key.
    pub(crate) fn create(&self, key: &str) -> RecordId {
        match self.offer(content(key, "first")) {
            WriteVerdict::Done { id, version: 0 } => id,
            other => panic!("{key:?} can be created: {other:?}"),
        }
    }

    pub(crate) fn update(&self, id: RecordId, version: i64, content: NewContent) -> WriteVerdict {
        self.change(Change::Update {
            id,
            version,
            content,
        })
    }

    pub(crate) fn delete(&self, id: RecordId, version: i64) -> WriteVerdict {
        self.change(Change::Delete { id, version })
    }

    pub(crate) fn restore(&self, id: RecordId) -> WriteVerdict {
        self.change(Change::Restore { id })
    }

    pub(crate) fn purge(&self, id: RecordId) -> WriteVerdict {
        self.change(Change::Purge { id })
    }

    pub(crate) fn get(&self, place: RecordPlace) -> Option<StoredRecord> {
        wait(self.store.get(place))
    }

    pub(crate) fn by_key(&self, key: &str) -> Option<StoredRecord> {
        wait(self.store.by_key(self.number, key))
    }

    /// Up to so many records, however large.
    pub(crate) fn page(&self, shelf: Shelf, after: u64, records: usize) -> Vec<StoredRecord> {
        let bytes = usize::MAX;
        self.limited(shelf, after, PageLimit { records, bytes })
            .records
    }

    /// A page, and what is behind it.
    pub(crate) fn limited(&self, shelf: Shelf, after: u64, limit: PageLimit) -> RecordsPage {
        wait(self.store.page(self.number, shelf, after, limit))
    }

    /// A page of deleted records, those that were deleted last first: the numbers of their deletions, their sequences, and whether
    /// there are more.
    pub(crate) fn deleted_last(&self, before: u64, limit: PageLimit) -> (Vec<(u64, u64)>, bool) {
        let page = wait(self.store.newest_deleted(self.number, before, limit));
        let records = page.records.iter();
        let records = records.map(|(it, record)| (it.number, record.id.place.sequence));
        (records.collect(), page.has_more)
    }

    /// When, and by whom, each record was deleted of a page of those that were deleted last.
    pub(crate) fn deletions(&self, limit: PageLimit) -> Vec<Option<(Timestamp, Actor)>> {
        let page = wait(self.store.newest_deleted(self.number, u64::MAX, limit));
        let records = page.records.into_iter();
        let done = records.map(|(it, _)| it.done.map(|(at, actor)| (at, (*actor).clone())));
        done.collect()
    }

    /// Every record of a shelf, page by page.
    pub(crate) fn walk(&self, shelf: Shelf, limit: usize) -> Vec<StoredRecord> {
        let mut all = Vec::new();
        let mut after = 0;
        loop {
            let page = self.page(shelf, after, limit);
            assert!(page.len() <= limit, "a page holds its limit at most");
            let Some(last) = page.last() else { return all };
            after = last.id.place.sequence;
            all.extend(page);
        }
    }

    /// The sequences of the live records.
    pub(crate) fn live(&self) -> Vec<u64> {
        let records = self.walk(Shelf::Live, 7);
        records.iter().map(|r| r.id.place.sequence).collect()
    }

    pub(crate) fn counts(&self) -> (u64, u64) {
        let Counts { records, errored } = wait(self.store.counts(self.number));
        (records, errored)
    }

    /// The store agrees with itself.
    pub(crate) fn is_sound(&self) {
        assert_eq!(wait(self.store.check()), Vec::<String>::new());
    }

    pub(crate) fn try_offer(&self, content: NewContent) -> Result<WriteVerdict, StoreError> {
        crate::engines::try_wait(self.store.write(self.write(Self::creation(content))))
    }
}
