//! Contents of files when a deployment moves: they come along, or the move says which ones do not, and nobody serves the
//! target before.

use crate::moves::{command, company_and_exhibit, moved, moved_by};
use crate::museum::link;
use crate::place::{Place, serve_folder, with_bucket};
use crate::storage::Storage;
use crate::support::{Server, process, text};
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
    let (_, keeper) = company_and_exhibit(&place);
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
    let (_, keeper) = company_and_exhibit(&place);
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
    company_and_exhibit(&place);
    moved(&place, "data", &place.address());
    let check = |arguments: &[&str]| {
        let mut command = process(place.path());
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
    std::fs::remove_file(&content).expect("removed");
    let (is_sound, told) = check(&[]);
    let words = "of 1 files no content is in the data folder files-of-database";
    assert!(!is_sound && told.contains(words), "{told}");
}

/// A server whose uploaded files are in a bucket, on a database where one is named.
fn serve_with(storage: &Storage, place: &Place, data: &str, database: Option<&str>) -> Server {
    let mut command = with_bucket(process(place.path()), storage);
    if let Some(database) = database {
        command.env("FIELDSTONE_DATABASE", database);
    }
    command.args(["--data", data, "serve", "--listen", "127.0.0.1:0"]);
    Server::spawn(command)
}

/// Looks whether a server gives the museum's paper, and stops it; what it said.
fn gives_paper(server: Server, keeper: &str) -> String {
    let paper = server.get("", &link(&server, keeper));
    assert_eq!((paper.status, paper.body.as_str()), (200, "in a folder"));
    server.stop()
}

pub(crate) fn contents_of_a_folder_come_into_the_bucket_and_back() {
    let place = Place::new();
    let (_, keeper) = company_and_exhibit(&place);
    let (address, path) = (place.address(), place.path());
    let storage = Storage::start(&path.join("storage"));
    let told = moved_by(with_bucket(command(&place, "data", &address), &storage));
    assert_eq!(told["files"], 1, "{told}");
    let content = only_content(&storage.bucket());
    let kept = std::fs::read_to_string(&content).expect("a content");
    assert_eq!(kept, "in a folder");
    assert!(!path.join("files-of-database/files").exists());
    let server = serve_with(&storage, &place, "files-of-database", Some(&address));
    let said = gives_paper(server, &keeper);
    assert!(
        said.contains("files of imports and exports are in"),
        "{said}"
    );
    assert!(!said.contains("give --s3-bucket"), "{said}");

    // of a folder that is served with the bucket, they stay in it
    let told = moved_by(with_bucket(command(&place, &address, "left"), &storage));
    assert_eq!(told["files"], 1, "{told}");
    assert!(!path.join("left/files").exists());
    gives_paper(serve_with(&storage, &place, "left", None), &keeper);

    let mut back = with_bucket(command(&place, &address, "back"), &storage);
    back.arg("--files-from-bucket");
    let told = moved_by(back);
    assert_eq!(told["files"], 1, "{told}");
    assert!(content.exists(), "those of the source stay as they are");
    gives_paper(serve_folder(&place, "back"), &keeper);
}

pub(crate) fn a_content_in_the_bucket_that_is_another_is_replaced_and_one_that_is_lost_is_told() {
    let place = Place::new();
    let (_, keeper) = company_and_exhibit(&place);
    let storage = Storage::start(&place.path().join("storage"));
    let files = place.path().join("data/files");
    let content = only_content(&files);
    let name = content.strip_prefix(&files).expect("a name");
    let object = storage.bucket().join(name);
    std::fs::create_dir_all(object.parent().expect("a folder")).expect("made");
    std::fs::write(&object, "in a foldeR").expect("written");
    let address = place.address();
    moved_by(with_bucket(command(&place, "data", &address), &storage));
    let kept = std::fs::read_to_string(&object).expect("a content");
    assert_eq!(kept, "in a folder");
    let server = serve_with(&storage, &place, "files-of-database", Some(&address));
    gives_paper(server, &keeper);

    std::fs::remove_file(&object).expect("removed");
    let back = |arguments: &[&str]| {
        let mut back = command(&place, &address, "back");
        back.args(arguments);
        back
    };
    let mut lost = with_bucket(back(&["--files-from-bucket"]), &storage);
    let output = lost.output().expect("it starts");
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("its content is not there"), "{message}");
    let output = back(&["--files-from-bucket"]).output().expect("it starts");
    let message = text(&output.stderr);
    assert!(
        !output.status.success() && message.contains("--s3-bucket"),
        "{message}"
    );
}

pub(crate) fn contents_of_a_backup_come_into_the_bucket_by_a_move_and_by_a_restore() {
    let (place, other) = (Place::new(), Place::new());
    let path = place.path();
    company_and_exhibit(&place);
    let mut backup = process(path);
    backup.args(["--data", "data", "backup", "monday.tar.zst"]);
    let made = backup.output().expect("it starts");
    assert!(made.status.success(), "{}", text(&made.stderr));
    let brought = |storage: &Storage| {
        let content = only_content(&storage.bucket());
        std::fs::read_to_string(content).expect("a content")
    };

    let storage = Storage::start(&path.join("of-the-move"));
    let moves = command(&place, "monday.tar.zst", &place.address());
    moved_by(with_bucket(moves, &storage));
    assert_eq!(brought(&storage), "in a folder");

    let storage = Storage::start(&path.join("of-the-restore"));
    let mut restore = with_bucket(process(path), &storage);
    restore.env("FIELDSTONE_DATABASE", other.address());
    restore.args(["--data", "files-of-other", "restore", "monday.tar.zst"]);
    let restored = restore.output().expect("it starts");
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    assert_eq!(brought(&storage), "in a folder");
    assert!(!path.join("files-of-other/files").exists());
}
