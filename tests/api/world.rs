//! A small world to ask: two tenants, a few areas, schemas and datasets, and credentials of every kind,
//! served on a free port. Its nouns are written straight into the catalog.

use crate::raw::{Answer, Request};
use runtime::http::DoorSettings;
use runtime::schema::{Origin, Schema};
use runtime::service::{Service, Settings, Store, ids, secrets};
use runtime::store::catalog::{
    Actor, ActorKind, ApiKey, App, Area, Catalog, CatalogWrite, Dataset, Domain, DomainCode, Grant,
    Noun, Permission, Resource, Role, SchemaEntry, SchemaVersion, Stamp, Tenant, Verb, Verbs,
};
use runtime::store::sqlite::SqliteStore;
use runtime::value::{Clock, Entropy, Timestamp};
use serde_json::Value;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

/// A clock that stands until it is set.
pub(crate) struct SetClock(AtomicI64);

impl SetClock {
    pub(crate) fn forward(&self, seconds: i64) {
        self.0.fetch_add(seconds * 1000, Ordering::SeqCst);
    }
}

impl Clock for SetClock {
    fn now(&self) -> Timestamp {
        // each look is a millisecond later, so that the order of creation shows
        Timestamp::from_millis(self.0.fetch_add(1, Ordering::SeqCst))
    }
}

/// Chance that comes out the same each time, and in no two worlds alike.
struct Rolled(AtomicU64);

impl Rolled {
    fn new() -> Self {
        static WORLDS: AtomicU64 = AtomicU64::new(0);
        let world = WORLDS.fetch_add(1, Ordering::SeqCst);
        Rolled(AtomicU64::new(world << 40))
    }
}

impl Entropy for Rolled {
    fn fill(&self, bytes: &mut [u8]) {
        for byte in bytes {
            let mut mixed = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::SeqCst);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            *byte = mixed.to_be_bytes()[0];
        }
    }
}

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

