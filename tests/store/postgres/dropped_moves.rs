//! A move of which nobody waits for an answer any more, as of one that is stopped: it holds nobody off.

use crate::engines::{each, try_wait, wait};
use crate::locked::while_locked;
use runtime::store::StoreError;
use runtime::store::postgres::{PostgresOptions, PostgresStore, PostgresTransfer};
use runtime::store::transfer::{Part, TransferSource as _};
use std::time::Duration;

const RECORDS: &str = "LOCK TABLE records IN ACCESS EXCLUSIVE MODE";
/// What a move holds last.
const CATALOG: &str = "SELECT value FROM counters WHERE name = 'catalog' FOR UPDATE";
/// Enough to come to what is locked.
const WAITS: Duration = Duration::from_secs(1);

/// Waits for no longer than that, and then no more.
fn give_up(answer: impl Future) {
    let ended = try_wait(async { tokio::time::timeout(WAITS, answer).await });
    assert!(ended.is_err(), "it waits for what is locked");
}

#[test]
fn a_read_that_nobody_waits_for_any_more_leaves_nothing_held() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K0");
        let options = PostgresOptions::default();
        let transfer = wait(PostgresTransfer::open(folder.address(), &options));
        wait(transfer.hold());
        while_locked(folder, RECORDS, || {
            give_up(transfer.rows(Part::Records, None, 10));
        });
        dataset.create("K1");
        dataset.is_sound();
        // and what is read next is of a moment of its own
        let read = wait(transfer.rows(Part::Records, None, 10));
        assert_eq!(read.len(), 2);
    });
}

#[test]
fn a_hold_that_nobody_waits_for_any_more_holds_nobody_off() {
    each(|folder| {
        let dataset = folder.dataset();
        dataset.create("K0");
        let options = PostgresOptions::default();
        let transfer = wait(PostgresTransfer::open(folder.address(), &options));
        while_locked(folder, CATALOG, || give_up(transfer.hold()));
        dataset.create("K1");
        dataset.is_sound();
    });
}

#[test]
fn a_target_is_no_store_from_its_first_moment() {
    each(|folder| {
        let options = PostgresOptions::default();
        // killed before its first row
        drop(wait(PostgresTransfer::open_to_move(
            folder.address(),
            &options,
        )));
        let opened = try_wait(PostgresStore::open(folder.address(), options));
        assert!(
            matches!(opened, Err(StoreError::HalfMoved(_))),
            "{opened:?}"
        );
    });
}
