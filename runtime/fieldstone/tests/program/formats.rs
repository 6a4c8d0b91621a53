//! What programs read: one JSON document on standard output, whatever happens.

use crate::support::{Server, fieldstone, json, run, text, write_company};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::tempdir;

/// The one document of a command's standard output.
fn document(output: &Output) -> Value {
    let out = text(&output.stdout);
    serde_json::from_str(&out).unwrap_or_else(|_| panic!("no JSON: {out}{}", text(&output.stderr)))
}

/// Runs a command that must fail, with JSON asked for; exit code and `error`.
fn refused(folder: &Path, arguments: &[&str]) -> (i32, Value) {
    let output = run(folder, &[arguments, &["--format", "json"]].concat());
    let mut document = document(&output);
    let error = document["error"].take();
    let told = text(&output.stderr);
    let message = error["message"].as_str().expect("a message").to_owned();
    assert!(told.contains(&message), "people are told, too: {told}");
    assert!(error["causes"].is_array(), "{error}");
    (output.status.code().expect("it ended by itself"), error)
}

/// Changes a record in a database behind the back of its program.
fn spoil(database: &Path) {
    let mut bytes = fs::read(database).expect("a database");
    let text = b"Atlantis";
    let mut found = 0;
    for at in 0..bytes.len() - text.len() {
        if bytes[at..].starts_with(text) {
            bytes[at] = b'B';
            found += 1;
        }
    }
    assert!(found > 0, "the record stands in the database");
    fs::write(database, bytes).expect("written");
}

#[test]
fn a_new_secret_stands_beside_its_noun_whatever_command_made_it() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let init = ["init", "--tenant", "Acme", "--email", "root@example.com"];
    let made = json(path, &init);
    assert_eq!(made["name"], "admin");
    let password = made["secret"].as_str().expect("a password");
    assert_eq!(made["steps"][1]["secret"], password);
    assert_eq!(made["steps"][1]["id"], made["id"]);
    for (create, begins) in [
        (&["key", "create", "k"][..], "fst_"),
        (&["client", "create", "c"], ""),
        (&["user", "create", "u", "--email", "u@example.com"], ""),
    ] {
        let made = json(path, &[create, &["--role", "MEMBER"]].concat());
        let secret = made["secret"].as_str().expect("a secret");
        assert!(secret.len() >= 12 && secret.starts_with(begins), "{made}");
        assert_eq!(made["name"], create[2]);
        assert!(made["id"].is_string(), "{made}");
    }
    let rotated = json(path, &["key", "rotate", "k", "--tenant", "Acme"]);
    assert!(
        rotated["secret"]
            .as_str()
            .is_some_and(|it| it.starts_with("fst_"))
    );
    assert_eq!(rotated["name"], "k");
}

#[test]
fn every_command_answers_in_json() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    let applied = json(path, &["apply", "company.yaml"]);
    assert_eq!(applied["records"][0]["created"], 3);
    for list in ["key", "client", "user", "tenant"] {
        let shown = json(path, &[list, "list"]);
        assert_eq!(shown.as_array().map(Vec::len), Some(1), "{list}: {shown}");
    }
    assert_eq!(json(path, &["key", "disable", "crm"])["status"], "Inactive");
    let renamed = json(path, &["tenant", "rename", "Acme", "Bolt"]);
    assert_eq!(renamed["name"], "Bolt");
    let secret = json(path, &["secret", "rotate"]);
    assert!(secret["id"] != secret["retiredId"], "{secret}");
    let rebuilt = json(path, &["index", "rebuild"]);
    assert_eq!(rebuilt, serde_json::json!({"datasets": 1}));
    let checked = json(path, &["check"]);
    assert_eq!(
        (&checked["isSound"], &checked["data"]),
        (&true.into(), &"data".into())
    );
    assert_eq!(checked["contradictions"], Value::Array(Vec::new()));
    assert!(json(path, &["openapi"])["openapi"].is_string());
    let mut command = fieldstone(path);
    command.args(["--data", "data", "--format", "json", "serve"]);
    let server = Server::begin(command.args(["--listen", "127.0.0.1:0"]));
    let first: Value = serde_json::from_str(&server.first_line).expect("JSON");
    let url = first["listening"].as_str().expect("an address");
    assert!(url.starts_with("http://127.0.0.1:"), "{first}");
}

