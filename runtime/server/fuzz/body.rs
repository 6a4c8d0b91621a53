//! What must hold of any request to both interfaces, whatever its path, query, headers and body: it is answered in time, by
//! no 5xx and no panic, and what is called JSON is JSON. So whatever reads what strangers send is read through: paths, ids, page
//! keys, positions, the query language, records, patches, lines of many writes, files, manifests, cookies.
//!
//! An input is a request as it stands on the wire (`METHOD path`, headers, an empty line, the body), by a key that may do
//! everything. `{area}`, `{schema}`, `{dataset}`, `{record}`, `{key}` and `{role}` stand for the ids of what is there, `{place}` and
//! `{records}` for the paths of the dataset and its records.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use server::admin::router_of_known_callers;
use service::files::{FileSettings, FileStorage};
use service::manage::{ADMINISTRATOR, Operator, TenantContent};
use service::{FileParts, Parts, Service};
use sqlite::{SqliteFolder, SqliteOptions};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use store::search::SearchIndex;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower_service::Service as _;

/// A fresh store after so many requests: they change what is there.
const REQUESTS_OF_STORE: u32 = 3_000;
/// How long an answer may take. One that waits for changes is given up.
const ANSWER_MAX: Duration = Duration::from_secs(10);
const WAIT_MAX: Duration = Duration::from_millis(300);

static GROUND: Mutex<Option<Ground>> = Mutex::new(None);

/// A service with something to ask for.
struct Ground {
    left: u32,
    runtime: Runtime,
    service: Arc<Service>,
    tenant: String,
    data: Router,
    admin: Router,
    names: Vec<(&'static str, String)>,
    _folder: TempDir,
}

/// What came back.
struct Answer {
    status: StatusCode,
    is_json: bool,
    /// `None` of one that did not end.
    body: Option<Vec<u8>>,
}

/// Asks, and looks at the answer.
pub(crate) fn withstand(bytes: &[u8]) {
    let mut ground = GROUND.lock().unwrap_or_else(PoisonError::into_inner);
    let known = ground.take();
    let mut now = known.filter(Ground::is_whole).unwrap_or_else(Ground::fresh);
    now.left -= 1;
    let Some(request) = now.request(bytes) else {
        *ground = Some(now);
        return;
    };
    let said = format!("{request:?}");
    let answer = now.ask(request);
    assert!(
        !answer.status.is_server_error(),
        "{said} was answered with {}: {}",
        answer.status,
        String::from_utf8_lossy(answer.body.as_deref().unwrap_or_default())
    );
    if let Some(body) = answer.body.filter(|_| answer.is_json) {
        let read: Result<Value, _> = serde_json::from_slice(&body);
        assert!(read.is_ok(), "{said} was answered with {body:?}: {read:?}");
    }
    *ground = Some(now);
}

impl Ground {
    fn fresh() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let operator = Operator::of_this_machine("a fuzzer");
        let (service, tenant) = runtime.block_on(async {
            let opened = SqliteFolder::open(folder.path(), SqliteOptions::default());
            let SqliteFolder { store, index } = opened.expect("a store");
            let storage = FileStorage::in_data_folder(folder.path()).expect("a place for files");
            let parts = Parts {
                files: Some(FileParts {
                    files: store.clone(),
                    storage,
                    settings: FileSettings::default(),
                }),
                index: index.map(|index| index as Arc<dyn SearchIndex>),
                job_folder: Some(folder.path().join("jobs")),
                ..Parts::new(store)
            };
            let service = Service::open(parts).await.expect("a service");
            let name = "Fuzz".to_owned();
            let tenant = service.create_tenant(&operator, TenantContent { name });
            let tenant = tenant.await.expect("a tenant").id.clone();
            (service, tenant)
        });
        let mut ground = Ground {
            left: REQUESTS_OF_STORE,
            data: server::router(service.clone()),
            admin: router_of_known_callers(service.clone()),
            runtime,
            service,
            tenant,
            names: Vec::new(),
            _folder: folder,
        };
        ground.fill();
        ground
    }

    /// Whether what inputs name is still there and may be asked for.
    fn is_whole(&self) -> bool {
        let record = "GET {records}/{record}";
        let request = self.request(record.as_bytes()).expect("a request");
        self.left > 0 && self.ask(request).status == StatusCode::OK
    }

