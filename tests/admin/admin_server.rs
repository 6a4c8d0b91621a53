//! A deployment to manage: one tenant with an administrator, served with both doors on a free port, and a
//! client that keeps every answer it ever got, so that secrets can be hunted in them.

pub(crate) use crate::first_store::PASSWORD;

use crate::first_store::FIRST_STORE;
use crate::requests::{Answer, exchange};
use runtime::http::DoorSettings;
use runtime::service::manage::Operator;
use runtime::service::search::WAIT_MAX;
use runtime::service::webhooks::{Courier, Letter, Undelivered, WebhookParts, WebhookSettings};
use runtime::service::{Caller, Service, Settings};
use runtime::store::deliveries::{DeadLetter, Deliveries, Delivery};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use tests::clock::{ManualClock, SeededEntropy};
use tests::engine::{self, Opened};

/// Resources that management knows beside personal data.
pub(crate) const RESOURCES_BUT_PERSONAL: [&str; 11] = [
    "BUSINESS AREAS",
    "SCHEMA MODELS",
    "DATASETS",
    "DATA OBJECTS",
    "DATASET OBJECTS SEARCH",
    "DATA DOMAINS",
    "ROLES",
    "USERS",
    "API KEYS",
    "APPLICATION CLIENTS",
    "AUDIT",
];

/// A deployment, served with both doors.
pub(crate) struct AdminServer {
    pub(crate) address: SocketAddr,
    pub(crate) service: Arc<Service>,
    pub(crate) deliveries: Arc<dyn Deliveries>,
    pub(crate) opened: Opened,
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) tokio: tokio::runtime::Runtime,
    pub(crate) folder: TempDir,
    pub(crate) operator: Operator,
    pub(crate) tenant: String,
    /// The id of the user `ada`, an administrator with [`PASSWORD`].
    pub(crate) ada: String,
    /// The secret of a session in which ada signed in already, until a browser has it.
    pub(crate) first_session: Mutex<Option<String>>,
    /// A key with the administrator's role.
    pub(crate) root: String,
    /// Everything that was answered.
    pub(crate) answers: Mutex<Vec<Answer>>,
}

/// Nothing arrives, but at an address that says so.
struct NobodyHome;

impl Courier for NobodyHome {
    fn deliver(
        &self,
        letter: Letter,
    ) -> Pin<Box<dyn Future<Output = Result<(), Undelivered>> + Send + '_>> {
        let arrives = letter.url.ends_with("/arrives");
        let ended = arrives.then_some(());
        let ended = ended.ok_or_else(|| Undelivered::ForNow("nobody is home".to_owned()));
        Box::pin(std::future::ready(ended))
    }
}

impl AdminServer {
    pub(crate) fn start() -> Self {
        Self::with_settings(Settings::default())
    }

    pub(crate) fn with_settings(settings: Settings) -> Self {
        let server = Self::without_index(settings);
        let index = server
            .tokio
            .block_on(server.opened.index(server.folder.path()));
        let inside = server.tokio.enter();
        server.service.start_search(index, WAIT_MAX);
        drop(inside);
        server
    }

    /// A server that has nothing to search in.
    pub(crate) fn without_index(settings: Settings) -> Self {
        let first = &*FIRST_STORE;
        let folder = first.copy();
        let tokio = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let clock = Arc::new(ManualClock::default());
        // behind what the first store has seen
        clock.forward(1);
        let entropy = Arc::new(SeededEntropy::default());
        let (address, service, opened) = tokio.block_on(async {
            let opened = engine::open_copy(folder.path()).await;
            let service =
                Service::new(opened.store.clone(), clock.clone(), entropy, settings).await;
            let service = Arc::new(service.expect("a service"));
            service.use_webhooks(WebhookParts {
                deliveries: opened.deliveries.clone(),
                courier: Arc::new(NobodyHome),
                settings: WebhookSettings::default(),
            });
            let address = serve(&service, &behind_a_proxy()).await;
            (address, service, opened)
        });
        let operator = Operator::of_this_machine("a test");
        let nouns = first.nouns.clone();
        AdminServer {
            address,
            service,
            deliveries: opened.deliveries.clone(),
            opened,
            clock,
            tokio,
            folder,
            operator,
            tenant: nouns.tenant,
            ada: nouns.ada,
            first_session: Mutex::new(Some(nouns.session)),
            root: nouns.root,
            answers: Mutex::default(),
        }
    }

