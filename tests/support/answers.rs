//! The answers that suites receive, recorded for `documented_answers`, which checks at the end that a test received each
//! answer of the OpenAPI document. Recording is the suites' only part in it: no suite fails here.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The suites that answer for a part of the document.
pub const SUITES: [&str; 4] = ["admin", "api", "files", "search"];

/// The suite whose tests ask for a path.
pub fn suite_of(path: &str) -> &'static str {
    if path.starts_with("/admin/") {
        "admin"
    } else if path.contains("/files") {
        "files"
    } else if path.ends_with("/search") {
        "search"
    } else {
        "api"
    }
}

/// The answers that the document lists, each code of a status by itself.
///
/// # Panics
/// If it is no OpenAPI document.
pub fn documented(document: &Value) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (path, described) in document["paths"].as_object().expect("paths") {
        for (method, operation) in described.as_object().expect("operations") {
            for (status, answer) in operation["responses"].as_object().expect("responses") {
                let codes = answer["x-codes"].as_array().into_iter().flatten();
                let codes = codes.filter_map(Value::as_str);
                all.extend(codes.map(|code| line(method, path, status, Some(code))));
                all.insert(line(method, path, status, None));
            }
        }
    }
    all
}

/// The documented answers that no test can receive, with the reason.
///
/// # Panics
/// If the list is missing or malformed.
pub fn never_given() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/never_given.tsv");
    let text = fs::read_to_string(path).expect("the list");
    let row = |line: &str| {
        let (answer, reason) = line.split_once('\t').expect("an answer and a reason");
        (answer.to_owned(), reason.to_owned())
    };
    text.lines().skip(1).map(row).collect()
}

/// An answer as records have it: `GET /areas 404`, and its code where it has one.
pub fn line(method: &str, path: &str, status: &str, code: Option<&str>) -> String {
    let method = method.to_uppercase();
    match code {
        Some(code) => format!("{method} {path} {status} {code}"),
        None => format!("{method} {path} {status}"),
    }
}

/// Where a suite's record is, in the target folder of the running program.
///
/// # Panics
/// If the program is not in a target folder.
pub fn record_of(suite: &str) -> PathBuf {
    let program = std::env::current_exe().expect("a program");
    let mut folders = program.ancestors().skip(1);
    // suites are in `deps`, programs beside it
    let profile = folders.find(|folder| folder.file_name().is_some_and(|name| name != "deps"));
    let folder = profile.expect("a target folder").join("answers");
    folder.join(suite)
}

/// A suite's record: each answer once. A run that leaves tests out has none, and leaves that of the last whole run alone.
pub struct Record {
    known: BTreeSet<String>,
    file: Option<File>,
}

impl Record {
    /// Begins the record of a suite, in place of an earlier one.
    ///
    /// # Panics
    /// If the target folder cannot be written.
    pub fn begin(suite: &str) -> Self {
        let is_whole = std::env::args().skip(1).all(|word| is_about_threads(&word));
        let file = is_whole.then(|| {
            let path = record_of(suite);
            fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
            File::create(path).expect("a file")
        });
        let known = BTreeSet::new();
        Self { known, file }
    }

    /// Records an answer.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn note(&mut self, answer: String) {
        let Some(file) = &mut self.file else {
            return;
        };
        if !self.known.contains(&answer) {
            writeln!(file, "{answer}").expect("written");
            self.known.insert(answer);
        }
    }
}

/// Any other argument could leave tests out.
fn is_about_threads(argument: &str) -> bool {
    argument == "--quiet" || argument.starts_with("--test-threads=")
}
