//! A database that tests, proofs, measurements or deployments start keeps what it was told: nothing here switches off what
//! PostgreSQL does for that.

use super::sources::{root, rust_files};
use std::fs;
use std::path::Path;

/// What makes a commit last.
const SETTINGS: [&str; 3] = ["fsync", "synchronous_commit", "full_page_writes"];
/// What switches it off, as PostgreSQL reads it.
const OFF: [&str; 4] = ["off", "false", "no", "0"];

/// Who tells what becomes of a database in which others switched it off.
const TOLD_BY: [&str; 2] = [
    "runtime/docs/scale.md",
    "runtime/fieldstone/tests/databases/crashes.rs",
];

/// The lines that switch one off, however they say it.
fn switched_off(text: &str) -> Vec<usize> {
    let is_off = |line: &str| {
        let line = line.to_lowercase();
        let line: String = line
            .chars()
            .filter(|it| !it.is_whitespace() && !"'\"`\\".contains(*it))
            .collect();
        SETTINGS.iter().any(|setting| {
            let mut values = line.split(setting).skip(1);
            values.any(|rest| {
                let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix("to"));
                value.is_some_and(|value| OFF.iter().any(|off| value.starts_with(off)))
            })
        })
    };
    let lines = text.lines().enumerate();
    let found = lines.filter(|(_, line)| is_off(line));
    found.map(|(at, _)| at + 1).collect()
}

/// The texts of a folder.
fn texts(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            if !["node_modules", "target"].contains(&&*entry.file_name().to_string_lossy()) {
                texts(&path, found);
            }
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path.display().to_string(), text));
        }
    }
}

#[test]
fn no_database_is_started_that_may_lose_what_it_was_told() {
    let sources = rust_files().into_iter();
    let mut all: Vec<_> = sources.map(|file| (file.path, file.text)).collect();
    for folder in [".ci", "runtime/docs"] {
        texts(&root().join(folder), &mut all);
    }
    all.retain(|(path, _)| !TOLD_BY.iter().any(|own| path.ends_with(own)));
    let wrong = all.iter().flat_map(|(path, text)| {
        let lines = switched_off(text).into_iter();
        lines.map(move |line| format!("{path}:{line}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_switched_off_is_told_however_it_is_said() {
    let [name, off] = [SETTINGS[0], OFF[0]];
    for line in [
        format!("-c {name}={off}"),
        format!("{} = '{off}'", name.to_uppercase()),
        format!("ALTER SYSTEM SET {name} TO {off}"),
        format!("first = on\n{name} = 0"),
    ] {
        assert_eq!(switched_off(&line).len(), 1, "{line}");
    }
    assert!(switched_off("synchronous_commit = 'remote_apply'").is_empty());
    assert!(switched_off("it calls fsync, and goes on").is_empty());
}
