//! A server with an index, and short ways to ask it.

use crate::raw::Answer;
use crate::test_server::TestServer;
use runtime::service::search::WAIT_MAX;
use runtime::service::{Refusal, Settings};
use runtime::store::records::{Change, PageLimit, RecordId, Shelf, Write, WriteVerdict};
use runtime::store::search::SearchIndex;
use runtime::value::Clock as _;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What the suite of search begins with.
pub(crate) struct SearchSetup {
    pub(crate) server: TestServer,
    pub(crate) folder: tempfile::TempDir,
}

impl SearchSetup {
    pub(crate) fn start() -> Self {
        Self::with_settings(Settings::default())
    }

    pub(crate) fn with_settings(settings: Settings) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let setup = SearchSetup {
            server: TestServer::with_settings(settings),
            folder,
        };
        setup.attach(setup.index(), WAIT_MAX);
        setup
    }

    /// A server whose searches have no index yet.
    pub(crate) fn without_index() -> Self {
        SearchSetup {
            server: TestServer::start(),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// An index for the server's store: in the setup's folder, or in the store's database.
    pub(crate) fn index(&self) -> Arc<dyn SearchIndex> {
        let opened = self
            .server
            .opened
            .as_ref()
            .expect("its store is no story's own");
        let index = opened.index(self.folder.path());
        self.server.runtime.block_on(index)
    }

    /// An index that is empty, and not that of the server's store: in this folder, or in a database of its own.
    pub(crate) fn another_index(&self, folder: &Path) -> Arc<dyn SearchIndex> {
        let opened = async { tests::engine::open(folder).await.index(folder).await };
        self.server.runtime.block_on(opened)
    }

    /// Gives the server an index of the test's own.
    pub(crate) fn attach(&self, index: Arc<dyn SearchIndex>, wait_max: Duration) {
        let _inside = self.server.runtime.enter();
        self.server.service.start_search(index, wait_max);
    }

    /// The deleted records of a dataset.
    pub(crate) fn deleted(&self, dataset: u32) -> Vec<RecordId> {
        let limit = PageLimit {
            records: 1000,
            bytes: usize::MAX,
        };
        let store = self.server.service.store();
        let page = store.page(dataset, Shelf::Deleted, 0, limit);
        let page = self.server.runtime.block_on(page).expect("a page");
        page.records.iter().map(|record| record.id).collect()
    }

    /// Writes what the interface has no way for.
    #[track_caller]
    pub(crate) fn write(&self, dataset: u32, change: Change) {
        let store = self.server.service.store();
        let write = Write {
            dataset,
            actor: self.server.stamp().created_by,
            at: self.server.clock.now(),
            judged_under: store.catalog().rules_in_force(dataset),
            audit: None,
            change,
        };
        let verdict = self.server.runtime.block_on(store.write(write));
        assert!(
            matches!(verdict, Ok(WriteVerdict::Done { .. })),
            "{verdict:?}"
        );
    }

    pub(crate) fn ask(&self, parameters: &str) -> Answer {
        self.server
            .get(&format!("/v1/dataobjects/search?{parameters}"))
    }

    /// What is told of a request that asks for what can't be.
    #[track_caller]
    pub(crate) fn refused(&self, parameters: &str) -> String {
        let answer = self.ask(parameters).plain_error(400).json();
        answer["message"].as_str().expect("a text").to_owned()
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
        self.server
            .created(&format!(r#"{{"Code":"{code}",{rest}}}"#))
    }

    /// Cities of the first dataset, which are written at once.
    #[track_caller]
    pub(crate) fn cities(&self, records: impl Iterator<Item = String>) {
        let line = |record| format!("{{\"create\":{record}}}\n");
        let lines = records.map(line).collect::<Vec<_>>().concat();
        let (service, names) = (&self.server.service, &self.server.names);
        let by = service.authenticate(&names.key).expect("a caller");
        let is_done = |_, done: Result<_, Refusal>| drop(done.expect("it is written"));
        let written = service.write_many(&by, &names.dataset, lines.as_bytes(), is_done);
        self.server.runtime.block_on(written).expect("written");
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
