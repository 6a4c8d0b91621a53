//! A server whose requests are watched: one tenant, the schemas of the fixtures in an area, credentials, and in
//! front of the real router a layer that counts requests and, when told to, answers one itself, as a proxy or
//! a restart would.

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use runtime::client::{Client, ClientBuilder, Credential, Dataset};
use runtime::embed::{Embedded, SystemClock, SystemEntropy};
use runtime::service::files::{FileSettings, FileStorage};
use runtime::service::manage::{ADMINISTRATOR, AreaContent, NewApiKey, NewApp, SchemaContent};
use runtime::service::{Service, Settings};
use runtime::store::catalog::{ApiKey, App, Grant, Verbs};
use runtime::value::Clock;
use runtime::{Record, service::manage::NewSecret};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tests::engine::{self, Opened};
use tests::fixture;

/// An address where nobody listens: a port below the ones that are handed out, so that no server of another
/// test comes to listen there.
pub(crate) const NOBODY: &str = "http://127.0.0.1:1";

/// A city, with a value of most kinds that a handle must carry.
#[derive(Clone, PartialEq, Record)]
#[record(patch)]
pub(crate) struct City {
    #[field(name = "Name", primary_key, max = 300)]
    pub(crate) name: String,
    #[field(name = "Population", min = 0)]
    pub(crate) population: Option<i64>,
    #[field(name = "Founded", date_format = "DD$MM$YYYY", date_separator = ".")]
    pub(crate) founded: Option<runtime::NaiveDate>,
    #[field(name = "Budget")]
    pub(crate) budget: Option<runtime::Decimal>,
    #[field(name = "Twins")]
    pub(crate) twins: Vec<String>,
}

pub(crate) fn city(name: &str) -> City {
    City {
        name: name.to_owned(),
        population: Some(1),
        founded: None,
        budget: None,
        twins: Vec::new(),
    }
}

/// The longest file that the server takes.
pub(crate) const FILE_BYTES_MAX: u64 = 20_000_000;

/// What passed by the layer in front, and what it is to answer itself.
#[derive(Default)]
pub(crate) struct Watch {
    /// Method, path and status of each request, in order of their answers.
    pub(crate) seen: Vec<(String, String, u16)>,
    /// Answers to give instead of the service's: to requests of this method whose path holds the text.
    pub(crate) instead: VecDeque<(&'static str, &'static str, Instead)>,
    /// Requests of this method whose path holds the text get no answer; they count with the status 0.
    pub(crate) held: Option<(&'static str, &'static str)>,
}

/// An answer that the service did not give.
#[derive(Clone, Copy)]
pub(crate) struct Instead {
    pub(crate) status: u16,
    pub(crate) body: &'static str,
    /// Whether the service does the work all the same.
    pub(crate) after: bool,
}

/// A server, in process and over HTTP.
pub(crate) struct WatchedServer {
    pub(crate) url: String,
    pub(crate) embedded: Embedded,
    pub(crate) key: String,
    pub(crate) watch: Arc<Mutex<Watch>>,
    pub(crate) opened: Opened,
    pub(crate) folder: tempfile::TempDir,
}

impl WatchedServer {
    pub(crate) async fn start() -> Self {
        Self::with_settings(Settings::default()).await
    }

    pub(crate) async fn with_settings(settings: Settings) -> Self {
        Self::with_clock(Arc::new(SystemClock), settings).await
    }

