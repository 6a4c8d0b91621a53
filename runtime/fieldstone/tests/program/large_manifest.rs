//! A manifest that is larger than what a server elsewhere takes: what is told is enough, whichever setting is in the way.

use crate::support::{Server, elsewhere, json, succeed, text, word_after, write_company};
use std::path::Path;
use std::process::Output;
use tempfile::{TempDir, tempdir};

/// A store with the company in it, and an administrator's key.
fn site() -> (TempDir, String) {
    let folder = tempdir().expect("a folder");
    write_company(folder.path());
    json(folder.path(), &["apply", "company.yaml"]);
    let role = "ACCOUNT ADMINISTRATOR";
    let create = ["key", "create", "ci", "--role", role, "--area", "*"];
    let made = json(folder.path(), &create);
    let key = made["secret"].as_str().expect("a key").to_owned();
    (folder, key)
}

fn apply(folder: &Path, server: &Server, key: &str) -> Output {
    let mut command = elsewhere(folder, server, key);
    command.args(["apply", "company.yaml"]);
    command.output().expect("it starts")
}

#[test]
fn a_manifest_that_is_too_large_for_the_server_says_what_to_do() {
    let (folder, key) = site();
    let away = tempdir().expect("a folder");
    write_company(away.path());
    let line = format!("{{\"Name\": \"Ulm\"{}}}\n", " ".repeat(4000));
    std::fs::write(away.path().join("cities.ndjson"), line.repeat(100)).expect("written");
    for (limits, bytes) in [
        (
            [
                "--operation-bytes-max=4000",
                "--memory-budget-bytes=4194304",
            ],
            4000,
        ),
        // a quarter of the memory budget, however much more an operation may have
        (
            [
                "--operation-bytes-max=400000000",
                "--memory-budget-bytes=1048576",
            ],
            262_144,
        ),
    ] {
        let server = Server::start(folder.path(), &limits);
        let refused = apply(away.path(), &server, &key);
        assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stdout));
        let message = text(&refused.stderr);
        assert!(
            message.contains(&format!("{bytes} bytes")) && message.contains("split the manifest"),
            "{message}"
        );
        server.stop();
        let told = |flag: &str| {
            let value = word_after(&message, &format!("{flag}="));
            format!("{flag}={value}")
        };
        let both = ["--operation-bytes-max", "--memory-budget-bytes"].map(told);
        let server = Server::start(folder.path(), &[&both[0], &both[1]]);
        let applied = apply(away.path(), &server, &key);
        let is_done = matches!(applied.status.code(), Some(0 | 3));
        assert!(is_done, "{both:?}: {}", text(&applied.stderr));
        server.stop();
    }
    succeed(folder.path(), &["apply", "company.yaml"]);
}
