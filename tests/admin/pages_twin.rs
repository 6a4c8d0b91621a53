//! A server with one of everything that can be sent a form of the pages or asked for the operation of it, and what is told of either
//! afterwards.

use crate::admin_server::{AdminServer, PASSWORD};
use crate::browser::{Browser, field, written};
use crate::contract::DOCUMENT;
use crate::jobs::{import, sent_in_bulk};
use crate::pages_by_right::{FILE, Line, Nouns};
use crate::requests::Answer;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The password that ada has at the end.
const OTHER_PASSWORD: &str = "another password of ada's";

/// What an operation says of nouns, and how pages call them in addresses.
const OTHER_WORDS: [(&str, &str); 4] = [
    ("/api-keys", "/keys"),
    ("/apps", "/clients"),
    ("/my/sessions", "/profile/sessions"),
    ("/my/saved-views/{id}", "/my/saved-views/{view}"),
];

/// One of two servers that hold the same.
pub(crate) struct Twin {
    server: AdminServer,
    nouns: Nouns,
    /// A key that sees everything.
    watcher: String,
    /// A session of ada's, as a program has it, and the cookie of another one.
    session: String,
    cookie: String,
}

impl Twin {
    pub(crate) fn start() -> Self {
        let server = AdminServer::start();
        let nouns = Nouns::of(&server);
        let administrator = server.role("ACCOUNT ADMINISTRATOR");
        let (_, watcher) = server.key("Watcher", &[&administrator], &[nouns.id("areas")]);
        // the sessions of before begun before those of below
        server.clock.forward(1);
        let mut twin = Twin {
            server,
            nouns,
            watcher,
            session: String::new(),
            cookie: String::new(),
        };
        twin.sign_in();
        let sessions = twin.server.ask(&twin.session, "GET /my/sessions", None);
        let sessions = sessions.is(200).json();
        let first = sessions["items"][0]["sessionId"].as_str().expect("an id");
        twin.nouns.ids.push(("profile/sessions", first.to_owned()));
        twin
    }

    fn sign_in(&mut self) {
        self.session = self.server.session("ada", PASSWORD);
        self.cookie = Browser::signed_in(&self.server).cookie;
    }