    pub(crate) async fn with_clock(clock: Arc<dyn Clock>, settings: Settings) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let opened = engine::open(folder.path()).await;
        let entropy = Arc::new(SystemEntropy);
        let service = Service::new(opened.store.clone(), clock, entropy, settings)
            .await
            .expect("a service");
        let storage = FileStorage::folder(&folder.path().join("files")).expect("a folder");
        let files = FileSettings {
            bytes_max: FILE_BYTES_MAX,
            ..FileSettings::default()
        };
        service.use_files(opened.files.clone(), storage, files);
        let embedded = Embedded::within(Arc::new(service), "World")
            .await
            .expect("a tenant");
        let content = AreaContent {
            name: "Places".to_owned(),
            description: String::new(),
            active: true,
            version: None,
        };
        let caller = embedded.caller().unwrap();
        embedded
            .service()
            .areas()
            .create(&caller, "", content)
            .await
            .expect("an area");
        let watch = Arc::<Mutex<Watch>>::default();
        let router = runtime::http::router(embedded.service().clone());
        let router = router.layer(from_fn_with_state(watch.clone(), stand_between));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
            .await
            .expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let key = new_key(&embedded, "the test's").await.secret;
        WatchedServer {
            url,
            embedded,
            key,
            watch,
            opened,
            folder,
        }
    }

    /// A client with the key that may do everything.
    pub(crate) fn client(&self) -> Client {
        self.builder().build().expect("a client")
    }

    pub(crate) fn builder(&self) -> ClientBuilder {
        ClientBuilder::new(&self.url, Credential::api_key(&self.key))
    }

    /// A dataset of cities, over HTTP.
    pub(crate) async fn cities(&self) -> Dataset<City> {
        let inside = self
            .embedded
            .register::<City>("Places", "Cities")
            .await
            .expect("it fits");
        self.client().dataset_at(inside.path().clone())
    }

    /// The same dataset of cities, in process.
    pub(crate) fn in_process(&self, cities: &Dataset<City>) -> Dataset<City> {
        self.embedded.client().dataset_at(cities.path().clone())
    }

    /// Makes a schema of the fixtures.
    pub(crate) async fn schema(&self, fixture_name: &str) -> String {
        let caller = self.embedded.caller().unwrap();
        let area = caller
            .catalog()
            .areas_of(caller.tenant())
            .find(|area| area.name == "Places");
        let content = SchemaContent {
            document: fixture(&format!("schemas/{fixture_name}.json")),
            state: "published".to_owned(),
            active: true,
            version: None,
        };
        let area = area.unwrap().id.clone();
        self.embedded
            .service()
            .schemas()
            .define(&caller, &area, content)
            .await
            .expect("a schema")
            .id
            .clone()
    }

    /// An application client that may do everything, with tokens that live so long.
    pub(crate) async fn app(&self, token_seconds: i64) -> NewSecret<App> {
        let (roles, grants) = everything(&self.embedded);
        let content = NewApp {
            name: format!("app with {token_seconds} s"),
            description: String::new(),
            active: true,
            token_seconds,
            roles,
            grants,
        };
        let caller = self.embedded.caller().unwrap();
        self.embedded
            .service()
            .apps()
            .mint(&caller, content)
            .await
            .expect("an app")
    }

    /// Requests so far whose method and path fit, with their status.
    pub(crate) fn statuses(&self, method: &str, part: &str) -> Vec<u16> {
        let watch = self.watch.lock().unwrap();
        let fits = watch
            .seen
            .iter()
            .filter(|(m, path, _)| m == method && path.contains(part));
        fits.map(|(_, _, status)| *status).collect()
    }

    /// Answers the next fitting request instead of the service.
    pub(crate) fn instead(&self, method: &'static str, part: &'static str, answer: Instead) {
        self.watch
            .lock()
            .unwrap()
            .instead
            .push_back((method, part, answer));
    }
}

pub(crate) async fn new_key(embedded: &Embedded, name: &str) -> NewSecret<ApiKey> {
    let (roles, grants) = everything(embedded);
    let new = NewApiKey {
        name: name.to_owned(),
        description: String::new(),
        expires_at: None,
        ends_with_maker: false,
        active: true,
        roles,
        grants,
    };
    embedded
        .service()
        .api_keys()
        .mint(&embedded.caller().unwrap(), new)
        .await
        .expect("a key")
}

/// The administrator's role, and every area.
fn everything(embedded: &Embedded) -> (Vec<String>, Vec<Grant>) {
    let caller = embedded.caller().unwrap();
    let catalog = caller.catalog();
    let administrator = catalog
        .roles
        .values()
        .filter(|role| role.tenant == caller.tenant() && role.name == ADMINISTRATOR);
    let grant = |area: &Arc<runtime::store::catalog::Area>| Grant {
        area: area.id.clone(),
        verbs: Verbs::ALL,
    };
    let roles = administrator.map(|role| role.id.clone()).collect();
    (
        roles,
        catalog.areas_of(caller.tenant()).map(grant).collect(),
    )
}

async fn stand_between(
    State(watch): State<Arc<Mutex<Watch>>>,
    request: Request,
    next: Next,
) -> Response {
    let (method, path) = (request.method().to_string(), request.uri().to_string());
    let (is_held, instead) = {
        let mut watch = watch.lock().unwrap();
        let fits = |(m, part): (&str, &str)| m == method && path.contains(part);
        let is_held = watch.held.is_some_and(fits);
        if is_held {
            watch.seen.push((method.clone(), path.clone(), 0));
        }
        let at = watch
            .instead
            .iter()
            .position(|(m, part, _)| fits((m, part)));
        let instead = at.and_then(|at| watch.instead.remove(at));
        (is_held, instead.map(|(_, _, instead)| instead))
    };
    if is_held {
        return std::future::pending().await;
    }
    let response = match instead {
        Some(Instead {
            status,
            body,
            after,
        }) => {
            if after {
                next.run(request).await;
            }
            let status = StatusCode::from_u16(status).unwrap();
            (status, [("content-type", "application/json")], body).into_response()
        }
        None => next.run(request).await,
    };
    watch
        .lock()
        .unwrap()
        .seen
        .push((method, path, response.status().as_u16()));
    response
}
