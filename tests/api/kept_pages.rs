//! Pages that were read before are answered from memory: only while a read would give the same.

use crate::test_server::TestServer;
use serde_json::Value;
use std::collections::HashMap;

/// A list at several sizes, asked for twice: the second time nothing has to be read.
fn lists(server: &TestServer) -> Vec<Vec<Value>> {
    let mut lists = Vec::new();
    for size in [2, 3, 1000] {
        let read = server.walk(&server.records(), size);
        assert_eq!(server.walk(&server.records(), size), read, "{size}");
        lists.push(read);
    }
    lists
}

#[test]
fn a_list_shows_what_was_written_since_it_was_read_last() {
    let server = TestServer::start();
    let mut known: Vec<Value> = Vec::new();
    let expect = |known: &[Value]| {
        for list in lists(&server) {
            assert_eq!(list, known);
        }
    };
    expect(&known);
    for number in 0..5 {
        known.push(server.created(&format!(r#"{{"Code":"c{number}","Name":"N"}}"#)));
        expect(&known);
    }
    for changed in [0, 4, 2] {
        let version = known[changed]["_version"].clone();
        let body = format!(r#"{{"_version":{version},"Name":"changed"}}"#);
        server.update(&known[changed], &body).is(204);
        let code = known[changed]["Code"].as_str().expect("a text").to_owned();
        known[changed] = server.by_key(&code).is(200).json();
        assert_eq!(known[changed]["Name"], "changed");
        expect(&known);
    }
    for deleted in [3, 0, 2] {
        server.delete(&known.remove(deleted)).is(204);
        expect(&known);
    }
}

#[test]
fn every_writer_finds_its_own_write_in_the_next_list() {
    const WRITERS: usize = 6;
    const WRITES: i64 = 40;
    let server = TestServer::start();
    let records: Vec<Value> = (0..WRITERS)
        .map(|number| server.created(&format!(r#"{{"Code":"c{number}","Name":"N"}}"#)))
        .collect();
    std::thread::scope(|scope| {
        for record in &records {
            let server = &server;
            scope.spawn(move || {
                for version in 0..WRITES {
                    let body = format!(r#"{{"_version":{version}}}"#);
                    server.update(record, &body).is(204);
                    let found: HashMap<String, i64> = server
                        .walk(&server.records(), 4)
                        .iter()
                        .map(|item| {
                            let id = item["_dataObjectId"].as_str().expect("a text");
                            (id.to_owned(), item["_version"].as_i64().expect("a number"))
                        })
                        .collect();
                    let id = record["_dataObjectId"].as_str().expect("a text");
                    assert_eq!(found[id], version + 1);
                }
            });
        }
    });
}
