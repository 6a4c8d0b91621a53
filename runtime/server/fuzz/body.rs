//! What must hold of any request to any door, whatever its path, query, headers and body: it is answered in time, by no 5xx
//! and no panic, and what is called JSON is JSON. So whatever reads what strangers send is read through: paths, ids, page
//! keys, positions, the query language, records, patches, lines of many writes, files, manifests; forms of the application,
//! what is pasted and sent with them; credentials, cookies and the tokens of sessions; who a proxy says has asked, and what
//! two readers could read in two ways (the frame of a message itself is the HTTP library's).
//!
//! An input is a request as it stands on the wire (`METHOD path`, headers, an empty line, the body). The doors are those of the
//! program, behind a proxy that is trusted. Where an input shows no credential and no cookie, it comes by a key that may do
//! everything, and to pages by a session; where it names no host, it has one. `{area}`, `{schema}`, `{dataset}`, `{record}` and
//! others that [`Ground`] makes stand for the ids of what is there, `{place}` and `{records}` for the paths of the dataset and
//! its records, `{key}` and `{session}` for what lets one in, `{csrf}` for the session's token as a header has it, and `{token}`
//! as a form has it.

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderName, HeaderValue, Method, Request, Response, StatusCode, Uri, header};
use http_body_util::BodyExt as _;
use serde_json::Value;
use server::{DoorSettings, Frames, admin};
use service::files::{FileSettings, FileStorage};
use service::manage::{
    ADMINISTRATOR, AreaContent, Grant, NewSession, NewUser, Operator, Password, SignInOrigin,
    TenantContent, Verbs,
};
use service::{FileParts, Parts, Service};
use sqlite::{SqliteFolder, SqliteOptions};
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
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
/// Who signs in, and by what.
const USER: &str = "ada";
const PASSWORD: &str = "a long password of ada's";
/// Whoever connects is a proxy that is trusted.
const PEER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4711);
/// What answers as long as what inputs name is there and may be asked for.
const PROBES: [&str; 5] = [
    "GET {records}/by-pk/DE",
    "GET /app/areas/{area}",
    "GET /admin/api/v1/domains/{domain}",
    "GET /admin/api/v1/webhooks/{webhook}",
    "GET /admin/api/v1/apps/{client}",
];

static GROUND: Mutex<Option<Ground>> = Mutex::new(None);

/// A service with something to ask for.
struct Ground {
    left: u32,
    runtime: Runtime,
    doors: Router,
    frames: Frames,
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

/// A service on a folder.
async fn opened(folder: &TempDir) -> Arc<Service> {
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
    Service::open(parts).await.expect("a service")
}

/// A tenant with an area and an administrator who has signed in; the ids of its role and of the area, and the session.
async fn signed_in(service: &Service) -> (String, String, NewSession) {
    let operator = Operator::of_this_machine("a fuzzer");
    let name = "Fuzz".to_owned();
    let tenant = service.create_tenant(&operator, TenantContent { name });
    let tenant = tenant.await.expect("a tenant").id.clone();
    let by = service.operator(&operator, &tenant).expect("the tenant");
    let catalog = service.store().catalog();
    let role = catalog.roles.values().find(|it| it.name == ADMINISTRATOR);
    let role = role.expect("the built-in role").id.clone();
    let content = AreaContent {
        name: "Places".to_owned(),
        description: String::new(),
        active: true,
        version: None,
    };
    let area = service.areas().create(&by, "", content).await;
    let area = area.expect("an area").id.clone();
    let user = NewUser {
        username: USER.to_owned(),
        full_name: "Ada".to_owned(),
        email: "ada@example.org".to_owned(),
        password: Password::new(PASSWORD),
        must_change_password: false,
        second_factor_required: false,
        active: true,
        roles: vec![role.clone()],
        grants: vec![Grant {
            area: area.clone(),
            verbs: Verbs::ALL,
        }],
    };
    service.users().register(&by, user).await.expect("a user");
    let origin = SignInOrigin::default();
    let password = Password::new(PASSWORD);
    let session = service.sign_in(USER.into(), &password, &origin);
    (role, area, session.await.expect("a session"))
}

/// A session's token as a form has it: behind a mask that changes nothing.
fn in_form(csrf_token: &str) -> String {
    let mut token = "00".repeat(csrf_token.len());
    for byte in csrf_token.bytes() {
        write!(token, "{byte:02x}").expect("a text takes it");
    }
    token
}

impl Ground {
    fn fresh() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = { runtime }.worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        let (service, (role, area, session)) = runtime.block_on(async {
            let service = opened(&folder).await;
            let made = signed_in(&service).await;
            (service, made)
        });
        let door = DoorSettings {
            trusted_proxies: vec!["127.0.0.0/8".parse().expect("a network")],
            accept_bearer: true,
            pages_path: Some(admin::pages::PATH.to_owned()),
            ..DoorSettings::default()
        };
        let pages = admin::pages::router_with(service.clone(), &door);
        let mut ground = Ground {
            left: REQUESTS_OF_STORE,
            doors: server::router_with(service.clone(), &door)
                .nest("/admin", admin::router_with(service.clone(), &door))
                .nest_service(admin::pages::PATH, pages),
            frames: Frames::new(&service, &door),
            runtime,
            names: Vec::new(),
            _folder: folder,
        };
        ground.name("{role}", role);
        ground.name("{area}", area);
        ground.name("{token}", in_form(&session.csrf_token));
        ground.name("{csrf}", session.csrf_token);
        ground.name("{session}", session.secret);
        ground.fill();
        assert!(ground.is_whole(), "what inputs name is there");
        ground
    }

