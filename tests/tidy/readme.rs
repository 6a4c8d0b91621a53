//! Every command of the README and the toolkit's page runs: by this test, or as it stands in `.ci`. (Their Rust is run as
//! documentation tests of this package.)

use super::sources::root;
use std::fs;
use std::io::{BufRead, BufReader, Read as _};
use std::process::{Child, Command, Stdio};

/// The README and the toolkit's page.
fn pages() -> String {
    let pages = ["README.md", "generator/docs/toolkit.md"];
    let pages = pages.map(|page| fs::read_to_string(root().join(page)).unwrap());
    pages.concat()
}

/// The lines of the blocks of a language.
fn lines_of(language: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut is_inside = false;
    for line in pages().lines() {
        if let Some(language_of_block) = line.strip_prefix("```") {
            is_inside = language_of_block == language;
        } else if is_inside && !line.trim().is_empty() {
            lines.push(line.to_owned());
        }
    }
    lines
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
    /// The address of the dataset that the printed command creates a record in.
    airports: String,
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
        let airports = errors.find_map(|line| {
            let is_create = line.contains(r#"-d '{"ICAO": "ZZZZ""#);
            is_create.then(|| line.rsplit(' ').next().map(str::to_owned))?
        });
        // what is still to come must not fill the pipe
        std::thread::spawn(move || errors.count());
        Server {
            process,
            address,
            key: key.expect("the demo prints an API key"),
            airports: airports.expect("the demo prints how a record is created"),
            _folder: folder,
        }
    }
}

/// Creates a record as the README does: the answer is the one that the README shows, but for the record's id.
fn create(command: &str, server: &Server) {
    let output = Command::new("sh")
        .args(["-c", command])
        .env("key", &server.key)
        .env("airports", &server.airports)
        .output()
        .unwrap();
    let shown = lines_of("json").join("");
    let [mut shown, mut answer] = [shown.as_bytes(), &output.stdout]
        .map(|json| serde_json::from_slice::<serde_json::Value>(json).expect("JSON"));
    for record in [&mut shown, &mut answer] {
        let id = record["_dataObjectId"].take();
        assert_eq!(id.as_str().map(str::len), Some(22), "{id}");
    }
    assert_eq!(answer, shown);
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
    let commands = lines_of("sh");
    assert!(commands.len() > 8, "the pages have commands");
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
        } else if command.starts_with("curl ") {
            create(command, &server);
        } else {
            assert!(
                ci.contains(command.as_str()),
                "neither this test nor .ci/steps runs: {command}"
            );
        }
    }
}
