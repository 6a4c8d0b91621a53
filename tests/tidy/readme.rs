//! Every command of the README runs: by this test, or as it stands in `.ci/steps`. (Its Rust is run as
//! documentation tests of this package.)

use super::sources::root;
use std::fs;
use std::io::{BufRead, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

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

/// A command that the README gives, as the words behind `cargo`.
fn cargo(command: &str) -> Command {
    let mut cargo = tests::cargo::command();
    cargo
        .current_dir(root())
        .args(command.split_whitespace().skip(1));
    cargo
}

/// The service as the README starts it, on a free port and a folder of its own.
struct Server {
    process: Child,
    address: String,
    key: String,
    // kept until the server has stopped
    _folder: tempfile::TempDir,
}

impl Server {
    fn start(command: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut process = cargo(command)
            .env("FIELDSTONE_DATA", folder.path().join("data"))
            .env("FIELDSTONE_LISTEN", "127.0.0.1:0")
            .env("FIELDSTONE_DEMO_RECORDS", "100")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut first)
            .unwrap();
        assert!(!first.is_empty(), "{command} ended: {}", told(&mut process));
        let address = first
            .trim()
            .strip_prefix("listening on ")
            .expect("the first line")
            .to_owned();
        let mut errors = BufReader::new(process.stderr.take().unwrap())
            .lines()
            .map_while(Result::ok);
        let key =
            errors.find_map(|line| Some(line.trim().strip_prefix("API key")?.trim().to_owned()));
        // what is still to come must not fill the pipe
        std::thread::spawn(move || errors.count());
        Server {
            process,
            address,
            key: key.expect("the demo prints an API key"),
            _folder: folder,
        }
    }
}

/// What a process that ended has to say.
fn told(process: &mut Child) -> String {
    let mut text = String::new();
    let _ = process
        .stderr
        .take()
        .map(|mut errors| errors.read_to_string(&mut text));
    text
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
#[ignore = "it compiles several programs: the full lane runs it"]
fn every_command_of_the_readme_runs() {
    let ci = fs::read_to_string(root().join(".ci/steps")).unwrap();
    let commands = commands();
    assert!(commands.len() > 8, "the README has commands");
    let serves = commands
        .iter()
        .find(|command| command.contains(" serve --demo"));
    let server = Server::start(serves.expect("the README serves the demo"));
    for command in commands.iter().filter(|command| Some(*command) != serves) {
        if command.starts_with("cargo run ") {
            let command = command.replace("http://127.0.0.1:8080", &server.address);
            let output = cargo(&command)
                .env("FIELDSTONE_API_KEY", &server.key)
                .output()
                .unwrap();
            assert!(
                output.status.success(),
                "{command}\n{}",
                String::from_utf8_lossy(&output.stderr)
            );
        } else {
            assert!(
                ci.contains(command.as_str()),
                "neither this test nor .ci/steps runs: {command}"
            );
        }
    }
}
