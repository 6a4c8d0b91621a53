//! What a restore does not bring back, and who learns of that: those who follow changes, receivers of letters, makers of jobs.

use crate::follower::Follower;
use crate::job_files::{
    assert_no_files, export, exported, import, import_that_is_killed, leave_midway, wait_for,
};
use crate::museum::museum;
use crate::receiver::{PRIVATE, Receiver};
use crate::support::{Server, fail, fieldstone, json, succeed, text, write_company};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::tempdir;

/// Records whose export is under way for a while: of several pieces of its file.
const ROWS: usize = 10_000;

/// A folder beside, with what a backup has as its data folder.
fn restored(path: &Path, name: &str, backup: &str) -> PathBuf {
    let folder = path.join(name);
    fs::create_dir(&folder).expect("a folder");
    succeed(&folder, &["restore", &format!("../{backup}")]);
    folder
}

#[test]
fn nothing_of_a_store_is_taken_for_something_else_once_it_was_restored() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    let applied = json(path, &["apply", "company.yaml"]);
    let mut steps = applied["steps"].as_array().expect("steps").iter();
    let step = steps.find(|step| step["name"] == "crm").expect("the key");
    let key = step["secret"].as_str().expect("a secret");
    let receiver = Receiver::start();
    fs::write(path.join("hooks.yaml"), receiver.manifest()).expect("written");
    json(path, &["apply", "hooks.yaml"]);

    let server = Server::start(path, &PRIVATE);
    let mut follower = Follower::of(&server, key, receiver);
    follower.follow(&server, "Kept");
    succeed(path, &["backup", "one.tar.zst"]);
    follower.follow(&server, "Before");
    server.stop();
    // each restore is of its own, be it of the same backup
    for (folder, city) in [("one", "After"), ("two", "Later")] {
        let folder = restored(path, folder, "one.tar.zst");
        let server = Server::start(&folder, &PRIVATE);
        follower.meets_restored(&server, city);
        server.stop();
        assert!(succeed(&folder, &["check"]).contains("is sound"));
    }
    // what is moved is the same store
    fs::create_dir(path.join("two/moved")).expect("a folder");
    succeed(
        &path.join("two"),
        &["move", "--from", "data", "--to", "moved/data"],
    );
    let server = Server::start(&path.join("two/moved"), &[]);
    follower.meets_again(&server);
    server.stop();
}

#[test]
fn jobs_of_a_restored_store_tell_of_no_files_and_an_import_without_its_file_says_so() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let keeper = museum(path, |arguments| json(path, arguments));
    let server = Server::start_process(path, &[]);
    let export = exported(&server, &keeper);
    let import = import_that_is_killed(server, &keeper);
    succeed(path, &["backup", "one.tar.zst"]);
    let server = Server::start_process(&restored(path, "other", "one.tar.zst"), &[]);
    assert_no_files(&server, &keeper, &export);
    let job = wait_for((&server, &keeper, &import), |job| job["state"] == "failed");
    let told = job["failure"].as_str().expect("why");
    for part in ["the file that was sent is not here", "send it again"] {
        assert!(told.contains(part), "{told}");
    }
    server.stop();
}

#[test]
fn an_export_that_a_backup_has_midway_is_written_anew_where_that_is_restored() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let keeper = museum(path, |arguments| json(path, arguments));
    let server = Server::start_process(path, &[]);
    let long = "n".repeat(1_000);
    let rows = (0..ROWS).map(|row| format!("{row}{long}"));
    let made = import(&server, &keeper, rows);
    wait_for((&server, &keeper, &made), |job| job["state"] == "done");
    let export = export(&server, &keeper, r#"{"packing": "gzip"}"#);
    leave_midway(server, &keeper, &export);
    succeed(path, &["backup", "one.tar.zst"]);
    let server = Server::start_process(&restored(path, "other", "one.tar.zst"), &[]);
    let has_ended = |job: &Value| job["state"] == "done" || job["state"] == "failed";
    let job = wait_for((&server, &keeper, &export), has_ended);
    assert_eq!(job["state"], "done", "{job}");
    assert_eq!(job["exportResult"]["records"], ROWS, "{job}");
    let file = server.get(&keeper, &format!("{export}/export"));
    assert_eq!(file.status, 200, "{}", file.body);
    server.stop();
}

#[test]
fn a_fresh_disk_takes_what_is_restored_and_moved_to_it() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    write_company(path);
    succeed(path, &["apply", "company.yaml"]);
    succeed(path, &["backup", "one.tar.zst"]);
    for disk in ["one", "two"] {
        fs::create_dir_all(path.join(disk).join("lost+found")).expect("a disk");
    }
    let on_disk = |disk: &str, arguments: &[&str]| {
        let mut command = fieldstone(path);
        let output = command.args(["--data", disk]).args(arguments).output();
        let output = output.expect("the program starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    on_disk("one", &["restore", "one.tar.zst"]);
    succeed(path, &["move", "--from", "data", "--to", "two"]);
    for disk in ["one", "two"] {
        assert!(on_disk(disk, &["tenant", "list"]).contains("Acme"));
        assert!(path.join(disk).join("lost+found").exists());
    }
    // what somebody put there is in the way, as ever
    let other = path.join("data/lost+found");
    fs::create_dir(other).expect("a folder");
    let told = fail(path, &["restore", "one.tar.zst"]);
    assert!(told.contains("is not empty"), "{told}");
    assert!(!told.contains("lost+found"), "{told}");
}
