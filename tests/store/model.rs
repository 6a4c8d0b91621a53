//! Random writes against a model in memory: one writer, whose every verdict the model foretells; and
//! many at once, whose log, replayed, must give what the store holds and what it counted on the way.

use crate::engines::{each, wait};
use crate::test_dataset::{TestDataset, content, faulty};
use runtime::store::records::{
    Change, Counts, LogAction, LogEntry, NewContent, PageLimit, RecordId, RecordPlace, Shelf,
    WriteVerdict,
};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use tests::seeded_rng::SeededRng;

#[derive(Clone, Debug, PartialEq)]
struct Known {
    id: RecordId,
    version: i64,
    body: String,
    is_errored: bool,
    is_deleted: bool,
}

/// What a dataset should hold.
#[derive(Clone, Default)]
struct Model {
    records: BTreeMap<RecordPlace, Known>,
}

impl Model {
    fn key_of(body: &str) -> String {
        let body: serde_json::Value = serde_json::from_str(body).expect("JSON");
        body["Key"].as_str().expect("a key").to_owned()
    }

    fn is_taken(&self, key: &str, own: Option<RecordId>) -> bool {
        self.records.values().any(|known| {
            !known.is_deleted && Some(known.id) != own && Self::key_of(&known.body) == key
        })
    }

    fn counts(&self) -> Counts {
        let live = || self.records.values().filter(|known| !known.is_deleted);
        Counts {
            records: live().count() as u64,
            errored: live().filter(|known| known.is_errored).count() as u64,
        }
    }

    /// What a write must come to, and does to the model; `None` for a create that must succeed.
    fn foretell(&mut self, change: &Change) -> Option<WriteVerdict> {
        let id = match change {
            Change::Create { content, .. } => {
                let key = content.primary_key.as_ref().expect("a key");
                return self
                    .is_taken(key, None)
                    .then_some(WriteVerdict::DuplicateKey);
            }
            Change::Update { id, .. }
            | Change::Revert { id, .. }
            | Change::Delete { id, .. }
            | Change::Restore { id }
            | Change::RestoreAs { id, .. }
            | Change::Purge { id } => *id,
        };
        let Some(known) = self.records.get(&id.place).filter(|known| known.id == id) else {
            return Some(WriteVerdict::NotFound);
        };
        let mut next = known.clone();
        let is_meant_deleted = matches!(
            change,
            Change::Restore { .. } | Change::RestoreAs { .. } | Change::Purge { .. }
        );
        if known.is_deleted != is_meant_deleted {
            return Some(WriteVerdict::NotFound);
        }
        match change {
            Change::Update { version, .. }
            | Change::Revert { version, .. }
            | Change::Delete { version, .. }
            | Change::RestoreAs { version, .. }
                if *version != known.version =>
            {
                let version = known.version;
                return Some(WriteVerdict::Stale { version });
            }
            Change::Update { content, .. }
            | Change::Revert { content, .. }
            | Change::RestoreAs { content, .. } => {
                let key = content.primary_key.as_ref().expect("a key");
                if self.is_taken(key, Some(id)) {
                    return Some(WriteVerdict::DuplicateKey);
                }
                next.version += 1;
                next.body.clone_from(&content.body);
                next.is_errored = content.errors.is_some();
                next.is_deleted = false;
            }
            Change::Delete { .. } => next.is_deleted = true,
            Change::Restore { .. } => {
                if self.is_taken(&Self::key_of(&known.body), None) {
                    return Some(WriteVerdict::DuplicateKey);
                }
                next.version += 1;
                next.is_deleted = false;
            }
            Change::Purge { .. } => {
                self.records.remove(&id.place);
                let version = next.version;
                return Some(WriteVerdict::Done { id, version });
            }
            Change::Create { .. } => unreachable!("told above"),
        }
        let version = next.version;
        self.records.insert(id.place, next);
        Some(WriteVerdict::Done { id, version })
    }

