//! A store with records that can't be read: they are told in the log and left out, and nothing else is. An index
//! that is damaged inside is made anew by the server that has it.

use crate::setup::SearchSetup;
use crate::test_server::TestServer;
use runtime::service::Settings;
use runtime::service::search::WAIT_MAX;
use runtime::store::search::SqliteSearch;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tests::log;

/// Records of an index of which each page is damaged in turn.
const RECORDS: u64 = 100;

/// A server whose store can be damaged from outside.
struct DamageSetup {
    setup: SearchSetup,
}

impl DamageSetup {
    fn start() -> Self {
        log::listen();
        DamageSetup {
            setup: SearchSetup::without_index(),
        }
    }

    /// Spoils the store from outside.
    #[track_caller]
    fn spoil(&self, sql: &str) {
        self.setup.server.spoil(sql);
    }

    /// The same with the row's checksum.
    #[track_caller]
    fn forge(&self, sql: &str) {
        self.setup.server.forge(sql);
    }

    fn open_index(&self) {
        self.setup.attach(self.setup.index(), WAIT_MAX);
    }
}

/// Checks that the log has one line for each record: an error, without values. The index writes it right after the commit that
/// makes the other records visible to searches, so this waits for the line.
#[track_caller]
fn are_told(records: &[&Value]) {
    for record in records {
        let id = record["_dataObjectId"].as_str().expect("an id");
        let began = Instant::now();
        while log::lines_with(id).is_empty() && began.elapsed() < WAIT_MAX {
            std::thread::sleep(Duration::from_millis(1));
        }
        let own = log::lines_with(id);
        let [line] = &own[..] else {
            panic!("{id}: {own:#?}");
        };
        let is_error = line.contains("ERROR") && line.contains("record.id=");
        assert!(is_error && !line.contains("secret"), "{line}");
    }
}

