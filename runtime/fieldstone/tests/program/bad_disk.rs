//! A disk that goes bad under the server or before it starts: blocks that can't be read, files that are gone.
//! What is told is a status and a line of the log; the process lives.

use crate::cities::{CITIES, cities, company};
use crate::support::{Server, TIMEOUT, fail, run, succeed, text, write_company};
use std::fs::OpenOptions;
use std::time::{Duration, Instant};
use tempfile::tempdir;

/// Settings with which every look goes to the database.
pub(crate) const WITHOUT_CACHES: &[&str] =
    &["--record-cache-bytes", "0", "--page-cache-bytes", "0"];

#[test]
fn a_part_of_the_file_that_can_not_be_read_is_a_500_and_the_server_lives() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), WITHOUT_CACHES);
    let records = cities(&server, &key);
    let look = |n: usize| {
        let answer = server.get(&key, &format!("{records}/by-pk/City%20{n}"));
        answer.status
    };
    assert_eq!(look(0), 200);
    let file = folder.path().join("data/fieldstone.db");
    let file = OpenOptions::new().write(true).open(file).expect("the file");
    let length = file.metadata().expect("its length").len();
    file.set_len(length / 4).expect("cut");
    let found: Vec<u16> = (0..CITIES).step_by(50).map(look).collect();
    let failed = found.iter().filter(|status| **status == 500).count();
    assert!(failed > 10, "{found:?}");
    assert!(
        found.iter().all(|status| [200, 500].contains(status)),
        "nothing that is there is told to be missing: {found:?}"
    );
    let message = server.wait_for_error("ERROR");
    assert!(message.contains("request.id="), "{message}");
    assert_eq!(server.get("", "/healthz").status, 200);
}

#[test]
fn nothing_is_acknowledged_when_the_folder_is_gone() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start_process(folder.path(), &[]);
    let records = cities(&server, &key);
    let create = |name: &str| {
        let body = format!(r#"{{"Name": "{name}", "People": 1}}"#);
        server.send("POST", &key, &records, &body).status
    };
    assert_eq!(create("Before"), 201);
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside"));
    std::fs::rename(&data, &aside).expect("moved");
    assert_eq!(create("Lost"), 500);
    let message = server.wait_for_error("is no longer the file that was opened");
    assert!(message.contains("ERROR"), "{message}");
    assert_eq!(
        server.get(&key, &format!("{records}/by-pk/Before")).status,
        200
    );
    std::fs::rename(&aside, &data).expect("put back");
    assert_eq!(create("Lost"), 201, "it was not made before");
}

#[test]
fn a_store_without_its_database_is_not_begun_anew_unless_told() {
    let folder = tempdir().expect("a folder");
    succeed(
        folder.path(),
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
    );
    let file = folder.path().join("data/fieldstone.db");
    std::fs::remove_file(&file).expect("removed");
    for arguments in [
        &["serve", "--listen", "127.0.0.1:0"][..],
        &["init", "--tenant", "Acme", "--email", "a@example.com"],
        &["apply", "company.yaml", "--dry-run"],
        &["key", "list"],
        &["check"],
    ] {
        write_company(folder.path());
        let message = fail(folder.path(), arguments);
        assert!(
            message.contains("and no fieldstone.db") && message.contains("--create"),
            "{message}"
        );
    }
    assert!(!file.exists());
    let server = Server::start(folder.path(), &["--create"]);
    assert_eq!(server.get("", "/readyz").status, 200);
    server.stop();
    std::fs::write(&file, "").expect("emptied");
    let begun = [
        "init",
        "--create",
        "--tenant",
        "Acme",
        "--email",
        "a@example.com",
    ];
    succeed(folder.path(), &begun);
}