#[test]
fn a_failure_is_an_object_with_a_sentence_and_a_word_that_stays() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let (exit, error) = refused(path, &["key", "list"]);
    assert_eq!((exit, &error["code"]), (1, &"no_store".into()));
    for wrong in [
        &["key", "create"][..],
        &["key", "create", "k", "--role", "MEMBER", "--area", "A=look"],
        &["kee", "list"],
        &["key", "list", "--data"],
    ] {
        let output = run(path, &[&["--format=json"], wrong].concat());
        let error = document(&output)["error"].take();
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert_eq!(error["code"], "usage", "{wrong:?}");
        let message = error["message"].as_str().expect("a message");
        assert!(
            !message.contains("Usage:") && !message.contains("error:"),
            "{message}"
        );
    }
    write_company(path);
    json(path, &["apply", "company.yaml"]);
    let server = Server::start(path, &[]);
    for (command, code) in [
        (&["key", "delete", "erp"][..], "not_found"),
        (&["key", "create", "crm", "--role", "MEMBER"], "conflict"),
        (&["tenant", "rename", "Acme", " "], "invalid"),
    ] {
        let (exit, error) = refused(path, command);
        assert_eq!(exit, 1, "{command:?}");
        assert_eq!(error["code"], code, "{command:?}: {error}");
    }
    let (exit, error) = refused(path, &["serve", "--listen", server.address()]);
    assert_eq!((exit, &error["code"]), (1, &"address_in_use".into()));
    let (exit, error) = refused(path, &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!((exit, &error["code"]), (1, &"folder_in_use".into()));
}

#[test]
fn a_damaged_store_is_told_in_json_too() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    json(path, &["apply", "company.yaml"]);
    spoil(&path.join("data/fieldstone.db"));
    let output = run(path, &["check", "--format", "json"]);
    let told = document(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told["isSound"], false);
    assert_eq!(told["error"]["code"], "unsound");
    assert!(
        told["contradictions"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
    );
}

#[test]
fn a_store_that_is_not_sound_is_neither_backed_up_nor_restored() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    json(path, &["apply", "company.yaml"]);
    json(path, &["backup", "earlier/"]);
    spoil(&path.join("data/fieldstone.db"));
    for to in ["x.tar.zst", "x/"] {
        let (exit, error) = refused(path, &["backup", to]);
        assert_eq!((exit, &error["code"]), (1, &"unsound".into()), "{error}");
        assert!(!path.join(to).exists(), "{to}");
    }
    // a backup that is as it was written, of a store that was not sound even then
    let database = path.join("earlier/fieldstone.db");
    spoil(&database);
    let mut sum = String::new();
    for byte in Sha256::digest(fs::read(&database).expect("a database")) {
        write!(sum, "{byte:02x}").expect("a text takes it");
    }
    let list = path.join("earlier/checksums.json");
    let text = fs::read_to_string(&list).expect("the checksums");
    let mut contents: Value = serde_json::from_str(&text).expect("JSON");
    let entries = contents["entries"].as_array_mut().expect("entries");
    let mut entries = entries.iter_mut();
    let entry = entries.find(|entry| entry["path"] == "fieldstone.db");
    entry.expect("the database")["sha256"] = sum.into();
    fs::write(&list, contents.to_string()).expect("written");
    let mut restore = fieldstone(path);
    restore.args(["--data", "new", "--format", "json", "restore", "earlier"]);
    let output = restore.output().expect("it starts");
    let error = document(&output)["error"].take();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert_eq!(error["code"], "unsound", "{error}");
    assert!(!path.join("new").exists(), "nothing is left");
}
