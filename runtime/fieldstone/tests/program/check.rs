//! `check`: how it ends, and the contents of uploaded files, which are there, have their size, and are read where that
//! is asked for.

use crate::museum::{museum, paper};
use crate::support::{Server, fail, fieldstone, json, process, run, succeed, text};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use tempfile::tempdir;

/// A folder with the museum and two files in it.
fn two_files(folder: &Path) -> [PathBuf; 2] {
    let keeper = museum(folder, |arguments| json(folder, arguments));
    let server = Server::start(folder, &[]);
    let ids = [(); 2].map(|()| paper(&server, &keeper, "hello"));
    assert!(succeed(folder, &["check", "--contents"]).contains("is sound"));
    server.stop();
    let datasets = fs::read_dir(folder.join("data/files")).expect("the files");
    let mut found = datasets
        .map(|it| it.expect("an entry").path())
        .filter(|it| it.is_dir());
    let dataset = found.next().expect("a dataset's");
    ids.map(|id| dataset.join(id))
}

/// The id of the file that a content is of.
fn id_of(content: &Path) -> String {
    let name = content.file_name().expect("a name");
    name.to_string_lossy().into_owned()
}

/// What a check that fails says.
fn told(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(!output.status.success());
    text(&output.stdout)
}

#[test]
fn a_check_compares_contents_by_size_and_by_checksum_where_it_is_to_read_them() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let [one, other] = two_files(path);
    let id = id_of(&one);
    fs::write(&one, "hellO").expect("written");
    assert!(
        succeed(path, &["check"]).contains("is sound"),
        "the size is the same"
    );
    let message = told(path, &["check", "--contents"]);
    assert!(
        message.contains(&id) && message.contains("checksum differs"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1, "{message}");
    fs::write(&one, "hel").expect("written");
    let message = told(path, &["check"]);
    assert!(
        message.contains(&format!("the file {id}: its content has 3 bytes, not 5")),
        "{message}"
    );
    fs::remove_file(&one).expect("removed");
    let message = told(path, &["check"]);
    assert!(
        message.contains(&format!("the file {id}: its content is not there")),
        "{message}"
    );
    fs::remove_file(&other).expect("removed");
    for arguments in [&["check"][..], &["check", "--contents"]] {
        let message = told(path, arguments);
        assert!(message.starts_with("of 2 files no content"), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn a_folder_of_files_that_is_not_mounted_is_no_sound_store_and_a_bucket_is_to_be_named() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    two_files(path);
    let (files, away) = (path.join("data/files"), path.join("away"));
    fs::rename(&files, &away).expect("moved");
    let looks = || {
        let output = run(path, &["check", "--format", "json"]);
        let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code(), told)
    };
    let is_missed = || {
        let (code, told) = looks();
        assert_eq!((code, &told["isSound"]), (Some(1), &false.into()), "{told}");
        let contradictions = told["contradictions"].as_array().expect("a list");
        let first = contradictions[0].as_str().expect("a text");
        assert_eq!(contradictions.len(), 1, "{told}");
        for words in ["of 2 files no content", "--data", "--s3-bucket"] {
            assert!(first.contains(words), "{told}");
        }
        let advice = told["error"]["message"].as_str().expect("a text");
        assert!(advice.contains("mount their folder"), "{told}");
    };
    is_missed();
    // as where a volume would be mounted
    fs::create_dir(&files).expect("a folder");
    is_missed();
    fs::remove_dir(&files).expect("removed");
    fs::rename(&away, &files).expect("moved back");
    let (code, told) = looks();
    assert_eq!((code, &told["isSound"]), (Some(0), &true.into()), "{told}");
}

#[cfg(unix)]
#[test]
fn a_folder_of_files_that_is_a_link_to_nowhere_is_told_with_its_path() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    two_files(path);
    let (files, away) = (path.join("data/files"), path.join("away"));
    fs::rename(&files, &away).expect("moved");
    std::os::unix::fs::symlink("../away", &files).expect("a link");
    assert!(succeed(path, &["check", "--contents"]).contains("is sound"));
    Server::start(path, &[]).stop();
    fs::remove_dir_all(&away).expect("removed");
    let message = told(path, &["check", "--contents"]);
    assert!(message.contains("of 2 files no content"), "{message}");
    let message = fail(path, &["serve", "--listen", "127.0.0.1:0"]);
    let words = "data/files is a link to ../away, where no folder is";
    assert!(message.contains(words), "{message}");
}

/// What a command says that finds something wrong.
#[cfg(unix)]
fn said(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    said
}

#[cfg(unix)]
#[test]
fn a_content_that_can_not_be_read_or_is_no_file_is_told_and_the_others_are_backed_up() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let [one, other] = two_files(path);
    let id = id_of(&one);
    let tell = |problem: &str, backup: &str| {
        let found = format!("the file {id}: {problem}");
        for arguments in [
            &["check"][..],
            &["check", "--contents"],
            &["backup", backup],
        ] {
            let said = said(path, arguments);
            assert!(said.contains(&found), "{arguments:?}: {said}");
            assert!(!said.contains("its content is not there"), "{said}");
        }
        let data = format!("of-{backup}");
        let mut restore = fieldstone(path);
        restore.args(["--data", &data, "restore", backup]);
        restore.output().expect("it starts");
        let kept = other.strip_prefix(path.join("data")).expect("it is there");
        let kept = fs::read(path.join(data).join(kept));
        assert_eq!(kept.expect("the other one is kept"), b"hello");
    };
    fs::remove_file(&one).expect("removed");
    // a link to itself, which root can't read either
    std::os::unix::fs::symlink(&one, &one).expect("a link");
    tell("its content can't be read: ", "looped.tar.zst");
    fs::remove_file(&one).expect("removed");
    let made = Command::new("mkfifo").arg(&one).status();
    assert!(made.expect("mkfifo runs").success());
    tell("its content is no file", "piped.tar.zst");
}

#[test]
fn a_check_that_nobody_reads_ends_well() {
    let folder = tempdir().expect("a folder");
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = process(folder.path());
    let output = command.args(["--data", "data", "check"]).stdout(writer);
    let output = output.output().expect("it starts");
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), message.as_str()), (Some(0), ""));
}

#[test]
fn check_tells_what_is_wrong_and_says_so_with_its_exit_code() {
    let folder = tempdir().expect("a folder");
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("holds no store"));
    fs::create_dir(folder.path().join("data")).expect("a folder");
    fs::write(folder.path().join("data/fieldstone.db"), "no database").expect("written");
    let output = run(folder.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stderr).starts_with("error: "),
        "{}",
        text(&output.stderr)
    );
}
