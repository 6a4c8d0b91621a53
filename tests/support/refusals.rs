//! What every operation of the data interface refuses in the same way, asked of each that the OpenAPI
//! document names: too many requests, a body that never comes, a store that fails, a part that is not
//! there. The document says which of these an operation has; the suites of search and files ask theirs.

use crate::contract::DOCUMENT;
use crate::raw::{Answer, Request};
use crate::test_server::{TestServer, everything};
use runtime::http::DoorSettings;
use runtime::service::files::{FileSettings, FileStorage};
use runtime::service::search::WAIT_MAX;
use runtime::service::{Owner, Settings};
use runtime::store::catalog::Verbs;
use std::time::{Duration, Instant};
use tests::answers::{never_given, suite_of};

const FORM: &str = "multipart/form-data; boundary=frame";

/// An operation of the document.
struct Asked {
    method: String,
    template: &'static str,
}

/// This suite's operations that list a status.
fn with(status: u16) -> Vec<Asked> {
    let mut all = Vec::new();
    for (template, described) in DOCUMENT["paths"].as_object().expect("paths") {
        for (method, operation) in described.as_object().expect("operations") {
            if suite_of(template) == env!("CARGO_CRATE_NAME")
                && operation["responses"].get(status.to_string()).is_some()
            {
                let method = method.to_uppercase();
                all.push(Asked { method, template });
            }
        }
    }
    all
}

/// Fails with every operation whose answer is another.
#[track_caller]
fn all_are(status: u16, ask: impl Fn(&Asked) -> Answer) {
    let mut told = Vec::new();
    for asked in with(status) {
        let answer = ask(&asked);
        if answer.status != status {
            let Asked { method, template } = &asked;
            let body = String::from_utf8_lossy(&answer.body);
            told.push(format!("{method} {template}: {} {body}", answer.status));
        }
    }
    assert!(told.is_empty(), "not {status}:\n{}", told.join("\n"));
}

/// What every operation can be asked of: a server with a record, a place for files and a search index.
struct FullSetup {
    server: TestServer,
    record: String,
    /// The path and query of a file's link.
    file: String,
}

impl FullSetup {
    fn start() -> Self {
        Self::with_settings(Settings::default())
    }

