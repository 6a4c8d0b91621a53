//! The data interface on a free port, with something to ask for: two tenants, a few areas, schemas and
//! datasets, and credentials of every kind. Its nouns are written straight into the catalog. The suites that
//! ask it take it in as a module of their own, to give it ways of their own.

mod documents;
mod nouns;
mod requests;

pub(crate) use documents::{CITY, next_version};
pub(crate) use nouns::{everything, only};
pub(crate) use requests::records_of;

use documents::REMARK;
use nouns::code;
use runtime::http::DoorSettings;
use runtime::service::{Service, Settings, Store};
use runtime::store::catalog::{CountedOnce, Domain, Verbs};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tests::clock::{ManualClock, SeededEntropy};
use tests::engine;

/// The ids and credentials that tests name.
#[derive(Clone, Default)]
pub(crate) struct Names {
    pub(crate) tenant: String,
    pub(crate) area: String,
    pub(crate) ungranted_area: String,
    pub(crate) foreign_area: String,
    pub(crate) schema: String,
    pub(crate) keyless_schema: String,
    pub(crate) foreign_schema: String,
    pub(crate) dataset: String,
    pub(crate) other_dataset: String,
    pub(crate) keyless_dataset: String,
    pub(crate) foreign_dataset: String,
    pub(crate) app: String,
    pub(crate) app_secret: String,
    /// A key that may do everything in `area`.
    pub(crate) key: String,
}

/// A served service: where it listens, what is in it, and what it takes time and chance from.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) names: Names,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) service: Arc<Service>,
    pub(crate) runtime: tokio::runtime::Runtime,
    /// Its store and what is beside it, unless a story made them.
    pub(crate) opened: Option<engine::Opened>,
    folder: tempfile::TempDir,
}

impl TestServer {
    /// A server with the default settings.
    pub(crate) fn start() -> Self {
        Self::with_settings(Settings::default())
    }

    /// A server with settings of the test's own.
    pub(crate) fn with_settings(settings: Settings) -> Self {
        Self::serve(None, folder(), settings, &DoorSettings::default())
    }

    /// A server over what a story makes of an empty store of the engine that the stories are told on.
    pub(crate) fn with_wrapped(wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>) -> Self {
        let door = DoorSettings::default();
        Self::serve_with(wrap, None, folder(), Settings::default(), &door)
    }

    /// A server behind a door with settings.
    pub(crate) fn with_door(door: &DoorSettings) -> Self {
        Self::serve(None, folder(), Settings::default(), door)
    }

    /// A server over a store of the test's own making.
    pub(crate) fn with_store(
        store: Arc<dyn Store>,
        folder: tempfile::TempDir,
        settings: Settings,
    ) -> Self {
        Self::serve(Some(store), folder, settings, &DoorSettings::default())
    }

    fn serve(
        store: Option<Arc<dyn Store>>,
        folder: tempfile::TempDir,
        settings: Settings,
        door: &DoorSettings,
    ) -> Self {
        Self::serve_with(|store| store, store, folder, settings, door)
    }

    /// Serves a store; without one, an empty one of the engine that the stories are told on.
    fn serve_with(
        wrap: impl FnOnce(Arc<dyn Store>) -> Arc<dyn Store>,
        store: Option<Arc<dyn Store>>,
        folder: tempfile::TempDir,
        settings: Settings,
        door: &DoorSettings,
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let clock = Arc::new(ManualClock::default());
        let entropy = Arc::new(SeededEntropy::default());
        let (address, service, opened) = runtime.block_on(async {
            let opened = match store {
                Some(_) => None,
                None => Some(engine::open(folder.path()).await),
            };
            // INVARIANT: one of both is there
            let store = store.or(opened.as_ref().map(|opened| opened.store.clone()));
            let store = wrap(store.expect("a store"));
            let service = Service::new(store, clock.clone(), entropy, settings).await;
            let service = Arc::new(service.expect("a service"));
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
            let listener = listener.expect("a port");
            let address = listener.local_addr().expect("an address");
            let router = runtime::http::router_with(service.clone(), door);
            tokio::spawn(async move { axum::serve(listener, router).await });
            (address, service, opened)
        });
        let mut server = TestServer {
            address,
            names: Names::default(),
            clock,
            service,
            runtime,
            opened,
            folder,
        };
        server.put_nouns();
        server
    }

    /// Its store and what is beside it, which no story made.
    pub(crate) fn opened(&self) -> &engine::Opened {
        self.opened.as_ref().expect("its store is no story's own")
    }

    /// The folder of its store, where the stories are told on one.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Changes one row of its store from outside.
    #[track_caller]
    pub(crate) fn spoil(&self, statement: &str) {
        self.opened().spoil(self.folder(), statement);
    }

    /// The same with the row's checksum.
    #[track_caller]
    pub(crate) fn forge(&self, statement: &str) {
        self.opened().forge(self.folder(), statement);
    }

    /// Writes the nouns.
    fn put_nouns(&mut self) {
        let (own, foreign) = (self.tenant("Own"), self.tenant("Foreign"));
        self.names.tenant.clone_from(&own);
        self.names.area = self.area(&own, "Places");
        self.names.ungranted_area = self.area(&own, "Secrets");
        self.names.foreign_area = self.area(&foreign, "Elsewhere");
        let area = self.names.area.clone();
        self.names.schema = self.schema(&own, &area, CITY);
        self.names.keyless_schema = self.schema(&own, &area, REMARK);
        let far = self.names.foreign_area.clone();
        self.names.foreign_schema = self.schema(&foreign, &far, CITY);
        let schema = self.names.schema.clone();
        self.names.dataset = self.dataset(&schema, "Europe");
        self.names.other_dataset = self.dataset(&schema, "Asia");
        let keyless = self.names.keyless_schema.clone();
        self.names.keyless_dataset = self.dataset(&keyless, "Notes");
        let far = self.names.foreign_schema.clone();
        self.names.foreign_dataset = self.dataset(&far, "Moon");
        let stamp = self.stamp();
        self.put(Domain {
            id: "regions".to_owned(),
            tenant: own,
            name: "Regions".to_owned(),
            codes: ["N", "S"].map(code).to_vec(),
            version: 1,
            stamp,
            size: CountedOnce::default(),
        });
        self.names.key = self.key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
        "a secret of the client's".clone_into(&mut self.names.app_secret);
        self.names.app = self.app(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
    }
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}
