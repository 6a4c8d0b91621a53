//! Where Citus has each table: what `store/postgres/src/citus.rs` says is held against the migrations and the statements, so
//! that none is forgotten and none asks for what its node does not have. `docs/architecture.md`, "One SQL".

use crate::portable_sql::{migrations, statements, tables_of_datasets};
use crate::sources::root;
use std::collections::BTreeSet;
use std::fs;

/// The tables of the migrations that the coordinator alone has: few rows, which nothing about records is asked with.
const COORDINATORS: [&str; 15] = [
    "allowances",
    "audit",
    "audit_state",
    "commits",
    "counters",
    "dead_letters",
    "deliveries",
    "file_room",
    "files",
    "issued",
    "job_room",
    "jobs",
    "leases",
    "moves",
    "search_progress",
];

/// All tables that the migrations leave.
fn tables() -> BTreeSet<String> {
    let files = migrations();
    let statements = files.iter().flat_map(|file| file.text.split(';'));
    let mut tables = BTreeSet::new();
    for statement in statements.map(str::trim) {
        if let Some((name, _)) = statement
            .strip_prefix("create table ")
            .and_then(|rest| rest.split_once(" ("))
        {
            tables.insert(name.to_owned());
        }
        if let Some(name) = statement.strip_prefix("drop table ") {
            tables.remove(name);
        }
    }
    tables
}

/// A list of tables of what places them.
fn list(name: &str) -> BTreeSet<String> {
    let source = fs::read_to_string(root().join("runtime/store/postgres/src/citus.rs"));
    let source = source.expect("the source");
    let list = source.split_once(&format!("const {name}: &[&str] = &["));
    let list = list.and_then(|(_, rest)| rest.split_once("];"));
    let (list, _) = list.expect("the list");
    let names = list.split('"').skip(1).step_by(2);
    names.map(str::to_owned).collect()
}

#[test]
fn citus_divides_every_table_that_is_a_datasets() {
    assert_eq!(list("DIVIDED"), tables_of_datasets());
}

#[test]
fn of_every_other_table_it_is_said_whether_each_node_of_citus_has_it() {
    let (each, one) = (list("REFERENCE"), COORDINATORS.map(str::to_owned));
    let said: Vec<String> = each.iter().cloned().chain(one).collect();
    let others: BTreeSet<_> = tables().difference(&list("DIVIDED")).cloned().collect();
    assert_eq!(said.len(), others.len(), "each is said once");
    assert_eq!(said.into_iter().collect::<BTreeSet<_>>(), others);
}

#[test]
fn what_several_nodes_have_is_changed_by_nothing_that_one_alone_has() {
    let on_nodes: BTreeSet<_> = list("DIVIDED").union(&list("REFERENCE")).cloned().collect();
    let on_one = BTreeSet::from(COORDINATORS.map(str::to_owned));
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for sql in statements() {
        let text = sql.text.replace("delete from ", "delete ");
        for statement in text.split(';') {
            let words: Vec<_> = statement.split([' ', '(', ')']).collect();
            let has = |verbs: &[&str], tables: &BTreeSet<String>| {
                let mut pairs = words.windows(2);
                pairs.any(|pair| verbs.contains(&pair[0]) && tables.contains(pair[1]))
            };
            if has(&["update", "into", "delete"], &on_nodes) {
                seen += 1;
                if has(&["from", "join", "using"], &on_one) {
                    wrong.push(format!("{}: {statement}", sql.place));
                }
            }
        }
    }
    assert!(seen >= 10, "the statements are found: {seen}");
    assert!(wrong.is_empty(), "of one node:\n{}", wrong.join("\n"));
}