    fn with_settings(settings: Settings) -> Self {
        let server = TestServer::with_settings(settings);
        let (opened, data) = (server.opened(), server.folder());
        let storage = FileStorage::folder(&data.join("files")).expect("a folder for files");
        server
            .service
            .use_files(opened.files.clone(), storage, FileSettings::default());
        let index = server.runtime.block_on(opened.index(data));
        let inside = server.runtime.enter();
        server.service.start_search(index, WAIT_MAX);
        drop(inside);
        let record = server.created(r#"{"Code":"1","Name":"Aachen"}"#);
        let files = server.records().replace("/dataobjects", "/files");
        let uploaded = form(server.request("POST", &files)).send().is(201).json();
        let link = uploaded["url"].as_str().expect("a link");
        let file = &link[link.find("/v1/").expect("a path")..];
        FullSetup {
            record: text(&record["_dataObjectId"]),
            file: file.to_owned(),
            server,
        }
    }

    /// The whole request of an operation, which nothing is wrong with.
    fn request(&self, asked: &Asked) -> Request {
        let path = match asked.template {
            "/v1/files/{id}" => self.file.clone(),
            "/v1/dataobjects/search" => format!("{}?query=Aachen", asked.template),
            template => filled(&self.server, template).replace("{dataObjectId}", &self.record),
        };
        let request = self.server.request(&asked.method, &path);
        match (asked.method.as_str(), asked.template) {
            ("POST", "/oauth2/token") => {
                let names = &self.server.names;
                let (id, secret) = (&names.app, &names.app_secret);
                let body = serde_json::json!({"client_id": id, "client_secret": secret});
                self.server.anonymous("POST", &path).json(body.to_string())
            }
            ("POST", template) if template.ends_with("/files") => form(request),
            ("POST", _) => request.json(r#"{"Code":"2","Name":"Berlin"}"#),
            ("PUT", _) => request.json(r#"{"_version":0}"#),
            _ => request,
        }
    }
}

fn text(value: &serde_json::Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// A path with ids that are there.
fn filled(server: &TestServer, template: &str) -> String {
    let names = &server.names;
    template
        .replace("{businessAreaId}", &names.area)
        .replace("{schemaId}", &names.schema)
        .replace("{datasetId}", &names.dataset)
        .replace("{pkValue}", "1")
}

fn form(request: Request) -> Request {
    let part = "--frame\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nx\r\n--frame--\r\n";
    request.header("Content-Type", FORM).body(part)
}

#[test]
fn who_asks_too_often_is_429_everywhere() {
    let server = TestServer::with_door(&DoorSettings {
        requests_per_second_max: Some(1),
        ..DoorSettings::default()
    });
    all_are(429, |asked| {
        let path = filled(&server, asked.template);
        loop {
            let key = server.key(&[], &everything(Verbs::ALL));
            let ask = || {
                server
                    .anonymous(&asked.method, &path)
                    .credential(&key)
                    .send()
            };
            let began = Instant::now();
            assert_ne!(ask().status, 429);
            let again = ask();
            // a database counts by its own clock, and who comes a second later has its turn
            if again.status == 429 || began.elapsed() < Duration::from_secs(1) {
                return again;
            }
        }
    });
}

#[test]
fn a_body_that_never_comes_is_408() {
    let server = TestServer::with_settings(Settings {
        body_time_max: Duration::from_millis(200),
        ..Settings::default()
    });
    let record = text(&server.created(r#"{"Code":"1","Name":"Aachen"}"#)["_dataObjectId"]);
    all_are(408, |asked| {
        let is_form = asked.template.ends_with("/files");
        let kind = if is_form { FORM } else { "application/json" };
        let path = filled(&server, asked.template).replace("{dataObjectId}", &record);
        let request = server.request(&asked.method, &path);
        request
            .header("Content-Type", kind)
            .header("Content-Length", "99")
            .send()
    });
}

#[test]
fn a_store_that_fails_is_500_for_whoever_needs_it() {
    let setup = FullSetup::start();
    // what reads keep of the store lasts until the next commit: nobody looks between that and the end
    setup
        .server
        .runtime
        .block_on(setup.server.service.stop_search());
    setup.server.area(&setup.server.names.tenant, "Another");
    setup.server.opened().drop_tables(setup.server.folder());
    let memory = never_given();
    let fails = |asked: &Asked| {
        let Asked { method, template } = asked;
        !memory.contains_key(&format!("{method} {template} 500"))
    };
    for asked in with(500) {
        let answer = setup.request(&asked).send();
        let expected = match asked.template {
            _ if fails(&asked) => 500,
            // they need nothing that is in it
            "/" | "/healthz" | "/openapi.json" => 200,
            // that it does not answer is its answer
            "/readyz" => 503,
            // a server of several asks before each request whether another one changed something
            _ if tests::engine::is_database() => 500,
            _ => 200,
        };
        assert_eq!(
            answer.status, expected,
            "{} {}: {answer:?}",
            asked.method, asked.template
        );
    }
}

#[test]
fn without_files_index_and_a_place_to_write_what_needs_them_is_503() {
    let setup = FullSetup::start();
    // the same store, served by someone who attaches neither
    let folder = tempfile::tempdir().expect("a folder");
    let store = setup.server.opened().store.clone();
    let server = TestServer::with_store(store, folder, Settings::default());
    let FullSetup {
        server: first,
        record,
        file,
    } = setup;
    let bare = FullSetup {
        server,
        record,
        file,
    };
    let ask = |needs: &dyn Fn(&str) -> bool| {
        for asked in with(503).iter().filter(|asked| needs(asked.template)) {
            let answer = bare.request(asked).send();
            assert_eq!(answer.status, 503, "{}", asked.template);
        }
    };
    let others = ["/v1/dataobjects/search", "/v1/files/{id}"];
    ask(&|template| others.contains(&template) || template.ends_with("/files"));
    first.opened().take_away(first.folder());
    ask(&|template| template == "/readyz");
}

/// Memory that has room for the largest answer of these, the document of a schema, and no more than a few.
const MEMORY_BYTES: usize = 192 << 10;

#[test]
fn what_finds_no_memory_is_503_and_is_answered_when_there_is_some_again() {
    let setup = FullSetup::with_settings(Settings {
        memory_budget_bytes: MEMORY_BYTES,
        ..Settings::default()
    });
    let memory = setup.server.service.memory().clone();
    let taken = memory.take(Owner::default(), MEMORY_BYTES);
    // what is deleted takes none
    let takes_some = |asked: &Asked| asked.method != "DELETE";
    for asked in with(503).into_iter().filter(takes_some) {
        let answer = setup.request(&asked).send();
        // a file is not read as a whole, and who asks for readiness takes nothing
        if ["/v1/files/{id}", "/readyz"].contains(&asked.template) {
            assert_ne!(answer.status, 503, "{answer:?}");
            continue;
        }
        assert_eq!(
            answer.header("retry-after"),
            Some("2"),
            "{} {answer:?}",
            asked.template
        );
        answer.plain_error(503);
    }
    drop(taken);
    for asked in with(503).into_iter().filter(takes_some) {
        let answer = setup.request(&asked).send();
        assert!(answer.status < 300, "{} {answer:?}", asked.template);
    }
    assert_eq!(memory.taken(), 0, "all of it was given back");
}
