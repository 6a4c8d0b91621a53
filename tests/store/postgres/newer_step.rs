//! A newer program changes the tables while servers of this one are there: none of them reads or writes from then on, and none
//! writes beside the step itself.

use crate::engines::{StoreFolder, each, try_wait, wait};
use crate::later_migration::migrate_further;
use crate::locked::until_it_holds;
use crate::nouns::tenant;
use crate::test_dataset::{TestDataset, content};
use runtime::store::StoreError;
use runtime::store::catalog::{CatalogWrite, Catalogs as _};
use runtime::store::postgres::{PostgresOptions, PostgresStore};
use runtime::store::records::Records as _;
use std::sync::Arc;
use std::thread;

/// A step as a newer program does it, but for what it would change.
const TELL: &str = "UPDATE counters SET value = value + 1 WHERE name = 'catalog' AND value > 0";
const NOTE: &str = "INSERT INTO migrations (number) SELECT max(number) + 1 FROM migrations";
const TAKE_BACK: &str =
    "DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)";
const VERSION: &str = "SELECT 'version ' || value FROM counters WHERE name = 'catalog'";
/// What the step does beside which somebody writes, until that one waits for it.
const STEP: &str = "DO $$ BEGIN
     FOR turn IN 1..3000 LOOP
       EXIT WHEN EXISTS (SELECT FROM pg_locks WHERE NOT granted AND locktype = 'transactionid'
         AND transactionid = pg_current_xact_id()::xid);
       PERFORM pg_sleep(0.02);
     END LOOP;
   END $$";

/// A server of a store that has a catalog, as every store has that was served.
fn server(folder: &StoreFolder) -> Arc<PostgresStore> {
    let store = folder.server();
    let write = CatalogWrite {
        put: vec![tenant("t").into()],
        ..CatalogWrite::default()
    };
    let decided = store.decide(Box::new(move |_| Ok(write.clone())));
    wait(decided).expect("nothing is against it");
    store
}

fn is_newer<T>(ended: &Result<T, StoreError>) -> bool {
    matches!(ended, Err(StoreError::Newer { found, known }) if *found == known + 1)
}

/// The version of the catalog.
fn version(folder: &StoreFolder) -> u64 {
    let told = folder.told(VERSION);
    let mut lines = told.lines().map(str::trim);
    let number = lines.find_map(|line| line.strip_prefix("version "));
    number.and_then(|it| it.parse().ok()).expect("a number")
}

#[test]
fn a_server_neither_reads_nor_writes_tables_that_a_newer_program_changed() {
    each(|folder| {
        let store = server(folder);
        let dataset = TestDataset::new(store.clone(), 1);
        let id = dataset.create("K1");
        folder.run(&format!("BEGIN; {TELL}; {NOTE}; COMMIT"));
        // by what it asks in the transaction itself, whether it has looked before or not
        assert!(is_newer(&dataset.try_offer(content("K2", "second"))));
        assert!(is_newer(&try_wait(
            store.be_current().expect("others may write")
        )));
        // and now by what it knows
        assert!(is_newer(&try_wait(store.get(id.place))));
        assert!(is_newer(&try_wait(store.log_head())));
        assert!(is_newer(&try_wait(store.prove_write())));
        assert!(is_newer(&dataset.try_offer(content("K2", "second"))));
        let refuses = try_wait(PostgresStore::open(
            folder.address(),
            PostgresOptions::default(),
        ));
        let error = refuses.expect_err("it is refused");
        let told = error.to_string();
        assert!(is_newer::<()>(&Err(error)), "{told}");
        assert!(told.contains("use the version of the program"), "{told}");
        // as a database that was brought back to a moment of before
        folder.run(TAKE_BACK);
        wait(store.be_current().expect("others may write"));
        assert!(
            dataset.by_key("K2").is_none(),
            "what was refused is not there"
        );
        dataset.create("K2");
        dataset.is_sound();
    });
}

#[test]
fn a_write_that_comes_while_the_step_is_under_way_is_refused_when_it_is_done() {
    each(|folder| {
        let dataset = TestDataset::new(server(folder), 1);
        dataset.create("K1");
        let written = thread::scope(|scope| {
            scope.spawn(|| folder.run(&format!("BEGIN; {TELL}; {STEP}; {NOTE}; COMMIT")));
            until_it_holds(|script| folder.told(script));
            dataset.try_offer(content("K2", "second"))
        });
        assert!(is_newer(&written));
        folder.run(TAKE_BACK);
        wait(dataset.store.be_current().expect("others may write"));
        assert_eq!(dataset.counts(), (1, 0));
        dataset.is_sound();
    });
}

#[test]
fn a_later_migration_is_told_to_the_servers_that_are_there() {
    each(|folder| {
        let dataset = TestDataset::new(server(folder), 1);
        let id = dataset.create("K1");
        let before = version(folder);
        let migrated = migrate_further(folder.address(), &["CREATE TABLE made_up (id bigint)"]);
        assert_eq!(migrated.ok(), Some(1));
        assert_eq!(version(folder), before + 1);
        assert!(is_newer(&try_wait(
            dataset.store.be_current().expect("others may write")
        )));
        assert!(is_newer(&try_wait(dataset.store.get(id.place))));
    });
}
