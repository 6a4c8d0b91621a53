//! An index that lost its words, which no search would notice, is rebuilt: by `fieldstone index rebuild`, and by a server that
//! starts.

use crate::cities::company;
use crate::support::{Server, TIMEOUT, fail, json, run, succeed};
use std::path::Path;
use std::time::{Duration, Instant};
use tempfile::tempdir;

const REBUILD: [&str; 2] = ["index", "rebuild"];

/// Waits until a search for one of the cities finds so many.
fn finds(server: &Server, key: &str, count: usize) {
    let began = Instant::now();
    loop {
        let found = server.get(key, "/v1/dataobjects/search?query=2999");
        if found.status == 200 && found.json()["total"] == count {
            return;
        }
        assert!(began.elapsed() < TIMEOUT, "{} {}", found.head, found.body);
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Takes all words out of the index of a folder.
fn lose_words(folder: &Path) {
    let index = rusqlite::Connection::open(folder.join("data/search.db")).expect("an index");
    let lost = "INSERT INTO words (words) VALUES ('delete-all')";
    index.execute(lost, []).expect("it is done");
}

#[test]
fn an_index_that_lost_its_words_is_rebuilt_beside_a_server_without_one_and_at_the_start() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let missing = fail(path, &REBUILD);
    assert!(missing.contains("holds no store"), "{missing}");
    let key = company(path);
    let serve = || Server::start(path, &[]);
    let server = serve();
    finds(&server, &key, 1);
    lose_words(path);
    let told = succeed(path, &REBUILD);
    assert!(told.contains("datasets to read: 1"), "{told}");
    finds(&server, &key, 1);
    server.stop();

    lose_words(path);
    let output = run(path, &["check"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(json(path, &REBUILD)["datasets"], 1);
    succeed(path, &["check"]);
    let server = serve();
    finds(&server, &key, 1);
    server.stop();

    lose_words(path);
    let server = serve();
    finds(&server, &key, 1);
    server.stop();
}
