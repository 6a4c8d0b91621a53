//! What the change log of a database has of values: how they differed, and now and then the whole of them; and that it reads
//! what it held before. That entries are told whole, the stories of the log say.

use crate::engines::{Store, StoreFolder, each, open_at, try_wait, wait};
use crate::locked::while_held;
use crate::test_dataset::{TestDataset, content, done};
use runtime::store::StoreError;
use runtime::store::records::{Change, LogAction, LogEntry, PageLimit, RecordId};
use std::sync::Arc;
use tests::cluster::{self, Cluster};

/// How many entries have values whole.
const WHOLE: &str = "SELECT count(*) FROM change_log
    WHERE after IS NOT NULL OR action <> 'update' AND before IS NOT NULL";
const LONGEST: &str = "SELECT max(length(before)) FROM change_log";
const KEPT: &str = "SELECT count(*) FROM past_states";

/// The number that a statement finds.
fn found(folder: &StoreFolder, statement: &str) -> u64 {
    let told = folder.told(&format!("SELECT 'found ' || ({statement})"));
    let mut lines = told.lines().map(str::trim);
    let number = lines.find_map(|line| line.strip_prefix("found "));
    number.and_then(|it| it.parse().ok()).expect("a number")
}

fn body(text: &str) -> String {
    content("K1", text).body
}

fn update(id: RecordId, version: i64) -> Change {
    Change::Update {
        id,
        version,
        content: content("K1", &version.to_string()),
    }
}

/// A record with so many changes.
fn filled(dataset: &TestDataset, changes: i64) -> RecordId {
    let id = dataset.create("K1");
    for version in 0..changes {
        assert!(done(version + 1)(dataset.change(update(id, version))));
    }
    id
}

/// The values before and after each entry about a record that is made and then changed so often, the oldest first.
fn meant(changes: i64) -> Vec<(Option<String>, Option<String>)> {
    let texts = (0..changes).map(|version| Some(body(&version.to_string())));
    let after: Vec<_> = [Some(body("first"))].into_iter().chain(texts).collect();
    let before = [None].into_iter().chain(after.clone());
    before.zip(after).collect()
}

fn values(entries: &[LogEntry]) -> Vec<(Option<String>, Option<String>)> {
    let values = entries
        .iter()
        .map(|it| (it.before.clone(), it.after.clone()));
    values.collect()
}

/// The past of a record, the oldest entry first.
fn past(dataset: &TestDataset, id: RecordId) -> Vec<LogEntry> {
    let mut past = wait(dataset.store.history(id, None, PageLimit::of(1000)));
    past.reverse();
    past
}

#[test]
fn a_create_has_its_values_once_and_an_update_what_it_changed() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = filled(&dataset, 40);
        assert_eq!(found(folder, WHOLE), 0);
        assert!(found(folder, LONGEST) < 16);
        assert_eq!(found(folder, KEPT), 2, "each sixteenth is whole");
        assert_eq!(values(&past(&dataset, id)), meant(40));
        assert!(done(40)(dataset.delete(id, 40)));
        assert!(done(41)(dataset.restore(id)));
        assert_eq!(found(folder, WHOLE), 0);
        dataset.is_sound();
    });
}

#[test]
fn changes_of_one_record_that_are_committed_together_follow_from_one_another() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = dataset.create("K1");
        let gone = dataset.create("K2");
        let mut changes: Vec<Change> = (0..40).map(|version| update(id, version)).collect();
        changes.extend([
            Change::Delete { id, version: 40 },
            Change::Restore { id },
            Change::Delete {
                id: gone,
                version: 0,
            },
            Change::Purge { id: gone },
        ]);
        let mut written = Vec::new();
        while_held(folder, || {
            let writes = changes.into_iter().map(|change| dataset.write(change));
            written.extend(writes.map(|write| dataset.store.write(write)));
        });
        for verdict in written {
            let verdict = wait(verdict);
            assert!(
                (0..=41).any(|version| done(version)(verdict)),
                "{verdict:?}"
            );
        }
        let mut expected = meant(40);
        expected.extend([(Some(body("39")), None), (None, Some(body("39")))]);
        assert_eq!(values(&past(&dataset, id)), expected);
        assert_eq!(found(folder, WHOLE), 0);
        assert_eq!(found(folder, KEPT), 2);
        dataset.is_sound();
    });
}

