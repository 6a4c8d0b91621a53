//! Backups that are moved: compared as a restore compares them, whatever the store had under way, and never written.

use crate::job_files::import_that_is_killed;
use crate::moves::{command, exhibit, moved};
use crate::museum::{add_paper, link};
use crate::place::{Place, serve_folder};
use crate::support::{Server, process, succeed, text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// All files below a folder, by their paths.
fn all_in(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(all_in(&path));
        } else {
            all.insert(path.clone(), std::fs::read(&path).expect("read"));
        }
    }
    all
}

/// The text of the museum's file.
fn paper(server: &Server, keeper: &str) -> String {
    let answer = server.get("", &link(server, keeper));
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

pub(crate) fn a_backup_moves_into_a_database_and_a_folder_and_stays_as_it_is() {
    let place = Place::new();
    let keeper = place.museum();
    let server = place.serve("data", &[]);
    add_paper(&server, &keeper, "in a backup");
    import_that_is_killed(server, &keeper);
    let refused = command(&place, &place.address(), "elsewhere").output();
    let refused = text(&refused.expect("it starts").stderr);
    assert!(refused.contains("1 jobs wait or go on"), "{refused}");
    for backup in ["kept/", "kept.tar.zst"] {
        let made = place.run(&["backup", backup]);
        assert!(made.status.success(), "{}", text(&made.stderr));
    }
    let before = all_in(&place.path().join("kept"));

    let other = Place::new();
    let kept = |name: &str| place.path().join(name).display().to_string();
    moved(&other, &kept("kept"), &other.address());
    let server = other.serve("files-of-database", &[]);
    assert_eq!(paper(&server, &keeper), "in a backup");
    server.stop();
    moved(&other, &kept("kept"), "from-folder");
    moved(&other, &kept("kept.tar.zst"), "from-file");
    for folder in ["from-folder", "from-file"] {
        let server = serve_folder(&other, folder);
        assert_eq!(paper(&server, &keeper), "in a backup", "{folder}");
        server.stop();
    }
    let left = std::fs::read_dir(other.path()).expect("a folder").flatten();
    let left = left.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let left: Vec<_> = left.filter(|name| name.starts_with("restoring")).collect();
    assert!(left.is_empty(), "{left:?}");

    assert_eq!(all_in(&place.path().join("kept")), before);
    let mut restore = process(place.path());
    let restored = restore.args(["--data", "restored", "restore", "kept"]);
    let restored = restored.output().expect("it starts");
    assert!(restored.status.success(), "{}", text(&restored.stderr));
}

pub(crate) fn a_backup_that_is_not_as_it_was_written_is_not_moved() {
    let place = Place::new();
    let keeper = place.museum();
    let server = place.serve("data", &[]);
    add_paper(&server, &keeper, "in a backup");
    server.stop();
    let made = place.run(&["backup", "kept/"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let kept = place.path().join("kept");
    let fail = || {
        let output = command(&place, "kept", "target").output();
        let output = output.expect("it starts");
        assert!(!output.status.success(), "{}", text(&output.stdout));
        assert!(!place.path().join("target").exists(), "nothing was begun");
        text(&output.stderr)
    };
    let files = all_in(&kept.join("files"));
    let (content, bytes) = files.first_key_value().expect("a content");
    std::fs::write(content, "in a backuP").expect("written");
    let told = fail();
    assert!(told.contains("is not as it was written"), "{told}");
    std::fs::write(content, bytes).expect("written");
    std::fs::remove_file(kept.join("checksums.json")).expect("removed");
    let told = fail();
    assert!(told.contains("it has no checksums.json"), "{told}");
}

pub(crate) fn secrets_of_a_backup_come_to_the_file_that_is_named_for_them_with_the_end_of_the_move()
{
    let place = Place::new();
    let keeper = exhibit(place.path());
    succeed(place.path(), &["backup", "kept/"]);
    let named = ["--signing-secret-file", "the.secret"];
    let file = place.path().join("the.secret");
    let run = |to: &str| {
        let output = command(&place, "kept", to).args(named).output();
        let output = output.expect("it starts");
        (output.status.success(), text(&output.stderr))
    };
    // nobody listens there
    let (is_done, told) = run("host=127.0.0.1 port=1 user=nobody dbname=none");
    assert!(!is_done && !file.exists(), "{told}");
    std::fs::write(&file, "of others").expect("written");
    let (is_done, told) = run(&place.address());
    assert!(
        !is_done && told.contains("other signing secrets than the backup"),
        "{told}"
    );
    assert_eq!(std::fs::read(&file).expect("a file"), b"of others");
    std::fs::remove_file(&file).expect("removed");
    let (is_done, told) = run(&place.address());
    assert!(is_done, "{told}");
    let own = std::fs::read(place.path().join("data/fieldstone.secret"));
    assert!(std::fs::read(&file).expect("a file") == own.expect("a file"));
    let server = place.serve("files-of-database", &named);
    assert_eq!(paper(&server, &keeper), "in a folder");
}

/// How a database numbers the purges that are not settled yet.
fn unsettled(place: &Place) -> String {
    let told = place.cluster.run(&format!(
        "\\connect {}\nSELECT 'purge ' || purge_to_settle FROM dataset_state WHERE purge_to_settle > 0;",
        place.database()
    ));
    let told = told.expect("it is told");
    let found = told.lines().find(|line| line.contains("purge "));
    found.unwrap_or_default().trim().to_owned()
}

pub(crate) fn a_purge_that_is_not_settled_goes_along_in_moves_and_backups() {
    let place = Place::new();
    place.company();
    place.serve("data", &[]).stop();
    // as it is where a server was killed right behind the purge
    let noted = place.cluster.run(&format!(
        "\\connect {}\nUPDATE dataset_state SET purge_to_settle = 7 WHERE dataset = (SELECT min(dataset) FROM dataset_state);",
        place.database()
    ));
    noted.expect("it is noted");
    assert_eq!(unsettled(&place), "purge 7");
    let made = place.run(&["backup", "kept/"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    moved(&place, &place.address(), "folder");
    moved(&place, "folder", "copy");
    let kept = |name: &str| place.path().join(name).display().to_string();
    for name in ["copy", "kept"] {
        let other = Place::new();
        moved(&other, &kept(name), &other.address());
        assert_eq!(unsettled(&other), "purge 7", "{name}");
    }
}
