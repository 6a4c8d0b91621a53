//! What other users of the machine can read of a data folder: nothing, whatever the surroundings allow.
#![cfg(unix)]

use crate::closed_folder::{assert_closed, mode};
use crate::museum::{museum, paper};
use crate::shell::behind;
use crate::support::{
    Server, TIMEOUT, fieldstone, json, process, run, succeed, text, write_company,
};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::time::Instant;
use tempfile::tempdir;

/// The program in surroundings that make files readable for all, on the data folder `data`.
fn careless(folder: &Path) -> Command {
    behind(Command::new("sh"), "umask 022", (folder, "data"))
}

#[track_caller]
fn assert_has(names: &[String], own: &[&str]) {
    for name in own {
        assert!(names.iter().any(|it| it == name), "{name} in {names:?}");
    }
}

#[test]
fn all_that_init_and_serve_make_is_closed_to_other_users() {
    let folder = tempdir().expect("a folder");
    let data = folder.path().join("data");
    let mut init = careless(folder.path());
    init.args(["init", "--tenant", "Acme", "--email", "a@example.com"]);
    assert!(init.output().expect("it starts").status.success());
    assert_closed(&data);
    fs::remove_dir_all(&data).expect("removed");
    let mut serve = careless(folder.path());
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::spawn(serve);
    let keeper = museum(folder.path(), |arguments| json(folder.path(), arguments));
    // the name of its content, too
    let id = paper(&server, &keeper, "hello");
    let began = Instant::now();
    while server.get(&keeper, "/v1/dataobjects/search?query=x").status != 200 {
        assert!(began.elapsed() < TIMEOUT, "the index is not made");
    }
    let names = assert_closed(&data);
    let own = [
        "fieldstone.db",
        "fieldstone.db-wal",
        "fieldstone.db-shm",
        "fieldstone.lock",
        "fieldstone.token",
        "search.db",
        "search.db-wal",
        &id,
    ];
    assert_has(&names, &own);
    let log = server.stop();
    assert!(!log.contains("is open to other users"), "{log}");
}

#[test]
fn backups_and_what_is_restored_of_them_are_closed_to_other_users() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    // as the system has it where nobody says otherwise
    let careless = |data: &str| {
        let mut program = fieldstone(path);
        program.umask(0o022).args(["--data", data]);
        program
    };
    // with a content, which is to be in each backup
    let keeper = museum(path, |arguments| json(path, arguments));
    let server = Server::start(path, &[]);
    let id = paper(&server, &keeper, "hello");
    server.stop();
    let mut serve = careless("data");
    serve.args(["serve", "--listen", "127.0.0.1:0"]);
    let server = Server::begin(serve.args(["--backup-dir", "by-itself"]));
    server.wait_for_error("backed up");
    server.stop();
    assert_eq!(assert_closed(&path.join("by-itself")).len(), 1);
    let succeeds = |data: &str, arguments: &[&str]| {
        let output = careless(data).args(arguments).output();
        let output = output.expect("it starts");
        let said = text(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
    };
    succeeds("data", &["backup", "file.tar.zst"]);
    assert_eq!(mode(&path.join("file.tar.zst")), 0o600);
    succeeds("data", &["backup", "folder/"]);
    let names = assert_closed(&path.join("folder"));
    let own = ["backup.json", "checksums.json", "fieldstone.db", &id];
    assert_has(&names, &own);
    for (data, backup) in [("of-file", "file.tar.zst"), ("of-folder", "folder")] {
        succeeds(data, &["restore", backup]);
        let names = assert_closed(&path.join(data));
        assert_has(&names, &["fieldstone.db", &id]);
    }
}

#[test]
fn an_existing_folder_that_is_open_is_told_with_its_mode_and_what_to_do() {
    let folder = tempdir().expect("a folder");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("made");
    fs::set_permissions(&data, fs::Permissions::from_mode(0o755)).expect("set");
    let init = ["init", "--tenant", "Acme", "--email", "a@example.com"];
    let message = text(&run(folder.path(), &init).stderr);
    for told in ["is open to other users (mode 0755)", "chmod -R go-rwx data"] {
        assert!(message.contains(told), "{message}");
    }
    assert_eq!(mode(&data), 0o755, "it is its owner's to close");
    assert_eq!(mode(&data.join("fieldstone.db")), 0o600);
    let server = Server::start(folder.path(), &[]);
    assert!(server.stop().contains("(mode 0755)"));
    fs::set_permissions(&data, fs::Permissions::from_mode(0o700)).expect("set");
    let server = Server::start(folder.path(), &[]);
    assert!(!server.stop().contains("open to other users"));
}

#[test]
fn a_settings_file_with_a_secret_that_all_can_read_is_told_and_no_other_one() {
    let folder = tempdir().expect("a folder");
    let config = folder.path().join("own.toml");
    let told = |text_of: &str, mode: u32| {
        fs::write(&config, text_of).expect("written");
        fs::set_permissions(&config, fs::Permissions::from_mode(mode)).expect("set");
        let output = run(folder.path(), &["--config", "own.toml", "tenant", "list"]);
        let told = text(&output.stderr);
        assert!(!told.contains("geheim"), "{told}");
        told.contains("own.toml holds a secret and is open to all users")
    };
    let with_password = "database = \"postgres://me:geheim@127.0.0.1:1/masters\"";
    let without = "database = \"postgres://me@127.0.0.1:1/masters\"";
    let of_bucket = "s3-secret-access-key = \"geheim\"";
    for (text_of, mode, is_told) in [
        (with_password, 0o644, true),
        (of_bucket, 0o644, true),
        (of_bucket, 0o640, false),
        (of_bucket, 0o600, false),
        (without, 0o644, false),
        ("page-size = 7", 0o644, false),
    ] {
        assert_eq!(told(text_of, mode), is_told, "{text_of} {mode:o}");
    }
}

#[test]
fn a_file_that_is_written_anew_is_open_to_whom_it_was_and_a_new_one_to_nobody_else() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    let (old, new) = (path.join("old.csv"), path.join("new.csv"));
    for right in [0o644, 0o640, 0o600] {
        fs::write(&old, "what was there").expect("written");
        fs::set_permissions(&old, fs::Permissions::from_mode(right)).expect("set");
        succeed(path, &["export", "Places/City/Cities", "old.csv"]);
        let written = fs::read_to_string(&old).expect("the file");
        assert!(written.contains("Delft"), "{written}");
        assert_eq!(mode(&old), right);
    }
    succeed(path, &["export", "Places/City/Cities", "new.csv"]);
    assert_eq!(mode(&new), 0o600);
}

#[test]
fn a_dry_run_leaves_nothing_behind_where_it_is_refused() {
    let folder = tempdir().expect("a folder");
    let temporary = folder.path().join("tmp");
    fs::create_dir(&temporary).expect("made");
    fs::write(folder.path().join("m.yaml"), "tenants:\n  - name: \" \"\n").expect("written");
    let mut command = process(folder.path());
    command.env("TMPDIR", &temporary);
    command.args(["--data", "none", "apply", "m.yaml", "--dry-run"]);
    let output = command.output().expect("it starts");
    assert!(!output.status.success(), "{}", text(&output.stdout));
    let mut left = fs::read_dir(&temporary).expect("a folder");
    assert!(left.next().is_none(), "nothing is left");
}
