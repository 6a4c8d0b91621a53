//! `fieldstone index rebuild`: an index that lost its words, which nothing else would notice, is made anew.

use crate::cities::company;
use crate::support::{Server, TIMEOUT, fail, json, succeed};
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

/// Takes all words out of the index of a folder that nobody has.
fn lose_words(folder: &Path) {
    let index = rusqlite::Connection::open(folder.join("data/search.db")).expect("an index");
    let lost = "INSERT INTO words (words) VALUES ('delete-all')";
    index.execute(lost, []).expect("it is done");
}

#[test]
fn an_index_that_lost_its_words_is_made_anew_beside_a_server_and_without_one() {
    let folder = tempdir().expect("a folder");
    let path = folder.path();
    let missing = fail(path, &REBUILD);
    assert!(missing.contains("holds no store"), "{missing}");
    let key = company(path);
    let serve = || Server::start(path, &[]);
    let server = serve();
    finds(&server, &key, 1);
    server.stop();

    lose_words(path);
    let server = serve();
    finds(&server, &key, 0);
    let told = succeed(path, &REBUILD);
    assert!(told.contains("datasets to read: 1"), "{told}");
    finds(&server, &key, 1);
    server.stop();

    lose_words(path);
    assert_eq!(json(path, &REBUILD)["datasets"], 1);
    let server = serve();
    finds(&server, &key, 1);
    server.stop();
}
