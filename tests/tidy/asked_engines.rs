//! What is told to Citus in another way stands in one table of `docs/architecture.md`, "One SQL", by the files
//! that ask whether tables are divided: none asks that is not there, and none is there that does not ask.

use crate::sources::{root, rust_files};
use std::collections::BTreeSet;
use std::fs;

const ROOM: &str = "runtime/store/postgres/src/";
/// What knows Citus. All others ask it.
const KNOWING: &str = "citus.rs";
/// By what a file asks, or acts by what was asked.
const ASKED: [&str; 3] = ["citus::", "is_divided", "LOST_NODE"];

/// Whether a source asks, but in its comments and its tests.
fn asks(source: &str) -> bool {
    let (code, _) = source.split_once("#[cfg(test)]").unwrap_or((source, ""));
    let lines = code.lines().map(str::trim_start);
    let mut told = lines.filter(|line| !line.starts_with("//"));
    told.any(|line| ASKED.iter().any(|asked| line.contains(asked)))
}

/// The files of the table.
fn listed(page: &str) -> BTreeSet<String> {
    let section = page.split_once("## One SQL\n");
    let (_, section) = section.expect("the section");
    let (section, _) = section.split_once("\n## ").expect("its end");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let names = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let names = names.filter_map(|name| name.strip_prefix("store/postgres/"));
    names.map(str::to_owned).collect()
}

#[test]
fn who_asks_whether_tables_are_divided_stands_on_the_list() {
    let sources = rust_files().into_iter();
    let of_room = sources.filter_map(|file| {
        let name = file.path.strip_prefix(ROOM)?.to_owned();
        Some((name, file.text))
    });
    let asking = of_room.filter(|(name, text)| name != KNOWING && asks(text));
    let asking: BTreeSet<String> = asking.map(|(name, _)| name).collect();
    assert!(asking.len() >= 5, "they are found: {asking:?}");
    let page = fs::read_to_string(root().join("runtime/docs/architecture.md"));
    assert_eq!(asking, listed(&page.expect("the page")));
}

#[test]
fn a_file_asks_by_its_code_alone() {
    assert!(asks("if inner.is_divided {\n}\n"));
    assert!(asks(
        "use crate::citus;\n    citus::settle(connections).await?;\n"
    ));
    assert!(!asks(
        "//! `citus::settle` is of another room.\nfn a() {}\n"
    ));
    assert!(!asks(
        "fn a() {}\n#[cfg(test)]\nmod tests {\n    citus::place(it);\n}\n"
    ));
}
