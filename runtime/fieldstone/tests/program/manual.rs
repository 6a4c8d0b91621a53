//! Completions and manual pages.

use crate::support::succeed;
use std::collections::BTreeSet;
use std::path::Path;
use tempfile::tempdir;

#[test]
fn each_shell_is_told_every_command() {
    let folder = tempdir().expect("a folder");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = succeed(folder.path(), &["completions", shell]);
        for word in [
            "apply",
            "remove-second-factor",
            "page-size-max",
            "completions",
        ] {
            assert!(script.contains(word), "{word} for {shell}");
        }
    }
    assert!(!folder.path().join("data").exists(), "no store is needed");
}

#[test]
fn each_command_has_a_manual_page() {
    let folder = tempdir().expect("a folder");
    let page = succeed(folder.path(), &["man"]);
    assert!(
        page.contains(".TH fieldstone 1") && page.contains("Exit codes"),
        "{page}"
    );
    let written = succeed(folder.path(), &["man", "pages/man1"]);
    let names = std::fs::read_dir(folder.path().join("pages/man1")).expect("a folder");
    assert_eq!(written.lines().count(), names.count(), "{written}");
    for name in written.lines() {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    for command in [
        "",
        "-serve",
        "-key-create",
        "-apply",
        "-user-remove-second-factor",
    ] {
        let path = folder
            .path()
            .join(format!("pages/man1/fieldstone{command}.1"));
        let page = std::fs::read_to_string(&path).expect("a page");
        assert!(page.contains(".SH NAME"), "{page}");
    }
    assert!(!folder.path().join("data").exists(), "no store is needed");
}

#[test]
fn the_package_gives_away_the_page_of_each_command_and_no_other() {
    let folder = tempdir().expect("a folder");
    let written = succeed(folder.path(), &["man", "man"]);
    let written: BTreeSet<&str> = written
        .lines()
        .filter_map(|path| Path::new(path).file_name()?.to_str())
        .collect();
    let given = given(" ./usr/share/man/man1/");
    let given: BTreeSet<&str> = given
        .iter()
        .filter_map(|name| name.strip_suffix(".gz"))
        .collect();
    assert_eq!(written, given, "`.ci/deb --accept` writes the list anew");
}

#[test]
fn the_package_gives_away_each_page_of_the_handbook_and_what_stands_beside_it() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    let mut there = BTreeSet::from(["copyright".to_owned()]);
    for (folder, before) in [(docs.clone(), ""), (docs.join("operations"), "operations/")] {
        for entry in std::fs::read_dir(folder).expect("the handbook") {
            let entry = entry.expect("an entry");
            if entry.path().is_file() {
                let name = entry.file_name().into_string().expect("a text");
                there.insert(format!("{before}{name}"));
            }
        }
    }
    let given = given(" ./usr/share/doc/fieldstone/");
    assert_eq!(there, given, "`.ci/deb --accept` writes the list anew");
}

/// What the package has in a folder.
fn given(folder: &str) -> BTreeSet<String> {
    let list = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.ci/deb.list");
    let list = std::fs::read_to_string(list).expect("what the package has");
    let names = list.lines().filter_map(|line| line.split_once(folder));
    names.map(|(_, name)| name.to_owned()).collect()
}