#[test]
fn entries_that_have_their_values_themselves_are_read_beside_those_that_do_not() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = filled(&dataset, 14);
        assert!(done(14)(dataset.delete(id, 14)));
        let before = past(&dataset, id);
        // as they were written once
        for entry in &before {
            let text =
                |it: Option<&str>| it.map_or_else(|| "NULL".to_owned(), |text| format!("'{text}'"));
            let (old, new) = (text(entry.before.as_deref()), text(entry.after.as_deref()));
            folder.run(&format!(
                "UPDATE change_log SET before = {old}, after = {new}, digest = NULL WHERE number = {}",
                entry.number
            ));
        }
        assert_eq!(past(&dataset, id), before);
        dataset.is_sound();
        assert!(done(15)(dataset.restore(id)));
        for version in 15..20 {
            assert!(done(version + 1)(dataset.change(update(id, version))));
        }
        let all = past(&dataset, id);
        assert_eq!(all[..before.len()], before);
        let texts: Vec<_> = (15..20)
            .map(|version| Some(body(&version.to_string())))
            .collect();
        let after: Vec<_> = all[before.len()..]
            .iter()
            .map(|it| it.after.clone())
            .collect();
        assert_eq!(after[0], Some(body("13")));
        assert_eq!(after[1..], texts);
        assert_eq!(all[before.len() + 1].before, Some(body("13")));
        assert_eq!(all[before.len()].action, LogAction::Restore);
        let (store, limit) = (&dataset.store, PageLimit::of(1000));
        assert_eq!(wait(store.log(0, limit)), all);
        assert_eq!(wait(store.changes(1, 0, limit)).entries, all);
        for entry in &all {
            let one = wait(store.log(entry.number - 1, PageLimit::of(1)));
            assert_eq!(&one[0], entry);
        }
        dataset.is_sound();
    });
}

#[test]
fn what_is_kept_of_the_past_goes_with_its_entries_and_with_its_record() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = filled(&dataset, 40);
        assert_eq!(wait(dataset.store.cut_log(20, 100)), 20);
        assert_eq!(found(folder, KEPT), 1);
        assert_eq!(values(&past(&dataset, id)), meant(40)[20..]);
        let feed = wait(dataset.store.changes(1, 0, PageLimit::of(1000)));
        assert_eq!(values(&feed.entries), meant(40)[20..]);
        dataset.is_sound();
        assert!(done(40)(dataset.delete(id, 40)));
        assert!(done(40)(dataset.purge(id)));
        assert_eq!(found(folder, KEPT), 0);
        dataset.is_sound();
    });
}

#[test]
fn values_that_are_not_as_they_were_kept_are_an_error_and_found_by_the_check() {
    each(|folder| {
        let dataset = folder.dataset();
        let id = filled(&dataset, 20);
        folder.run("UPDATE past_states SET body = replace(body, 'Text', 'Test')");
        let found = wait(dataset.store.check()).join("\n");
        assert!(
            found.contains("(dataset, sequence, entry): 1, 1, 16"),
            "{found}"
        );
        // who comes from the record does not need them
        assert_eq!(values(&past(&dataset, id)), meant(20));
        let oldest = try_wait(dataset.store.changes(1, 0, PageLimit::of(1)));
        assert!(matches!(oldest, Err(StoreError::Rotten(_))), "{oldest:?}");
        let newest = wait(dataset.store.changes(1, 17, PageLimit::of(9)));
        assert_eq!(values(&newest.entries), meant(20)[17..]);
    });
}

/// What statements about records and the log have in their first line; the store asks for other things meanwhile.
const OF_RECORDS: [&str; 4] = ["FROM records", "FROM change_log", "RECURSIVE", "l.number"];

/// How many of these the cluster's database was sent so far.
fn sent(cluster: &Cluster) -> usize {
    let log = std::fs::read_to_string(cluster.folder().join("log")).expect("a log");
    let lines = log.lines();
    let statements = lines.filter(|line| line.starts_with("LOG:  execute "));
    let of_records = |line: &&str| OF_RECORDS.iter().any(|words| line.contains(words));
    statements.filter(of_records).count()
}

/// A cluster that logs what it is sent, and a dataset in a database of it.
fn watched() -> (Cluster, TestDataset) {
    let programs = cluster::programs().expect("there is no PostgreSQL");
    let settings = "-c log_statement=all -c log_line_prefix= -c log_parameter_max_length=64";
    let cluster = Cluster::start_with(&programs, settings).expect("a cluster");
    cluster
        .run("CREATE DATABASE far_back;")
        .expect("a database");
    let store: Arc<dyn Store> = open_at(&cluster.address("far_back"));
    (cluster, TestDataset::new(store, 1))
}

