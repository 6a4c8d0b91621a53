//! How many statements a page takes: those that a PostgreSQL of its own writes to its log, however many datasets and records
//! there are. What may be is a table of `docs/architecture.md`, "Statements a page".

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada, written};
use crate::pages_record_files::Halls;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;

/// The test that counts, in a process of its own: the engine of a suite is chosen by its environment.
const COUNTING: &str = "statements::pages_on_a_database_of_their_own";
/// A page is asked for so often; what others ask meanwhile is not in each.
const TIMES: usize = 8;
/// What the indexer asks beside all pages, again and again; a look into the index begins otherwise.
const INDEXER: [&str; 2] = [
    "SELECT number, dataset, sequence, nonce FROM change_log",
    ": SELECT coalesce((SELECT p.document FROM search_progress p WHERE p.id = 2)",
];
/// Datasets and records that there are in the end beside the first ones.
const DATASETS: usize = 40;
const RECORDS: usize = 400;

/// The most statements of each page, by its name.
fn stated() -> BTreeMap<String, usize> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../runtime/docs/architecture.md"
    );
    let text = std::fs::read_to_string(path).expect("the page");
    let (_, section) = text
        .split_once("## Statements a page")
        .expect("the section");
    let section = section.split("\n## ").next().expect("its text");
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| ")?.split(" | ");
        let name = cells.next()?.to_owned();
        let most = cells.next()?.trim_end_matches(" |").parse().ok()?;
        Some((name, most))
    });
    rows.collect()
}

/// Pages whose address has no id, by name.
const FIXED: [(&str, &str); 26] = [
    ("home", "/app/"),
    ("faults of all datasets", "/app/faults"),
    ("search", "/app/search?q=A1"),
    ("completions of all datasets", "/app/search/completions?q=A"),
    ("palette", "/app/go?q=A1"),
    ("areas", "/app/areas"),
    ("schemas", "/app/schemas"),
    ("keys", "/app/keys"),
    ("users", "/app/users"),
    ("a new user", "/app/users/new"),
    ("roles", "/app/roles"),
    ("a new role", "/app/roles/new"),
    ("clients", "/app/clients"),
    ("a new client", "/app/clients/new"),
    ("webhooks", "/app/webhooks"),
    ("a new webhook", "/app/webhooks/new"),
    ("domains", "/app/domains"),
    ("a new domain", "/app/domains/new"),
    ("usage", "/app/usage"),
    ("settings", "/app/settings"),
    ("the whole interface", "/app/api"),
    ("audit", "/app/audit"),
    ("jobs", "/app/jobs"),
    ("profile", "/app/profile"),
    ("password", "/app/password"),
    ("sign-in", "/app/sign-in"),
];

/// Those of a dataset and of one of its records.
fn pages_of_data(dataset: &str, record: &str) -> Vec<(&'static str, String)> {
    let own = format!("/app/datasets/{dataset}");
    vec![
        ("data", own.clone()),
        ("data, filtered", format!("{own}?q=is%3Afaulty")),
        ("data, sorted", format!("{own}?sort=Code")),
        ("figures", format!("{own}/figures")),
        ("figures, filtered", format!("{own}/figures?q=is%3Afaulty")),
        ("completions", format!("{own}/completions?q=A")),
        ("record", format!("{own}/records/{record}")),
        ("a new record", format!("{own}/new")),
        (
            "a cell",
            format!("{own}/records/{record}/cells/f-people?columns=f-people"),
        ),
        ("history", format!("{own}/records/{record}/history")),
        (
            "a version of a record",
            format!("{own}/records/{record}/versions/0"),
        ),
        ("faults", format!("{own}/faults")),
        ("mend", format!("{own}/mend?field=People")),
        ("deleted", format!("{own}/deleted")),
        ("import", format!("{own}/import")),
        ("export", format!("{own}/export")),
        ("a selection", format!("{own}/selected?record={record}")),
        ("a paste into one record", format!("{own}{PASTE}")),
        ("a dataset's interface", format!("{own}/api")),
    ]
}

/// What a form asks for, and shows a page.
const PASTE: &str = "/paste";
/// What is a part of a page alone.
const PARTS: [&str; 3] = ["/figures", "/completions", "/cells/"];

/// Those of one of each of the others, which are made for it.
fn pages_of_nouns(server: &AdminServer, dataset: &str) -> Vec<(&'static str, String)> {
    let shown = server.get(&format!("/datasets/{dataset}"));
    let [area, schema] = ["businessAreaId", "schemaId"].map(|name| {
        let id = shown[name].as_str().expect("an id");
        id.to_owned()
    });
    let made = |path: &str, body: Value, name: &str| server.make(path, body).text(name);
    let key = json!({"name": "Reader", "roles": [], "grants": []});
    let key = made("/api-keys", key, "apiKeyId");
    let client = made("/apps", json!({"name": "Shop"}), "clientId");
    let hook = json!({"name": "Shop", "url": "https://example.org", "datasets": [dataset]});
    let hook = made("/webhooks", hook, "webhookId");
    let domain = json!({"name": "Sizes", "codes": [{"code": "S", "description": "small"}]});
    let domain = made("/domains", domain, "dataDomainId");
    let role = json!({"name": "Looks", "description": "", "permissions": []});
    let role = made("/roles", role, "roleId");
    let user = json!({"username": "grace", "fullName": "Grace", "email": "grace@example.org"});
    let user = server.make("/invitations", user);
    let (user, code) = (user.text("userId"), user.text("invitation"));
    // nobody works it off, so that nobody asks beside the pages
    server.use_job_files();
    let job = made(&format!("/datasets/{dataset}/exports"), json!({}), "jobId");
    vec![
        ("an area", format!("/app/areas/{area}")),
        ("a new schema", format!("/app/areas/{area}/schemas/new")),
        ("a schema", format!("/app/schemas/{schema}")),
        ("a schema's editor", format!("/app/schemas/{schema}/edit")),
        (
            "a schema's versions",
            format!("/app/schemas/{schema}/versions"),
        ),
        ("a key", format!("/app/keys/{key}")),
        ("a client", format!("/app/clients/{client}")),
        ("a webhook", format!("/app/webhooks/{hook}")),
        ("a domain", format!("/app/domains/{domain}")),
        ("a role", format!("/app/roles/{role}")),
        ("a user", format!("/app/users/{user}")),
        ("an invitation", format!("/app/invitation?code={code}")),
        ("a job", format!("/app/jobs/{job}")),
    ]
}