/// What a city is: every kind of field that the interface's sentences speak of.
pub(crate) const CITY: &str = r#"{
  "schemaId": "s", "name": "City", "description": "Where people live", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "2026-01-01T00:00:00.000Z",
  "fields": [
    {"fieldId":"f-code","name":"Code","active":true,"dataType":"string","isPrimaryKey":true,"isSortKey":true,"isRequired":true},
    {"fieldId":"f-name","name":"Name","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":true,"max":20},
    {"fieldId":"f-founded","name":"Founded","active":true,"dataType":"date","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"dateFormat":"DD$MM$YYYY","dateSeparator":"."},
    {"fieldId":"f-people","name":"People","active":true,"dataType":"integer","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"min":0},
    {"fieldId":"f-kind","name":"Kind","active":true,"dataType":"picklist","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"picklistType":"static","staticPicklist":[{"code":"T","description":"town"},{"code":"C","description":"city"}]},
    {"fieldId":"f-mail","name":"Mail","active":true,"dataType":"email","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isPII":true},
    {"fieldId":"f-site","name":"Site","active":true,"dataType":"url","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"f-phone","name":"Phone","active":true,"dataType":"phone","isPrimaryKey":false,"isSortKey":false,"isRequired":false},
    {"fieldId":"f-tags","name":"Tags","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"isMultivalue":true},
    {"fieldId":"f-region","name":"Region","active":true,"dataType":"picklist","isPrimaryKey":false,"isSortKey":false,"isRequired":false,"picklistType":"dynamic","dataDomainId":"regions"},
    {"fieldId":"f-old","name":"Old","active":false,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":true}
  ]}"#;

const REMARK: &str = r#"{
  "schemaId": "s", "name": "Remark", "businessAreaId": "a", "businessAreaName": "A", "createdDate": "2026-01-01T00:00:00.000Z",
  "fields": [{"fieldId":"f-text","name":"Text","active":true,"dataType":"string","isPrimaryKey":false,"isSortKey":false,"isRequired":false}]}"#;

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
        let clock = Arc::new(SetClock(AtomicI64::new(1_770_000_000_000)));
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

    /// Puts nouns into the catalog.
    pub(crate) fn put(&self, noun: impl Into<Noun>) {
        let noun = noun.into();
        self.decide(move |_| CatalogWrite {
            put: vec![noun.clone()],
            ..CatalogWrite::default()
        });
    }

    pub(crate) fn decide(&self, mut write: impl FnMut(&Catalog) -> CatalogWrite + Send + 'static) {
        let decision = Box::new(move |catalog: &Catalog| Ok(write(catalog)));
        let decided = self.runtime.block_on(self.service.store().decide(decision));
        decided.expect("the store works").expect("it is decided");
    }

    pub(crate) fn new_id(&self) -> String {
        ids::new_id(self.clock.now(), self.service.entropy())
    }

    pub(crate) fn stamp(&self) -> Stamp {
        let actor = Actor {
            kind: ActorKind::User,
            id: "u-1".to_owned(),
            name: "ada".to_owned(),
            email: Some("ada@example.org".to_owned()),
            full_name: Some("Ada Smith".to_owned()),
        };
        Stamp::new(actor, self.clock.now())
    }

    fn tenant(&self, name: &str) -> String {
        let id = self.new_id();
        self.put(Tenant {
            id: id.clone(),
            name: name.to_owned(),
            stamp: self.stamp(),
        });
        id
    }

    pub(crate) fn area(&self, tenant: &str, name: &str) -> String {
        let id = self.new_id();
        self.put(Area {
            id: id.clone(),
            tenant: tenant.to_owned(),
            name: name.to_owned(),
            description: format!("about {name}"),
            active: true,
            deleted: false,
            version: 1,
            stamp: self.stamp(),
        });
        id
    }

    pub(crate) fn schema(&self, tenant: &str, area: &str, document: &str) -> String {
        let id = self.new_id();
        self.put(SchemaEntry {
            id: id.clone(),
            tenant: tenant.to_owned(),
            area: area.to_owned(),
            state: "published".to_owned(),
            active: true,
            deleted: false,
            versions: vec![Arc::new(version(&id, 1, document))],
            stamp: self.stamp(),
        });
        id
    }

    /// Gives a schema another version.
    pub(crate) fn change_schema(&self, id: &str, document: &str) {
        let catalog = self.service.store().catalog();
        self.put(next_version(&catalog.schemas[id], document));
    }

    pub(crate) fn dataset(&self, schema: &str, name: &str) -> String {
        let catalog = self.service.store().catalog();
        let entry = catalog.schemas[schema].clone();
        let id = self.new_id();
        self.put(Dataset {
            id: id.clone(),
            tenant: entry.tenant.clone(),
            area: entry.area.clone(),
            schema: schema.to_owned(),
            number: u32::try_from(catalog.datasets.len()).expect("a number") + 1,
            name: name.to_owned(),
            description: format!("cities of {name}"),
            deleted: false,
            version: 1,
            stamp: self.stamp(),
        });
        id
    }

    /// A role of the own tenant.
    pub(crate) fn role(&self, permissions: &[Permission]) -> String {
        let id = self.new_id();
        self.put(Role {
            id: id.clone(),
            tenant: self.names.tenant.clone(),
            name: format!("role {id}"),
            description: String::new(),
            built_in: false,
            permissions: permissions.to_vec(),
        });
        id
    }

    /// An API key of the own tenant with these areas and this one role.
    pub(crate) fn key(&self, grants: &[(Verbs, &str)], permissions: &[Permission]) -> String {
        self.key_with(grants, permissions, |_| {})
    }

    pub(crate) fn key_with(
        &self,
        grants: &[(Verbs, &str)],
        permissions: &[Permission],
        change: impl FnOnce(&mut ApiKey),
    ) -> String {
        let key = secrets::new_api_key(self.service.entropy());
        let mut noun = ApiKey {
            id: self.new_id(),
            tenant: self.names.tenant.clone(),
            name: format!("key {}", &key[4..12]),
            description: String::new(),
            hash: secrets::hash(&key),
            masked: secrets::masked(&key),
            expires_at: None,
            active: true,
            roles: vec![self.role(permissions)],
            grants: granted(grants),
            last_used_at: None,
            stamp: self.stamp(),
        };
        change(&mut noun);
        self.put(noun);
        key
    }

    fn app(&self, grants: &[(Verbs, &str)], permissions: &[Permission]) -> String {
        let id = self.new_id();
        self.put(App {
            id: id.clone(),
            tenant: self.names.tenant.clone(),
            name: "an app".to_owned(),
            description: String::new(),
            secret_hash: secrets::hash(&self.names.app_secret),
            active: true,
            token_seconds: 3600,
            roles: vec![self.role(permissions)],
            grants: granted(grants),
            last_used_at: None,
            stamp: self.stamp(),
        });
        id
    }

    /// A fresh access token of the application client.
    pub(crate) fn token(&self) -> String {
        let body = serde_json::json!({"client_id": self.names.app, "client_secret": self.names.app_secret});
        let answer = self
            .anonymous("POST", "/oauth2/token")
            .json(body.to_string())
            .send();
        let token = answer.is(200).json()["access_token"]
            .as_str()
            .map(str::to_owned);
        token.expect("a token")
    }

    /// Changes the key that a credential is.
    pub(crate) fn change_key(&self, key: &str, change: impl FnOnce(&mut ApiKey)) {
        let catalog = self.service.store().catalog();
        let mut noun = (*catalog.keys_by_hash[&secrets::hash(key)]).clone();
        change(&mut noun);
        self.put(noun);
    }

    /// A request without a credential.
    pub(crate) fn anonymous(&self, method: &str, target: &str) -> Request {
        Request::new(self.address, method, target)
    }

    /// A request with the key that may do everything.
    pub(crate) fn request(&self, method: &str, target: &str) -> Request {
        self.anonymous(method, target).credential(&self.names.key)
    }

    pub(crate) fn get(&self, target: &str) -> Answer {
        self.request("GET", target).send()
    }

    /// Where the records of the first dataset are.
    pub(crate) fn records(&self) -> String {
        let Names {
            area,
            schema,
            dataset,
            ..
        } = &self.names;
        records_of(area, schema, dataset)
    }

    /// Creates a record in the first dataset.
    pub(crate) fn create(&self, body: &str) -> Answer {
        self.request("POST", &self.records()).json(body).send()
    }

    /// Creates a record that must be accepted, and gives what it is now.
    #[track_caller]
    pub(crate) fn created(&self, body: &str) -> Value {
        self.create(body).is(201).json()
    }

    /// Changes a record of the first dataset.
    pub(crate) fn update(&self, record: &Value, body: &str) -> Answer {
        self.request("PUT", &self.record(record)).json(body).send()
    }

    pub(crate) fn delete(&self, record: &Value) -> Answer {
        self.request("DELETE", &self.record(record)).send()
    }

    /// The address of a record of the first dataset.
    pub(crate) fn record(&self, record: &Value) -> String {
        let id = record["_dataObjectId"].as_str().expect("an id");
        format!("{}/{id}", self.records())
    }

    /// What is found under a primary key of the first dataset; the key is put into the path as it is.
    pub(crate) fn by_key(&self, key: &str) -> Answer {
        self.get(&format!("{}/by-pk/{key}", self.records()))
    }
}

/// A store in a folder of its own.
pub(crate) fn fresh_store() -> (SqliteStore, tempfile::TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open(folder.path()).expect("a store");
    (store, folder)
}

pub(crate) fn records_of(area: &str, schema: &str, dataset: &str) -> String {
    format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects")
}

/// The same verbs on every resource.
pub(crate) fn everything(verbs: Verbs) -> Vec<Permission> {
    Resource::ALL
        .map(|resource| Permission { resource, verbs })
        .to_vec()
}

pub(crate) fn only(resource: Resource, verb: Verb) -> Vec<Permission> {
    vec![Permission {
        resource,
        verbs: Verbs::of(verb),
    }]
}

fn granted(grants: &[(Verbs, &str)]) -> Vec<Grant> {
    let grant = |(verbs, area): &(Verbs, &str)| Grant {
        area: (*area).to_owned(),
        verbs: *verbs,
    };
    grants.iter().map(grant).collect()
}

fn code(code: &str) -> DomainCode {
    DomainCode {
        code: code.to_owned(),
        description: String::new(),
    }
}

/// A schema with one version more.
pub(crate) fn next_version(entry: &SchemaEntry, document: &str) -> SchemaEntry {
    let mut next = entry.clone();
    let number = entry.current().number + 1;
    let version = version(&entry.id, number, document);
    next.versions.push(Arc::new(version));
    next
}

fn version(id: &str, number: i64, document: &str) -> SchemaVersion {
    let read = Schema::read(document, Origin::Elsewhere);
    let mut schema = read.unwrap_or_else(|problems| panic!("{problems}")).schema;
    id.clone_into(&mut schema.id);
    schema.version = Some(number);
    SchemaVersion::new(schema).unwrap_or_else(|problems| panic!("{problems}"))
}
