//! The list of what the interface promises, row by row: each names a test that is there, and every status
//! and code of the interface's tables has a row.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

struct Row {
    line: usize,
    endpoint: String,
    answer: String,
    test: String,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("api")
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(folder().join("rows.tsv")).expect("the list");
    let row = |(line, text): (usize, &str)| {
        let columns: Vec<&str> = text.split('\t').collect();
        assert_eq!(columns.len(), 4, "rows.tsv:{}", line + 1);
        assert!(
            columns.iter().all(|column| !column.trim().is_empty()),
            "rows.tsv:{}",
            line + 1
        );
        Row {
            line: line + 1,
            endpoint: columns[0].to_owned(),
            answer: columns[1].to_owned(),
            test: columns[3].to_owned(),
        }
    };
    text.lines().enumerate().skip(1).map(row).collect()
}

/// The tests of this binary and those that all share, as `module::name`, and those of search and files, as
/// `binary/module::name`.
fn tests() -> BTreeSet<String> {
    let mut found = tests_in(&folder(), "");
    found.append(&mut tests_in(&folder().with_file_name("support"), ""));
    for binary in ["search", "files"] {
        let folder = folder().with_file_name(binary);
        found.append(&mut tests_in(&folder, &format!("{binary}/")));
    }
    found
}

fn tests_in(folder: &Path, prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the folder").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let module = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name")
            .to_owned();
        let text = fs::read_to_string(&path).expect("a file");
        for part in text.split("#[test]\n").skip(1) {
            // a story of one engine says behind it when it is not told
            let name = part
                .split_once("fn ")
                .and_then(|(_, rest)| rest.split('(').next());
            found.insert(format!(
                "{prefix}{module}::{}",
                name.expect("a function behind #[test]")
            ));
        }
    }
    found
}

#[test]
fn every_row_names_a_test_that_is_there() {
    let (rows, tests) = (rows(), tests());
    assert!(rows.len() > 100 && tests.len() > 90);
    let missing: Vec<String> = rows
        .iter()
        .filter(|row| !tests.contains(&row.test))
        .map(|row| format!("rows.tsv:{}: {}", row.line, row.test))
        .collect();
    assert!(missing.is_empty(), "no such test:\n{}", missing.join("\n"));
}

#[test]
fn every_status_and_code_of_the_interface_has_a_row() {
    // docs/interface.md, "Statuses" and "Coded errors"
    let promised: [(&str, &[&str]); 14] = [
        ("all", &["401", "403", "404", "405", "500"]),
        ("1", &["200", "400", "401", "405", "413", "415"]),
        ("2", &["200", "400", "401", "403"]),
        ("3", &["200", "401", "403", "404"]),
        ("4", &["200", "401", "403", "404"]),
        ("5", &["200", "401", "403", "404", "500"]),
        ("6", &["200", "401", "403", "404", "500"]),
        (
            "7",
            &[
                "201",
                "401",
                "403",
                "404",
                "413",
                "415",
                "PRIMARY_KEY_REQUIRED",
                "DUPLICATE_PRIMARY_KEY",
                "INVALID_REQUEST_BODY",
            ],
        ),
        (
            "8",
            &[
                "204",
                "401",
                "403",
                "404",
                "413",
                "415",
                "500",
                "PRIMARY_KEY_REQUIRED",
                "DUPLICATE_PRIMARY_KEY",
                "INVALID_REQUEST_BODY",
                "DATA_OBJECT_VERSION_CONFLICT",
                "DATA_OBJECT_NOT_FOUND",
            ],
        ),
        (
            "9",
            &[
                "204",
                "401",
                "403",
                "404",
                "500",
                "DATA_OBJECT_NOT_FOUND",
                "DATA_OBJECT_CONCURRENT_MODIFICATION",
            ],
        ),
        ("10", &["200", "401", "403", "404", "500"]),
        ("11", &["200", "400", "401", "403", "503"]),
        (
            "changes",
            &["200", "400", "401", "403", "404", "410", "500"],
        ),
        ("files", &["200", "201", "400", "403", "404", "413"]),
    ];
    let rows = rows();
    for (endpoint, answers) in promised {
        for answer in answers {
            let has = rows
                .iter()
                .any(|row| row.endpoint == endpoint && row.answer == *answer);
            assert!(has, "endpoint {endpoint} has no row for {answer}");
        }
    }
}
