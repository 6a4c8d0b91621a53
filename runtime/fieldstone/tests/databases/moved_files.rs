//! Contents of files when a deployment moves: they come along, or the move says which ones do not, and nobody serves the
//! target before.

use crate::cities::company;
use crate::moves::{command, exhibit, moved};
use crate::museum::link;
use crate::place::Place;
use crate::support::{fieldstone, text};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A move of the folder that must fail for the contents of files; what it told.
fn told_of_missing(place: &Place) -> Value {
    let mut command = command(place, "data", &place.address());
    let output = command.args(["--format", "json"]).output();
    let output = output.expect("it starts");
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert_eq!(told["isSame"], false, "{told}");
    assert_eq!(told["missingFiles"], 1, "{told}");
    let mut parts = told["parts"].as_array().expect("parts").iter();
    assert!(parts.all(|part| part["isSame"] == true), "{told}");
    let message = place.fail(&["serve", "--listen", "127.0.0.1:0"]);
    assert!(message.contains("is not whole"), "{message}");
    told
}

/// The message of the error of a move.
fn message(told: &Value) -> &str {
    told["error"]["message"].as_str().expect("a message")
}

/// The one file in the folders of a folder of contents.
fn only_content(folder: &Path) -> PathBuf {
    let datasets = std::fs::read_dir(folder).expect("the folder").flatten();
    let folders = datasets.map(|it| it.path()).filter(|it| it.is_dir());
    let mut files = folders.flat_map(|it| std::fs::read_dir(it).expect("a folder").flatten());
    files.next().expect("a content").path()
}

pub(crate) fn contents_that_are_missing_in_the_target_are_told_until_they_are_brought() {
    let place = Place::new();
    company(place.path());
    let keeper = exhibit(place.path());
    let (contents, aside) = (place.path().join("data/files"), place.path().join("aside"));
    std::fs::rename(&contents, &aside).expect("set aside");
    // the second one goes on where the first one ended, and only compares
    for _ in 0..2 {
        let told = told_of_missing(&place);
        for words in [
            "contents of 1 of 1 files are missing",
            "its content is not there",
            "--without-missing-files",
        ] {
            assert!(message(&told).contains(words), "{words}: {told}");
        }
    }
    std::fs::rename(&aside, &contents).expect("brought back");
    let told = moved(&place, "data", &place.address());
    assert_eq!(
        (&told["files"], &told["missingFiles"]),
        (&1.into(), &0.into())
    );
    let server = place.serve("files-of-database", &[]);
    let paper = server.get("", &link(&server, &keeper));
    assert_eq!((paper.status, paper.body.as_str()), (200, "in a folder"));
}

pub(crate) fn a_content_that_was_cut_is_told_and_given_up_where_that_is_said() {
    let place = Place::new();
    company(place.path());
    let keeper = exhibit(place.path());
    let content = only_content(&place.path().join("data/files"));
    std::fs::write(&content, "in a fold").expect("cut");
    let told = told_of_missing(&place);
    let words = "its content has 9 bytes, not 11";
    assert!(message(&told).contains(words), "{told}");
    let mut given_up = command(&place, "data", &place.address());
    let output = given_up.arg("--without-missing-files").output();
    let output = output.expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let server = place.serve("files-of-database", &[]);
    let paper = server.get("", &link(&server, &keeper));
    assert_ne!(paper.status, 200, "{}", paper.body);
}

pub(crate) fn a_check_of_a_database_looks_at_the_contents_of_its_files() {
    let place = Place::new();
    company(place.path());
    exhibit(place.path());
    moved(&place, "data", &place.address());
    let check = |arguments: &[&str]| {
        let mut command = fieldstone(place.path());
        command.env("FIELDSTONE_DATABASE", place.address());
        command.args(["--data", "files-of-database", "check"]);
        let output = command.args(arguments).output().expect("it starts");
        (output.status.success(), text(&output.stdout))
    };
    let (is_sound, told) = check(&["--contents"]);
    assert!(is_sound, "{told}");
    let content = only_content(&place.path().join("files-of-database/files"));
    std::fs::write(&content, "in a foldeR").expect("written");
    let (is_sound, told) = check(&[]);
    assert!(is_sound, "the length is the same: {told}");
    let (is_sound, told) = check(&["--contents"]);
    assert!(!is_sound && told.contains("checksum differs"), "{told}");
    std::fs::write(&content, "cut").expect("written");
    let (is_sound, told) = check(&[]);
    let words = "its content has 3 bytes, not 11";
    assert!(!is_sound && told.contains(words), "{told}");
}
