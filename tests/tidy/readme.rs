//! Every command of the README runs: by this test, or as it stands in `.ci/run`. (Its Rust is run as
//! documentation tests of this package.)

use super::sources::root;
use std::fs;
use std::process::Command;

/// The lines of the README's `sh` blocks.
fn commands() -> Vec<String> {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut commands = Vec::new();
    let mut in_shell = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            in_shell = line == "```sh";
        } else if in_shell && !line.trim().is_empty() {
            commands.push(line.to_owned());
        }
    }
    commands
}

#[test]
fn every_command_of_the_readme_runs() {
    let ci = fs::read_to_string(root().join(".ci/run")).unwrap();
    let commands = commands();
    assert!(commands.len() > 4, "the README has commands");
    for command in commands {
        if command.starts_with("cargo run ") {
            let words: Vec<&str> = command.split_whitespace().skip(1).collect();
            let output = Command::new(env!("CARGO")).current_dir(root()).args(&words).output().unwrap();
            assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
        } else {
            assert!(ci.contains(&command), "neither this test nor .ci/run runs: {command}");
        }
    }
}