    /// Whether what inputs name is still there and may be asked for.
    fn is_whole(&self) -> bool {
        let is_there = |probe: &str| {
            let request = self.request(probe.as_bytes()).expect("a request");
            self.ask(request).status == StatusCode::OK
        };
        self.left > 0 && PROBES.into_iter().all(is_there)
    }

    /// Makes what inputs name.
    fn fill(&mut self) {
        let schema = include_str!("schema.json");
        self.make("{schema}", "schemaId", "areas/{area}/schemas", schema);
        let datasets = "schemas/{schema}/datasets";
        self.make("{dataset}", "dataSetId", datasets, r#"{"name":"Items"}"#);
        let grant = r#"{"area":"{area}","verbs":["view","add","edit","delete"]}"#;
        let key =
            |name: &str| format!(r#"{{"name":"{name}","roles":["{{role}}"],"grants":[{grant}]}}"#);
        self.make("{key}", "key", "api-keys", &key("all"));
        self.make("{other-key}", "apiKeyId", "api-keys", &key("other"));
        let user = r#"{"username":"bob","fullName":"Bob","email":"bob@example.org","password":"a long password of bob's","mustChangePassword":false,"roles":["{role}"]}"#;
        self.make("{user}", "userId", "users", user);
        let domain = r#"{"name":"Kinds","codes":[{"code":"a","description":"A"}]}"#;
        self.make("{domain}", "dataDomainId", "domains", domain);
        let webhook = r#"{"name":"there","url":"https://example.org/","datasets":["{dataset}"]}"#;
        self.make("{webhook}", "webhookId", "webhooks", webhook);
        let client = r#"{"name":"shop","roles":["{role}"]}"#;
        self.make("{client}", "clientId", "apps", client);
        let place = "/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}";
        let place = self.filled(place.as_bytes());
        let place = String::from_utf8(place).expect("a path");
        self.name("{records}", format!("{place}/dataobjects"));
        self.name("{place}", place);
        let record = r#"{"Code":"DE","Count":1,"Kind":"a","Words":["one","two"]}"#;
        self.make("{record}", "_dataObjectId", "{records}", record);
        let view = r#"{"name":"mine","query":"is:faulty"}"#;
        let views = "datasets/{dataset}/saved-views";
        self.make("{view}", "savedViewId", views, view);
        self.make("{job}", "jobId", "datasets/{dataset}/exports", "{}");
    }

    fn name(&mut self, name: &'static str, value: String) {
        self.names.push((name, value));
    }

    /// Makes something, by management unless it is a record, and names it by a member of the answer.
    fn make(&mut self, name: &'static str, member: &str, path: &str, body: &str) {
        let mut text = format!("POST {path}\nContent-Type: application/json\n");
        if !path.starts_with('{') {
            text = format!(
                "POST /admin/api/v1/{path}\nContent-Type: application/json\nX-CSRF-Token: {{csrf}}\nCookie: fieldstone_session={{session}}\n"
            );
        }
        text.push('\n');
        text.push_str(body);
        let answer = self.ask(self.request(text.as_bytes()).expect("a request"));
        let body = answer.body.unwrap_or_default();
        let json: Value = serde_json::from_slice(&body).unwrap_or_default();
        let value = json[member].as_str();
        let value = value.unwrap_or_else(|| panic!("{path}: {}", String::from_utf8_lossy(&body)));
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
        request.extensions_mut().insert(ConnectInfo(PEER));
        let is_page = request.uri().path().starts_with(admin::pages::PATH);
        let headers = request.headers_mut();
        let host = HeaderValue::from_static("data.example.org");
        headers.entry(header::HOST).or_insert(host);
        if !headers.contains_key(header::AUTHORIZATION) && !headers.contains_key(header::COOKIE) {
            let (name, value) = if is_page {
                let session = self.named("{session}");
                (header::COOKIE, format!("fieldstone_session={session}"))
            } else {
                (header::AUTHORIZATION, self.named("{key}").to_owned())
            };
            headers.insert(name, HeaderValue::try_from(value).expect("a header"));
        }
        Some(request)
    }

    /// What a name stands for; nothing before it is made.
    fn named(&self, name: &str) -> &str {
        let mut all = self.names.iter();
        let found = all.find(|(own, _)| *own == name);
        found.map_or("", |(_, value)| value)
    }

    fn ask(&self, request: Request<Body>) -> Answer {
        let waits = request.uri().path().ends_with("/changes");
        let is_head = request.method() == Method::HEAD;
        let asked = format!("{request:?}");
        self.runtime.block_on(async {
            if let Err(refused) = self.frames.judge(&request) {
                return answer_of(*refused, is_head).await;
            }
            let answer = self.doors.clone().call(request);
            let answer = tokio::time::timeout(if waits { WAIT_MAX } else { ANSWER_MAX }, answer);
            let Ok(answer) = answer.await else {
                assert!(waits, "{asked} was not answered");
                return Answer {
                    status: StatusCode::OK,
                    is_json: false,
                    body: None,
                };
            };
            answer_of(answer.expect("a router answers"), is_head).await
        })
    }
}

/// What came, with its body, if that ends soon.
async fn answer_of(answer: Response<Body>, is_head: bool) -> Answer {
    let (head, body) = answer.into_parts();
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
}
