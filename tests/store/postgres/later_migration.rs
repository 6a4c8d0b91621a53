//! A migration of a later version, made up here: it keeps what the store has, is counted, and is undone when it fails.

use crate::engines::{StoreFolder, each, try_wait, wait};
use runtime::store::StoreError;
use runtime::store::postgres::{PostgresOptions, PostgresStore};

/// Two statements, the second of which reads what the store has.
const LATER: &str = "ALTER TABLE records ADD COLUMN made_up bigint;
    UPDATE records SET made_up = version + 40";
const COUNTED: &str = "SELECT 'newest: ' || max(number) FROM migrations";
const MADE_UP: &str = "SELECT 'made up: ' || made_up FROM records";
const COLUMNS: &str = "SELECT 'columns: ' || count(*) FROM information_schema.columns
    WHERE table_schema = current_schema() AND column_name = 'made_up'";
const TAKE_BACK: &str = "DELETE FROM migrations WHERE number = 2";

/// Runs migrations that follow those of this program; how many were done.
pub(crate) fn migrate_further(address: &str, more: &[&str]) -> Result<usize, StoreError> {
    let options = PostgresOptions::default();
    try_wait(PostgresStore::migrate_further(address, &options, more))
}

/// Lets this program take the store for one of its own version again.
pub(crate) fn take_back(folder: &StoreFolder) {
    folder.run(TAKE_BACK);
}

#[test]
fn a_later_migration_keeps_the_data_and_is_counted_once() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K1");
        drop(dataset);
        assert_eq!(migrate_further(folder.address(), &[LATER]).ok(), Some(1));
        assert!(folder.told(COUNTED).contains("newest: 2"));
        assert!(folder.told(MADE_UP).contains("made up: 40"));
        assert_eq!(migrate_further(folder.address(), &[LATER]).ok(), Some(0));
        let options = PostgresOptions::default();
        let opened = try_wait(PostgresStore::open(folder.address(), options.clone()));
        let refused = opened.map(drop);
        assert!(
            matches!(refused, Err(StoreError::Newer { found: 2, known: 1 })),
            "{refused:?}"
        );
        take_back(folder);
        assert_eq!(folder.dataset().counts(), (1, 0));
    });
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    each(|folder| {
        folder.dataset().create("K1");
        let failing = format!("{LATER}; SELECT 1 / (count(*) - 1) FROM records");
        assert!(migrate_further(folder.address(), &[failing.as_str()]).is_err());
        assert!(folder.told(COUNTED).contains("newest: 1"));
        assert!(folder.told(COLUMNS).contains("columns: 0"));
        let dataset = folder.dataset();
        dataset.create("K2");
        dataset.is_sound();
        let options = PostgresOptions::default();
        let migrated = wait(PostgresStore::migrate(folder.address(), &options));
        assert_eq!(migrated.steps, 0);
    });
}
