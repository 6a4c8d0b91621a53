//! Signing secrets that are not there, or that no server would begin with: who checks or backs up the store is told, a restored
//! store can be served, and a server that makes a new secret says so.

use crate::support::{Server, fail, fieldstone, json, run, succeed, text};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::{TempDir, tempdir};

/// A folder with a store that has a tenant; the file of its signing secrets.
fn store() -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    succeed(folder.path(), &init);
    let file = folder.path().join("data/fieldstone.secret");
    assert!(file.is_file());
    (folder, file)
}

/// What a command says that fails, to programs that read on and to people.
fn told(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = run(folder, arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {out}{err}");
    (out, err)
}

/// What of them a server says that makes a new one.
const IS_NEW: &str = "so a new one was made";

#[test]
fn a_check_names_signing_secrets_that_no_server_would_begin_with() {
    let (folder, file) = store();
    let path = folder.path();
    let whole = fs::read(&file).expect("secrets");
    for bytes in [
        &b""[..],
        b"# nothing\n",
        &whole[..whole.len() - 20],
        b"\xff\xfe",
    ] {
        fs::write(&file, bytes).expect("written");
        let (found, advice) = told(path, &["check"]);
        let lines: Vec<_> = found.lines().collect();
        assert!(
            lines[0].ends_with("is sound, but for its signing secrets:"),
            "{found}"
        );
        assert!(
            lines[1].starts_with("the signing secrets: ") && lines.len() == 2,
            "{found}"
        );
        assert!(advice.contains("bring back their file"), "{advice}");
        assert!(!advice.contains("restore a backup"), "{advice}");
        let refused = fail(path, &["serve", "--listen", "127.0.0.1:0"]);
        assert!(refused.contains("fieldstone.secret can't be "), "{refused}");
    }
    let output = run(path, &["check", "--format", "json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["isSound"], false, "{document}");
    assert_eq!(document["contradictions"].as_array().map(Vec::len), Some(1));
    assert_eq!(document["error"]["code"], "unsound");
    fs::write(&file, &whole).expect("written");
    assert!(succeed(path, &["check"]).ends_with(" is sound\n"));
}

#[test]
fn a_check_names_signing_secrets_that_are_not_there_unless_nobody_had_any() {
    let (folder, file) = store();
    let path = folder.path();
    fs::rename(&file, path.join("the.secret")).expect("moved");
    let (found, _) = told(path, &["check"]);
    assert!(
        found.contains("fieldstone.secret is not there") && found.contains("--signing-secret-file"),
        "{found}"
    );
    assert!(!file.exists(), "a look makes none");
    let elsewhere = ["check", "--signing-secret-file", "the.secret"];
    assert!(succeed(path, &elsewhere).ends_with(" is sound\n"));

    // a search index that is damaged, too, is told beside
    fs::write(path.join("data/search.db"), "no database").expect("written");
    let (found, advice) = told(path, &["check"]);
    let head = "is sound, but for its search index and its signing secrets:";
    assert!(found.lines().any(|line| line.ends_with(head)), "{found}");
    assert!(
        advice.contains("index rebuild") && advice.contains("bring back their file"),
        "{advice}"
    );

    let empty = tempdir().expect("a folder");
    Server::start(empty.path(), &[]).stop();
    fs::remove_file(empty.path().join("data/fieldstone.secret")).expect("removed");
    assert!(succeed(empty.path(), &["check"]).ends_with(" is sound\n"));
}

#[test]
fn a_backup_tells_that_it_has_no_signing_secrets_and_so_does_its_restoration() {
    let (folder, file) = store();
    let path = folder.path();
    let whole = fs::read(&file).expect("secrets");
    for (number, is_there) in [true, false].into_iter().enumerate() {
        if is_there {
            fs::write(&file, "").expect("emptied");
        } else {
            fs::remove_file(&file).expect("removed");
        }
        let backup = format!("{number}.tar.zst");
        let (made, error) = told(path, &["backup", &backup]);
        assert!(made.contains("read again and compared"), "{made}");
        assert!(
            error.contains("whole but for the signing secrets"),
            "{error}"
        );
        let data = format!("restored{number}");
        let restored = fieldstone(path)
            .args(["--data", &data, "restore", &backup])
            .output()
            .expect("the program starts");
        let said = text(&restored.stderr);
        assert!(restored.status.success(), "{said}");
        assert_eq!(said.matches("note: the backup lacks").count(), 1, "{said}");
        assert!(said.contains("the signing secrets: "), "{said}");
        assert!(!path.join(&data).join("fieldstone.secret").exists());
        let mut serve = fieldstone(path);
        serve.args(["--data", &data, "serve", "--listen", "127.0.0.1:0"]);
        let log = Server::begin(&mut serve).stop();
        assert!(log.contains(IS_NEW), "{log}");
    }
    fs::write(&file, &whole).expect("written");
    assert_eq!(
        json(path, &["backup", "whole.tar.zst"])["problems"],
        serde_json::json!([])
    );
}

#[test]
fn a_running_server_tells_of_secrets_that_were_spoiled_since_in_its_backups() {
    let (folder, file) = store();
    let server = Server::start(folder.path(), &[]);
    fs::write(&file, "none").expect("written");
    let (_, error) = told(folder.path(), &["backup", "one.tar.zst"]);
    assert!(
        error.contains("whole but for the signing secrets") && error.contains("line 1"),
        "{error}"
    );
    server.stop();
}

#[test]
fn a_server_that_makes_a_new_secret_for_a_store_that_had_one_says_so() {
    let (folder, file) = store();
    let path = folder.path();
    fs::remove_file(&file).expect("removed");
    let log = Server::start(path, &[]).stop();
    assert!(
        log.contains(IS_NEW) && log.contains("fieldstone.secret"),
        "{log}"
    );
    let log = Server::start(path, &[]).stop();
    assert!(!log.contains(IS_NEW), "{log}");

    let empty = tempdir().expect("a folder");
    let log = Server::start(empty.path(), &[]).stop();
    assert!(!log.contains(IS_NEW), "{log}");
}
