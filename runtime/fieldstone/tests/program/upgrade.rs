//! Stores of earlier versions of the program: they are read as they are, brought to this version, and have all that they
//! had.

use crate::earlier::{Earlier, earlier, has};
use crate::support::{Server, succeed};
use serde_json::json;
use std::fs;
use tempfile::tempdir;

/// As the guide for upgrading says.
fn upgrade(earlier: &Earlier) {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    earlier.unpack(path);
    // looked at and backed up before anything is changed
    assert!(succeed(path, &["check", "--contents"]).contains("is sound"));
    succeed(path, &["backup", "before.tar.zst"]);
    let server = Server::start(path, &[]);
    earlier.assert_whole(&server);
    earlier.change(&server);
    server.stop();
    assert!(succeed(path, &["check", "--contents"]).contains("is sound"));
    assert!(succeed(path, &["compact"]).contains("bytes"));
    let server = Server::start(path, &[]);
    earlier.assert_changed(&server);
    server.stop();

    // and what was backed up before is restored by this version, as it was
    let other = path.join("other");
    fs::create_dir(&other).expect("a folder");
    succeed(&other, &["restore", "../before.tar.zst"]);
    let server = Server::start(&other, &[]);
    earlier.assert_whole(&server);
    server.stop();
}

#[test]
fn stores_of_earlier_versions_are_checked_backed_up_upgraded_and_served_with_all_they_had() {
    let all = earlier();
    assert!(!all.is_empty(), "there are stores of earlier versions");
    for earlier in all {
        println!("{}", earlier.archive.display());
        upgrade(&earlier);
    }
}

#[test]
fn an_answer_that_lacks_what_there_was_is_told() {
    let then = json!({"items": [{"No": "A", "Title": null}, {}]});
    for (now, is_whole) in [
        (
            json!({"items": [{"No": "A", "More": 1}, {"No": "B"}]}),
            true,
        ),
        (json!({"items": [{"No": "A", "Title": "x"}, {}]}), false),
        (json!({"items": [{"No": "A"}]}), false),
        (json!({"items": [{"No": "B"}, {}]}), false),
        (json!({}), false),
    ] {
        assert_eq!(has(&now, &then), is_whole, "{now}");
    }
}
