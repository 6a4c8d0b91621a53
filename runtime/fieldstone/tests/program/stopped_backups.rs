//! Backups and restores that are stopped or killed midway: nothing of what lay in the clear meanwhile stays for long.

use crate::support::{TIMEOUT, fail, process, succeed, write_company};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::{TempDir, tempdir};

/// What stands in a folder.
fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// A folder with a store whose backup is larger than a pipe holds, and a folder `out` for backups.
fn company() -> TempDir {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let store = rusqlite::Connection::open(path.join("data/fieldstone.db")).expect("the store");
    // a check passes over this name, which is litestream's
    let noise = "CREATE TABLE _litestream_seq AS SELECT randomblob(4 << 20)";
    store.execute_batch(noise).expect("a table");
    fs::create_dir(path.join("out")).expect("a folder");
    folder
}

/// Waits until a command that waits for its pipe is midway, however slow this machine is.
fn wait_until(child: &mut Child, is_midway: impl Fn() -> bool) {
    let began = Instant::now();
    while !is_midway() {
        let ended = child.try_wait().expect("a child");
        assert!(ended.is_none(), "it did not wait for its pipe: {ended:?}");
        assert!(began.elapsed() < TIMEOUT, "it does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    let mut kill = Command::new("kill");
    let status = kill.args(["-s", name, &id]).status();
    assert!(status.expect("kill runs").success());
}

/// Begins a backup whose reader takes nothing, and waits until the store lies in the clear in `out`.
fn backup(path: &Path) -> Child {
    let mut command = process(path);
    command.args(["--data", "data", "backup", "-"]);
    command.env("TMPDIR", path.join("out"));
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    wait_until(&mut child, || {
        let mut rooms = in_folder(&path.join("out")).into_iter();
        rooms.any(|room| {
            let mut copies = in_folder(&room).into_iter();
            copies.any(|copy| copy.join("fieldstone.db").exists())
        })
    });
    child
}

/// Begins a restore that gets half of a backup and waits for more.
fn restore(path: &Path, half: &[u8]) -> Child {
    let mut command = process(path);
    command.args(["--data", "data", "restore", "-"]);
    command.stdin(Stdio::piped());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().expect("the program starts");
    let input = child.stdin.as_mut().expect("a pipe");
    input.write_all(half).expect("it reads");
    wait_until(&mut child, || {
        let mut rooms = in_folder(&path.join("data")).into_iter();
        rooms.any(|room| room.join("in-use.lock").exists())
    });
    child
}

/// Stops a command; the code that it ends with.
fn stop(mut child: Child) -> Option<i32> {
    signal(&child, "TERM");
    // what it waits for stays open
    let pipes = (child.stdin.take(), child.stdout.take());
    let status = child.wait().expect("a child");
    drop(pipes);
    status.code()
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
    fs::remove_dir_all(path.join("data")).expect("the store with noise");
    succeed(path, &["apply", "company.yaml"]);
    succeed(path, &["backup", "monday.tar.zst"]);
    let backup = fs::read(path.join("monday.tar.zst")).expect("the backup");
    let half = &backup[..backup.len() / 2];
    let other = path.join("other");
    fs::create_dir(&other).expect("a folder");
    let data = other.join("data");
    let arguments = ["restore", "../monday.tar.zst"];
    assert_eq!(stop(restore(&other, half)), Some(128 + 15));
    assert_eq!(in_folder(&data), Vec::<PathBuf>::new());
    // beside one that is under way nobody begins another
    let first = restore(&other, half);
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