/// Asserts that a search finds one of the cities. A search waits for the index no longer than its limit, and that takes its time
/// to be made where much else is done: its thread gives way.
#[track_caller]
fn finds_one(server: &Server, key: &str) {
    let began = Instant::now();
    let found = loop {
        let found = server.get(key, "/v1/dataobjects/search?query=2718");
        if found.status != 503 || began.elapsed() > TIMEOUT {
            break found;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(found.json()["total"], 1, "{}", found.body);
}

#[test]
fn check_tells_of_a_search_index_that_is_damaged_or_not_of_these_records() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &[]);
    finds_one(&server, &key);
    assert!(succeed(folder.path(), &["check"]).contains("is sound"));
    server.stop();
    let index = folder.path().join("data/search.db");
    let sound = std::fs::read(&index).expect("the index");
    let check = |bytes: &[u8]| {
        std::fs::write(&index, bytes).expect("written");
        let output = run(folder.path(), &["check"]);
        assert_eq!(output.status.code(), Some(1));
        // what nobody needs a backup for
        let (message, advice) = (text(&output.stdout), text(&output.stderr));
        let first = message.lines().next().unwrap_or_default();
        assert!(
            first.ends_with("is sound, but for its search index:"),
            "{message}"
        );
        assert!(message.lines().count() <= 8, "{message}");
        assert!(
            advice.contains("`fieldstone index rebuild`") && !advice.contains("backup"),
            "{advice}"
        );
        message
    };
    let mut torn = sound.clone();
    let middle = torn.len() / 2 / 4096 * 4096;
    torn[middle..middle + 4096].fill(0xa5);
    let message = check(&torn);
    assert!(message.contains("the search index: "), "{message}");
    let message = check(b"no database");
    assert!(
        message.contains("the search index: it can't be read"),
        "{message}"
    );
    // a record that it has and the store has not
    std::fs::write(&index, &sound).expect("written");
    let words = rusqlite::Connection::open(&index).expect("an index");
    let row = "INSERT INTO words (rowid, marker) VALUES (7, 'x')";
    words.execute(row, []).expect("it is done");
    drop(words);
    let one_more = std::fs::read(&index).expect("the index");
    assert!(check(&one_more).contains("the search index: it has the record at place 7"));
    // as it says
    succeed(folder.path(), &["index", "rebuild"]);
    let message = succeed(folder.path(), &["check"]);
    assert!(message.ends_with(" is sound\n"), "{message}");
}

#[test]
fn an_index_that_is_made_anew_at_the_start_is_told_with_what_is_wrong_with_it() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let found = |server: &Server| finds_one(server, &key);
    let server = Server::start_process(folder.path(), &[]);
    found(&server);
    server.stop();
    let index = folder.path().join("data/search.db");
    let mut other = std::fs::read(&index).expect("the index");
    // where SQLite's file format keeps the version that is a program's own
    other[60..64].copy_from_slice(&3_u32.to_be_bytes());
    for (bytes, words) in [
        (&other[..], "the search index is of version 3"),
        // what is left where the disk failed while it was made
        (b"", "the search index was begun and is not there"),
        (b"no database", "file is not a database"),
    ] {
        std::fs::write(&index, bytes).expect("written");
        let server = Server::start_process(folder.path(), &[]);
        let message = server.wait_for_error("it is made anew from the records");
        assert!(message.contains(words), "{message}");
        assert!(!message.contains("the store is damaged"), "{message}");
        found(&server);
        server.stop();
    }
}

#[test]
fn a_database_that_was_copied_without_its_log_is_told_and_served_by_who_accepts_the_loss_alone() {
    let folder = tempdir().expect("a folder");
    let key = company(folder.path());
    let server = Server::start(folder.path(), &[]);
    let records = cities(&server, &key);
    let body = r#"{"Name": "Late", "People": 1}"#;
    assert_eq!(server.send("POST", &key, &records, body).status, 201);
    // as an operator's `cp` does beside a server
    let copied = tempdir().expect("a folder");
    let data = copied.path().join("data");
    std::fs::create_dir(&data).expect("a folder");
    for name in ["fieldstone.db", "fieldstone.secret"] {
        let file = folder.path().join("data").join(name);
        std::fs::copy(file, data.join(name)).expect(name);
    }
    server.stop();
    let output = run(copied.path(), &["check"]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{found}");
    assert!(found.contains("is not there"), "{found}");
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["key", "list"]] {
        let message = fail(copied.path(), command);
        assert!(message.contains("--without-log"), "{command:?}: {message}");
    }
    let server = Server::start(copied.path(), &["--without-log"]);
    let first = format!("{records}/by-pk/City%200");
    assert_eq!(server.get(&key, &first).status, 200);
    let body = r#"{"Name": "Later", "People": 1}"#;
    assert_eq!(server.send("POST", &key, &records, body).status, 201);
    server.stop();
    // it is over then
    assert!(succeed(copied.path(), &["check"]).contains("is sound"));
    let server = Server::start(copied.path(), &[]);
    let later = format!("{records}/by-pk/Later");
    assert_eq!(server.get(&key, &later).status, 200);
}
