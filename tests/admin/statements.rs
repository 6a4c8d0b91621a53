//! How many statements a page takes: those that a PostgreSQL of its own writes to its log, however many datasets and records
//! there are. What may be is a table of `docs/architecture.md`, "Statements a page".

use crate::admin_server::AdminServer;
use crate::browser::{Browser, cities, field, give_ada, written};
use serde_json::json;
use std::collections::BTreeMap;
use std::process::Command;

/// The test that counts, in a process of its own: the engine of a suite is chosen by its environment.
const COUNTING: &str = "statements::pages_on_a_database_of_their_own";
/// A page is asked for so often; what others ask meanwhile is not in each.
const TIMES: usize = 8;
/// What the indexer asks beside all pages, again and again.
const INDEXER: &str = "SELECT number, dataset, sequence, nonce FROM change_log";
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

/// The fewest statements that a page took, of several times.
fn count(server: &AdminServer, browser: &Browser<'_>, path: &str) -> Vec<String> {
    let turns = (0..TIMES).map(|_| {
        let before = server.opened.statements().len();
        browser.get(path).is(200);
        let mut own = server.opened.statements().split_off(before);
        own.retain(|statement| !statement.contains(INDEXER));
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
    let own = format!("/app/datasets/{dataset}");
    let shown = server.get(&format!("/datasets/{dataset}"));
    let [area, schema] = ["businessAreaId", "schemaId"].map(|name| {
        let id = shown[name].as_str().expect("an id");
        id.to_owned()
    });
    let pages = [
        ("home", "/app/".to_owned()),
        ("data", own.clone()),
        ("data, filtered", format!("{own}?q=is%3Afaulty")),
        ("data, sorted", format!("{own}?sort=Code")),
        ("record", format!("{own}/records/{faulty}")),
        ("history", format!("{own}/records/{faulty}/history")),
        ("faults", format!("{own}/faults")),
        ("faults of all datasets", "/app/faults".to_owned()),
        ("search", "/app/search?q=A1".to_owned()),
        ("deleted", format!("{own}/deleted")),
        ("import", format!("{own}/import")),
        ("a selection", format!("{own}/selected?record={faulty}")),
        ("areas", "/app/areas".to_owned()),
        ("an area", format!("/app/areas/{area}")),
        ("schemas", "/app/schemas".to_owned()),
        ("a schema", format!("/app/schemas/{schema}")),
        ("a schema's editor", format!("/app/schemas/{schema}/edit")),
        ("keys", "/app/keys".to_owned()),
        ("users", "/app/users".to_owned()),
        ("roles", "/app/roles".to_owned()),
        ("clients", "/app/clients".to_owned()),
        ("webhooks", "/app/webhooks".to_owned()),
        ("domains", "/app/domains".to_owned()),
        ("usage", "/app/usage".to_owned()),
        ("audit", "/app/audit".to_owned()),
        ("jobs", "/app/jobs".to_owned()),
        ("profile", "/app/profile".to_owned()),
    ];
    assert_eq!(stated.len(), pages.len(), "{stated:?}");
    let mut wrong = Vec::new();
    for is_grown in [false, true] {
        if is_grown {
            grow(&server, &dataset);
        }
        for (name, path) in &pages {
            let most = *stated
                .get(*name)
                .unwrap_or_else(|| panic!("{name} is not stated"));
            let found = count(&server, &browser, path);
            println!("{name}: {} of {most}", found.len());
            if found.len() > most {
                let found = found.join("\n    ");
                wrong.push(format!(
                    "{name}, at most {most}, grown {is_grown}:\n    {found}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
