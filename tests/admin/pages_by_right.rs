//! Every form of the pages, as the table of the pages has it: it names what management does in its place, and sent without a
//! session, without any right or with rights to look alone it changes nothing, and a page says why.

use crate::admin_server::{AdminServer, PASSWORD, RESOURCES_BUT_PERSONAL, city};
use crate::browser::{Browser, cities, form, posted};
use crate::contract::DOCUMENT;
use crate::requests::Answer;
use crate::rights::role;
use crate::saved_views::save;
use regex::Regex;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

/// Operations whose forms are of whoever has no session.
pub(crate) const OF_EVERYONE: [&str; 3] = ["signIn", "acceptInvitation", "setUp"];
/// Those about oneself, for which one needs no right.
const OF_ONESELF: [&str; 9] = [
    "signOut",
    "changePassword",
    "changeEmail",
    "proveSession",
    "beginSecondFactor",
    "confirmSecondFactor",
    "removeSecondFactor",
    "endSession",
    "endOtherSessions",
];
/// Those that tell something of what is sent with them, and do nothing else.
const TELLING: [&str; 2] = ["trySchema", "inferSchema"];
/// Those of who may look: what they make is its own.
const OF_WHO_LOOKS: [&str; 2] = ["createSavedView", "exportDataset"];
/// A file that is sent along.
pub(crate) const FILE: (&str, &str) = ("towns.csv", "Code,People\nB1,3\n");

/// A line of the table.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) path: String,
    /// What a form stands for; a page has none.
    pub(crate) operation: Option<String>,
    is_upload: bool,
}

impl Line {
    pub(crate) fn is_of(&self, operations: &[&str]) -> bool {
        let own = self.operation.as_deref();
        own.is_some_and(|own| operations.contains(&own))
    }
}

/// The pages and forms that there are.
pub(crate) fn table() -> Vec<Line> {
    static LINES: LazyLock<Vec<Line>> = LazyLock::new(read_table);
    LINES.clone()
}

fn read_table() -> Vec<Line> {
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../runtime/server/src/admin/pages"
    );
    let files = ["table.rs", "table/of_access.rs", "table/of_records.rs"]
        .map(|name| format!("{folder}/{name}"));
    let source = files.map(|path| std::fs::read_to_string(path).expect("a table"));
    let source = source.concat();
    let pattern = |text: &str| Regex::new(text).expect("a pattern");
    let named = pattern(r#"const ([A-Z]+): &str =\s*"([^"]+)""#);
    let named: Vec<_> = named.captures_iter(&source).collect();
    let line =
        pattern(r#"R::(page|form|long_form|upload)\(\s*(?:"([^"]+)"|([A-Z]+)),\s*(?:"(\w+)",)?"#);
    let lines = line.captures_iter(&source).map(|line| {
        let path = line.get(2).map_or_else(
            || {
                let own = named.iter().find(|own| own[1] == line[3]);
                own.expect("its address")[2].to_owned()
            },
            |path| path.as_str().to_owned(),
        );
        Line {
            path,
            operation: line.get(4).map(|it| it.as_str().to_owned()),
            is_upload: &line[1] == "upload",
        }
    });
    let lines: Vec<_> = lines.collect();
    let count = |kind: &str| source.matches(&format!("R::{kind}(")).count();
    assert_eq!(
        lines.len(),
        count("page") + count("form") + count("long_form") + count("upload")
    );
    let forms = lines.iter().filter(|line| line.operation.is_some());
    assert_eq!(
        forms.count(),
        count("form") + count("long_form") + count("upload")
    );
    lines
}

/// The forms that there are.
pub(crate) fn forms() -> Vec<Line> {
    let lines = table().into_iter();
    lines.filter(|line| line.operation.is_some()).collect()
}

/// What management can be asked to do, by the document.
fn operations() -> BTreeSet<&'static str> {
    let paths = DOCUMENT["paths"].as_object().expect("paths").iter();
    let own = paths.filter(|(path, _)| path.starts_with("/admin/api/v1/"));
    let all = own.flat_map(|(_, described)| described.as_object().expect("operations"));
    let done = all.filter(|(method, _)| *method != "get");
    done.map(|(_, it)| it["operationId"].as_str().expect("its id"))
        .collect()
}

#[test]
fn a_form_names_what_management_does_in_its_place_and_a_page_takes_no_form() {
    let known = operations();
    let all = forms();
    let unknown: Vec<_> = all
        .iter()
        .filter_map(|form| form.operation.as_deref())
        .filter(|operation| !known.contains(operation))
        .collect();
    assert!(unknown.is_empty(), "management can't do {unknown:?}");
    // what is left out below is one of them
    let left_out = [
        &OF_EVERYONE as &[&str],
        &OF_ONESELF,
        &TELLING,
        &OF_WHO_LOOKS,
    ];
    for operation in left_out.concat() {
        let is_form = all.iter().any(|form| form.is_of(&[operation]));
        assert!(is_form, "{operation}");
    }
    let server = AdminServer::start();
    let ada = Browser::signed_in(&server);
    let home = ada.get("/app/").is(200);
    let parameter = Regex::new(r"\{\w+\}").expect("a pattern");
    let takes: BTreeSet<_> = all.iter().map(|form| form.path.as_str()).collect();
    for page in table() {
        if takes.contains(&*page.path) {
            continue;
        }
        let path = format!("/app{}", parameter.replace_all(&page.path, "x"));
        let sent = ada.send(&home, &path, &[]);
        assert_eq!(sent.status, 405, "{path}: {}", sent.body);
    }
}

