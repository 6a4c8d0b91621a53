//! The indexers of two servers on one index: which one comes first is a matter of chance, and who is overtaken loses nothing
//! of what it knows.

use crate::engines::{StoreFolder, each, wait};
use crate::finder::{Finder, aim};
use crate::nouns::{self, area, schema, tenant};
use crate::test_dataset::{TestDataset, content};
use crate::two_servers::put;
use runtime::service::search::WAIT_MAX;
use runtime::service::{Service, Settings, Store};
use runtime::store::StoreFuture;
use runtime::store::records::{NewContent, WriteVerdict};
use runtime::store::search::{
    Count, Document, Expression, Progress, Search, SearchIndex, SearchPage, Tally,
};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};
use tests::clock::{ManualClock, SeededEntropy};
use tests::trick_store::TrickStore;

const SOON: Duration = Duration::from_millis(5);
const PATIENCE: Duration = Duration::from_secs(30);

/// The index as one server has it, whose steps wait for their turn.
struct TurnIndex {
    inner: Arc<dyn SearchIndex>,
    /// So many steps may be done.
    turns: Mutex<usize>,
    /// What the step that waits would note.
    waiting: Mutex<Option<Progress>>,
}

impl TurnIndex {
    fn new(folder: &StoreFolder, turns: usize) -> Arc<Self> {
        Arc::new(TurnIndex {
            inner: folder.index(),
            turns: Mutex::new(turns),
            waiting: Mutex::new(None),
        })
    }

    fn give(&self, turns: usize) {
        *self.turns.lock().expect("no panic") = turns;
    }

    fn takes_turn(&self) -> bool {
        let mut turns = self.turns.lock().expect("no panic");
        let has_turn = *turns > 0;
        *turns = turns.saturating_sub(1);
        has_turn
    }

    /// What the next step would note, once it waits.
    fn next_step(&self) -> Progress {
        let next = || self.waiting.lock().expect("no panic").clone();
        until("a step that waits", || next().is_some());
        next().expect("it waits still")
    }

    fn applied(&self) -> u64 {
        let progress = self.inner.progress();
        progress.map_or(0, |progress| progress.applied)
    }
}

impl SearchIndex for TurnIndex {
    fn progress(&self) -> Option<Arc<Progress>> {
        self.inner.progress()
    }

    fn clear(&self) -> StoreFuture<'_, ()> {
        self.inner.clear()
    }

    fn apply(&self, documents: Vec<Document>, progress: Progress) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            while !self.takes_turn() {
                *self.waiting.lock().expect("no panic") = Some(progress.clone());
                tokio::time::sleep(SOON).await;
            }
            *self.waiting.lock().expect("no panic") = None;
            self.inner.apply(documents, progress).await
        })
    }

    fn find(&self, search: Search) -> StoreFuture<'_, SearchPage> {
        self.inner.find(search)
    }

    fn count(&self, count: Count) -> StoreFuture<'_, Tally> {
        self.inner.count(count)
    }
}

fn until(what: &str, is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_so() {
        assert!(began.elapsed() < PATIENCE, "in vain: {what}");
        thread::sleep(SOON);
    }
}

/// A server that feeds an index.
fn server(folder: &StoreFolder, index: Arc<TurnIndex>) -> Service {
    server_of(folder.server(), index)
}

/// The same of a store.
fn server_of(store: Arc<dyn Store>, index: Arc<TurnIndex>) -> Service {
    let settings = Settings::default();
    let clock = Arc::new(ManualClock::default());
    let made = Service::new(store, clock, Arc::new(SeededEntropy::default()), settings);
    wait(async {
        let service = made.await?;
        service.start_search(index, WAIT_MAX);
        Ok(service)
    })
}

/// Whether a server's index knows the schemas as they are.
fn is_known(server: &Service) -> bool {
    let state = wait(server.search_state());
    state.expect("an index").is_known
}

fn is_reading(server: &Service) -> bool {
    let state = wait(server.search_state());
    state.expect("an index").reading > 0
}

/// What the schema of the stories has.
fn reading() -> NewContent {
    NewContent {
        body: r#"{"Meter":"ABCD1"}"#.to_owned(),
        primary_key: None,
        ..content("", "")
    }
}

#[test]
fn records_of_a_dataset_that_a_server_does_not_know_yet_are_in_the_index_that_it_feeds() {
    const RECORDS: u64 = 25;
    each(|folder| {
        let maker = folder.server();
        put(&maker, vec![tenant("t").into(), area("a", "Area").into()]);
        let first = nouns::dataset("d", "s", 1);
        let schema = schema("s", "no_primary_key", 1);
        put(&maker, vec![schema.into(), first.into()]);
        let store = TrickStore::new(folder.server());
        let index = TurnIndex::new(folder, usize::MAX);
        let other = server_of(store.clone(), index.clone());
        until("the beginning", || is_known(&other) && !is_reading(&other));

        store.hold_catalog_back();
        put(&maker, vec![nouns::dataset("e", "s", 2).into()]);
        let dataset = TestDataset::new(maker.clone(), 2);
        for _ in 0..RECORDS {
            let made = dataset.offer(reading());
            assert!(matches!(made, WriteVerdict::Done { .. }), "{made:?}");
        }
        until("all entries", || index.applied() == RECORDS);
        let finder = Finder {
            index: folder.index(),
        };
        let all = Expression::All(Vec::new());
        let found = finder.find(all, &[aim(2, "s", &[])]);
        assert_eq!(found.total, RECORDS);
        wait(async {
            other.stop_search().await;
            Ok(())
        });
    });
}

#[test]
fn an_indexer_whose_step_another_one_overtook_notes_the_schemas_with_its_next() {
    each(|folder| {
        let maker = folder.server();
        put(&maker, vec![tenant("t").into(), area("a", "Area").into()]);
        let versions = |count| schema("s", "no_primary_key", count).into();
        put(
            &maker,
            vec![versions(1), nouns::dataset("d", "s", 1).into()],
        );
        // it begins, and reads the dataset
        let first_index = TurnIndex::new(folder, 2);
        let first = server(folder, first_index.clone());
        until("the beginning", || is_known(&first) && !is_reading(&first));

        // a step of one that knows the schema as it was, with a record; then the schema is another one
        let made = TestDataset::new(maker.clone(), 1).offer(reading());
        assert!(matches!(made, WriteVerdict::Done { .. }), "{made:?}");
        assert_eq!(first_index.next_step().versions["s"], 1);
        put(&maker, vec![versions(2)]);

        // a step of one that knows the new one, with the same record, comes too late
        let second_index = TurnIndex::new(folder, 0);
        let second = server(folder, second_index.clone());
        let next = second_index.next_step();
        assert_eq!((next.applied, next.versions["s"]), (1, 2));
        first_index.give(1);
        until("the step of the first one", || first_index.applied() == 1);
        second_index.give(usize::MAX);

        until("the schema as it is", || is_known(&second));
        let progress = second_index.progress().expect("it is begun");
        assert_eq!((progress.applied, progress.versions["s"]), (1, 2));
        wait(async {
            first.stop_search().await;
            second.stop_search().await;
            Ok(())
        });
    });
}
