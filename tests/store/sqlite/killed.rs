//! A process that is killed while it writes loses no write that it had acknowledged.

use super::dataset;
use crate::engines::folder;
use crate::test_dataset::{TestDataset, content};
use runtime::store::records::{RecordId, RecordPlace, WriteVerdict};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

const FOLDER: &str = "STORE_TEST_FOLDER";
const WRITERS: usize = 8;

/// What the killed process had said about a record: its place, version and key, or that it is deleted.
#[derive(Debug)]
struct Said {
    id: RecordId,
    version: i64,
    key: String,
    is_deleted: bool,
}

/// Says that a write was acknowledged. A line is one write to the pipe: whole or not there.
fn say(verdict: WriteVerdict, key: &str, is_deleted: bool) -> (RecordId, i64) {
    let WriteVerdict::Done { id, version } = verdict else {
        panic!("{key}: {verdict:?}")
    };
    let (sequence, nonce) = (id.place.sequence, id.nonce);
    let line = format!("acknowledged {sequence} {nonce} {version} {is_deleted} {key}\n");
    let mut out = std::io::stdout().lock();
    out.write_all(line.as_bytes()).expect("the pipe is open");
    out.flush().expect("the pipe is open");
    (id, version)
}

fn heard(line: &str) -> Option<Said> {
    // the test harness prints before the first line
    let (_, line) = line.split_once("acknowledged ")?;
    let mut parts = line.split(' ');
    let mut next = || parts.next().expect("a whole line");
    let place = RecordPlace {
        dataset: 1,
        sequence: next().parse().expect("a sequence"),
    };
    Some(Said {
        id: RecordId {
            place,
            nonce: next().parse().expect("a nonce"),
        },
        version: next().parse().expect("a version"),
        is_deleted: next().parse().expect("whether it is deleted"),
        key: next().to_owned(),
    })
}

#[test]
#[ignore = "it is the process that the next story starts and kills"]
fn the_process_that_writes_until_it_is_killed() {
    let folder = std::env::var_os(FOLDER).expect("the story names a folder");
    let dataset = dataset(folder.as_ref());
    let run = dataset.counts().0;
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let dataset = &dataset;
            scope.spawn(move || write_for_ever(dataset, &format!("{run}-{writer}")));
        }
    });
}

fn write_for_ever(dataset: &TestDataset, name: &str) {
    for n in 0.. {
        let key = format!("{name}-{n}");
        let (id, version) = say(dataset.offer(content(&key, "first")), &key, false);
        if n % 3 != 0 {
            let second = format!("{key}-second");
            let updated = dataset.update(id, version, content(&second, "second"));
            let (id, version) = say(updated, &second, false);
            if n % 3 == 2 {
                say(dataset.delete(id, version), &second, true);
            }
        }
    }
}

/// Starts the process, listens to so many lines, kills it, and gives everything it had said.
fn killed_after(folder: &std::path::Path, lines: usize) -> Vec<Said> {
    let mut process = Command::new(std::env::current_exe().expect("this program"))
        .args(["--ignored", "--nocapture", "--exact"])
        .arg("sqlite::killed::the_process_that_writes_until_it_is_killed")
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let mut said = Vec::new();
    let mut out = BufReader::new(process.stdout.take().expect("a pipe")).lines();
    while said.len() < lines {
        let line = out.next().expect("it writes until it is killed");
        said.extend(heard(&line.expect("text")));
    }
    process.kill().expect("it is killed");
    process.wait().expect("it has ended");
    // what was in the pipe was acknowledged too
    said.extend(out.map_while(Result::ok).filter_map(|line| heard(&line)));
    said
}

#[test]
fn a_killed_process_has_lost_no_write_that_it_acknowledged() {
    let folder = folder();
    let mut all: Vec<Said> = Vec::new();
    for lines in [1, 50, 700] {
        all.extend(killed_after(folder.path(), lines));
        let dataset = dataset(folder.path());
        let mut last = std::collections::BTreeMap::new();
        for said in &all {
            last.insert(said.id.place, said);
        }
        for (place, said) in &last {
            let found = dataset
                .get(*place)
                .unwrap_or_else(|| panic!("{said:?} is lost"));
            assert_eq!(found.id, said.id);
            // a later write may have been committed and not told
            assert!(
                found.version > said.version
                    || found.deleted && !said.is_deleted
                    || (found.version, found.deleted) == (said.version, said.is_deleted),
                "{said:?}, found {found:?}"
            );
            if (found.version, found.deleted) == (said.version, false) {
                assert_eq!(dataset.by_key(&said.key), Some(found), "{said:?}");
            }
        }
        assert!(dataset.counts().0 > 0);
        dataset.is_sound();
        // and it can be written on
        let id = dataset.create(&format!("after {lines}"));
        assert_eq!(dataset.get(id.place).expect("written").id, id);
    }
    assert!(all.len() > 750);
}
