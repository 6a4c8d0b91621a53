//! The check finds what is planted in the file past the store, and says which record it is about.

use super::{dataset, file};
use crate::engines::{folder, wait};
use crate::nouns::one_of_each;
use crate::test_dataset::content;
use runtime::store::catalog::{CatalogWrite, Noun};
use runtime::store::records::NewContent;
use runtime::store::sqlite::SqliteStore;
use rusqlite::Connection;
use std::path::Path;

/// A store with airports, one of them deleted and one with faults; each has a past.
fn filled(folder: &Path) {
    let dataset = dataset(folder);
    let nouns: Vec<Noun> = one_of_each();
    let put = move |_: &_| {
        Ok(CatalogWrite {
            put: nouns.clone(),
            ..CatalogWrite::default()
        })
    };
    wait(dataset.store.decide(Box::new(put))).expect("nothing is against it");
    for n in 0..6 {
        let id = match dataset.offer(airport(n)) {
            runtime::store::records::WriteVerdict::Done { id, .. } => id,
            other => panic!("{other:?}"),
        };
        dataset.update(id, 0, airport(n));
        if n == 3 {
            dataset.delete(id, 1);
        }
    }
    dataset.is_sound();
}

/// The primary key field of the schema that `one_of_each` has.
fn key_field() -> String {
    let schema = crate::nouns::schema("s", "airport", 1);
    let field = schema
        .current()
        .schema
        .primary_key()
        .expect("a primary key");
    field.name.clone()
}

