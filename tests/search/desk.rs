//! A world with an index, and short ways to ask it.

use crate::raw::Answer;
use crate::world::World;
use runtime::service::Settings;
use runtime::service::search::WAIT_MAX;
use runtime::store::records::{Change, PageLimit, RecordId, Shelf, Write, WriteVerdict};
use runtime::store::search::{SearchIndex, SqliteSearch};
use runtime::value::Clock as _;
use serde_json::Value;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Desk {
    pub(crate) world: World,
    pub(crate) folder: tempfile::TempDir,
}

impl Desk {
    pub(crate) fn start() -> Self {
        Self::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let index = SqliteSearch::open(folder.path()).expect("an index");
        let desk = Desk {
            world: World::with(settings),
            folder,
        };
        desk.attach(Arc::new(index), WAIT_MAX);
        desk
    }

    /// A world whose searches have no index yet.
    pub(crate) fn without_index() -> Self {
        Desk {
            world: World::start(),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// Gives the world an index of the test's own.
    pub(crate) fn attach(&self, index: Arc<dyn SearchIndex>, wait_max: Duration) {
        let _inside = self.world.runtime.enter();
        self.world.service.start_search(index, wait_max);
    }

    /// The deleted records of a dataset.
    pub(crate) fn deleted(&self, dataset: u32) -> Vec<RecordId> {
        let limit = PageLimit {
            records: 1000,
            bytes: usize::MAX,
        };
        let store = self.world.service.store();
        let page = store.page(dataset, Shelf::Deleted, 0, limit);
        let page = self.world.runtime.block_on(page).expect("a page");
        page.records.iter().map(|record| record.id).collect()
    }

    /// Writes what the interface has no way for.
    #[track_caller]
    pub(crate) fn write(&self, dataset: u32, change: Change) {
        let store = self.world.service.store();
        let write = Write {
            dataset,
            actor: self.world.stamp().created_by,
            at: self.world.clock.now(),
            judged_under: store.catalog().version_in_force(dataset),
            audit: None,
            change,
        };
        let verdict = self.world.runtime.block_on(store.write(write));
        assert!(
            matches!(verdict, Ok(WriteVerdict::Done { .. })),
            "{verdict:?}"
        );
    }

    pub(crate) fn ask(&self, parameters: &str) -> Answer {
        self.world
            .get(&format!("/v1/dataobjects/search?{parameters}"))
    }

    #[track_caller]
    pub(crate) fn found(&self, query: &str) -> Value {
        self.ask(&format!("query={}", encoded(query)))
            .is(200)
            .json()
    }

    /// The codes of the cities that a query finds, in order.
    #[track_caller]
    pub(crate) fn codes(&self, query: &str) -> Vec<String> {
        codes(&self.found(query))
    }

    #[track_caller]
    pub(crate) fn check(&self, query: &str, expected: &[&str]) {
        assert_eq!(self.codes(query), expected, "{query}");
    }

    /// A city of the first dataset.
    pub(crate) fn city(&self, code: &str, rest: &str) -> Value {
        self.world
            .created(&format!(r#"{{"Code":"{code}",{rest}}}"#))
    }
}

#[track_caller]
pub(crate) fn codes(answer: &Value) -> Vec<String> {
    let hits = answer["hits"].as_array().expect("hits");
    hits.iter()
        .map(|hit| hit["Code"].as_str().expect("a code").to_owned())
        .collect()
}

pub(crate) fn encoded(text: &str) -> String {
    let coded: Vec<String> = text.bytes().map(|byte| format!("%{byte:02X}")).collect();
    coded.concat()
}
