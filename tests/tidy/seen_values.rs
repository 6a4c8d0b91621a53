//! Management and its pages show records by `service/src/masking.rs` alone, which masks personal values for whoever may not
//! see them: nothing there asks for records as the data interface has them.

use crate::sources::root;
use std::fs;
use std::path::Path;

/// How the data interface reads records.
const WHOLE: &[&str] = &[
    ".list_records(",
    ".record_by_id(",
    ".record_by_key(",
    ".search(",
    ".changes(",
];

fn look(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            look(&path, found);
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        for (number, line) in text.lines().enumerate() {
            if WHOLE.iter().any(|way| line.contains(way)) {
                found.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
        }
    }
}

#[test]
fn management_reads_records_as_whoever_asks_may_see_them() {
    let mut found = Vec::new();
    look(&root().join("runtime/server/src/admin"), &mut found);
    assert!(found.is_empty(), "{}", found.join("\n"));
}