    fn browser(&self) -> Browser<'_> {
        Browser {
            server: &self.server,
            cookie: self.cookie.clone(),
            language: "en",
        }
    }

    /// Gives a form that is about a record one of its own, and a session to who lost it by the form before.
    pub(crate) fn prepare(&mut self, line: &Line, at: usize) {
        let is_out = self.browser().get("/app/password").status != 200;
        let session = self.server.ask(&self.session, "GET /session", None);
        if is_out || session.status != 200 {
            self.sign_in();
        }
        if !line.path.starts_with("/datasets/{id}/") || line.path.ends_with("{id}/delete") {
            return;
        }
        let dataset = self.nouns.id("datasets").to_owned();
        let record = json!({"Code": format!("N{at}"), "People": "many"});
        let record = written(&self.server, &dataset, &[record]).remove(0);
        let is_gone = ["{record}/restore", "/purge"];
        if is_gone.iter().any(|end| line.path.ends_with(end)) {
            let gone = json!({"delete": {"_dataObjectId": record}});
            sent_in_bulk(&self.server, &dataset, &[gone]);
            self.nouns.gone_record = record;
            return;
        }
        if line.path.ends_with("{version}/restore") {
            let other = json!({"_dataObjectId": record, "_version": 0, "People": 13});
            sent_in_bulk(&self.server, &dataset, &[json!({"update": other})]);
        }
        self.nouns.record = record;
    }

    fn items(&self, path: &str) -> Vec<Value> {
        let list = self.server.ask(&self.watcher, &format!("GET {path}"), None);
        // a dataset that was deleted tells nothing more
        if [403, 404].contains(&list.status) {
            return Vec::new();
        }
        let list = list.is(200).json();
        list["items"].as_array().expect("a page").clone()
    }

    /// What has this id in both servers, as far as it was made for forms.
    fn called(&self, id: &Value) -> String {
        let id = id.as_str().expect("an id");
        let nouns = &self.nouns;
        let ids = nouns.ids.iter().map(|(noun, id)| (*noun, id));
        let gone = nouns.gone.iter().map(|(noun, id)| (*noun, id));
        let others = [
            ("record", &nouns.record),
            ("deleted record", &nouns.gone_record),
            ("view", &nouns.view),
            ("ada", &self.server.ada),
        ];
        let mut all = ids.chain(gone).chain(others);
        let own = all.find(|(_, own)| *own == id);
        own.map_or("another", |(noun, _)| noun).to_owned()
    }

    /// What the trail, the log of records and the list of jobs tell by now, each under what tells it apart.
    pub(crate) fn told(&self) -> BTreeMap<String, String> {
        let mut told = BTreeMap::new();
        for trail in ["/audit?pageSize=30", "/audit?noun=saved_view&pageSize=30"] {
            for it in self.items(trail) {
                let id = self.called(&it["id"]);
                let about = format!("{} {} {id}", it["action"], it["noun"]);
                told.insert(format!("trail {}", it["number"]), about);
            }
        }
        let dataset = self.nouns.id("datasets");
        for it in self.items(&format!("/datasets/{dataset}/changes?pageSize=1000")) {
            let id = self.called(&it["dataObjectId"]);
            let about = format!("{} {id}", it["action"]);
            // numbers move up where a record goes for good
            let key = format!("{about} {} {}", it["dataObjectId"], it["version"]);
            told.insert(format!("change {key}"), about);
        }
        for it in self.items("/jobs?pageSize=30") {
            let about = format!("{} {}", it["kind"], it["state"]);
            told.insert(format!("job {}", it["jobId"]), about);
        }
        told
    }

    /// What is told since then, in an order that ids have no part in.
    pub(crate) fn told_since(&self, before: &BTreeMap<String, String>) -> Vec<String> {
        let now = self.told();
        let new = now.iter().filter(|(key, it)| before.get(*key) != Some(*it));
        let about = |(key, it): (&String, &String)| {
            let kind = key.split(' ').next().unwrap_or_default();
            format!("{kind} {it}")
        };
        let mut new: Vec<_> = new.map(about).collect();
        new.sort();
        new
    }

    /// Sends a form, filled in so that it is done.
    pub(crate) fn send(&self, line: &Line, name: &str) -> Answer {
        let browser = self.browser();
        let small = browser.get("/app/password").is(200);
        let document = document(name).to_string();
        let shown = format!("{}:0", self.nouns.record);
        let mut fields = self.nouns.fields();
        let is_record = line.path.contains("{record}");
        fields.retain(|(own, _)| *own != "version" || is_record);
        let mut fill = |own: &'static str, value| {
            fields.retain(|(name, _)| *name != own);
            fields.push((own, value));
        };
        for own in ["name", "full-name", "username"] {
            fill(own, name);
        }
        fill("document", document.as_str());
        fill("password", PASSWORD);
        fill("new-password", OTHER_PASSWORD);
        fill("v-f-people", "13");
        fill("w-f-people", "many");
        fill("was", "many");
        match line.operation.as_deref() {
            Some("signIn") => fill("username", "ada"),
            Some("repairRecords") => fill("field", "People"),
            Some("restoreRecordVersion") => fill("version", "1"),
            Some("updateSavedView") => fill("q", "is:faulty"),
            Some("exportDataset") => fields.retain(|(own, _)| *own == "format"),
            Some("writeRecords") if line.path.ends_with("/new") => fill("v-f-code", name),
            Some("writeRecords") if line.path.ends_with("/set") => fill("record", &shown),
            _ => {}
        }
        self.nouns
            .send_filled(&browser, &small, line, (&fields, FILE))
    }

    /// Asks for the operation of a form, about the same.
    pub(crate) fn ask(&self, line: &Line, name: &str) -> Answer {
        let operation = line.operation.as_deref().expect("a form");
        let dataset = self.nouns.id("datasets");
        match operation {
            "importDataset" => {
                return import(&self.server, &self.session, dataset, "?mode=create", FILE.1);
            }
            "writeRecords" => {
                let lines = [self.written_by(&line.path, name)];
                return sent_in_bulk(&self.server, dataset, &lines);
            }
            _ => {}
        }
        let (method, path) = place_of(operation);
        let path = self.filled(path, operation);
        let body = self.body(operation, name);
        let by = if operation == "signIn" {
            ""
        } else {
            &*self.session
        };
        self.server.ask(by, &format!("{method} {path}"), body)
    }

    /// The path of an operation, about what a form of it would be about.
    fn filled(&self, path: &str, operation: &str) -> String {
        let words = OTHER_WORDS.iter().find(|(own, _)| path.starts_with(own));
        let [own, pages] = words.map_or([""; 2], |(own, pages)| [*own, *pages]);
        let path = path.replacen(own, pages, 1);
        let path = if operation == "purgeRecord" {
            path.replace("{record}", &self.nouns.gone_record)
        } else {
            path
        };
        let filled = self.nouns.filled(&path);
        let filled = filled.trim_start_matches("/app");
        if pages.contains('{') {
            return filled.to_owned();
        }
        filled.replacen(pages, own, 1)
    }

    /// The line by which many writes do what a form of records does.
    fn written_by(&self, path: &str, name: &str) -> Value {
        let record = &self.nouns.record;
        if path.ends_with("/new") {
            return json!({"create": {"Code": name, "People": 13}});
        }
        if path.ends_with("/delete") {
            return json!({"delete": {"_dataObjectId": record}});
        }
        json!({"update": {"_dataObjectId": record, "_version": 0, "People": 13}})
    }

    /// What an operation is sent.
    fn body(&self, operation: &str, name: &str) -> Option<Value> {
        let (dataset, domain) = (self.nouns.id("datasets"), self.nouns.id("domains"));
        let codes = json!([{"code": "A", "description": "a"}]);
        let url = "https://example.org/another";
        Some(match operation {
            "createArea"
            | "updateArea"
            | "createManagedDataset"
            | "updateManagedDataset"
            | "createSavedView" => json!({"name": name}),
            "updateSavedView" => json!({"name": name, "query": "is:faulty"}),
            "createManagedSchema" | "updateManagedSchema" | "judgeDataset" => {
                json!({"document": document(name)})
            }
            "createRole" | "updateRole" => json!({"name": name, "permissions": []}),
            "createDomain" | "updateDomain" => json!({"name": name, "codes": codes}),
            "judgeDatasetByDomain" => {
                json!({"dataDomainId": domain, "name": name, "codes": codes})
            }
            "createApiKey" => json!({"name": name, "roles": [], "grants": []}),
            "updateApiKey" => json!({"name": name, "active": true, "roles": [], "grants": []}),
            "createApp" => {
                json!({"name": name, "tokenSeconds": 3600, "roles": [], "grants": []})
            }
            "updateApp" => {
                json!({"name": name, "active": true, "tokenSeconds": 3600, "roles": [], "grants": []})
            }
            "createWebhook" | "updateWebhook" => {
                json!({"name": name, "url": url, "datasets": [dataset]})
            }
            "inviteUser" => {
                json!({"username": name, "fullName": name, "email": "another@example.org"})
            }
            "updateUser" => {
                json!({"username": name, "fullName": name, "email": "another@example.org",
                "active": true, "roles": [], "grants": []})
            }
            "rotateApiKey" => json!({"graceSeconds": 86400}),
            "exportDataset" => json!({"format": "csv"}),
            "repairRecords" => {
                json!({"field": "People", "action": {"set": 13}, "dryRun": true})
            }
            "restoreRecordVersion" => json!({"_version": 1}),
            "signIn" => json!({"username": "ada", "password": PASSWORD}),
            "changePassword" => json!({"password": PASSWORD, "newPassword": OTHER_PASSWORD}),
            "changeEmail" => json!({"password": PASSWORD, "email": "another@example.org"}),
            _ => return None,
        })
    }
}

/// A schema of cities that is called so.
fn document(name: &str) -> Value {
    json!({"name": name, "fields": [
        field("f-code", "Code", "string", true),
        field("f-people", "People", "integer", false),
    ]})
}

/// The method and the path of an operation, as the document has them.
pub(crate) fn place_of(operation: &str) -> (String, &'static str) {
    for (path, described) in DOCUMENT["paths"].as_object().expect("paths") {
        for (method, it) in described.as_object().expect("operations") {
            if it["operationId"] == operation {
                let own = path.strip_prefix("/admin/api/v1").expect("management");
                return (method.to_uppercase(), own);
            }
        }
    }
    panic!("no operation {operation}");
}