    /// Serves the same once more, with settings of the doors.
    pub(crate) fn beside(&self, door: &DoorSettings) -> SocketAddr {
        self.tokio.block_on(serve(&self.service, door))
    }

    /// Starts one more server of its store, which is in a database; where that listens.
    pub(crate) fn another(&self) -> SocketAddr {
        let entropy = Arc::new(SeededEntropy::default());
        self.tokio.block_on(async {
            let store = self.opened.another().await.store;
            let service = Service::new(store, self.clock.clone(), entropy, Settings::default());
            let service = service.await.expect("a service");
            serve(&Arc::new(service), &behind_a_proxy()).await
        })
    }

    /// Lets so many seconds pass, also for what a database counts by its own clock.
    pub(crate) fn pass(&self, seconds: i64) {
        self.clock.forward(seconds);
        self.opened.pass(seconds);
    }

    /// Notes how far a webhook has come, wherever it stands.
    #[track_caller]
    pub(crate) fn note_delivery(&self, webhook: &str, next: Delivery, dead: Option<DeadLetter>) {
        let seen = self.tokio.block_on(self.deliveries.delivery(webhook));
        let seen = seen.expect("read").unwrap_or_default();
        let noted = self.deliveries.note_delivery(webhook, seen, next, dead);
        let is_noted = self.tokio.block_on(noted).expect("noted");
        assert!(is_noted, "nobody else goes on with it");
    }

    /// Keeps files of jobs; nobody works on these yet.
    pub(crate) fn use_job_files(&self) {
        self.service.use_job_files(self.folder.path().join("jobs"));
    }

    /// Works jobs off from now on.
    pub(crate) fn start_jobs(&self) {
        self.use_job_files();
        let _inside = self.tokio.enter();
        self.service.start_jobs();
    }

    /// The operator in the server's tenant.
    pub(crate) fn by_operator(&self) -> Caller {
        let caller = self.service.operator(&self.operator, &self.tenant);
        caller.expect("the tenant is there")
    }

    /// Asks the management interface with a credential in `Authorization`.
    pub(crate) fn ask(&self, by: &str, line: &str, body: Option<Value>) -> Answer {
        let (method, path) = line.split_once(' ').expect("a method and a path");
        self.send(
            &format!("{method} /admin/api/v1{path}"),
            &[("Authorization", by)],
            body.map(|body| body.to_string()).as_deref(),
        )
    }

    /// Tries to sign a user in as a program does, for a token.
    pub(crate) fn enter(&self, username: &str, password: &str) -> Answer {
        let body = json!({"username": username, "password": password, "token": true});
        self.ask("", "POST /sessions", Some(body))
    }

    /// Ends the session that it began with, so that there is none.
    pub(crate) fn end_first_session(&self) {
        let first = self
            .first_session
            .lock()
            .expect("no test panics here")
            .take();
        let secret = first.expect("no browser has it");
        let ended = self.tokio.block_on(self.service.sign_out(&secret));
        ended.expect("it is ended");
    }

    /// A new session of a user, as its token.
    #[track_caller]
    pub(crate) fn session(&self, username: &str, password: &str) -> String {
        self.enter(username, password).is(200).text("token")
    }

    /// Asks as the administrator's key.
    pub(crate) fn root(&self, line: &str, body: Option<Value>) -> Answer {
        self.ask(&self.root, line, body)
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        self.root(&format!("GET {path}"), None).is(200).json()
    }

