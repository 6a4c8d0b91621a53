//! Copies of a data folder: no command on one asks the server of the folder that it was copied from; and what a server that was
//! killed left leads nowhere.
#![cfg(unix)]

use crate::support::{Server, fail, fieldstone, json, process, succeed, text};
use serde_json::Value;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::tempdir;

const INIT: [&str; 5] = ["init", "--tenant", "Acme", "--email", "a@example.com"];
const CREATE: [&str; 5] = ["key", "create", "made", "--role", "ACCOUNT ADMINISTRATOR"];
const TOKEN: &str = "data/fieldstone.token";

/// Runs a command on the data folder `copy`.
fn on_copy(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = fieldstone(folder);
    command.args(["--data", "copy"]).args(arguments);
    command.output().expect("the program starts")
}

/// A server on a folder, and a copy of that with the server's token, as a snapshot has it.
fn served_and_copied(folder: &Path) -> Server {
    succeed(folder, &INIT);
    let copied = Command::new("cp")
        .args(["-a", "data", "copy"])
        .current_dir(folder)
        .status();
    assert!(copied.expect("cp runs").success());
    let server = Server::start(folder, &[]);
    fs::copy(folder.join(TOKEN), folder.join("copy/fieldstone.token")).expect("copied");
    server
}

fn keys(folder: &Path) -> usize {
    let keys = json(folder, &["key", "list"]);
    keys.as_array().expect("an array").len()
}

fn read_only(folder: &Path, data: &str) -> Server {
    let mut command = fieldstone(folder);
    command.args(["--data", data, "serve", "--listen", "127.0.0.1:0"]);
    command.arg("--read-only");
    Server::begin(&mut command)
}

#[test]
fn a_command_on_a_copy_of_a_served_folder_works_on_the_copy() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let _server = served_and_copied(path);
    let said = text(&on_copy(path, &["health"]).stderr);
    assert!(
        said.contains("no server has the data folder copy"),
        "{said}"
    );
    let made = on_copy(path, &CREATE);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let listed = text(&on_copy(path, &["key", "list"]).stdout);
    assert!(listed.contains("made"), "{listed}");
    assert_eq!(keys(path), 0, "the server has none of it");
    let left = path.join("copy/fieldstone.token");
    assert!(!left.exists(), "who takes the folder removes it");
}

#[test]
fn a_command_on_a_copy_that_is_only_read_is_refused_and_its_health_is_the_copys_own() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let server = served_and_copied(path);
    let reader = read_only(path, "copy");
    for arguments in [&CREATE[..], &["secret", "rotate"]] {
        let refused = on_copy(path, arguments);
        let said = text(&refused.stderr);
        assert!(!refused.status.success(), "{arguments:?}");
        assert!(said.contains("copy is in use by another process"), "{said}");
    }
    assert_eq!(keys(path), 0, "the server has none of it");
    let health = || on_copy(path, &["health"]);
    assert!(health().status.success());
    server.stop();
    let ready = health();
    assert!(ready.status.success(), "{}", text(&ready.stderr));
    reader.stop();
    let said = text(&health().stderr);
    assert!(
        said.contains("no server has the data folder copy"),
        "{said}"
    );
}

/// Another program that listens where a server was, by what that left; nobody is to come.
fn other_in_place(left: &Path) -> TcpListener {
    let other = TcpListener::bind("127.0.0.1:0").expect("a port");
    other.set_nonblocking(true).expect("set");
    let text = fs::read(left).expect("it is left");
    let mut token: Value = serde_json::from_slice(&text).expect("JSON");
    token["address"] = other.local_addr().expect("an address").to_string().into();
    fs::write(left, token.to_string()).expect("written");
    other
}

#[test]
fn nothing_is_sent_to_where_a_server_was_that_only_read_and_was_killed() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    succeed(path, &INIT);
    let temporary = path.join("temporary");
    fs::create_dir(&temporary).expect("made");
    let command = |arguments: &[&str]| {
        let mut command = process(path);
        command.env("TMPDIR", &temporary).args(["--data", "data"]);
        command.args(arguments);
        command
    };
    let server = Server::spawn(command(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--read-only",
    ]));
    let health = || command(&["health"]).output().expect("the program starts");
    assert!(health().status.success());
    server.signal("-KILL");
    server.wait();
    let entries = fs::read_dir(&temporary).expect("a folder");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    let is_token = |path: &PathBuf| path.extension().is_some_and(|it| it == "token");
    let left = paths.find(is_token).expect("it is left");
    let other = other_in_place(&left);
    let said = text(&health().stderr);
    assert!(
        said.contains("no server has the data folder data"),
        "{said}"
    );
    assert!(other.accept().is_err(), "nobody came");
}

#[test]
fn nothing_is_sent_to_where_a_server_was_that_was_killed() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    succeed(path, &INIT);
    let server = Server::start_process(path, &[]);
    server.signal("-KILL");
    server.wait();
    let other = other_in_place(&path.join(TOKEN));
    let reader = read_only(path, "data");
    let said = fail(path, &CREATE);
    assert!(said.contains("in use by another process"), "{said}");
    assert_eq!(succeed(path, &["health"]).trim(), "ready");
    reader.stop();
    assert!(path.join(TOKEN).exists(), "who only reads removes nothing");
    let said = fail(path, &["health"]);
    assert!(said.contains("no server has"), "{said}");
    assert_eq!(keys(path), 0);
    assert!(!path.join(TOKEN).exists(), "who takes the folder does");
    assert!(other.accept().is_err(), "nobody came");
}