#[test]
fn a_long_past_is_read_by_few_statements() {
    let (cluster, dataset) = watched();
    let store = &dataset.store;
    let id = filled(&dataset, 200);
    let limit = PageLimit::of(1000);
    let before = sent(&cluster);
    let all = past(&dataset, id);
    let of_history = sent(&cluster) - before;
    assert_eq!(values(&all), meant(200));
    let far = wait(store.history(id, Some(all[9].number), PageLimit::of(1)));
    assert_eq!(far[..], all[8..9]);
    let of_one = sent(&cluster) - before - of_history;
    let feed = wait(store.changes(1, 0, limit));
    assert_eq!(feed.entries, all);
    let of_feed = sent(&cluster) - before - of_history - of_one;
    assert_eq!((of_history, of_one, of_feed), (6, 3, 4));
}

/// Of how many entries each statement so far wanted the values, where all entries are about one record.
fn wanted(cluster: &Cluster) -> Vec<u64> {
    let log = std::fs::read_to_string(cluster.folder().join("log")).expect("a log");
    let (mut wanted, mut is_of_values) = (Vec::new(), false);
    for line in log.lines() {
        if line.starts_with("LOG:") {
            is_of_values = line.contains("RECURSIVE way");
        } else if is_of_values && line.starts_with("DETAIL:") {
            let given = |name: &str| -> u64 {
                let (_, given) = line.split_once(&format!("{name} = '{{")).expect(line);
                let (given, _) = given.split_once('}').expect(line);
                given.parse().expect(line)
            };
            let (newest, oldest) = (given("$4"), given("$5"));
            wanted.push(newest - oldest + 1);
        }
    }
    wanted
}

/// A record with these texts, one after the other.
fn written(dataset: &TestDataset, texts: &[String]) {
    let id = dataset.create("K1");
    let changes = (0..).zip(texts).map(|(version, text)| Change::Update {
        id,
        version,
        content: content("K1", text),
    });
    let writes = changes.map(|change| dataset.store.write(dataset.write(change)));
    let writes: Vec<_> = writes.collect();
    for (version, write) in (1..).zip(writes) {
        assert!(done(version)(wait(write)));
    }
}

/// The whole change log in pages of so many bytes, and of how many entries the statements of each page wanted the values.
fn pages(cluster: &Cluster, dataset: &TestDataset, bytes: usize) -> Vec<(Vec<LogEntry>, Vec<u64>)> {
    let (mut pages, mut after) = (Vec::new(), 0);
    loop {
        let before = wanted(cluster).len();
        let limit = PageLimit {
            records: 10_000,
            bytes,
        };
        let page = wait(dataset.store.log(after, limit));
        let Some(last) = page.last() else {
            return pages;
        };
        after = last.number;
        pages.push((page, wanted(cluster).split_off(before)));
    }
}

/// The texts behind the entries of pages, but for the first, in order.
fn texts(pages: &[(Vec<LogEntry>, Vec<u64>)]) -> Vec<Option<String>> {
    let entries = pages.iter().flat_map(|(page, _)| page);
    entries.skip(1).map(|entry| entry.after.clone()).collect()
}

const MEGABYTE: usize = 1 << 20;

#[test]
fn large_values_of_a_past_come_a_few_at_a_time_and_small_ones_by_the_hundred() {
    let (cluster, dataset) = watched();
    let text = |version: usize, bytes| format!("{version} {}", "x".repeat(bytes));
    let small = (0..2000).map(|version| text(version, version % 10));
    let large = (2000..2024).map(|version| text(version, MEGABYTE));
    let all: Vec<String> = small.chain(large).collect();
    written(&dataset, &all);

    let found = pages(&cluster, &dataset, 8 * MEGABYTE);
    let meant: Vec<_> = all.iter().map(|text| Some(body(text))).collect();
    let found_texts = texts(&found);
    assert_eq!(found_texts.len(), meant.len());
    assert!(found_texts == meant, "each is as it was written");
    // four, then a hundred at a time, the large ones only when some were seen
    let (first, wanted) = &found[0];
    assert!(first.len() > 2000, "{}", first.len());
    assert!((20..=22).contains(&wanted.len()), "{wanted:?}");
    assert!(found.len() > 3, "{}", found.len());
    for (page, wanted) in &found[1..] {
        // each entry has two of them, before and after, so four are more than a page takes, and nothing is wanted in vain
        let entries = page.len() as u64;
        assert!(entries <= 4, "{entries}");
        assert_eq!(wanted[..], [entries]);
    }
    dataset.is_sound();
}