    /// Makes something as the administrator's key, and gives the answer.
    #[track_caller]
    pub(crate) fn make(&self, path: &str, body: Value) -> Answer {
        self.root(&format!("POST {path}"), Some(body)).is(201)
    }

    pub(crate) fn send(&self, line: &str, headers: &[(&str, &str)], body: Option<&str>) -> Answer {
        self.send_to(self.address, line, headers, body)
    }

    /// Sends a request to whichever server listens at an address.
    pub(crate) fn send_to(
        &self,
        address: SocketAddr,
        line: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let answer = exchange(address, line, headers, body);
        self.answers
            .lock()
            .expect("no test panics here")
            .push(answer.clone());
        answer
    }

    /// The id of a built-in role.
    pub(crate) fn role(&self, name: &str) -> String {
        let catalog = self.service.store().catalog();
        let mut own = catalog.roles.values();
        let role = own.find(|role| role.tenant == self.tenant && role.name == name);
        role.expect("a role").id.clone()
    }

    /// A key with these roles and everything in these areas.
    pub(crate) fn key(&self, name: &str, roles: &[&str], areas: &[&str]) -> (String, String) {
        let verbs = ["view", "add", "edit", "delete"];
        let grants: Vec<_> = areas
            .iter()
            .map(|area| json!({"area": area, "verbs": verbs}))
            .collect();
        let body = json!({"name": name, "roles": roles, "grants": grants});
        let made = self.make("/api-keys", body);
        (made.text("apiKeyId"), made.text("key"))
    }

    /// An area, a schema and a dataset, by id.
    pub(crate) fn places(&self, document: &Value) -> [String; 3] {
        let area = self
            .make("/areas", json!({"name": "Places"}))
            .text("businessAreaId");
        let schema = self.make(
            &format!("/areas/{area}/schemas"),
            json!({"document": document}),
        );
        let schema = schema.text("schemaId");
        let dataset = self.make(
            &format!("/schemas/{schema}/datasets"),
            json!({"name": "Europe"}),
        );
        [area, schema, dataset.text("dataSetId")]
    }

    /// Asserts that `check` finds no contradiction in the store.
    #[track_caller]
    pub(crate) fn is_sound(&self) {
        let found = self.tokio.block_on(self.service.store().check());
        assert_eq!(found.expect("it can be read"), Vec::<String>::new());
    }
}

/// A schema with a primary key and something personal.
pub(crate) fn city() -> Value {
    json!({"name": "City", "fields": [field("f-code", "Code", true), field("f-mayor", "Mayor", false)]})
}

pub(crate) fn field(id: &str, name: &str, is_key: bool) -> Value {
    json!({"fieldId": id, "name": name, "active": true, "dataType": "string", "isPrimaryKey": is_key,
        "isSortKey": false, "isRequired": is_key, "isPII": !is_key})
}

/// A text of each item of a page.
pub(crate) fn names(page: &Value, key: &str) -> Vec<String> {
    let items = page["items"].as_array().expect("a page").iter();
    items
        .map(|item| item[key].as_str().expect("a text").to_owned())
        .collect()
}

/// A door that believes a proxy on this machine, so that a test can come from anywhere.
fn behind_a_proxy() -> DoorSettings {
    DoorSettings {
        trusted_proxies: vec!["127.0.0.1".parse().expect("an address")],
        ..DoorSettings::default()
    }
}

/// Serves both interfaces on a free port.
async fn serve(service: &Arc<Service>, door: &DoorSettings) -> SocketAddr {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await;
    let listener = listener.expect("a port");
    let address = listener.local_addr().expect("an address");
    let admin = runtime::admin::router_with(service.clone(), door);
    let router = runtime::http::router_with(service.clone(), door).nest("/admin", admin);
    let pages = runtime::admin::pages::router_with(service.clone(), door);
    let path = door.pages_path.as_deref();
    let router = router.nest_service(path.unwrap_or(runtime::admin::pages::PATH), pages);
    let router = router.into_make_service_with_connect_info::<SocketAddr>();
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}
