//! Pages that were read before are answered from memory: only while a read would give the same.

use crate::world::World;
use serde_json::Value;
use std::collections::HashMap;

/// A list at several sizes, asked for twice: the second time nothing has to be read.
fn lists(world: &World) -> Vec<Vec<Value>> {
    let mut lists = Vec::new();
    for size in [2, 3, 1000] {
        let read = world.walk(&world.records(), size);
        assert_eq!(world.walk(&world.records(), size), read, "{size}");
        lists.push(read);
    }
    lists
}

#[test]
fn a_list_shows_what_was_written_since_it_was_read_last() {
    let world = World::start();
    let mut known: Vec<Value> = Vec::new();
    let expect = |known: &[Value]| {
        for list in lists(&world) {
            assert_eq!(list, known);
        }
    };
    expect(&known);
    for number in 0..5 {
        known.push(world.created(&format!(r#"{{"Code":"c{number}","Name":"N"}}"#)));
        expect(&known);
    }
    for changed in [0, 4, 2] {
        let version = known[changed]["_version"].clone();
        let body = format!(r#"{{"_version":{version},"Name":"changed"}}"#);
        world.update(&known[changed], &body).is(204);
        let code = known[changed]["Code"].as_str().expect("a text").to_owned();
        known[changed] = world.by_key(&code).is(200).json();
        assert_eq!(known[changed]["Name"], "changed");
        expect(&known);
    }
    for deleted in [3, 0, 2] {
        world.delete(&known.remove(deleted)).is(204);
        expect(&known);
    }
}

#[test]
fn every_writer_finds_its_own_write_in_the_next_list() {
    const WRITERS: usize = 6;
    const WRITES: i64 = 40;
    let world = World::start();
    let records: Vec<Value> = (0..WRITERS)
        .map(|number| world.created(&format!(r#"{{"Code":"c{number}","Name":"N"}}"#)))
        .collect();
    std::thread::scope(|scope| {
        for record in &records {
            let world = &world;
            scope.spawn(move || {
                for version in 0..WRITES {
                    let body = format!(r#"{{"_version":{version}}}"#);
                    world.update(record, &body).is(204);
                    let found: HashMap<String, i64> = world
                        .walk(&world.records(), 4)
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
