//! Which store a command works on, where the command line names one and the environment another.

use crate::support::{Server, elsewhere, fieldstone, json, process, succeed, text};
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

const DATABASE: &str = "postgres://anna@127.0.0.1:1/master";

/// The command that makes a tenant in a data folder.
fn init<'a>(data: &'a str, tenant: &'a str) -> [&'a str; 7] {
    let email = "a@example.com";
    ["--data", data, "init", "--email", email, "--tenant", tenant]
}

/// A server of one of two data folders, and a key that it takes.
fn one_of_two(path: &Path) -> (Server, String) {
    for (data, tenant) in [("data", "Acme"), ("scratch", "Scratch")] {
        let made = fieldstone(path)
            .args(init(data, tenant))
            .output()
            .expect("it starts");
        assert!(made.status.success(), "{}", text(&made.stderr));
    }
    let key = ["key", "create", "k", "--role", "ACCOUNT ADMINISTRATOR"];
    let key = json(path, &key)["secret"].as_str().map(str::to_owned);
    (Server::start(path, &[]), key.expect("a key"))
}

#[test]
fn a_data_folder_that_a_flag_names_wins_over_a_server_of_the_environment() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let (server, key) = one_of_two(path);
    let listed = |flags: &[&str]| {
        let mut command = process(path);
        command.env("FIELDSTONE_SERVER", format!("http://{}", server.address()));
        command.env("FIELDSTONE_KEY", &key);
        command.env("FIELDSTONE_DATA", "scratch");
        let output = command.args(["key", "list"]).args(flags).output();
        let output = output.expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(listed(&[]).contains("  k  "), "{}", listed(&[]));
    assert_eq!(listed(&["--data", "scratch"]), "");
    let mut make = process(path);
    make.env("FIELDSTONE_SERVER", format!("http://{}", server.address()));
    make.env("FIELDSTONE_KEY", &key);
    make.args(["--data", "scratch", "key", "create", "own"]);
    let made = make.args(["--role", "ACCOUNT ADMINISTRATOR"]).output();
    let made = made.expect("it starts");
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(listed(&["--data", "scratch"]).contains("  own  "));
    assert!(!succeed(path, &["key", "list"]).contains("  own  "));
}

#[test]
fn a_server_that_a_flag_names_is_asked_whatever_stores_are_named_beside_it() {
    let folder = tempdir().expect("a folder");
    let (server, key) = one_of_two(folder.path());
    let settings = format!("database = \"{DATABASE}\"\n");
    std::fs::write(folder.path().join("own.toml"), settings).expect("written");
    let mut command = elsewhere(folder.path(), &server, &key);
    command.args(["--config", "own.toml", "--data", "scratch", "key", "list"]);
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("  k  "));
}

#[test]
fn a_store_of_a_flag_beside_a_database_of_the_environment_is_passed_over_by_no_command() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let made = fieldstone(path).args(init("scratch", "Scratch")).output();
    assert!(made.expect("it starts").status.success());
    let told = |mut command: Command| {
        let output = command.env("FIELDSTONE_DATABASE", DATABASE).output();
        let output = output.expect("it starts");
        let said = text(&output.stderr) + &text(&output.stdout);
        (output.status.code(), said)
    };
    let command = |arguments: &[&str]| {
        let mut command = process(path);
        command.args(arguments);
        command
    };
    let on_scratch = |arguments: &[&str]| command(&[&["--data", "scratch"], arguments].concat());
    for refused in [on_scratch(&["key", "list"]), command(&init("new", "New"))] {
        let (code, said) = told(refused);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("either may be meant"), "{said}");
    }
    assert!(!path.join("new").exists(), "nothing was begun");
    let (code, said) = told(on_scratch(&["--database=", "tenant", "list"]));
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Scratch"), "{said}");
    // of two that the environment names, it is the database, as ever; so is one beside a folder of its files
    let mut both = process(path);
    both.env("FIELDSTONE_DATA", "scratch").arg("migrate");
    let mut files = process(path);
    files.args(["--data", "files", "migrate"]);
    for meant in [both, files] {
        let (code, said) = told(meant);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("the database master at 127.0.0.1"), "{said}");
    }
}
