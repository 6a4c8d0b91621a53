//! Completions and manual pages.

use crate::support::succeed;
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
