//! What every operation of management refuses in the same way, asked of each that the OpenAPI document
//! names: no credential, no right, no such thing, a body that is none, too large or too slow, a store that
//! fails. The document says which of these an operation has.

use crate::admin_server::{AdminServer, Answer, PASSWORD, city};
use crate::contract::DOCUMENT;
use crate::second_factor::code;
use runtime::service::{JobSettings, Owner, Settings};
use serde_json::{Value, json};
use std::time::Duration;

/// An operation of the document, with ids in its path.
pub(crate) struct Asked {
    pub(crate) method: String,
    path: String,
    pub(crate) template: &'static str,
    statuses: Vec<u16>,
    takes_body: bool,
}

/// A server with one of everything, and someone signed in.
pub(crate) struct AdminSetup {
    pub(crate) server: AdminServer,
    pub(crate) session: String,
    /// The secret of her second factor, which waits to be confirmed.
    factor: String,
    /// What stands for `{id}` below each noun.
    ids: Vec<(&'static str, String)>,
    /// The same for what is deleted, and can be restored.
    deleted: Vec<(&'static str, String)>,
    /// A deleted record of the dataset.
    record: String,
}

const BODY_BYTES_MAX: usize = 10_000;
const MEMORY_BYTES: usize = 64 << 10;

impl AdminSetup {
    pub(crate) fn start() -> Self {
        let server = AdminServer::with_settings(Settings {
            body_bytes_max: BODY_BYTES_MAX,
            operation_bytes_max: BODY_BYTES_MAX,
            bulk_bytes_max: BODY_BYTES_MAX,
            body_time_max: Duration::from_millis(300),
            memory_budget_bytes: MEMORY_BYTES,
            jobs: JobSettings {
                upload_bytes_max: BODY_BYTES_MAX as u64,
                ..JobSettings::default()
            },
            ..Settings::default()
        });
        server
            .service
            .use_job_files(server.folder.path().join("jobs"));
        let places = server.places(&city());
        let record = deleted_record(&server, &places);
        let [area, schema, dataset] = places;
        let sign_in = json!({"username": "ada", "password": PASSWORD, "token": true});
        let signed_in = server.ask("", "POST /sessions", Some(sign_in)).is(200);
        let mut setup = AdminSetup {
            session: signed_in.text("token"),
            factor: String::new(),
            ids: vec![
                ("/areas", area),
                ("/schemas", schema),
                ("/datasets", dataset),
            ],
            deleted: Vec::new(),
            record,
            server,
        };
        for nouns in ["/areas", "/schemas", "/datasets"] {
            let id = setup.make(nouns, "Gone");
            setup
                .server
                .root(&format!("DELETE {nouns}/{id}"), None)
                .is(204);
            setup.deleted.push((nouns, id));
        }
        for nouns in [
            "/domains",
            "/roles",
            "/users",
            "/api-keys",
            "/apps",
            "/webhooks",
        ] {
            let id = setup.make(nouns, "One");
            setup.ids.push((nouns, id));
        }
        let own = |line: &str| setup.server.ask(&setup.session, line, None).is(200);
        let sessions = own("GET /my/sessions").json();
        let factor = own("POST /session/second-factor").text("secret");
        let session = sessions["items"][0]["sessionId"].as_str().expect("an id");
        setup.ids.push(("/my/sessions", session.to_owned()));
        setup.factor = factor;
        setup
    }

    /// Makes one; its id.
    fn make(&self, nouns: &str, name: &str) -> String {
        let list = match nouns {
            "/schemas" => self.filled("/areas/{id}/schemas"),
            "/datasets" => self.filled("/schemas/{id}/datasets"),
            nouns => nouns.to_owned(),
        };
        let made = self.server.make(&list, self.body_of_new(nouns, name));
        let location = made.header("location").expect("a place");
        location.rsplit('/').next().expect("an id").to_owned()
    }

    /// What makes one that may name what is there.
    fn body_of_new(&self, nouns: &str, name: &str) -> Value {
        let mut body = new(nouns, name);
        if nouns == "/webhooks" {
            let own = self.ids.iter().find(|(noun, _)| *noun == "/datasets");
            body["datasets"] = json!([own.expect("a dataset").1]);
        }
        body
    }

    /// Every operation that the document names.
    pub(crate) fn operations(&self) -> Vec<Asked> {
        let mut all = Vec::new();
        for (template, described) in DOCUMENT["paths"].as_object().expect("paths") {
            let Some(own) = template.strip_prefix("/admin/api/v1") else {
                continue;
            };
            for (method, operation) in described.as_object().expect("operations") {
                let statuses = operation["responses"].as_object().expect("answers").keys();
                all.push(Asked {
                    method: method.to_uppercase(),
                    path: self.filled(own),
                    template: own,
                    statuses: statuses
                        .map(|status| status.parse().expect("a status"))
                        .collect(),
                    takes_body: operation.get("requestBody").is_some(),
                });
            }
        }
        assert!(all.len() > 50, "{}", all.len());
        all
    }

    /// A path with ids that are there; for what is to be restored, of what is deleted.
    fn filled(&self, template: &str) -> String {
        let is_restored = template.ends_with("{id}/restore");
        let ids = if is_restored {
            &self.deleted
        } else {
            &self.ids
        };
        let own = ids
            .iter()
            .find(|(noun, _)| template.starts_with(&format!("{noun}/")));
        let path = match own {
            Some((_, id)) => template.replacen("{id}", id, 1),
            None => template.to_owned(),
        };
        path.replace("{record}", &self.record)
            .replace("{version}", "0")
            .replace("{letter}", "1")
    }

    /// Asks as the one who is signed in, with more headers.
    pub(crate) fn ask(
        &self,
        asked: &Asked,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let own = [&[("Authorization", self.session.as_str())], headers].concat();
        self.server.send(&asked.line(), &own, body)
    }

    /// The operations that list a status.
    fn with(&self, status: u16) -> Vec<Asked> {
        let all = self.operations().into_iter();
        let all: Vec<_> = all
            .filter(|asked| asked.statuses.contains(&status))
            .collect();
        assert!(!all.is_empty());
        all
    }
}

impl Asked {
    pub(crate) fn line(&self) -> String {
        format!("{} /admin/api/v1{}", self.method, self.path)
    }

    fn is_change(&self) -> bool {
        self.method != "GET"
    }

    /// A body that the operation takes.
    pub(crate) fn body(&self, setup: &AdminSetup) -> Option<String> {
        let mut body = match self.template {
            "/sessions" => json!({"username": "ada", "password": PASSWORD}),
            "/session/password" => {
                json!({"password": PASSWORD, "newPassword": "another password of ada's"})
            }
            "/session/email" => json!({"password": PASSWORD, "email": "ada@example.com"}),
            "/session/proof" => json!({"password": PASSWORD}),
            "/session/second-factor/confirm" => {
                json!({"code": code(&setup.server, &setup.factor)})
            }
            "/operations" => {
                json!({"credentials": {"kind": "user", "tenant": null, "what": {"disable": "One"}}})
            }
            "/datasets/{id}/exports" => json!({}),
            "/datasets/{id}/repairs" => json!({"field": "Code", "action": "trim"}),
            "/datasets/{id}/records/bulk" => json!({"create": {"Code": "B"}}),
            "/api-keys/{id}/secret" => json!({"graceSeconds": 60}),
            "/datasets/{id}/records/{record}/versions/{version}/restore" => json!({"_version": 0}),
            "/schemas/{id}/effects" | "/areas/{id}/schemas" => new("/schemas", "Other"),
            "/schemas/{id}/datasets" => new("/datasets", "Other"),
            template => setup.body_of_new(template.split("/{").next().unwrap_or(template), "Other"),
        };
        if self.method == "PUT" && self.template.ends_with("/{id}") {
            let members = body.as_object_mut().expect("an object");
            members.remove("password");
            if ["/users", "/api-keys", "/apps"]
                .iter()
                .any(|noun| self.template.starts_with(noun))
            {
                members.insert("active".to_owned(), json!(true));
            }
        }
        self.takes_body.then(|| body.to_string())
    }
}

/// Fails with every operation whose answer is another.
#[track_caller]
pub(crate) fn all_are(status: u16, answers: impl IntoIterator<Item = (Asked, Answer)>) {
    let wrong = answers
        .into_iter()
        .filter(|(_, answer)| answer.status != status);
    let told = wrong.map(|(asked, answer)| {
        let Asked {
            method, template, ..
        } = asked;
        format!("{method} {template}: {} {}", answer.status, answer.body)
    });
    let told: Vec<_> = told.collect();
    assert!(told.is_empty(), "not {status}:\n{}", told.join("\n"));
}

/// What makes one.
fn new(nouns: &str, name: &str) -> Value {
    match nouns {
        "/schemas" => {
            let mut document = city();
            document["name"] = json!(name);
            json!({"document": document})
        }
        "/domains" => json!({"name": name, "codes": []}),
        "/roles" => json!({"name": name, "permissions": []}),
        "/users" => {
            json!({"username": name, "fullName": name, "email": "one@example.org", "password": PASSWORD,
            "roles": [], "grants": []})
        }
        "/api-keys" => json!({"name": name, "roles": [], "grants": []}),
        "/webhooks" => json!({"name": name, "url": "https://example.org/hook"}),
        "/apps" => json!({"name": name, "tokenSeconds": 60, "roles": [], "grants": []}),
        _ => json!({"name": name}),
    }
}

fn deleted_record(server: &AdminServer, [area, schema, dataset]: &[String; 3]) -> String {
    let (_, key) = server.key("writer", &[&server.role("MEMBER")], &[area]);
    let records =
        format!("/v1/businessareas/{area}/schemas/{schema}/datasets/{dataset}/dataobjects");
    let by = [("Authorization", key.as_str())];
    let made = server.send(&format!("POST {records}"), &by, Some(r#"{"Code": "A"}"#));
    let id = made.is(201).text("_dataObjectId");
    server
        .send(&format!("DELETE {records}/{id}"), &by, None)
        .is(204);
    id
}

#[test]
fn without_a_credential_every_operation_is_401() {
    let setup = AdminSetup::start();
    let ask = |asked: Asked| {
        let answer = setup.server.send(&asked.line(), &[], None);
        (asked, answer)
    };
    let asks_for_one = |asked: &Asked| asked.template != "/sessions";
    all_are(
        401,
        setup.with(401).into_iter().filter(asks_for_one).map(ask),
    );
}

#[test]
fn without_a_right_reading_is_403_and_so_is_a_change_by_cookie_alone() {
    let setup = AdminSetup::start();
    let (_, powerless) = setup.server.key("powerless", &[], &[]);
    let cookie = format!("fieldstone_session={}", setup.session);
    let ask = |asked: Asked| {
        let shown = if asked.is_change() {
            ("Cookie", cookie.as_str())
        } else {
            ("Authorization", powerless.as_str())
        };
        let answer = setup.server.send(&asked.line(), &[shown], None);
        (asked, answer)
    };
    // these ask for no right, and have a 403 of another kind
    let asks_for_one = |asked: &Asked| {
        let is_own = ["/sessions", "/tenant"].contains(&asked.template) && asked.method != "PUT";
        !is_own && !asked.template.starts_with("/jobs")
    };
    let asked = setup.with(403).into_iter().filter(asks_for_one);
    all_are(403, asked.map(ask));
}

#[test]
fn an_id_that_is_not_there_is_404() {
    let setup = AdminSetup::start();
    let ask = |mut asked: Asked| {
        asked.path = asked.template.replace(['{', '}'], "");
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        (asked, answer)
    };
    let with_ids = |asked: &Asked| asked.template.contains('{');
    all_are(404, setup.with(404).into_iter().filter(with_ids).map(ask));
}

#[test]
fn a_name_that_is_taken_is_409() {
    let setup = AdminSetup::start();
    let is_named = |asked: &Asked| asked.method == "PUT" && asked.template.ends_with("/{id}");
    for asked in setup.operations().into_iter().filter(is_named) {
        let nouns = asked.template.trim_end_matches("/{id}");
        // the body of a change has the name that is asked for here
        setup.make(nouns, "Other");
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        all_are(409, [(asked, answer)]);
    }
    for (nouns, id) in &setup.deleted {
        setup
            .server
            .root(&format!("POST {nouns}/{id}/restore"), None)
            .is(200);
        setup
            .server
            .root(&format!("DELETE {nouns}/{id}"), None)
            .is(204);
        setup.make(nouns, "Gone");
        setup
            .server
            .root(&format!("POST {nouns}/{id}/restore"), None)
            .is(409);
    }
}

/// Whether it counts what a search finds: an administrator who reaches no data of the area may not, and it takes no
/// page and no memory. `faults.rs` has its refusals.
fn counts(asked: &Asked) -> bool {
    ["/faults", "/facets"]
        .iter()
        .any(|end| asked.template.ends_with(end))
}

#[test]
fn a_page_of_no_items_and_a_body_that_ends_early_are_400() {
    let setup = AdminSetup::start();
    // what is wrong with a file, its job tells, and a line's verdict what is wrong with the line
    let is_file = |asked: &Asked| {
        let ends = ["/imports", "/records/bulk"];
        ends.iter().any(|end| asked.template.ends_with(end))
    };
    let reads = |asked: &Asked| (asked.takes_body || !asked.is_change()) && !is_file(asked);
    let ask = |mut asked: Asked| {
        asked.path += if asked.is_change() { "" } else { "?pageSize=0" };
        let answer = setup.ask(&asked, &[], asked.takes_body.then_some("{"));
        (asked, answer)
    };
    let asked = setup.with(400).into_iter();
    let asked = asked.filter(|asked| reads(asked) && !counts(asked));
    all_are(400, asked.map(ask));
}

#[test]
fn bodies_that_are_announced_as_text_too_large_or_never_sent_are_refused() {
    const JSON: (&str, &str) = ("Content-Type", "application/json");
    let setup = AdminSetup::start();
    let too_large = (BODY_BYTES_MAX + 1).to_string();
    let text = [("Content-Type", "text/plain"), ("Content-Length", "2")];
    let large = [JSON, ("Content-Length", too_large.as_str())];
    for (status, headers) in [(415, text), (413, large)] {
        let ask = |asked: Asked| {
            let answer = setup.ask(&asked, &headers, None);
            (asked, answer)
        };
        all_are(status, setup.with(status).into_iter().map(ask));
    }
    std::thread::scope(|scope| {
        let slow = [JSON, ("Content-Length", "2")];
        let ask = |asked: Asked| {
            let setup = &setup;
            scope.spawn(move || {
                let answer = setup.ask(&asked, &slow, None);
                (asked, answer)
            })
        };
        let waiting: Vec<_> = setup.with(408).into_iter().map(ask).collect();
        let answers = waiting
            .into_iter()
            .map(|one| one.join().expect("an answer"));
        all_are(408, answers);
    });
}

#[test]
fn what_finds_no_memory_is_503_and_nothing_of_it_was_done() {
    let setup = AdminSetup::start();
    let memory = setup.server.service.memory().clone();
    let taken = memory.take(Owner::default(), MEMORY_BYTES);
    let ask = |asked: Asked| {
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        assert_eq!(
            answer.header("retry-after"),
            (answer.status == 503).then_some("2")
        );
        (asked, answer)
    };
    let asked = setup.with(503).into_iter();
    all_are(503, asked.filter(|asked| !counts(asked)).map(ask));
    drop(taken);
    // no name is taken, since nothing was made
    for nouns in [
        "/areas",
        "/domains",
        "/roles",
        "/users",
        "/api-keys",
        "/apps",
    ] {
        setup.make(nouns, "Other");
    }
    assert_eq!(memory.taken(), 0, "all of it was given back");
}

#[test]
fn a_store_that_fails_is_500_for_whoever_needs_it() {
    let setup = AdminSetup::start();
    tests::damage::drop_tables(&setup.server.folder.path().join("fieldstone.db"));
    // connections that have read show what they saw, until they rest
    let began = std::time::Instant::now();
    while setup.server.root("GET /audit", None).status != 500 {
        assert!(began.elapsed() < Duration::from_secs(60), "they never rest");
        std::thread::sleep(Duration::from_millis(100));
    }
    let ask = |asked: Asked| {
        let answer = setup.ask(&asked, &[], asked.body(&setup).as_deref());
        (asked, answer)
    };
    let from_the_store = [
        "/audit",
        "/changes",
        "/deleted-records",
        "/history",
        "/versions/{version}",
        "/delivery",
        "/dead-letters",
        "/{id}/datasets",
        "/quotas",
        "/{id}/schemas",
    ];
    let needs_it = |asked: &Asked| {
        asked.is_change()
            || asked.template.starts_with("/jobs")
            || from_the_store
                .iter()
                .any(|end| asked.template.ends_with(end))
    };
    let asked = setup.with(500).into_iter();
    let asked = asked.filter(|asked| !counts(asked));
    let (needing, others): (Vec<_>, Vec<_>) = asked.partition(needs_it);
    all_are(200, others.into_iter().map(ask));
    // whoever signs out or changes the password is signed out by no failure
    all_are(500, needing.into_iter().map(ask));
}
