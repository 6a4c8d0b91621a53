//! Every table of both engines comes along when a store is moved, or says why not: a table that nobody thought of would be
//! missing in every backup of a database.

use crate::sources::root;
use std::fs;

/// Tables that are not read when a store is moved, and why.
const NOT_MOVED: &[(&str, &str)] = &[
    ("allowances", "comes back with time by itself"),
    ("audit_state", "follows from the trail"),
    ("commit_mark", "of a file's own"),
    ("commits", "of who lost a connection a moment ago"),
    ("file_room", "is summed up anew"),
    ("gaps", "follows from the records"),
    ("job_room", "is counted anew"),
    ("leases", "of servers that are at work"),
    ("moves", "how far the move itself is"),
    (
        "past_states",
        "values that entries have whole when they are read",
    ),
    ("search_keys", "the index is made anew"),
    ("search_marks", "the index is made anew"),
    ("search_progress", "the index is made anew"),
    ("search_records", "the index is made anew"),
    ("search_words", "the index is made anew"),
    ("write_proof", "shows that writes go through"),
];

/// The tables that the migrations of an engine make.
fn tables(engine: &str) -> Vec<String> {
    let folder = root().join(format!("runtime/store/{engine}/migrations"));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("migrations").flatten() {
        let text = fs::read_to_string(entry.path()).expect("a migration");
        let made = text
            .lines()
            .filter_map(|line| line.strip_prefix("CREATE TABLE "));
        found.extend(made.filter_map(|rest| {
            let name = rest.strip_prefix("IF NOT EXISTS ").unwrap_or(rest);
            Some(name.split([' ', '(']).next()?.to_owned())
        }));
    }
    found
}

#[test]
fn every_table_is_moved_or_says_why_not() {
    let mut forgotten = Vec::new();
    for engine in ["sqlite", "postgres"] {
        let read = format!("runtime/store/{engine}/src/transfer/read.rs");
        let read = fs::read_to_string(root().join(&read)).expect("what is read");
        // entries of the log and records of SQLite are read by statements that others have, too
        let others = ["records", "change_log"];
        let tables = tables(engine);
        assert!(tables.len() >= 14, "the tables of {engine} are found");
        for table in tables {
            let is_read = read.contains(&format!("FROM {table}"));
            let is_told = NOT_MOVED.iter().any(|(name, _)| *name == table);
            if is_read == is_told && !others.contains(&table.as_str()) {
                forgotten.push(format!("{engine}: {table}"));
            }
        }
    }
    assert!(
        forgotten.is_empty(),
        "move these, or say here why not:\n{}",
        forgotten.join("\n")
    );
}
