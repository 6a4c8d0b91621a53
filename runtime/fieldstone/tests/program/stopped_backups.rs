//! Backups and restores that are stopped or killed midway: nothing of what lay in the clear meanwhile stays for long.

use crate::support::{TIMEOUT, fail, process, succeed, write_company};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// A passphrase takes a second, and that long the command is midway.
const PASSPHRASE: &str = "--passphrase-file";

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

/// Begins a command, and holds it when it is midway, however slow this machine is.
fn begin(path: &Path, arguments: &[&str], is_midway: impl Fn() -> bool) -> Child {
    let mut command = process(path);
    command.args(["--data", "data"]).args(arguments);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let began = Instant::now();
    while !is_midway() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none(), "it was faster: {ended:?}");
        assert!(began.elapsed() < TIMEOUT, "it does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    signal(&child, "STOP");
    child
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let mut kill = Command::new("kill");
    let status = kill.args(["-s", name, &id]).status();
    assert!(status.expect("kill runs").success());
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
    let arguments = ["backup", "out/monday.tar.zst.age", PASSPHRASE, "words"];
    begin(path, &arguments, is_midway)
}

/// Stops a command that is held; the code that it ends with.
fn stop(mut child: Child) -> Option<i32> {
    signal(&child, "TERM");
    signal(&child, "CONT");
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
    assert_ne!(in_folder(&out), Vec::<PathBuf>::new(), "nobody could clear");
    succeed(path, &["backup", "out/tuesday.tar.zst"]);
    assert_eq!(in_folder(&out), [out.join("tuesday.tar.zst")]);
}

#[test]
fn a_restore_that_was_killed_is_no_empty_store_and_the_next_one_takes_its_place() {
    let folder = company();
    let path = folder.path();
    let encrypted = ["backup", "monday.tar.zst.age", PASSPHRASE, "words"];
    succeed(path, &encrypted);
    let other = path.join("other");
    fs::create_dir(&other).expect("a folder");
    let data = other.join("data");
    let arguments = ["restore", "../monday.tar.zst.age", PASSPHRASE, "../words"];
    let restore = || begin(&other, &arguments, || has_lock(&data));
    assert_eq!(stop(restore()), Some(128 + 15));
    assert_eq!(in_folder(&data), Vec::<PathBuf>::new());
    // beside one that is under way nobody begins another
    let first = restore();
    let told = fail(&other, &arguments);
    assert!(told.contains("a restore is under way in"), "{told}");
    kill(first);
    let left = in_folder(&data);
    let left = left[0].file_name().expect("a name").to_string_lossy();
    assert!(left.starts_with("restoring-"), "{left}");
    for refused in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["tenant", "list"],
    ] {
        let told = fail(&other, refused);
        let is_told = told.contains("a restore broke off") && told.contains(&*left);
        assert!(is_told, "{refused:?}: {told}");
    }
    assert_eq!(in_folder(&data).len(), 1, "nothing was made there");
    succeed(&other, &arguments);
    assert!(succeed(&other, &["check"]).contains("is sound"));
    let names = in_folder(&data);
    let is_left = |path: &PathBuf| path.to_string_lossy().contains("restoring-");
    assert!(!names.iter().any(is_left), "{names:?}");
}

/// Whether a restore is midway in a data folder.
fn has_lock(data: &Path) -> bool {
    let mut rooms = in_folder(data).into_iter();
    rooms.any(|room| room.join("in-use.lock").exists())
}
