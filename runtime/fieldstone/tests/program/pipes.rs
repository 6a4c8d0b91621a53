//! Imports of named pipes, and by servers that are away for a while: the command waits, and may be stopped.

use crate::jobs::key;
use crate::support::{
    Server, TIMEOUT, elsewhere_process, fieldstone, json, process, succeed, text, write_company,
};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::tempdir;

const INTO: &str = "Places/City/Cities";
/// Rows of a file that is not done at once.
const ROWS: u32 = 30_000;
/// Addresses of this machine where nobody else listens, and of which no other test is given a port meanwhile: those that Linux
/// has.
const ALONE: [&str; 2] = if cfg!(target_os = "linux") {
    ["127.0.7.1:0", "127.0.7.2:0"]
} else {
    ["127.0.0.1:0", "127.0.0.1:0"]
};

fn company(folder: &Path) {
    write_company(folder);
    json(folder, &["apply", "company.yaml"]);
}

fn begin(mut command: Command) -> Child {
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the program starts")
}

fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.expect("kill runs").success());
}

/// Waits until a command listens to interruptions, which end it without a word before, and its thread that reads a file or a pipe
/// has nothing to read, where the system tells of that.
pub(crate) fn waits_for_bytes(child: &mut Child) {
    let listens = |status: String| {
        let caught = status.lines().find_map(|it| it.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
        // the second of all signals
        caught.is_some_and(|set| set & 0b10 != 0)
    };
    let own = format!("/proc/{}", child.id());
    let waits = || {
        let threads = fs::read_dir(format!("{own}/task")).into_iter().flatten();
        let mut told =
            threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("stat")).ok());
        told.any(|thread| thread.contains("(pieces) S "))
    };
    let is_told = || fs::read_to_string(format!("{own}/status")).is_ok_and(listens) && waits();
    let began = Instant::now();
    while cfg!(target_os = "linux") && !is_told() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none(), "it ended: {ended:?}");
        assert!(began.elapsed() < TIMEOUT, "it hears nothing");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a command.
fn ended(mut child: Child) -> Output {
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        assert!(began.elapsed() < TIMEOUT, "it does not end");
        thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().expect("it ended")
}

fn pipe(folder: &Path) {
    let made = Command::new("mkfifo").arg(folder.join("rows")).status();
    assert!(made.expect("mkfifo runs").success());
}

const IMPORT_OF_PIPE: [&str; 6] = ["--data", "data", "import", "rows", "--into", INTO];

#[test]
fn a_named_pipe_is_read_once_to_its_end() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    pipe(folder);
    let import = fieldstone(folder).args(IMPORT_OF_PIPE).begin();
    fs::write(folder.join("rows"), "{\"Name\":\"Kiel\"}\n").expect("written");
    let output = import.output();
    let told = text(&output.stderr);
    assert!(output.status.success(), "{told}");
    assert_eq!(succeed(folder, &["export", INTO]).lines().count(), 4);
}

#[test]
fn an_import_of_a_pipe_to_which_nobody_writes_is_stopped() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    pipe(folder);
    let mut command = process(folder);
    command.args(IMPORT_OF_PIPE);
    let mut child = begin(command);
    waits_for_bytes(&mut child);
    interrupt(&child);
    let output = ended(child);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("nothing of it was imported"), "{told}");
}

/// An import that a server works on, seen midway; and the key.
fn importing(folder: &Path, server: &Server) -> (Child, String) {
    let key = key(folder);
    let mut lines = "Name,People\n".to_owned();
    for row in 0..ROWS {
        writeln!(lines, "K{row},{row}").expect("a text takes it");
    }
    fs::write(folder.join("new.csv"), lines).expect("written");
    let mut command = elsewhere_process(folder, server, &key);
    command.args(["import", "new.csv", "--into", INTO, "--format", "json"]);
    let child = begin(command);
    let began = Instant::now();
    let rows =
        || server.get(&key, "/admin/api/v1/jobs").json()["items"][0]["progress"]["rows"].as_u64();
    while rows() <= Some(0) {
        assert!(began.elapsed() < TIMEOUT, "no row of it was read");
        thread::sleep(Duration::from_millis(5));
    }
    (child, key)
}

fn serve(folder: &Path, address: &str) -> Server {
    let mut command = process(folder);
    command.args(["--data", "data", "serve", "--listen", address]);
    Server::spawn(command)
}

/// Kills a server and waits until who asks it meets nobody at its address.
fn is_missed(server: Server) {
    let address = server.address().to_owned();
    drop(server);
    let nobody = TcpListener::bind(address).expect("the address is free");
    drop(nobody.accept().expect("it is asked"));
}

fn report(output: &Output) -> Value {
    let read = serde_json::from_slice(&output.stdout);
    read.unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

#[test]
fn a_server_that_is_started_anew_is_asked_again_and_the_job_followed_to_its_end() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    let serve = |address: &str| serve(folder, address);
    let server = serve(ALONE[0]);
    let address = server.address().to_owned();
    let (child, _) = importing(folder, &server);
    is_missed(server);
    let server = serve(&address);
    let output = ended(child);
    let report = report(&output);
    assert!(output.status.success(), "{report}");
    assert_eq!(report["jobs"][0]["state"], "done", "{report}");
    assert_eq!(report["jobs"][0]["importResult"]["rows"], ROWS, "{report}");
    server.stop();
}

#[test]
fn who_stops_a_command_while_its_server_is_away_is_told_which_job_goes_on() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    company(folder);
    let server = serve(folder, ALONE[1]);
    let (child, _) = importing(folder, &server);
    is_missed(server);
    interrupt(&child);
    let output = ended(child);
    assert_eq!(output.status.code(), Some(1));
    let report = report(&output);
    let id = report["jobs"][0]["jobId"].as_str().expect("an id");
    let told = text(&output.stderr);
    assert!(
        told.contains(&format!("fieldstone jobs show {id}")),
        "{told}"
    );
    assert_eq!(report["error"]["code"], "unreachable", "{report}");
}
