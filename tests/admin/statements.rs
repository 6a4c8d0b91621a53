//! How many statements a page takes on PostgreSQL, however many areas, datasets, records and callers there are. What may be is a
//! table of `docs/architecture.md`, "Statements a page". Pages about many records at once are in `statements_of_many.rs`.

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, everything_in, field, give_ada_all, written};
use crate::jobs::import;
use crate::pages_record_files::{Halls, use_files};
use crate::requests::Answer;
use crate::statements_counted::{Stated, count, stated, too_many, wait_for_index};
use crate::statements_of_many::{PAGES as OF_MANY, of_many};
use serde_json::{Value, json};
use std::process::Command;

/// The test that counts, in a process of its own: the engine of a suite is chosen by its environment.
const COUNTING: &str = "statements::pages_on_a_database_of_their_own";
/// Datasets and records that there are in the end beside the first ones, in the first area.
const DATASETS: usize = 40;
const RECORDS: usize = 400;
/// Areas that there are beside it, each with a dataset, and as many of each of the other nouns.
const AREAS: usize = 30;
/// Jobs that have a file: fewer than may wait.
const JOBS: usize = 12;

/// Pages whose address has no id, by name.
const FIXED: [(&str, &str); 28] = [
    ("home", "/app/"),
    ("faults of all datasets", "/app/faults"),
    ("search", "/app/search?q=A1"),
    ("completions of all datasets", "/app/search/completions?q=A"),
    ("palette", "/app/go?q=A1"),
    ("palette, what is done to a record", "/app/go?q=history+A1"),
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
    ("an invitation", "/app/invitation"),
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

/// What a noun that is made reaches.
struct Reach {
    roles: Vec<String>,
    grants: Value,
    datasets: Vec<String>,
}

/// Nouns that are no data: their ids.
struct Nouns {
    key: String,
    client: String,
    hook: String,
    domain: String,
    role: String,
    user: String,
}

impl Nouns {
    /// One of each, which is made for it; `which` tells their names from those of others.
    fn made(server: &AdminServer, which: &str, reach: &Reach) -> Self {
        let Reach {
            roles,
            grants,
            datasets,
        } = reach;
        let made = |path: &str, body: Value, name: &str| server.make(path, body).text(name);
        let key = json!({"name": format!("Reader {which}"), "roles": roles, "grants": grants});
        let client = json!({"name": format!("Shop {which}"), "roles": roles, "grants": grants});
        // it is off: who delivers would ask beside the pages
        let hook = json!({"name": format!("Shop {which}"), "url": "https://example.org", "datasets": datasets,
            "active": false});
        let domain = json!({"name": format!("Sizes {which}"),
            "codes": [{"code": "S", "description": "small"}]});
        let role = json!({"name": format!("Looks {which}"), "description": "",
            "permissions": [{"resource": "SCHEMA MODELS", "verbs": ["view"]}]});
        let user = json!({"username": format!("grace-{which}"), "fullName": "Grace",
            "email": "grace@example.org", "roles": roles, "grants": grants});
        Nouns {
            key: made("/api-keys", key, "apiKeyId"),
            client: made("/apps", client, "clientId"),
            hook: made("/webhooks", hook, "webhookId"),
            domain: made("/domains", domain, "dataDomainId"),
            role: made("/roles", role, "roleId"),
            user: made("/invitations", user, "userId"),
        }
    }
}

/// Those of these nouns, of a dataset's area and schema, and of a job that is made for it.
fn pages_of_nouns(
    server: &AdminServer,
    dataset: &str,
    nouns: &Nouns,
) -> Vec<(&'static str, String)> {
    let shown = server.get(&format!("/datasets/{dataset}"));
    let [area, schema] = ["businessAreaId", "schemaId"].map(|name| {
        let id = shown[name].as_str().expect("an id");
        id.to_owned()
    });
    let Nouns {
        key,
        client,
        hook,
        domain,
        role,
        user,
    } = nouns;
    let job = server.make(&format!("/datasets/{dataset}/exports"), json!({}));
    let job = job.text("jobId");
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
        ("a job", format!("/app/jobs/{job}")),
    ]
}