#[test]
fn a_record_that_cannot_be_read_is_told_and_the_rest_is_found() {
    let opened = DamageSetup::start();
    let setup = &opened.setup;
    let [torn, list, strange] =
        ["A", "B", "C"].map(|code| setup.city(code, r#""Name":"secret common""#));
    let sound = setup.city("D", r#""Name":"sound common""#);
    for (key, body) in [
        ("A", "body = '{\"Code\":\"A\",\"Name\":\"secret'"),
        ("B", "body = '[\"secret\"]'"),
        ("C", "schema_version = 99"),
    ] {
        opened.forge(&format!(
            "UPDATE records SET {body} WHERE primary_key = '{key}'"
        ));
    }
    opened.open_index();
    setup.check("common", &["D"]);
    setup.check("NOT nothing", &["D"]);
    are_told(&[&torn, &list, &strange]);
    // what comes behind them is found, and they can go
    setup.city("E", r#""Name":"late common""#);
    setup.check("common", &["D", "E"]);
    setup.server.delete(&torn).is(204);
    setup
        .server
        .update(&sound, r#"{"_version":0,"Name":"other common"}"#)
        .is(204);
    setup.check("other OR late", &["D", "E"]);
    are_told(&[&torn, &list, &strange]);
}

#[test]
fn rows_that_are_not_as_they_were_written_are_told_and_the_rest_is_found() {
    let opened = DamageSetup::start();
    let setup = &opened.setup;
    let rotten = ["A", "B"].map(|code| setup.city(code, r#""Name":"secret common""#));
    setup.city("C", r#""Name":"common""#);
    let [first, second] = rotten.each_ref();
    // one is met on the walk, one by an entry of the log that is rotten too
    opened.spoil("UPDATE records SET body = replace(body, '\"', '#') WHERE primary_key = 'A'");
    opened.open_index();
    setup.check("common", &["B", "C"]);
    setup
        .server
        .update(second, r#"{"_version":0,"Name":"other common"}"#)
        .is(204);
    setup.check("other", &["B"]);
    opened.spoil("UPDATE records SET version = 9 WHERE primary_key = 'B'");
    are_told(&[first]);
    setup.city("D", r#""Name":"late common""#);
    setup.check("late", &["D"]);
}

#[test]
fn an_index_goes_past_a_damaged_log_and_takes_what_the_records_have() {
    let opened = DamageSetup::start();
    let setup = &opened.setup;
    let [lost, kept] = ["A", "B"].map(|code| setup.city(code, r#""Name":"early""#));
    opened.open_index();
    setup.check("early", &["A", "B"]);
    setup
        .server
        .runtime
        .block_on(setup.server.service.stop_search());
    for record in [&lost, &kept] {
        setup
            .server
            .update(record, r#"{"_version":0,"Name":"secret late"}"#)
            .is(204);
    }
    let third = setup.city("C", r#""Name":"late""#);
    assert_eq!(third["_version"], 0);
    for entry in ["number = 3", "number = 4"] {
        opened.forge(&format!(
            "UPDATE change_log SET after = '{{\"Name\":\"secret' WHERE {entry}"
        ));
    }
    opened.forge("UPDATE records SET body = 'secret' WHERE primary_key = 'A'");
    let store = setup.server.service.store().clone();
    let again = TestServer::with_store(
        store,
        tempfile::tempdir().expect("a folder"),
        Settings::default(),
    );
    let again = SearchSetup {
        server: again,
        folder: tempfile::tempdir().expect("a folder"),
    };
    again.attach(setup.index(), WAIT_MAX);
    let codes = |query: &str| {
        let target = format!("/v1/dataobjects/search?query={query}");
        let key = &setup.server.names.key;
        let request = again.server.anonymous("GET", &target).credential(key);
        crate::setup::codes(&request.send().is(200).json())
    };
    assert_eq!(codes("late"), ["B", "C"]);
    assert_eq!(codes("early"), [""; 0]);
    are_told(&[&lost]);
}

/// The file of an index of [`RECORDS`], each with a word of its own, and how far apart its pages are.
fn pages_of_an_index(
    setup: &SearchSetup,
    open: impl FnOnce(&Path) -> Arc<SqliteSearch>,
) -> (Vec<u8>, usize) {
    let city = |n| format!(r#"{{"Code":"N{n}","Name":"common word{n}"}}"#);
    setup.cities((0..RECORDS).map(city));
    let folder = tempfile::tempdir().expect("a folder");
    {
        let first = served_by(setup);
        first.attach(open(folder.path()), WAIT_MAX);
        assert_eq!(total(&first, setup, "common"), Some(RECORDS));
        let stopped = first.server.service.stop_search();
        first.server.runtime.block_on(stopped);
    }
    let file = folder.path().join("search.db");
    let store = rusqlite::Connection::open(&file).expect("an index");
    store
        .execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")
        .expect("its log is in it");
    drop(store);
    let bytes = std::fs::read(file).expect("the index");
    let page = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    (bytes, page)
}

/// Another server over the store of a first one, without an index.
fn served_by(setup: &SearchSetup) -> SearchSetup {
    let store = setup.server.service.store().clone();
    let nobodys = tempfile::tempdir().expect("a folder");
    SearchSetup {
        server: TestServer::with_store(store, nobodys, Settings::default()),
        folder: tempfile::tempdir().expect("a folder"),
    }
}

/// How many a query finds; `None` while the index is not ready.
fn total(of: &SearchSetup, setup: &SearchSetup, query: &str) -> Option<u64> {
    let target = format!("/v1/dataobjects/search?query={query}");
    let request = of.server.anonymous("GET", &target);
    let answer = request.credential(&setup.server.names.key).send();
    if answer.status == 503 {
        assert!(answer.header("retry-after").is_some());
        return None;
    }
    answer.is(200).json()["total"].as_u64()
}

#[test]
#[cfg_attr(
    on_a_database,
    ignore = "the pages of an index in a database are the database's own"
)]
fn an_index_that_is_damaged_on_any_page_is_made_anew_and_finds_everything() {
    let opened = DamageSetup::start();
    let setup = &opened.setup;
    let open = |folder: &Path| Arc::new(SqliteSearch::open(folder).expect("an index"));
    let (sound, size) = pages_of_an_index(setup, open);
    let (mut met, mut seen) = (0, 0);
    for page in 0..sound.len() / size {
        let again = served_by(setup);
        let file = again.folder.path().join("search.db");
        let mut bytes = sound.clone();
        // the first page begins with the header of the file
        let at = page * size + if page == 0 { 100 } else { 0 };
        for byte in &mut bytes[at..at + 8] {
            *byte ^= 0xff;
        }
        std::fs::write(&file, &bytes).expect("written");
        again.attach(open(again.folder.path()), WAIT_MAX);
        let began = Instant::now();
        for (query, expected) in [("common", RECORDS), ("word7", 1), ("word3*", 11)] {
            let found = loop {
                let found = total(&again, setup, query);
                if let Some(found) = found {
                    break found;
                }
                met += 1;
                assert!(began.elapsed() < Duration::from_secs(60), "page {page}");
                std::thread::sleep(Duration::from_millis(20));
            };
            assert_eq!(found, expected, "page {page}: {query}");
        }
        seen += 1;
        let stopped = again.server.service.stop_search();
        again.server.runtime.block_on(stopped);
    }
    assert!(
        seen > 10 && met > 0,
        "{seen} pages, {met} were met by searches"
    );
}

/// Bits of the file, one of each letter of a word, and others evenly spread.
fn bits(bytes: &[u8]) -> Vec<(usize, u8)> {
    let word = b"common";
    let starts = bytes.windows(word.len()).enumerate();
    let starts = starts.filter(|(_, window)| *window == word);
    let letters = starts.flat_map(|(start, _)| start..start + word.len());
    let spread = (1..30).map(|part| bytes.len() / 30 * part + part);
    let places = letters.chain(spread);
    places.map(|place| (place, 1 << (place % 8))).collect()
}

#[test]
#[cfg_attr(
    on_a_database,
    ignore = "the pages of an index in a database are the database's own"
)]
fn whatever_bit_of_an_index_is_changed_all_is_found_once_the_index_was_verified() {
    let opened = DamageSetup::start();
    let setup = &opened.setup;
    let open = |folder: &Path| Arc::new(SqliteSearch::open(folder).expect("an index"));
    let (sound, _) = pages_of_an_index(setup, open);
    let bits = bits(&sound);
    assert!(bits.len() > 30, "the word is there");
    let queries = (0..RECORDS)
        .step_by(9)
        .map(|number| format!("word{number}"));
    let queries: Vec<_> = queries.chain(["common".to_owned()]).collect();
    for (at, bit) in bits {
        let again = served_by(setup);
        let mut bytes = sound.clone();
        bytes[at] ^= bit;
        std::fs::write(again.folder.path().join("search.db"), &bytes).expect("written");
        again.attach(open(again.folder.path()), WAIT_MAX);
        let began = Instant::now();
        let is_right = |query: &String| {
            let expected = if query == "common" { RECORDS } else { 1 };
            total(&again, setup, query) == Some(expected)
        };
        while !queries.iter().all(is_right) {
            assert!(
                began.elapsed() < Duration::from_secs(60),
                "bit {bit} of byte {at}"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        let stopped = again.server.service.stop_search();
        again.server.runtime.block_on(stopped);
    }
}
