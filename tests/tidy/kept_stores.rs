//! Of each engine a store is kept that had had every step of the tables but the newest: what a new step does to a store that is
//! there is tried with one that a program of before wrote, and with no other. Both numbers are read from the files' names.

use crate::sources::root;
use std::collections::BTreeSet;
use std::fs;

const KEPT: &str = "fixtures/stores";

/// An engine: where its steps are, and how the stores that are kept are named and made.
struct Engine {
    steps: &'static str,
    begin: &'static str,
    end: &'static str,
    how: &'static str,
}

const ENGINES: [Engine; 2] = [
    Engine {
        steps: "runtime/store/sqlite/migrations",
        begin: "version_",
        end: ".tar.zst",
        how: "`.ci/store_fixture PROGRAM` makes it",
    },
    Engine {
        steps: "runtime/store/postgres/migrations",
        begin: "database_",
        end: ".sql",
        how: "`fieldstone move` brings the newest folder that is kept into a database, `pg_dump --data-only --column-inserts` \
              tells its rows, and `runtime/fieldstone/tests/databases/upgrade.rs` is to name the file; it is made",
    },
];

/// The numbers in the names of a folder's files that begin and go on so.
fn numbers(folder: &str, begin: &str, behind: &str) -> BTreeSet<u32> {
    let files = fs::read_dir(root().join(folder)).expect("a folder");
    let numbers = files
        .flatten()
        .filter_map(|file| number(file.file_name().to_str()?, begin, behind));
    numbers.collect()
}

/// The number in a name that begins and goes on so.
fn number(name: &str, begin: &str, behind: &str) -> Option<u32> {
    let rest = name.strip_prefix(begin)?;
    let end = rest.find(|c: char| !c.is_ascii_digit())?;
    let (number, rest) = rest.split_at(end);
    number.parse().ok().filter(|_| rest.starts_with(behind))
}

/// What is to be done where no store is kept that had had all steps but one.
fn missing(engine: &Engine, steps: u32, kept: &BTreeSet<u32>) -> Option<String> {
    let Engine {
        begin, end, how, ..
    } = engine;
    let before = steps - 1;
    (!kept.contains(&before)).then(|| {
        format!(
            "{KEPT}/{begin}{before}{end} is missing: {how} by the program of before step {steps}"
        )
    })
}

#[test]
fn a_store_of_before_the_newest_step_is_kept_of_each_engine() {
    let mut told = Vec::new();
    for engine in &ENGINES {
        let steps = numbers(engine.steps, "", "_").pop_last().unwrap_or(0);
        assert!(steps >= 11, "the steps are found: {steps}");
        let kept = numbers(KEPT, engine.begin, engine.end);
        told.extend(missing(engine, steps, &kept));
    }
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn a_step_without_a_store_of_before_it_is_told_whatever_else_is_kept() {
    let [folder, database] = &ENGINES;
    assert_eq!(missing(folder, 14, &BTreeSet::from([6, 13])), None);
    assert_eq!(missing(folder, 14, &BTreeSet::from([13, 14])), None);
    for kept in [[6, 13], [13, 15]] {
        let told = missing(folder, 15, &BTreeSet::from(kept)).expect("it is told");
        assert!(told.contains("stores/version_14.tar.zst"), "{told}");
        assert!(told.ends_with("before step 15"), "{told}");
    }
    let told = missing(database, 12, &BTreeSet::from([10])).expect("it is told");
    assert!(told.contains("stores/database_11.sql"), "{told}");
}

#[test]
fn a_number_is_read_from_a_name_of_its_kind_alone() {
    let of_folder = |name| number(name, "version_", ".tar.zst");
    assert_eq!(of_folder("version_13.tar.zst"), Some(13));
    assert_eq!(of_folder("version_13.json"), None);
    assert_eq!(of_folder("database_10.sql"), None);
    assert_eq!(number("0014_purges.sql", "", "_"), Some(14));
}