/// The fewest statements that a page took, of several times.
fn count(server: &AdminServer, ask: impl Fn()) -> Vec<String> {
    let turns = (0..TIMES).map(|_| {
        let before = server.opened.statements().len();
        ask();
        let mut own = server.opened.statements().split_off(before);
        own.retain(|statement| !INDEXER.iter().any(|it| statement.contains(it)));
        own
    });
    turns.min_by_key(Vec::len).expect("a turn")
}

#[test]
#[ignore = "it is run by the one below, in a process that has a database"]
fn pages_on_a_database_of_their_own() {
    tests::engine::log_statements();
    let server = AdminServer::start();
    let (dataset, [_, faulty]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let stated = stated();
    let fixed = FIXED.map(|(name, path)| (name, path.to_owned()));
    let mut pages = pages_of_data(&dataset, &faulty);
    pages.extend(pages_of_nouns(&server, &dataset));
    pages.extend(fixed);
    let list = browser.get(&format!("/app/datasets/{dataset}")).is(200);
    let pasted = [
        ("field", "f-people"),
        ("record", &*faulty),
        ("cells", r#"[["13"]]"#),
    ];
    let ask = |path: &str| {
        let answer = if path.ends_with(PASTE) {
            browser.send(&list, path, &pasted)
        } else if PARTS.iter().any(|part| path.contains(part)) {
            browser.part(path)
        } else {
            browser.get(path)
        };
        answer.is(200);
    };
    let all = pages.len() + WITH_FILES.len();
    assert_eq!(stated.len(), all, "{stated:?}");
    let mut wrong = Vec::new();
    for is_grown in [false, true] {
        if is_grown {
            grow(&server, &dataset);
        }
        for (name, path) in &pages {
            let found = too_many(&stated, name, &count(&server, || ask(path)));
            wrong.extend(found.map(|found| format!("grown {is_grown}, {found}")));
        }
    }
    wrong.extend(with_files(&stated));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is told of a page that took more than are stated.
fn too_many(stated: &BTreeMap<String, usize>, name: &str, found: &[String]) -> Option<String> {
    let most = stated.get(name);
    let most = *most.unwrap_or_else(|| panic!("{name} is not stated"));
    println!("{name}: {} of {most}", found.len());
    (found.len() > most).then(|| format!("{name}, at most {most}:\n    {}", found.join("\n    ")))
}

/// Pages that tell of files.
const WITH_FILES: [&str; 2] = ["a record with files", "a version of a record with files"];

/// Those that took more than are stated, of a record with several files.
fn with_files(stated: &BTreeMap<String, usize>) -> Vec<String> {
    let halls = Halls::on(AdminServer::start());
    let browser = Browser::signed_in(&halls.server);
    let record = halls.path();
    for name in ["a.txt", "b.txt", "c.txt"] {
        let page = browser.get(&record).is(200);
        let sent = halls.add(&browser, &page, "f-papers", (name, name));
        sent.is(303);
    }
    let page = browser.get(&record).is(200);
    assert!(page.body.contains("a.txt") && page.body.contains("c.txt"));
    let version = format!("{record}/versions/{}", halls.version());
    let pages = WITH_FILES.into_iter().zip([record, version]);
    let found = pages.filter_map(|(name, path)| {
        let ask = || drop(browser.get(&path).is(200));
        too_many(stated, name, &count(&halls.server, ask))
    });
    found.collect()
}

/// More datasets, records, faults and changes.
fn grow(server: &AdminServer, dataset: &str) {
    let shown = server.get(&format!("/datasets/{dataset}"));
    let area = shown["businessAreaId"].as_str().expect("an area");
    give_ada(server, area);
    for number in 0..DATASETS {
        let fields = [
            field("f-code", "Code", "string", true),
            field("f-size", "Size", "integer", false),
        ];
        let schema = json!({"document": {"name": format!("Schema {number}"), "fields": fields}});
        let schema = server.make(&format!("/areas/{area}/schemas"), schema);
        let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
        let made = server
            .make(&path, json!({"name": "Things"}))
            .text("dataSetId");
        written(
            server,
            &made,
            &[json!({"Code": "A1"}), json!({"Code": "B", "Size": "?"})],
        );
    }
    let records: Vec<_> = (0..RECORDS)
        .map(|at| json!({"Code": format!("N{at}"), "People": if at % 7 == 0 { json!("?") } else { json!(at) }}))
        .collect();
    written(server, dataset, &records);
}

#[test]
fn each_page_takes_as_many_statements_as_are_stated_however_much_there_is() {
    let program = std::env::current_exe().expect("a program");
    let run = Command::new(program)
        .args(["--exact", COUNTING, "--ignored", "--nocapture"])
        .env("FIELDSTONE_TESTS_ON", "postgres")
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&run.stdout);
    let trouble = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && told.contains("1 passed"),
        "{told}\n{trouble}"
    );
}
