//! A small world to ask: two tenants, a few areas, schemas and datasets, and credentials of every kind,
//! served on a free port. Its nouns are written straight into the catalog. The suites that ask it take it
//! in as a module of their own, to give it ways of their own.

mod asking;
mod clock;
mod documents;
mod nouns;

pub(crate) use asking::records_of;
pub(crate) use clock::SetClock;
pub(crate) use documents::{CITY, next_version};
pub(crate) use nouns::{everything, only};

use clock::Rolled;
use documents::REMARK;
use nouns::code;
use runtime::http::DoorSettings;
use runtime::service::{Service, Settings, Store};
use runtime::store::catalog::{Domain, Verbs};
use runtime::store::sqlite::SqliteStore;
use std::net::SocketAddr;
use std::sync::Arc;

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

/// The world, served.
pub(crate) struct World {
    pub(crate) address: SocketAddr,
    pub(crate) names: Names,
    pub(crate) clock: Arc<SetClock>,
    pub(crate) service: Arc<Service>,
    pub(crate) runtime: tokio::runtime::Runtime,
    _folder: tempfile::TempDir,
}

impl World {
    /// The world with the default settings.
    pub(crate) fn start() -> Self {
        Self::with(Settings::default())
    }

    pub(crate) fn with(settings: Settings) -> Self {
        let (store, folder) = fresh_store();
        Self::over(Arc::new(store), folder, settings)
    }

    /// The world behind a door with settings.
    pub(crate) fn behind(door: &DoorSettings) -> Self {
        let (store, folder) = fresh_store();
        Self::built(Arc::new(store), folder, Settings::default(), door)
    }

    /// The world over a store of the test's own making.
    pub(crate) fn over(
        store: Arc<dyn Store>,
        folder: tempfile::TempDir,
        settings: Settings,
    ) -> Self {
        Self::built(store, folder, settings, &DoorSettings::default())
    }

    fn built(
        store: Arc<dyn Store>,
        folder: tempfile::TempDir,
        settings: Settings,
        door: &DoorSettings,
    ) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let clock = Arc::new(SetClock::new());
        let entropy = Arc::new(Rolled::new());
        let (address, service) = runtime.block_on(async {
            let service = Service::new(store, clock.clone(), entropy, settings).await;
            let service = Arc::new(service.expect("a service"));
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
            let listener = listener.expect("a port");
            let address = listener.local_addr().expect("an address");
            let router = runtime::http::router_with(service.clone(), door);
            tokio::spawn(async move { axum::serve(listener, router).await });
            (address, service)
        });
        let mut world = World {
            address,
            names: Names::default(),
            clock,
            service,
            runtime,
            _folder: folder,
        };
        world.settle();
        world
    }

    /// Writes the nouns.
    fn settle(&mut self) {
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
        });
        self.names.key = self.key(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
        "a secret of the client's".clone_into(&mut self.names.app_secret);
        self.names.app = self.app(&[(Verbs::ALL, &area)], &everything(Verbs::ALL));
    }
}

/// A store in a folder of its own.
pub(crate) fn fresh_store() -> (SqliteStore, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(folder.path()).expect("a store");
    (store, folder)
}
