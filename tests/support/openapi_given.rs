//! That the OpenAPI document promises nothing that is never given: the suite runs once more in a process of
//! its own, which writes down every answer it hears, and what the document lists beyond these must stand
//! in `never_given.tsv` with a reason. Each suite answers for its own part of the document. CI has the suite run
//! once, and looks at what it wrote down afterwards.

use super::{DOCUMENT, keys};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Names the folder in which each suite writes down what it hears; without it none does.
const VARIABLE: &str = "FIELDSTONE_TEST_ANSWERS";
/// Names that of a run which has ended, and is not done once more.
const HEARD: &str = "FIELDSTONE_TEST_HEARD";
/// The test below, which the second run leaves out.
const ITSELF: &str = "every_documented_answer_is_given";
/// How many tests the second run does at once: they wait for disk and time-outs more than they work.
const THREADS: &str = "4";

/// The answers heard so far, and the file that has them.
struct Answers {
    known: BTreeSet<String>,
    file: File,
}

static ANSWERS: LazyLock<Option<Mutex<Answers>>> = LazyLock::new(|| {
    let folder = PathBuf::from(std::env::var_os(VARIABLE)?);
    fs::create_dir_all(&folder).expect("a folder");
    let file = OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join(SUITE));
    Some(Mutex::new(Answers {
        known: BTreeSet::new(),
        file: file.expect("a file"),
    }))
});

/// Writes down an answer that is as the document says.
pub(super) fn note(method: &str, template: &str, status: u16, body: &[u8]) {
    let Some(answers) = &*ANSWERS else {
        return;
    };
    let coded = match status {
        400..500 => serde_json::from_slice(body).unwrap_or_default(),
        _ => Value::Null,
    };
    let line = line(
        method,
        template,
        &status.to_string(),
        coded["code"].as_str(),
    );
    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
    if answers.known.insert(line.clone()) {
        writeln!(answers.file, "{line}").expect("written");
    }
}

fn line(method: &str, template: &str, status: &str, code: Option<&str>) -> String {
    let method = method.to_uppercase();
    match code {
        Some(code) => format!("{method} {template} {status} {code}"),
        None => format!("{method} {template} {status}"),
    }
}

const SUITE: &str = env!("CARGO_CRATE_NAME");

/// Whether this suite answers for a path.
pub(crate) fn is_own(path: &str) -> bool {
    let suite = if path.starts_with("/admin/") {
        "admin"
    } else if path.contains("/files") {
        "files"
    } else if path.ends_with("/search") {
        "search"
    } else {
        "api"
    };
    suite == SUITE
}

/// Every answer the document lists for this suite's part, with each of its codes.
fn documented() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (path, described) in DOCUMENT["paths"].as_object().expect("paths") {
        if !is_own(path) {
            continue;
        }
        for (method, operation) in described.as_object().expect("operations") {
            for status in keys(&operation["responses"]) {
                let answer = &operation["responses"][status];
                let codes = answer["x-codes"].as_array().into_iter().flatten();
                let codes: Vec<_> = codes.filter_map(Value::as_str).collect();
                all.extend(
                    codes
                        .iter()
                        .map(|code| line(method, path, status, Some(code))),
                );
                all.insert(line(method, path, status, None));
            }
        }
    }
    all
}

/// How the reason begins of an answer that a test hears in some runs alone.
const BY_CHANCE: &str = "by chance: ";

/// What the document lists and no test can hear, by answer; with the reason.
pub(crate) fn never_given() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/never_given.tsv");
    let text = fs::read_to_string(path).expect("the list");
    let row = |line: &str| {
        let (answer, reason) = line.split_once('\t').expect("an answer and a reason");
        (answer.to_owned(), reason.to_owned())
    };
    let all: BTreeMap<_, _> = text.lines().skip(1).map(row).collect();
    let is_here = |answer: &String| answer.split(' ').nth(1).is_some_and(is_own);
    all.into_iter()
        .filter(|(answer, _)| is_here(answer))
        .collect()
}

/// Every answer that the tests of this suite hear.
fn given() -> BTreeSet<String> {
    let answers = if let Some(folder) = std::env::var_os(HEARD) {
        fs::read_to_string(Path::new(&folder).join(SUITE)).expect("what the suite heard")
    } else {
        let folder = tempfile::tempdir().expect("a folder");
        let run = Command::new(std::env::current_exe().expect("a program"))
            .args(["--skip", ITSELF, "--test-threads", THREADS])
            .env(VARIABLE, folder.path())
            .output()
            .expect("the suite runs");
        let told = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "the suite fails:\n{told}");
        fs::read_to_string(folder.path().join(SUITE)).expect("answers")
    };
    let coded = answers.lines().map(str::to_owned);
    // an answer with a code is one with its status
    let plain = answers
        .lines()
        .map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" "));
    coded.chain(plain).collect()
}

// the suite is run once more for it, so that one engine is enough: what is heard and not documented is told on each
#[test]
#[cfg_attr(on_a_database, ignore = "a folder's suite hears the answers")]
fn every_documented_answer_is_given() {
    let (documented, given, never) = (documented(), given(), never_given());
    let silent = documented.iter().filter(|answer| !given.contains(*answer));
    let silent: Vec<_> = silent
        .filter(|answer| !never.contains_key(*answer))
        .cloned()
        .collect();
    assert!(
        silent.is_empty(),
        "documented, and given to no test:\n{}",
        silent.join("\n")
    );
    // what only two that cross each other hear may be given, and may not
    let may_be = |reason: &str| reason.starts_with(BY_CHANCE);
    let wrong = never.iter().filter(|(answer, reason)| {
        given.contains(*answer) && !may_be(reason) || !documented.contains(*answer)
    });
    let wrong: Vec<_> = wrong.map(|(answer, _)| answer.clone()).collect();
    assert!(
        wrong.is_empty(),
        "in never_given.tsv, and given or not documented:\n{}",
        wrong.join("\n")
    );
}
