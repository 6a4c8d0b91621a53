//! A server with one of everything, and every operation of the document with ids of it in its path.

use crate::admin_server::{AdminServer, PASSWORD, city};
use crate::contract::DOCUMENT;
use crate::requests::Answer;
use crate::second_factor::code;
use runtime::service::files::{FileSettings, FileStorage};
use runtime::service::{JobSettings, Settings};
use serde_json::{Value, json};
use std::time::Duration;

/// An operation of the document, with ids in its path.
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(super) path: String,
    pub(crate) template: &'static str,
    pub(super) statuses: Vec<u16>,
    pub(super) takes_body: bool,
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
    pub(super) deleted: Vec<(&'static str, String)>,
    /// A deleted record of the dataset.
    record: String,
    /// The code of someone's invitation.
    invitation: String,
}

const JSON: &str = "application/json";
const FORM_TYPE: &str = "multipart/form-data; boundary=b";
/// A form with a file.
const FORM: &str =
    "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\ntext\r\n--b--\r\n";
pub(super) const BODY_BYTES_MAX: usize = 10_000;
pub(super) const MEMORY_BYTES: usize = 64 << 10;

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
        server.use_job_files();
        let storage = FileStorage::folder(&server.folder.path().join("files"));
        server.service.use_files(
            server.opened.files.clone(),
            storage.expect("a folder"),
            FileSettings::default(),
        );
        let places = server.places(&city());
        let record = deleted_record(&server, &places);
        let [area, schema, dataset] = places;
        let session = server.session("ada", PASSWORD);
        let mut setup = AdminSetup {
            session,
            factor: String::new(),
            ids: vec![
                ("/areas", area),
                ("/schemas", schema),
                ("/datasets", dataset),
            ],
            deleted: Vec::new(),
            record,
            invitation: String::new(),
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
            "/my/saved-views",
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
        let invited = setup
            .server
            .make("/invitations", new("/invitations", "Invited"));
        setup.invitation = invited.text("invitation");
        setup
    }

    /// Makes one; its id.
    pub(super) fn make(&self, nouns: &str, name: &str) -> String {
        if nouns == "/my/saved-views" {
            return self.saved_view(name);
        }
        let list = match nouns {
            "/schemas" => self.filled("/areas/{id}/schemas"),
            "/datasets" => self.filled("/schemas/{id}/datasets"),
            nouns => nouns.to_owned(),
        };
        let made = self.server.make(&list, self.body_of_new(nouns, name));
        let location = made.header("location").expect("a place");
        location.rsplit('/').next().expect("an id").to_owned()
    }

    /// Saves a view of the one who is signed in; its id.
    fn saved_view(&self, name: &str) -> String {
        let line = format!("POST {}", self.filled("/datasets/{id}/saved-views"));
        let body = new("/my/saved-views", name);
        let made = self.server.ask(&self.session, &line, Some(body)).is(201);
        made.text("savedViewId")
    }

    /// What makes one that may name what is there.
    pub(super) fn body_of_new(&self, nouns: &str, name: &str) -> Value {
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
    pub(super) fn filled(&self, template: &str) -> String {
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
        // versions of records count from 0, those of schemas from 1
        let is_schema = template.starts_with("/schemas/");
        path.replace("{record}", &self.record)
            .replace("{version}", if is_schema { "1" } else { "0" })
            .replace("{letter}", "1")
            .replace("{kind}", "json-schema")
    }

    /// Asks as the one who is signed in, with more headers.
    pub(crate) fn ask(
        &self,
        asked: &Asked,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let mut own = [&[("Authorization", self.session.as_str())], headers].concat();
        if asked.is_upload() {
            own.retain(|(name, value)| *name != "Content-Type" || *value != JSON);
            if own.iter().all(|(name, _)| *name != "Content-Type") {
                own.push(("Content-Type", FORM_TYPE));
            }
        }
        self.server.send(&asked.line(), &own, body)
    }

    /// The operations that list a status.
    pub(super) fn with(&self, status: u16) -> Vec<Asked> {
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

    /// Whether it takes a form with a file in place of JSON.
    pub(super) fn is_upload(&self) -> bool {
        self.method == "POST" && self.template.ends_with("/files")
    }

    pub(super) fn is_change(&self) -> bool {
        self.method != "GET"
    }

    /// A body that the operation takes.
    pub(crate) fn body(&self, setup: &AdminSetup) -> Option<String> {
        if self.is_upload() {
            return Some(FORM.to_owned());
        }
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
            "/invitations/accept" => {
                json!({"invitation": setup.invitation, "password": "seven grey owls"})
            }
            "/setup" => {
                json!({"code": "none", "tenant": "Other", "username": "eve", "email": "eve@example.org",
                "password": "seven grey owls"})
            }
            "/datasets/{id}/exports" => json!({}),
            "/datasets/{id}/repairs" => json!({"field": "Code", "action": "trim"}),
            "/datasets/{id}/records/bulk" => json!({"create": {"Code": "B"}}),
            "/api-keys/{id}/secret" => json!({"graceSeconds": 60}),
            "/datasets/{id}/records/{record}/versions/{version}/restore" => json!({"_version": 0}),
            "/schemas/{id}/effects" | "/datasets/{id}/effects" | "/areas/{id}/schemas" => {
                new("/schemas", "Other")
            }
            "/datasets/{id}/domain-effects" => {
                let own = setup.ids.iter().find(|(noun, _)| *noun == "/domains");
                let mut body = new("/domains", "Other");
                body["dataDomainId"] = json!(own.expect("a domain").1);
                body
            }
            "/schemas/inferences" => json!([{"Code": "A"}]),
            "/schemas/trials" => json!({"document": new("/schemas", "Other")["document"]}),
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
        "/invitations" => json!({"username": name, "fullName": name, "email": "one@example.org"}),
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
