//! A limit on the length of files (`ulimit -f`): what would be written beyond it is refused, as on a full disk, and ends no
//! process.

use crate::cities::{cities, company};
use crate::shell::behind;
use crate::support::{Response, Server, succeed, text};
use std::path::Path;
use std::process::Command;
use tempfile::tempdir;

/// The program, whose files may have so many blocks, of half a kilobyte or of one, as the shell counts.
fn limited(folder: &Path, blocks: u32, arguments: &[&str]) -> Command {
    let limit = format!("ulimit -f {blocks}");
    let mut command = behind(Command::new("sh"), &limit, (folder, "data"));
    command.args(arguments);
    command
}

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// Creates cities until one is refused: how many were acknowledged, and the refusal.
fn filled(server: &Server, (key, records): (&str, &str)) -> (usize, Response) {
    for acknowledged in 0..20_000 {
        let body = format!(r#"{{"Name": "New {acknowledged}", "People": 1}}"#);
        let answer = server.send("POST", key, records, &body);
        if answer.status != 201 {
            return (acknowledged, answer);
        }
    }
    panic!("there is no limit");
}

#[test]
fn a_server_whose_files_may_grow_no_more_refuses_writes_and_lives() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::spawn(limited(folder.path(), 6_000, &SERVE));
    let told = server.wait_for_error("files of this process may have so many bytes at most");
    assert!(told.contains("LimitFSIZE"), "{told}");
    let records = cities(&server, &key);
    let (acknowledged, refused) = filled(&server, (&key, &records));
    assert_eq!(refused.status, 500, "{}", refused.body);
    server.wait_for_error("is as long as those of this process may be");
    assert_eq!(server.get("", "/healthz").status, 200);
    let first = format!("{records}/by-pk/City%200");
    assert_eq!(server.get(&key, &first).status, 200);
    drop(server);
    let server = Server::start(folder.path(), &[]);
    for n in 0..acknowledged {
        let path = format!("{records}/by-pk/New%20{n}");
        assert_eq!(server.get(&key, &path).status, 200, "{n} is lost");
    }
    server.stop();
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_whose_files_may_grow_again_takes_writes_by_itself() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let limit = "ulimit -S -f 6000";
    let mut command = behind(Command::new("sh"), limit, (folder.path(), "data"));
    command.args(SERVE);
    let server = Server::spawn(command);
    let records = cities(&server, &key);
    let (_, refused) = filled(&server, (&key, &records));
    assert_eq!(refused.status, 500, "{}", refused.body);
    let id = server.id().to_string();
    let lifted = Command::new("prlimit")
        .args(["--pid", &id, "--fsize=unlimited"])
        .status();
    assert!(lifted.expect("prlimit runs").success());
    let body = r#"{"Name": "Behind it", "People": 1}"#;
    let made = server.send("POST", &key, &records, body);
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(server.get("", "/readyz").status, 200);
    server.stop();
}

#[test]
fn a_server_that_starts_where_its_files_may_not_grow_only_reads() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    // so that there is an index, too
    Server::start(folder.path(), &[]).stop();
    let server = Server::spawn(limited(folder.path(), 8, &SERVE));
    let records = cities(&server, &key);
    let body = r#"{"Name": "New", "People": 1}"#;
    let refused = server.send("POST", &key, &records, body);
    assert_eq!(refused.status, 403, "{}", refused.body);
    assert!(refused.body.contains("read only"), "{}", refused.body);
    assert_eq!(server.get("", "/readyz").status, 503);
    let told = server.stop();
    assert!(told.contains("the disk is full"), "{told}");
}

#[test]
fn a_backup_that_may_not_be_so_long_is_told_and_leaves_nothing() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    company(path);
    let out = path.join("out");
    std::fs::create_dir(&out).expect("a folder");
    let backup = ["backup", "out/monday.tar.zst"];
    let output = limited(path, 200, &backup).output().expect("it starts");
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("error: "), "{told}");
    let left: Vec<_> = std::fs::read_dir(&out).expect("a folder").collect();
    assert!(left.is_empty(), "{left:?}");
    succeed(path, &backup);
}