fn airport(n: usize) -> NewContent {
    let key = format!("A{n}");
    let body = serde_json::json!({ key_field(): key, "Text": n }).to_string();
    NewContent {
        body,
        errors: (n == 5).then(|| r#"[{"name":"Text","errors":"x"}]"#.to_owned()),
        ..content(&key, "")
    }
}

/// What the check says after a change past the store.
fn found_after(damage: impl FnOnce(&Connection)) -> String {
    let folder = folder();
    filled(folder.path());
    let file = file(folder.path());
    damage(&file);
    drop(file);
    let found = SqliteStore::check_folder(folder.path()).expect("it reads");
    found.join("\n")
}

fn check(sql: &str, meant: &str) {
    let found = found_after(|file| {
        file.execute_batch(sql)
            .unwrap_or_else(|error| panic!("{sql}: {error}"));
    });
    assert!(
        found.contains(meant),
        "after {sql}\nmeant {meant}\nfound {found}"
    );
}

/// A place of dataset 1, as the file has it.
fn place(sequence: u64) -> u64 {
    (1 << 40) + sequence
}

#[test]
fn an_untouched_store_has_no_contradiction() {
    assert_eq!(found_after(|_| ()), "");
}

#[test]
fn counters_that_are_off_are_found() {
    let words = "the counters of a dataset do not match its records: dataset 1: counted";
    check("UPDATE dataset_state SET records = records + 1", words);
    check("UPDATE dataset_state SET errored = 0", words);
    check("UPDATE dataset_state SET records = 0, errored = 0", words);
    check(
        "INSERT INTO dataset_state (dataset, records, errored, last_sequence) VALUES (9, 1, 0, 1)",
        "dataset 9: counted 1 records and 0 with errors, found 0 and 0",
    );
}

#[test]
fn a_catalog_without_its_version_is_found() {
    check(
        "DELETE FROM catalog_version",
        "the catalog does not have one version: found 0",
    );
}

#[test]
fn records_that_are_lost_or_out_of_place_are_found() {
    let (second, words) = (place(2), "a record's place is not in its dataset");
    check("UPDATE dataset_state SET last_sequence = 5", words);
    check(
        "UPDATE dataset_state SET last_sequence = 5",
        &place(6).to_string(),
    );
    check(
        &format!("UPDATE records SET dataset = 2 WHERE place = {second}"),
        words,
    );
    check("DELETE FROM dataset_state", words);
    check(
        &format!("DELETE FROM records WHERE place = {second}"),
        "found 4 and 1",
    );
}

#[test]
fn values_of_the_past_of_a_record_that_is_gone_are_found() {
    let gone = place(9);
    check(
        &format!(
            "INSERT INTO past_states (place, number, body, checksum) VALUES ({gone}, 3, '{{}}', 0)"
        ),
        &format!("values are kept of the past of a record that is gone: place {gone}, entry 3"),
    );
}

#[test]
fn keys_that_are_not_the_ones_in_the_values_are_found() {
    let (second, words) = (
        place(2),
        "a record's primary key is not the one in its values",
    );
    let meant = format!("{words}: place {second}");
    let at = format!("WHERE place = {second}");
    check(
        &format!("UPDATE records SET primary_key = 'other' {at}"),
        &meant,
    );
    check(
        &format!("UPDATE records SET primary_key = NULL {at}"),
        &meant,
    );
    check(&format!("UPDATE records SET body = '{{}}' {at}"), &meant);
    check(
        &format!("UPDATE records SET body = replace(body, 'A1', 'a1') {at}"),
        &meant,
    );
}

#[test]
fn live_records_from_when_the_key_was_another_are_found() {
    let folder = folder();
    filled(folder.path());
    let dataset = dataset(folder.path());
    let mut entry = crate::nouns::schema("s", "airport", 3);
    let keyless = crate::nouns::schema("s", "no_primary_key", 4);
    entry.versions.push(keyless.current().clone());
    let put = move |_: &_| {
        Ok(CatalogWrite {
            put: vec![entry.clone().into()],
            ..CatalogWrite::default()
        })
    };
    wait(dataset.store.decide(Box::new(put))).expect("the store itself is not against it");
    let words = "a live record was written when the schema's primary key was another: place ";
    let found = wait(dataset.store.check());
    let live = [1, 2, 3, 5, 6].map(|sequence| format!("{words}{}", place(sequence)));
    assert_eq!(found, live);
}

#[test]
fn two_live_records_of_one_key_are_found() {
    let folder = folder();
    filled(folder.path());
    let file = file(folder.path());
    let index: String = file
        .query_row(
            "SELECT sql FROM sqlite_schema WHERE name = 'records_live_key'",
            [],
            |row| row.get(0),
        )
        .expect("the index");
    // the index is taken away and put back as a word, without asking whether it still holds
    file.execute_batch(&format!(
        "CREATE TEMP TABLE kept AS SELECT * FROM sqlite_schema WHERE name = 'records_live_key';
         PRAGMA writable_schema = ON;
         DELETE FROM sqlite_schema WHERE name = 'records_live_key';
         PRAGMA writable_schema = RESET;
         UPDATE records SET primary_key = 'A1' WHERE place = {};
         PRAGMA writable_schema = ON;
         INSERT INTO sqlite_schema SELECT * FROM kept;
         PRAGMA writable_schema = RESET;",
        place(3)
    ))
    .expect("the damage");
    drop(file);
    let found = SqliteStore::check_folder(folder.path())
        .expect("it reads")
        .join("\n");
    let words = format!(
        "two live records of a dataset have one primary key: dataset 1, key of place {}",
        place(2)
    );
    assert!(found.contains(&words), "{index}: {found}");
    assert!(
        found.contains("the database: "),
        "the index is off too: {found}"
    );
}

#[test]
fn values_that_are_no_json_are_found() {
    let at = format!("WHERE place = {}", place(2));
    let words = format!(
        "a record's values are not a JSON object: place {}",
        place(2)
    );
    for body in ["{", "[]", "7", "", "null"] {
        check(&format!("UPDATE records SET body = '{body}' {at}"), &words);
        check(
            &format!("UPDATE records SET hidden = '{body}' {at}"),
            &words,
        );
    }
    let words = format!(
        "a record's errors are not a JSON array with an entry: place {}",
        place(6)
    );
    for errors in ["[", "{}", "[]", ""] {
        check(
            &format!("UPDATE records SET errors = '{errors}' WHERE errors IS NOT NULL"),
            &words,
        );
    }
}

#[test]
fn records_that_the_change_log_does_not_explain_are_found() {
    let at = format!("WHERE place = {}", place(2));
    let words = format!(
        "a record is not what the change log made of it: place {}",
        place(2)
    );
    check(&format!("UPDATE records SET version = 7 {at}"), &words);
    check(
        &format!("UPDATE records SET nonce = nonce + 1 {at}"),
        &words,
    );
    check(&format!("UPDATE records SET deleted = 1 {at}"), &words);
    check(
        &format!("UPDATE records SET schema_version = 2 {at}"),
        &words,
    );
    check(&format!("UPDATE records SET last_change = 1 {at}"), &words);
    check(&format!("DELETE FROM change_log {at}"), &words);
    check(
        &format!("UPDATE change_log SET version = 9 {at} AND action = 'create'"),
        "an entry of the change log does not follow the one before",
    );
}

#[test]
fn tables_that_are_not_as_they_were_made_are_found() {
    check("DROP INDEX records_live_key", "records_live_key is missing");
    check(
        "ALTER TABLE records ADD COLUMN more TEXT",
        "records is missing or not as it was made",
    );
    check(
        "CREATE TABLE guest (a)",
        "guest does not belong to the store",
    );
    check("DROP TABLE change_log", "change_log is missing");
}

#[test]
fn a_catalog_that_contradicts_itself_is_found() {
    for words in [
        "the area a has no tenant",
        "the domain dom has no tenant",
        "the role r has no tenant",
        "the user u has no tenant",
        "the API key k has no tenant",
        "the client p has no tenant",
    ] {
        check("DELETE FROM catalog WHERE kind = 'tenant'", words);
    }
    check(
        "DELETE FROM catalog WHERE kind = 'user'",
        "sessions are there of the user u, who is not",
    );
    check(
        "DELETE FROM catalog WHERE id = 'p'",
        "tokens are there of the client p, which is not",
    );
    check(
        "INSERT INTO files VALUES ('f', 'nowhere', 0, NULL, '{}')",
        "the file f has no dataset",
    );
    check(
        "DELETE FROM catalog WHERE kind = 'area'",
        "the schema s has no area",
    );
    check(
        "DELETE FROM catalog WHERE kind = 'schema'",
        "the dataset d has no schema",
    );
    check(
        "INSERT INTO catalog SELECT kind, 'd2', replace(document, '\"id\":\"d\"', '\"id\":\"d2\"')
         FROM catalog WHERE kind = 'dataset'",
        "two datasets have the number 1",
    );
    check(
        "UPDATE catalog SET document = '{}' WHERE kind = 'user'",
        "the document of the user u does not follow its form",
    );
    check(
        "UPDATE catalog SET kind = 'ghost' WHERE kind = 'user'",
        "unknown kind, ghost",
    );
    check(
        "UPDATE catalog SET document = json_set(document, '$.versions', json('[]')) WHERE kind = 'schema'",
        "the document of the schema s does not follow its form",
    );
}

#[test]
fn a_torn_page_is_found() {
    let folder = folder();
    filled(folder.path());
    let path = folder.path().join("fieldstone.db");
    let mut bytes = std::fs::read(&path).expect("the file");
    let file = file(folder.path());
    let root: u32 = file
        .query_row(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'records_deleted'",
            [],
            |row| row.get(0),
        )
        .expect("the index");
    drop(file);
    let start = (root as usize - 1) * 4096;
    bytes[start..start + 4096].fill(0xa5);
    std::fs::write(&path, bytes).expect("written");
    let found = SqliteStore::check_folder(folder.path())
        .expect("it reads")
        .join("\n");
    assert!(found.contains("the database: "), "{found}");
}

#[test]
fn an_index_that_the_next_start_makes_anew_contradicts_nothing() {
    let folder = folder();
    let records = dataset(folder.path());
    records.create("A");
    drop(records);
    let index = folder.path().join("search.db");
    // what a loss of power leaves of its first moments, and what a program with another form of the index leaves
    for made in ["", "PRAGMA user_version = 1; CREATE TABLE words (word);"] {
        let file = Connection::open(&index).expect("a database");
        file.execute_batch(made).expect("a database");
        drop(file);
        let found = SqliteStore::check_folder(folder.path()).expect("it can be read");
        assert_eq!(found, Vec::<String>::new());
    }
}