#[test]
#[ignore = "it is run by the one below, in a process that has a database"]
fn pages_on_a_database_of_their_own() {
    tests::engine::log_statements();
    let server = AdminServer::start();
    use_files(&server);
    // nobody works jobs off, so that nobody asks beside the pages
    server.use_job_files();
    let (dataset, [_, faulty]) = cities(&server);
    let browser = Browser::signed_in(&server);
    let stated = stated();
    let fixed = FIXED.map(|(name, path)| (name, path.to_owned()));
    let mut pages = pages_of_data(&dataset, &faulty);
    let reach = Reach {
        roles: Vec::new(),
        grants: json!([]),
        datasets: vec![dataset.clone()],
    };
    let first = Nouns::made(&server, "first", &reach);
    pages.extend(pages_of_nouns(&server, &dataset, &first));
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
        answer.is(200)
    };
    let all = pages.len() + WITH_FILES.len() + OF_MANY;
    assert_eq!(stated.len(), all, "{stated:?}");
    let mut wrong = Vec::new();
    for is_grown in [false, true] {
        if is_grown {
            let (place, nouns) = grow(&server, &dataset);
            pages.extend(pages_of_nouns(&server, &place, &nouns));
            assert_all_is_on_its_pages(&server, ask);
        }
        wait_for_index(&browser, &dataset);
        for (name, path) in &pages {
            let found = too_many(&server, &stated, name, || drop(ask(path)));
            wrong.extend(found.map(|found| format!("grown {is_grown}, {found}")));
        }
    }
    wrong.extend(with_files(&stated));
    wrong.extend(of_many(&stated));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Fails where the pages of a grown store do not have all of it on them: then what they take tells nothing.
fn assert_all_is_on_its_pages(server: &AdminServer, ask: impl Fn(&str) -> Answer) {
    let last = AREAS - 1;
    let schemas = ask(&format!("/app/schemas?find=Area%20{last}")).body;
    assert!(schemas.contains(&format!(">Area {last}</a>")), "{schemas}");
    let hook = ask("/app/webhooks/new").body;
    let datasets = hook.matches(r#"name="dataset""#).count();
    assert_eq!(datasets, 1 + DATASETS + AREAS);
    let usage = count(server, usize::MAX, || drop(ask("/app/usage")));
    for table in ["FROM files", "FROM jobs"] {
        assert!(usage.iter().any(|it| it.contains(table)), "{usage:?}");
    }
}

/// Pages that tell of files.
const WITH_FILES: [&str; 2] = ["a record with files", "a version of a record with files"];

/// Those that took more than are stated, of a record with several files.
fn with_files(stated: &Stated) -> Vec<String> {
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
        too_many(&halls.server, stated, name, ask)
    });
    found.collect()
}

/// A dataset of a schema of its own with two records, of which one has a fault.
fn things(server: &AdminServer, area: &str, number: usize) -> String {
    let fields = [
        field("f-code", "Code", "string", true),
        field("f-size", "Size", "integer", false),
    ];
    let schema = json!({"document": {"name": format!("Schema {number}"), "fields": fields}});
    let schema = server.make(&format!("/areas/{area}/schemas"), schema);
    let path = format!("/schemas/{}/datasets", schema.text("schemaId"));
    let made = server.make(&path, json!({"name": "Things"}));
    let made = made.text("dataSetId");
    let records = [json!({"Code": "A1"}), json!({"Code": "B", "Size": "?"})];
    written(server, &made, &records);
    made
}

/// More areas, datasets, records, faults, changes, callers and files of jobs: a dataset of the last area, and nouns that reach
/// all there is.
fn grow(server: &AdminServer, dataset: &str) -> (String, Nouns) {
    let shown = server.get(&format!("/datasets/{dataset}"));
    let mut areas = vec![
        shown["businessAreaId"]
            .as_str()
            .expect("an area")
            .to_owned(),
    ];
    let mut datasets: Vec<_> = (0..DATASETS)
        .map(|number| things(server, &areas[0], number))
        .collect();
    for number in 0..AREAS {
        let area = server.make("/areas", json!({"name": format!("Area {number}")}));
        areas.push(area.text("businessAreaId"));
        datasets.push(things(server, &areas[number + 1], number));
    }
    let areas: Vec<_> = areas.iter().map(String::as_str).collect();
    let grants = everything_in(&areas);
    give_ada_all(server, "Ada", &grants);
    let records: Vec<_> = (0..RECORDS)
        .map(|at| json!({"Code": format!("N{at}"), "People": if at % 7 == 0 { json!("?") } else { json!(at) }}))
        .collect();
    written(server, dataset, &records);
    let last = datasets[datasets.len() - 1].clone();
    for _ in 0..JOBS {
        let sent = import(server, &server.root, &last, "?fileName=a.csv", "Code\nC\n");
        sent.is(201);
    }
    let mut reach = Reach {
        roles: Vec::new(),
        grants,
        datasets,
    };
    for number in 0..AREAS {
        let made = Nouns::made(server, &number.to_string(), &reach);
        reach.roles.push(made.role);
    }
    let nouns = Nouns::made(server, "last", &reach);
    (last, nouns)
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
