//! `init` that fails: there is what was there, and nothing else.

use crate::support::{fail, succeed};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

const INIT: [&str; 5] = ["init", "--tenant", "Acme", "--email", "a@example.com"];
const WEAK: [&str; 2] = ["--password-file", "weak.txt"];

/// All that is in a folder and beneath.
fn all(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut found: Vec<_> = paths
        .flat_map(|path| {
            let beneath = if path.is_dir() {
                all(&path)
            } else {
                Vec::new()
            };
            beneath.into_iter().chain([path])
        })
        .collect();
    found.sort();
    found
}

#[test]
fn an_init_that_fails_leaves_nothing_behind_but_what_was_there() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    fs::write(path.join("weak.txt"), "password1234").expect("written");
    let wrong_mail = ["init", "--tenant", "Acme", "--email", "nobody"];
    let before = all(path);
    let elsewhere = [&INIT[..], &WEAK, &["--signing-secret-file", "own.secret"]].concat();
    for arguments in [&wrong_mail[..], &[&INIT[..], &WEAK].concat(), &elsewhere] {
        let message = fail(path, arguments);
        assert!(message.contains("$."), "{message}");
        assert_eq!(all(path), before, "{message}");
    }
    // what is not its own stays: a folder, what is in it, a secret
    fs::create_dir(path.join("data")).expect("made");
    fs::write(path.join("data/notes.txt"), "mine").expect("written");
    fs::write(path.join("own.secret"), "0123456789abcdef0123456789abcdef").expect("written");
    let before = all(path);
    fail(path, &elsewhere);
    assert_eq!(all(path), before);
    succeed(path, &INIT);
    // a store that is there is another matter
    fail(
        path,
        &[
            &["init", "--tenant", "Other", "--email", "b@example.com"][..],
            &WEAK,
        ]
        .concat(),
    );
    assert!(succeed(path, &["user", "list", "--tenant", "Acme"]).contains("admin"));
}

#[test]
fn an_apply_that_begins_a_store_and_does_nothing_leaves_none() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let manifest = "tenants:\n  - name: T\n    users:\n      - username: bob\n        email: nobody\n        roles: [MEMBER]\n";
    fs::write(path.join("wrong.yaml"), manifest).expect("written");
    let before = all(path);
    fail(path, &["apply", "wrong.yaml"]);
    assert_eq!(all(path), before);
}
