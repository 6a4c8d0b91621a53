//! Runs the program and speaks plain HTTP to it.
//!
//! - `fieldstone` is a run of the program within this process; `run` runs it on the data folder `data` of a test's
//!   folder. `process` is the program's own process, for tests of signals, pipes, variables, locks, limits and terminals.
//! - `succeed` runs a command that must succeed and gives what it printed; `json` gives it read; `fail` runs one
//!   that must fail and gives what it said on standard error.
//! - `Server` is a running server, within this process (`start`) or of its own (`start_process`, `spawn`); `get` and `send`
//!   ask it, `wait_for_error` waits until standard error has a text, `stop` ends it and gives all it said there.
//! - `elsewhere` is a command that asks a server with a key.
//! - `write_company` puts a small manifest and its files in a folder; `word_after` picks a word of a text, such as
//!   a key that was printed.

use crate::in_process::{Program, Run, Running};
use crate::transcript::Transcript;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};

pub(crate) use crate::in_process::{fieldstone, process};
pub(crate) use crate::transcript::{TIMEOUT, text};

/// A command that asks a server elsewhere, by a key in a file.
pub(crate) fn elsewhere(folder: &Path, server: &Server, key: &str) -> Program {
    asking(folder, &format!("http://{}", server.address()), key)
}

/// The same of a server at any address.
pub(crate) fn asking(folder: &Path, address: &str, key: &str) -> Program {
    let mut program = fieldstone(folder);
    program.last_args(&["--server", address]);
    if !key.is_empty() {
        std::fs::write(folder.join(KEY_FILE), key).expect("written");
        program.last_args(&["--key-file", KEY_FILE]);
    }
    program
}

/// The same as a process, as a machine of continuous integration runs it: the key in a variable.
pub(crate) fn elsewhere_process(folder: &Path, server: &Server, key: &str) -> Command {
    let mut command = process(folder);
    command.env("FIELDSTONE_SERVER", format!("http://{}", server.address()));
    command.env("FIELDSTONE_KEY", key);
    command.stdin(Stdio::null());
    command
}

/// The file with the key of a command that asks a server elsewhere.
const KEY_FILE: &str = "asks-with.key";

/// Runs a command on the data folder `data`.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut program = fieldstone(folder);
    program.args(["--data", "data"]).args(arguments);
    program.output().expect("the program starts")
}

/// Runs a command that must do all it can, be it that records are left out; what it printed.
pub(crate) fn succeed(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    let is_done = matches!(output.status.code(), Some(0 | 3));
    assert!(is_done, "{arguments:?}: {out}{err}");
    out
}

/// Runs a command that must do all it can, be it that records are left out, and prints JSON.
pub(crate) fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, &[arguments, &["--format", "json"]].concat());
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(
        matches!(output.status.code(), Some(0 | 3)),
        "{arguments:?}: {out}{err}"
    );
    serde_json::from_str(&out).expect("JSON")
}

/// Runs a command that must fail; what it said.
pub(crate) fn fail(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success(), "{arguments:?} was not refused");
    text(&output.stderr)
}

/// A server; it goes with the test.
pub(crate) struct Server {
    run: Run,
    pub(crate) first_line: String,
}

impl Server {
    /// Starts one within this process on the data folder `data` and a free port.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::begin(fieldstone(folder).args(SERVE).args(arguments))
    }

    /// Starts one within this process.
    pub(crate) fn begin(program: &mut Program) -> Self {
        Self::started(program.begin())
    }

    /// Starts a process on the data folder `data` and a free port.
    pub(crate) fn start_process(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = process(folder);
        command.args(SERVE).args(arguments);
        Self::spawn(command)
    }

    pub(crate) fn spawn(mut command: Command) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        let stdout = child.stdout.take().expect("a pipe");
        let stderr = child.stderr.take().expect("a pipe");
        Self::started(Run {
            running: Running::Process(child),
            output: Transcript::of(stdout),
            errors: Transcript::of(stderr),
        })
    }

    fn started(run: Run) -> Self {
        let first_line = run.output.first_line();
        let server = Server { run, first_line };
        if server.first_line.is_empty() {
            let (status, errors) = server.wait();
            panic!("it did not start: {status}: {errors}");
        }
        server
    }

    /// What it printed on standard error so far.
    pub(crate) fn errors(&self) -> String {
        self.run.errors.text()
    }

    /// What it printed on standard error, once a text stands in it.
    pub(crate) fn wait_for_error(&self, text: &str) -> String {
        self.run.errors.wait_for(text)
    }

    /// Host and port.
    pub(crate) fn address(&self) -> &str {
        self.first_line.rsplit_once('/').expect("an address").1
    }

    /// A line of what the system tells of the process, such as `VmRSS`, in bytes.
    #[cfg(target_os = "linux")]
    pub(crate) fn memory(&self, line: &str) -> usize {
        memory_of(self.id(), line).expect("it runs")
    }

    fn child(&self) -> &Child {
        match &self.run.running {
            Running::Process(child) => child,
            Running::Thread { .. } => panic!("this takes `Server::start_process`"),
        }
    }

    /// The process.
    pub(crate) fn id(&self) -> u32 {
        self.child().id()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let id = self.id().to_string();
        let status = Command::new("kill").args([signal, &id]).status();
        assert!(status.expect("kill runs").success());
    }

    /// Asks it to stop.
    pub(crate) fn ask_to_stop(&self) {
        match &self.run.running {
            Running::Process(_) => self.signal("-TERM"),
            Running::Thread { stop, .. } => drop(stop.send(true)),
        }
    }

    /// Waits for its end; its status and all it printed on standard error.
    pub(crate) fn wait(self) -> (ExitStatus, String) {
        let output = self.run.output();
        (output.status, text(&output.stderr))
    }

    /// Stops it; it must end well.
    pub(crate) fn stop(self) -> String {
        self.ask_to_stop();
        let (status, errors) = self.wait();
        assert!(status.success(), "{status}: {errors}");
        errors
    }

    /// Uploads a file with a text.
    pub(crate) fn send_file(&self, credential: &str, path: &str, text: &str) -> Response {
        let part = format!(
            "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\n{text}\r\n--X--\r\n"
        );
        let form = "Content-Type: multipart/form-data; boundary=X";
        self.send_as("POST", credential, path, form, &part)
    }

    pub(crate) fn get(&self, credential: &str, path: &str) -> Response {
        self.send("GET", credential, path, "")
    }

    pub(crate) fn send(&self, method: &str, credential: &str, path: &str, body: &str) -> Response {
        let json = "Content-Type: application/json";
        self.send_as(method, credential, path, json, body)
    }

    pub(crate) fn send_as(
        &self,
        method: &str,
        credential: &str,
        path: &str,
        content_type: &str,
        body: &str,
    ) -> Response {
        let mut stream = TcpStream::connect(self.address()).expect("it listens");
        let request = self.request(method, credential, path, content_type, body);
        stream.write_all(request.as_bytes()).expect("it reads");
        read_response(&mut stream)
    }

    /// A request as it goes over the wire.
    pub(crate) fn request(
        &self,
        method: &str,
        credential: &str,
        path: &str,
        content_type: &str,
        body: &str,
    ) -> String {
        let address = self.address();
        let authorization = match credential {
            "" => String::new(),
            credential => format!("Authorization: {credential}\r\n"),
        };
        let content = match body.len() {
            0 => String::new(),
            length => format!("{content_type}\r\nContent-Length: {length}\r\n"),
        };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{authorization}{content}\r\n"
        );
        head + body
    }
}

