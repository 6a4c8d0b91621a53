//! Backups of a database: of one moment, by a command or by the server itself, for a folder or another database, and
//! in a bucket as those of a folder are.

use crate::cities::cities;
use crate::closed_folder::assert_closed;
use crate::ends::Ends;
use crate::museum::{add_paper, link};
use crate::place::{Place, names, serve_folder};
use crate::scrape::{WATCHED, address_of, find_figure, scrape};
use crate::storage::{ACCESS_KEY_ID, BUCKET, SECRET_ACCESS_KEY, Storage};
use crate::support::{self, Server, process, text, word_after};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(crate) fn a_backup_beside_writers_is_of_one_moment_and_comes_back_anywhere() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &[]);
    let records = cities(&server, &key);
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let _ends = Ends(&is_over);
        for writer in 0..2 {
            let (server, key, records, is_over) = (&server, &key, &records, &is_over);
            scope.spawn(move || {
                for number in 0.. {
                    if is_over.load(Ordering::Relaxed) {
                        return;
                    }
                    let body = format!("{{\"Name\": \"W {writer} {number}\"}}");
                    let made = server.send("POST", key, records, &body);
                    assert_eq!(made.status, 201, "{}", made.body);
                }
            });
        }
        std::thread::sleep(Duration::from_millis(500));
        let made = place.run(&["backup", "b.tar.zst"]);
        assert!(made.status.success(), "{}", text(&made.stderr));
    });
    let all = names(&server, &key).len();
    server.stop();

    let mut restore = process(place.path());
    restore.args(["--data", "restored", "restore", "b.tar.zst"]);
    let restored = restore.output().expect("it starts");
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let server = serve_folder(&place, "restored");
    let in_folder = names(&server, &key);
    server.stop();
    for writer in 0..2 {
        let of_writer = |name: &&String| name.starts_with(&format!("W {writer} "));
        let of_writer: Vec<_> = in_folder.iter().filter(of_writer).collect();
        assert!(!of_writer.is_empty(), "it wrote before");
        let in_order = (0..of_writer.len()).map(|number| format!("W {writer} {number}"));
        assert!(
            in_order.eq(of_writer.into_iter().cloned()),
            "none is left out"
        );
    }
    assert!(in_folder.len() <= all);

    let other = Place::new();
    let backup = place.path().join("b.tar.zst");
    let restored = other.run(&["restore", &backup.display().to_string()]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let server = other.serve("data", &[]);
    assert_eq!(names(&server, &key), in_folder);
    server.stop();
    let checked = other.run(&["check"]);
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}

pub(crate) fn a_server_on_a_database_makes_backups_by_itself() {
    let place = Place::new();
    place.company();
    let server = place.serve_with_backups("one");
    let told = server.wait_for_error("backed up");
    let name = word_after(&told, "backed up name=").trim_matches('"');
    let made = place.path().join("backups-one").join(name);
    server.stop();
    let other = Place::new();
    let restored = other.run(&["restore", &made.display().to_string()]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
}

/// When the newest backup was made, as a server's figures tell it.
fn newest(server: &Server) -> Option<f64> {
    let shown = scrape(&address_of(server));
    find_figure(&shown, "fieldstone_backup_last_success_timestamp_seconds")
}

pub(crate) fn every_server_of_a_database_tells_of_the_newest_backup_of_any() {
    let place = Place::new();
    place.company();
    let root = place.root();
    let health = |server: &Server| {
        let answer = server.get(&root, "/admin/api/v1/health");
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["lastBackupDate"].clone()
    };
    let other = place.serve("other", &WATCHED);
    assert!(health(&other).is_null(), "there is none yet");
    assert_eq!(newest(&other), None);
    let maker = place.serve(
        "one",
        &[&["--backup-dir", "backups"], &WATCHED[..]].concat(),
    );
    let began = Instant::now();
    let begun = loop {
        let begun = health(&other);
        if !begun.is_null() {
            break begun;
        }
        assert!(began.elapsed() < support::TIMEOUT, "{}", maker.errors());
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(health(&maker), begun);
    let shown = newest(&other);
    assert!(shown.is_some(), "a figure of another server's backup");
    assert_eq!(newest(&maker), shown);
    maker.stop();
    other.stop();
    let later = place.serve("later", &[]);
    assert_eq!(health(&later), begun);
}

pub(crate) fn a_backup_that_is_a_folder_is_closed_to_others_and_comes_back_with_its_files() {
    let place = Place::new();
    let key = place.museum();
    let server = place.serve("data", &[]);
    add_paper(&server, &key, "kept with it");
    server.stop();

    let made = place.run(&["backup", "monday/"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    let folder = place.path().join("monday");
    let names = assert_closed(&folder);
    assert!(names.contains(&"fieldstone.db".to_owned()), "{names:?}");
    let message = place.fail(&["backup", "monday/"]);
    assert!(message.contains("monday"), "{message}");
    assert_eq!(assert_closed(&folder), names, "nothing is overwritten");

    let other = Place::new();
    let restored = other.run(&["restore", &folder.display().to_string()]);
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let server = other.serve("data", &[]);
    let paper = server.get("", &link(&server, &key));
    assert_eq!((paper.status, &*paper.body), (200, "kept with it"));
    server.stop();
    let checked = other.run(&["check"]);
    assert!(checked.status.success(), "{}", text(&checked.stdout));
}

/// A command that finds the storage.
fn with_storage(mut command: Command, storage: &Storage, arguments: &[&str]) -> String {
    command.args(arguments);
    command.args(["--s3-endpoint", &storage.endpoint()]);
    command.env("FIELDSTONE_S3_ACCESS_KEY_ID", ACCESS_KEY_ID);
    command.env("FIELDSTONE_S3_SECRET_ACCESS_KEY", SECRET_ACCESS_KEY);
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

pub(crate) fn a_backup_in_a_bucket_comes_back_into_a_database_and_a_folder() {
    let place = Place::new();
    let key = place.company();
    let server = place.serve("one", &[]);
    let made = server.send("POST", &key, &cities(&server, &key), r#"{"Name": "Kept"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let all = names(&server, &key);
    assert!(all.contains(&"Kept".to_owned()));
    server.stop();
    let storage = Storage::start(&place.path().join("storage"));
    let address = format!("s3://{BUCKET}/kept/monday.tar.zst");
    let said = with_storage(place.program(), &storage, &["backup", &address]);
    assert!(said.contains("read again and compared"), "{said}");

    let restore = ["restore", address.as_str()];
    let other = Place::new();
    with_storage(other.program(), &storage, &restore);
    let server = other.serve("data", &[]);
    assert_eq!(names(&server, &key), all);
    server.stop();
    let mut folder = process(place.path());
    folder.args(["--data", "restored"]);
    with_storage(folder, &storage, &restore);
    let server = serve_folder(&place, "restored");
    assert_eq!(names(&server, &key), all);
    server.stop();
}