/// One of everything that forms are about.
pub(crate) struct Nouns {
    /// What stands for `{id}` below each noun.
    pub(crate) ids: Vec<(&'static str, String)>,
    /// The same of what is deleted.
    pub(crate) gone: Vec<(&'static str, String)>,
    pub(crate) record: String,
    pub(crate) gone_record: String,
    pub(crate) view: String,
    domain: String,
    pub(crate) document: String,
}

/// Makes something; its id.
fn made(server: &AdminServer, path: &str, body: Value) -> String {
    let answer = server.make(path, body);
    let place = answer.header("location").expect("a place");
    place.rsplit('/').next().expect("an id").to_owned()
}

/// A job that waits for its turn: nobody works on it.
fn job(ada: &Browser<'_>, dataset: &str) -> String {
    let fields = [("try", "false"), ("mode", "create")];
    let sent = ada.import(dataset, &fields, FILE).is(303);
    let place = sent.header("location").expect("a job");
    place.rsplit('/').next().expect("an id").to_owned()
}

/// A view that ada saved.
fn view(server: &AdminServer, dataset: &str) -> String {
    let session = server.session("ada", PASSWORD);
    let saved = save(server, &session, dataset, json!({"name": "Mine"}));
    saved.is(201).text("savedViewId")
}

impl Nouns {
    pub(crate) fn of(server: &AdminServer) -> Self {
        server.use_job_files();
        let (dataset, [record, gone_record]) = cities(server);
        let entry = server.service.store().catalog().datasets[&dataset].clone();
        let (area, schema) = (entry.area.clone(), entry.schema.clone());
        let ada = Browser::signed_in(server);
        let there = format!("/app/datasets/{dataset}/records/{gone_record}");
        let page = ada.get(&there).is(200);
        ada.send(&page, &format!("{there}/delete"), &[]).is(303);
        let mut document = city();
        document["name"] = "Gone".into();
        let text = document.to_string();
        let schemas = format!("/areas/{area}/schemas");
        let datasets = format!("/schemas/{schema}/datasets");
        let gone = vec![
            ("areas", made(server, "/areas", json!({"name": "Gone"}))),
            (
                "schemas",
                made(server, &schemas, json!({"document": document})),
            ),
            ("datasets", made(server, &datasets, json!({"name": "Gone"}))),
        ];
        for (nouns, id) in &gone {
            let line = format!("DELETE /{nouns}/{id}");
            server.root(&line, None).is(204);
        }
        let user = json!({"username": "spare", "fullName": "Spare", "email": "spare@example.org",
            "password": PASSWORD, "roles": [], "grants": []});
        let hook = json!({"name": "Hook", "url": "https://example.org/x", "datasets": [dataset]});
        let domain = json!({"name": "Sizes", "codes": []});
        let domain = made(server, "/domains", domain);
        Nouns {
            view: view(server, &dataset),
            ids: vec![
                ("jobs", job(&ada, &dataset)),
                ("areas", area),
                ("schemas", schema),
                ("datasets", dataset),
                ("keys", server.key("Spare", &[], &[]).0),
                ("roles", role(server, "Spare", &[])),
                ("domains", domain.clone()),
                ("users", made(server, "/users", user)),
                ("clients", made(server, "/apps", json!({"name": "Spare"}))),
                ("webhooks", made(server, "/webhooks", hook)),
            ],
            gone,
            record,
            gone_record,
            domain,
            document: text,
        }
    }

    pub(crate) fn id(&self, noun: &str) -> &str {
        let own = self.ids.iter().find(|(own, _)| *own == noun);
        &own.expect("it was made").1
    }

    /// The address of a form, about what is there; of one that is restored or removed for good, about what is deleted.
    pub(crate) fn filled(&self, path: &str) -> String {
        let is_gone = ["{id}/restore", "{record}/restore", "/purge"]
            .iter()
            .any(|end| path.ends_with(end));
        let is_record = path.contains("{record}");
        let ids = if is_gone && !is_record {
            &self.gone
        } else {
            &self.ids
        };
        let is_below = |noun: &str| path.starts_with(&format!("/{noun}/"));
        let own = ids.iter().find(|(noun, _)| is_below(noun));
        let id = own.map_or("x", |(_, id)| id);
        let record = if is_gone {
            &self.gone_record
        } else {
            &self.record
        };
        let path = path.replace("{id}", id).replace("{record}", record);
        let path = path
            .replace("{view}", &self.view)
            .replace("{field}", "f-people")
            .replace("{version}", "0")
            .replace("{letter}", "1");
        assert!(!path.contains('{'), "{path}");
        format!("/app{path}")
    }

    /// What any of the forms is filled in with.
    pub(crate) fn fields(&self) -> Vec<(&str, &str)> {
        vec![
            ("name", "Another"),
            ("document", &self.document),
            ("mode", "create"),
            ("try", "false"),
            ("format", "csv"),
            ("version", "0"),
            ("username", "another"),
            ("full-name", "Another"),
            ("email", "another@example.org"),
            ("url", "https://example.org/another"),
            ("token-seconds", "3600"),
            ("dataset", self.id("datasets")),
            ("codes", "A = a"),
            ("view", &self.view),
            ("domain", &self.domain),
            ("record", &self.record),
            ("field", "f-people"),
            ("cells", r#"[["13"]]"#),
            ("action", "set"),
            ("with", "13"),
            ("value", "13"),
        ]
    }

    fn send(&self, browser: &Browser<'_>, home: &Answer, line: &Line) -> Answer {
        self.send_filled(browser, home, line, (&self.fields(), FILE))
    }

    /// Sends a form about what is there that is filled in so; an upload brings this file.
    pub(crate) fn send_filled(
        &self,
        browser: &Browser<'_>,
        home: &Answer,
        line: &Line,
        (fields, file): (&[(&str, &str)], (&str, &str)),
    ) -> Answer {
        let path = self.filled(&line.path);
        if line.is_of(&OF_EVERYONE) {
            return posted(browser.server, &path, "", &form(fields));
        }
        if line.is_upload {
            return browser.send_file(home, &path, fields, file);
        }
        browser.send(home, &path, fields)
    }
}

/// How far the trail and the log are, and which jobs there are.
fn state(server: &AdminServer) -> (Value, u64, Value) {
    let newest = server.get("/audit?pageSize=1")["items"][0]["number"].clone();
    let head = server.tokio.block_on(server.service.store().log_head());
    (newest, head.expect("the log"), server.get("/jobs"))
}

#[test]
fn a_form_without_a_session_leads_to_the_sign_in_and_does_nothing() {
    let server = AdminServer::start();
    let nouns = Nouns::of(&server);
    let body = form(&nouns.fields());
    let before = state(&server);
    for line in forms() {
        if line.is_of(&OF_EVERYONE) {
            continue;
        }
        let path = nouns.filled(&line.path);
        let answer = posted(&server, &path, "", &body).is(303);
        assert_eq!(answer.header("location"), Some("/app/sign-in"), "{path}");
    }
    assert_eq!(state(&server), before);
}

#[test]
fn a_form_of_who_has_no_right_or_may_only_look_changes_nothing_and_a_page_says_why() {
    let server = AdminServer::start();
    let nouns = Nouns::of(&server);
    let nothing = role(&server, "Nothing", &[]);
    let eve = Browser::of_user(&server, "eve", &nothing, &json!([]));
    let view: &[&str] = &["view"];
    let looks = role(
        &server,
        "Looks",
        &RESOURCES_BUT_PERSONAL.map(|it| (it, view)),
    );
    let grants = json!([{"area": nouns.id("areas"), "verbs": ["view"]}]);
    let joe = Browser::of_user(&server, "joe", &looks, &grants);
    let before = state(&server);
    let catalog = server.service.store().catalog();
    for (browser, name, own) in [
        (&eve, "who has no right", &[] as &[&str]),
        (&joe, "who may only look", &OF_WHO_LOOKS),
    ] {
        let home = browser.get("/app/").is(200);
        let mut refused = 0;
        for line in forms() {
            if [&OF_EVERYONE as &[&str], &OF_ONESELF, own]
                .iter()
                .any(|operations| line.is_of(operations))
            {
                continue;
            }
            let told = format!("{name}: {}", line.path);
            let answer = nouns.send(browser, &home, &line);
            let kind = answer.header("content-type").unwrap_or_default();
            assert!(kind.starts_with("text/html"), "{told}: {}", answer.head);
            assert_eq!(state(&server), before, "{told}");
            if line.is_of(&TELLING) {
                assert!(answer.status < 500, "{told}: {}", answer.body);
                continue;
            }
            let is_refused = [403, 404].contains(&answer.status);
            assert!(is_refused, "{told}: {} {}", answer.status, answer.body);
            let says_why = answer.body.contains(r#"role="alert""#);
            assert!(says_why, "{told}: {}", answer.body);
            refused += 1;
        }
        assert!(refused > 65, "{name}: {refused}");
    }
    let now = server.service.store().catalog();
    assert!(Arc::ptr_eq(&catalog, &now), "nothing was decided");
    // what is left to who looks is refused to nobody who does
    let home = joe.get("/app/").is(200);
    for line in forms().iter().filter(|line| line.is_of(&OF_WHO_LOOKS)) {
        let answer = nouns.send(&joe, &home, line);
        let is_refused = [403, 404].contains(&answer.status) || answer.status >= 500;
        assert!(!is_refused, "{}: {}", line.path, answer.body);
    }
}
