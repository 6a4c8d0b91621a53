//! When one machine is not enough, a server says so; and the files by which several are deployed name only commands and
//! settings that the program has.

use crate::support::{Server, fieldstone, succeed, text};
use serde_json::Value;
use std::path::Path;

/// What the database's own programs are given.
const OF_THE_DATABASE: [&str; 3] = ["--encoding", "--username", "--dbname"];

/// All texts of a document, with those of its names that are in capitals.
fn texts(document: &Value, found: &mut Vec<String>) {
    match document {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| texts(item, found)),
        Value::Object(members) => {
            for (name, member) in members {
                found.push(name.clone());
                texts(member, found);
            }
        }
        _ => {}
    }
}

/// The documents of a file beside the pages on operations.
fn documents(name: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operations");
    let text = std::fs::read_to_string(Path::new(folder).join(name)).expect("the file");
    text.split("\n---\n")
        .map(|document| serde_saphyr::from_str(document).expect("YAML"))
        .collect()
}

#[test]
fn files_for_several_servers_name_what_the_program_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut help = String::new();
    for command in ["serve", "migrate"] {
        let told = fieldstone(folder.path()).args([command, "--help"]).output();
        let told = told.expect("it starts");
        assert!(told.status.success(), "{command}");
        help += &text(&told.stdout);
    }
    let words: Vec<&str> = help
        .split(|c: char| !(c.is_ascii_alphanumeric() || "_-".contains(c)))
        .collect();
    for name in ["compose.yaml", "kubernetes.yaml"] {
        let mut found = Vec::new();
        for document in documents(name) {
            texts(&document, &mut found);
        }
        let settings: Vec<&str> = found
            .iter()
            .filter(|text| text.starts_with("FIELDSTONE_") || text.starts_with("--"))
            .filter(|text| !OF_THE_DATABASE.iter().any(|own| text.starts_with(own)))
            .map(|text| text.split('=').next().unwrap_or(text))
            .collect();
        assert!(settings.len() >= 2, "{name} names settings: {settings:?}");
        for setting in settings {
            assert!(words.contains(&setting), "{name}: there is no {setting}");
        }
        for command in ["serve", "migrate"] {
            assert!(
                found.iter().any(|text| text == command),
                "{name}: {command}"
            );
        }
    }
}

#[test]
fn a_server_says_when_its_store_is_as_large_as_one_machine_should_hold() {
    let folder = tempfile::tempdir().expect("a folder");
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    let server = Server::start(folder.path(), &["--store-warn-bytes", "1000"]);
    let told = server.wait_for_error("fieldstone move");
    assert!(told.contains("--store-warn-bytes"), "{told}");
    drop(server);
    let server = Server::start(folder.path(), &[]);
    let told = server.stop();
    assert!(!told.contains("fieldstone move"), "{told}");
}