    /// Makes what inputs name.
    fn fill(&mut self) {
        let catalog = self.service.store().catalog();
        let role = catalog.roles.values().find(|it| it.name == ADMINISTRATOR);
        self.name("{role}", role.expect("the built-in role").id.clone());
        self.make("{area}", "POST /admin/api/v1/areas", r#"{"name":"Places"}"#);
        let schema = include_str!("schema.json");
        self.make(
            "{schema}",
            "POST /admin/api/v1/areas/{area}/schemas",
            schema,
        );
        let datasets = "POST /admin/api/v1/schemas/{schema}/datasets";
        self.make("{dataset}", datasets, r#"{"name":"Items"}"#);
        let grant = r#"{"area":"{area}","verbs":["view","add","edit","delete"]}"#;
        let key = format!(r#"{{"name":"all","roles":["{{role}}"],"grants":[{grant}]}}"#);
        self.make("{key}", "POST /admin/api/v1/api-keys", &key);
        let place = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}";
        let place = self.filled(place.as_bytes());
        let place = String::from_utf8(place).expect("a path");
        self.name("{records}", format!("{place}/dataobjects"));
        self.name("{place}", place);
        let record = r#"{"Code":"DE","Count":1,"Kind":"a","Words":["one","two"]}"#;
        self.make("{record}", "POST {records}", record);
    }

    fn name(&mut self, name: &'static str, value: String) {
        self.names.push((name, value));
    }

    /// Makes something and names it by what its answer has as the id or the secret.
    fn make(&mut self, name: &'static str, line: &str, body: &str) {
        let text = format!("{line}\nContent-Type: application/json\n\n{body}");
        let answer = self.ask(self.request(text.as_bytes()).expect("a request"));
        let body = answer.body.unwrap_or_default();
        let json: Value = serde_json::from_slice(&body).unwrap_or_default();
        let member = match name {
            "{key}" => "key",
            "{record}" => "_dataObjectId",
            "{area}" => "businessAreaId",
            "{schema}" => "schemaId",
            _ => "dataSetId",
        };
        let value = json[member].as_str();
        let value = value.unwrap_or_else(|| panic!("{line}: {}", String::from_utf8_lossy(&body)));
        self.name(name, value.to_owned());
    }

    /// An input with what is there in place of its names.
    fn filled(&self, bytes: &[u8]) -> Vec<u8> {
        let mut filled = Vec::with_capacity(bytes.len());
        let mut rest = bytes;
        while let [first, behind @ ..] = rest {
            let found = self
                .names
                .iter()
                .find(|(name, _)| rest.starts_with(name.as_bytes()));
            match found {
                Some((name, value)) if *first == b'{' => {
                    filled.extend_from_slice(value.as_bytes());
                    rest = &rest[name.len()..];
                }
                _ => {
                    filled.push(*first);
                    rest = behind;
                }
            }
        }
        filled
    }

    /// What an input asks; `None` where it is no request, which is not for the routers to say.
    fn request(&self, bytes: &[u8]) -> Option<Request<Body>> {
        let bytes = self.filled(bytes);
        let mut rest = bytes.as_slice();
        let mut line = || {
            let end = rest.iter().position(|byte| *byte == b'\n');
            let (line, behind) = match end {
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => (rest, &[][..]),
            };
            rest = behind;
            line.strip_suffix(b"\r").unwrap_or(line)
        };
        let mut first = line().splitn(2, |byte| *byte == b' ');
        let method = Method::from_bytes(first.next()?).ok()?;
        let uri = Uri::try_from(first.next()?).ok()?;
        uri.path().starts_with('/').then_some(())?;
        let mut request = Request::builder().method(method).uri(uri);
        loop {
            let line = line();
            if line.is_empty() {
                break;
            }
            let mut parts = line.splitn(2, |byte| *byte == b':');
            let name = HeaderName::from_bytes(parts.next()?).ok()?;
            let value = HeaderValue::from_bytes(parts.next()?.trim_ascii()).ok()?;
            request = request.header(name, value);
        }
        let mut request = request.body(Body::from(rest.to_vec())).ok()?;
        if !request.headers().contains_key(header::AUTHORIZATION) {
            let key = self.names.iter().find(|(name, _)| *name == "{key}");
            let key = key.map_or("", |(_, key)| key);
            let key = HeaderValue::try_from(key).expect("a header");
            request.headers_mut().insert(header::AUTHORIZATION, key);
        }
        Some(request)
    }

    fn ask(&self, mut request: Request<Body>) -> Answer {
        let waits = request.uri().path().ends_with("/changes");
        let is_head = request.method() == Method::HEAD;
        let is_managed = request.uri().path().starts_with("/admin/");
        let router = if is_managed { &self.admin } else { &self.data };
        let operator = Operator::of_this_machine("a fuzzer");
        if let Some(caller) = self.service.operator(&operator, &self.tenant) {
            request.extensions_mut().insert(caller);
        }
        let asked = format!("{request:?}");
        self.runtime.block_on(async {
            let answer = router.clone().call(request);
            let answer = tokio::time::timeout(if waits { WAIT_MAX } else { ANSWER_MAX }, answer);
            let Ok(answer) = answer.await else {
                assert!(waits, "{asked} was not answered");
                return Answer {
                    status: StatusCode::OK,
                    is_json: false,
                    body: None,
                };
            };
            let (head, body) = answer.expect("a router answers").into_parts();
            let kind = head.headers.get(header::CONTENT_TYPE);
            let is_json = kind.is_some_and(|kind| kind == "application/json");
            let is_packed = head.headers.contains_key(header::CONTENT_ENCODING);
            let body = tokio::time::timeout(WAIT_MAX, body.collect()).await;
            Answer {
                status: head.status,
                is_json: is_json && !is_packed && !is_head,
                body: body
                    .ok()
                    .and_then(Result::ok)
                    .map(|body| body.to_bytes().to_vec()),
            }
        })
    }
}
