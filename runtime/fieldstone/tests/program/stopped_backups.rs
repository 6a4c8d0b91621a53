//! Backups and restores that are stopped or killed midway: nothing of what lay in the clear meanwhile stays for long.

use crate::support::{TIMEOUT, fieldstone, succeed, write_company};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// A passphrase takes a second, and that long the command is midway.
const PASSPHRASE: [&str; 2] = ["--passphrase-file", "words"];

/// What stands in a folder.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// A folder with a store, a passphrase, and a folder `out` for backups.
fn company() -> TempDir {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    fs::write(path.join("words"), "correct horse\n").expect("written");
    fs::create_dir(path.join("out")).expect("a folder");
    folder
}

/// Begins a command, and waits until it is midway.
fn begin(path: &Path, arguments: &[&str], is_midway: impl Fn() -> bool) -> Child {
    let mut command = fieldstone(path);
    command.args(arguments).args(PASSPHRASE);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let began = Instant::now();
    while !is_midway() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none(), "it was faster: {ended:?}");
        assert!(began.elapsed() < TIMEOUT, "it does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// Begins a backup, and waits until the store lies in the clear beside it.
fn backup(path: &Path) -> Child {
    let is_midway = || {
        let mut rooms = in_folder(&path.join("out")).into_iter();
        rooms.any(|room| {
            let mut copies = in_folder(&room).into_iter();
            copies.any(|copy| copy.join("fieldstone.db").exists())
        })
    };
    let arguments = ["--data", "data", "backup", "out/monday.tar.zst.age"];
    begin(path, &arguments, is_midway)
}

/// Stops a command; the code that it ends with.
fn stop(mut child: Child) -> Option<i32> {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-TERM", &id]).status();
    assert!(status.expect("kill runs").success());
    child.wait().expect("a child").code()
}

fn kill(mut child: Child) {
    child.kill().expect("it runs");
    child.wait().expect("a child");
}

#[test]
fn a_backup_that_is_stopped_leaves_nothing_and_what_a_killed_one_leaves_goes_with_the_next() {
    let folder = company();
    let (path, out) = (folder.path(), folder.path().join("out"));
    assert_eq!(stop(backup(path)), Some(128 + 15));
    assert_eq!(in_folder(&out), Vec::<PathBuf>::new());
    kill(backup(path));
    assert_eq!(in_folder(&out).len(), 1, "its room");
    succeed(path, &["backup", "out/tuesday.tar.zst"]);
    assert_eq!(in_folder(&out), [out.join("tuesday.tar.zst")]);
}