    fn created(&mut self, id: RecordId, content: &NewContent) {
        let known = Known {
            id,
            version: 0,
            body: content.body.clone(),
            is_errored: content.errors.is_some(),
            is_deleted: false,
        };
        assert_eq!(self.records.insert(id.place, known), None, "a new place");
    }

    /// Does what the log says was done.
    fn replay(&mut self, entry: &LogEntry) {
        let id = entry.id;
        if entry.action == LogAction::Create {
            assert_eq!(entry.version, 0);
            let after = entry.after.clone().expect("values");
            self.created(id, &content_of(after));
            return;
        }
        if entry.action == LogAction::Purge {
            self.records.remove(&id.place);
            return;
        }
        let known = self.records.get_mut(&id.place).expect("it was created");
        assert_eq!(known.id, id);
        if let Some(before) = &entry.before {
            assert_eq!(*before, known.body, "entry {}", entry.number);
        }
        let steps = i64::from(entry.action != LogAction::Delete);
        assert_eq!(
            entry.version,
            known.version + steps,
            "no version is skipped"
        );
        known.version = entry.version;
        known.is_deleted = entry.action == LogAction::Delete;
        if let Some(after) = &entry.after {
            known.is_errored = content_of(after.clone()).errors.is_some();
            known.body.clone_from(after);
        }
    }

    fn is_what_is_in(&self, dataset: &TestDataset, story: &str) {
        for (shelf, is_deleted) in [(Shelf::Live, false), (Shelf::Deleted, true)] {
            let found = dataset.walk(shelf, 17).into_iter().map(|record| Known {
                id: record.id,
                version: record.version,
                body: record.body,
                is_errored: record.errors.is_some(),
                is_deleted: record.deleted,
            });
            let meant = self.records.values();
            let meant = meant.filter(|known| known.is_deleted == is_deleted);
            assert_eq!(
                found.collect::<Vec<_>>(),
                meant.cloned().collect::<Vec<_>>(),
                "{story}"
            );
        }
        assert_eq!(
            wait(dataset.store.counts(dataset.number)),
            self.counts(),
            "{story}"
        );
    }
}

/// In these stories a record without text is the faulty one.
fn content_of(body: String) -> NewContent {
    let is_errored = body.ends_with("\"Text\":\"\"}");
    let key = Model::key_of(&body);
    let content = if is_errored {
        faulty(&key)
    } else {
        content(&key, "x")
    };
    NewContent { body, ..content }
}

/// A random write: few keys and few records, so that most writes meet another.
fn random_change(rng: &mut SeededRng, known: &[RecordId], versions: usize) -> Change {
    let key = format!("K{}", rng.below(12));
    let content = match rng.below(3) {
        0 => faulty(&key),
        _ => content(&key, &format!("text {}", rng.below(1000))),
    };
    if known.is_empty() || rng.below(10) < 3 {
        return TestDataset::creation(content);
    }
    let mut id = known[rng.below(known.len())];
    if rng.below(20) == 0 {
        id.nonce ^= 1;
    }
    let version = i64::try_from(rng.below(versions)).expect("small");
    match rng.below(10) {
        0..=3 => Change::Update {
            id,
            version,
            content,
        },
        4 => Change::Revert {
            id,
            version,
            content,
        },
        5..=6 => Change::Delete { id, version },
        7 => Change::Restore { id },
        8 => Change::RestoreAs {
            id,
            version,
            content,
        },
        _ => Change::Purge { id },
    }
}

