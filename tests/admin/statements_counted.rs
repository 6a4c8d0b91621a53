//! How statements are counted, and what is told of pages that took more than are stated: those that a PostgreSQL of its own writes
//! to its log. On SQLite nobody counts, since none of them is a way over a network.

use crate::admin_server::AdminServer;
use crate::browser::Browser;
use std::collections::BTreeMap;

/// A page is asked for so often at most; what others ask meanwhile is not in each.
const TIMES: usize = 8;
/// What the indexer asks beside all pages, again and again; a look into the index begins otherwise.
const INDEXER: [&str; 2] = [
    "SELECT number, dataset, sequence, nonce FROM change_log",
    ": SELECT coalesce((SELECT p.document FROM search_progress p WHERE p.id = 2)",
];

/// The most statements of each page, by its name.
pub(crate) type Stated = BTreeMap<String, usize>;

/// What `docs/architecture.md` states.
pub(crate) fn stated() -> Stated {
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

/// Waits until the index has all that was written: what the indexer reads and writes meanwhile would count for the pages.
pub(crate) fn wait_for_index(browser: &Browser<'_>, dataset: &str) {
    // a search answers once the index is as new as the log
    browser
        .get(&format!("/app/datasets/{dataset}?q=A1"))
        .is(200);
}

/// The statements of a page, of the first of several times that takes no more than `most`; else of the one that takes the fewest.
pub(crate) fn count(server: &AdminServer, most: usize, ask: impl Fn()) -> Vec<String> {
    let mut fewest: Option<Vec<String>> = None;
    for _ in 0..TIMES {
        let before = server.opened.log_end();
        ask();
        let mut own = server.opened.statements_after(before);
        own.retain(|statement| !INDEXER.iter().any(|it| statement.contains(it)));
        if fewest.as_ref().is_none_or(|other| own.len() < other.len()) {
            fewest = Some(own);
        }
        if fewest.as_ref().is_some_and(|own| own.len() <= most) {
            break;
        }
    }
    fewest.expect("a turn")
}

/// What is told of a page that takes more than are stated.
pub(crate) fn too_many(
    server: &AdminServer,
    stated: &Stated,
    name: &str,
    ask: impl Fn(),
) -> Option<String> {
    let most = stated.get(name);
    let most = *most.unwrap_or_else(|| panic!("{name} is not stated"));
    let found = count(server, most, ask);
    println!("{name}: {} of {most}", found.len());
    (found.len() > most).then(|| format!("{name}, at most {most}:\n    {}", found.join("\n    ")))
}