const SERVE: [&str; 5] = ["--data", "data", "serve", "--listen", "127.0.0.1:0"];

/// A line of what the system tells of a process, such as `VmRSS`, in bytes; none of one that has ended.
#[cfg(target_os = "linux")]
pub(crate) fn memory_of(process: u32, line: &str) -> Option<usize> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let (_, behind) = status.split_once(&format!("{line}:"))?;
    let kilobytes = behind.split_whitespace().next()?.parse::<usize>();
    Some(kilobytes.expect("a number") << 10)
}

/// An answer.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{} {}", self.head, self.body))
    }

    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines
            .find(|(key, _)| key.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// Reads an answer that ends with its connection.
pub(crate) fn read_response(stream: &mut impl Read) -> Response {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("an answer");
    let all = text(&bytes);
    let (head, body) = all.split_once("\r\n\r\n").unwrap_or((&all, ""));
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    Response {
        status: status.unwrap_or_else(|| panic!("no answer: {all}")),
        head: head.to_owned(),
        body: body.to_owned(),
    }
}

/// What stands behind a word, up to the next white space or comma.
pub(crate) fn word_after<'t>(text: &'t str, word: &str) -> &'t str {
    let (_, rest) = text
        .split_once(word)
        .unwrap_or_else(|| panic!("no `{word}` in {text}"));
    let rest = rest.trim_start();
    rest.split([',', ' ', '\n']).next().unwrap_or_default()
}

/// A small manifest with a schema and records, and the files it names.
pub(crate) fn write_company(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    write("company.yaml", COMPANY);
    write("city.json", CITY);
    write("cities.ndjson", CITIES);
}

pub(crate) const COMPANY: &str = r"
tenants:
  - name: Acme
    domains:
      - name: Countries
        id: the-countries
        codes:
          - {code: NL, description: Netherlands}
          - {code: DE, description: Germany}
    areas:
      - name: Places
        description: Where things are.
        schemas:
          - document: city.json
            datasets:
              - name: Cities
                records: [cities.ndjson]
      - name: People
    roles:
      - name: Clerk
        permissions:
          BUSINESS AREAS: [view]
          SCHEMA MODELS: [view]
          DATASETS: [view]
          DATA OBJECTS: [view, add, edit]
    users:
      - username: anna
        email: anna@example.com
        roles: [ACCOUNT ADMINISTRATOR]
        areas: {all: [view, add, edit, delete]}
    apiKeys:
      - name: crm
        roles: [Clerk]
        areas: {Places: [view, add, edit]}
    clients:
      - name: shop
        tokenSeconds: 600
        roles: [Clerk]
        areas: {Places: [view]}
";

pub(crate) const CITY: &str = r#"{"schemaId": "city", "name": "City", "businessAreaId": "x", "businessAreaName": "x",
  "createdDate": "2026-01-01T00:00:00.000Z", "fields": [
  {"fieldId": "f1", "name": "Name", "active": true, "dataType": "string", "isPrimaryKey": true, "isSortKey": false, "isRequired": true, "max": 20},
  {"fieldId": "f2", "name": "People", "active": true, "dataType": "integer", "isPrimaryKey": false, "isSortKey": false, "isRequired": false, "min": 0},
  {"fieldId": "f3", "name": "Country", "active": true, "dataType": "picklist", "picklistType": "dynamic", "dataDomainId": "the-countries", "isPrimaryKey": false, "isSortKey": false, "isRequired": false}
]}"#;

pub(crate) const CITIES: &str = r#"{"Name": "Delft", "People": 1.1e5, "Country": "NL"}
{"Name": "Ulm", "People": 128928, "Country": "DE"}
{"Name": "Atlantis", "People": -1, "Country": "XX"}
"#;