#[test]
fn one_writer_gets_every_verdict_that_the_model_foretells() {
    each(|folder| {
        let store = folder.open();
        for seed in 1..=4_u32 {
            let dataset = TestDataset::new(store.clone(), seed);
            let (mut rng, mut model) = (SeededRng(u64::from(seed)), Model::default());
            let mut ids = Vec::new();
            let mut kinds = std::collections::BTreeSet::new();
            for step in 0..400 {
                let change = random_change(&mut rng, &ids, 3);
                let verdict = dataset.change(change.clone());
                let story = format!("seed {seed}, step {step}: {change:?}");
                match (model.foretell(&change), &change, verdict) {
                    (
                        None,
                        Change::Create { content, .. },
                        WriteVerdict::Done { id, version: 0 },
                    ) => {
                        model.created(id, content);
                        ids.push(id);
                    }
                    (foretold, _, verdict) => assert_eq!(foretold, Some(verdict), "{story}"),
                }
                kinds.insert(format!("{verdict:?}").split(' ').next().map(str::to_owned));
                assert_eq!(wait(store.counts(seed)), model.counts(), "{story}");
            }
            assert_eq!(kinds.len(), 4, "every verdict was met: {kinds:?}");
            model.is_what_is_in(&dataset, &format!("seed {seed}"));
            dataset.is_sound();
        }
    });
}

/// Writers at random until all are through; what they were told was done.
fn write_at_random(dataset: &TestDataset, writers: u64, writes: usize) -> Vec<WriteVerdict> {
    let (ids, all) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let running = AtomicUsize::new(0);
    let samples = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for writer in 0..writers {
            let (ids, all, running) = (&ids, &all, &running);
            running.fetch_add(1, Ordering::SeqCst);
            scope.spawn(move || {
                let mut rng = SeededRng(writer * 7919);
                for _ in 0..writes {
                    let known = ids.lock().expect("ids").clone();
                    let mut change = random_change(&mut rng, &known, 2);
                    if matches!(change, Change::Purge { .. }) {
                        // a purge would take the past out of the log that is replayed
                        change =
                            TestDataset::creation(content(&format!("K{}", rng.below(12)), "x"));
                    }
                    let is_create = matches!(change, Change::Create { .. });
                    let verdict = dataset.change(change);
                    if let WriteVerdict::Done { id, .. } = verdict {
                        all.lock().expect("verdicts").push(verdict);
                        if is_create {
                            ids.lock().expect("ids").push(id);
                        }
                    }
                }
                running.fetch_sub(1, Ordering::SeqCst);
            });
        }
        let (running, samples) = (&running, &samples);
        scope.spawn(move || {
            while running.load(Ordering::SeqCst) > 0 {
                let head = wait(dataset.store.log_head());
                let counts = wait(dataset.store.counts(dataset.number));
                if wait(dataset.store.log_head()) == head {
                    samples.lock().expect("samples").push((head, counts));
                }
            }
        });
    });
    counts_were_exact(dataset, &samples.into_inner().expect("samples"));
    all.into_inner().expect("verdicts")
}

/// Replays the log and compares each count that was seen with what the records were at that commit.
fn counts_were_exact(dataset: &TestDataset, samples: &[(u64, Counts)]) {
    let mut model = Model::default();
    let mut at = BTreeMap::from([(0, Counts::default())]);
    for entry in wait(dataset.store.log(0, PageLimit::of(usize::MAX))) {
        model.replay(&entry);
        at.insert(entry.number, model.counts());
    }
    for (head, counts) in samples {
        assert_eq!(at.get(head), Some(counts), "at entry {head}");
    }
    let heads: std::collections::BTreeSet<_> = samples.iter().map(|(head, _)| head).collect();
    assert!(
        heads.len() > 10,
        "counts were seen at {} commits",
        heads.len()
    );
    model.is_what_is_in(dataset, "the replayed log");
}

#[test]
fn many_writers_leave_a_log_that_explains_every_record_and_every_count() {
    each(|folder| {
        let dataset = folder.dataset();
        let done = write_at_random(&dataset, 12, 150);
        let mut told: Vec<_> = done
            .iter()
            .map(|verdict| match verdict {
                WriteVerdict::Done { id, version } => (id.place, *version),
                other => panic!("{other:?}"),
            })
            .collect();
        let log = wait(dataset.store.log(0, PageLimit::of(usize::MAX)));
        let mut logged: Vec<_> = log.iter().map(|e| (e.id.place, e.version)).collect();
        told.sort_unstable();
        logged.sort_unstable();
        assert_eq!(
            told, logged,
            "each done write has its entry, and no other has"
        );
        dataset.is_sound();
    });
}
