//! Writes that share a transaction: what they count is brought into the tables together, and nobody can tell.

use super::super::SqliteStore;
use super::{create, wait};
use std::sync::mpsc::channel;
use store::records::{Counts, Records as _, WriteVerdict};
use tracing::Span;

#[test]
fn writes_that_share_a_transaction_count_as_each_alone_would() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path()).unwrap();
    let (go, gate) = channel::<()>();
    let held = store.writer.run(Span::none(), move |_, _| {
        gate.recv().unwrap();
        Ok(())
    });
    // all of these wait for it, and come into one transaction, with it or behind it
    let answers = ["a", "b", "a", "c"].map(|key| store.write(create(key, 10)));
    let counted = store.writer.run(Span::none(), |connection, _| {
        let sql = "SELECT records FROM dataset_state WHERE dataset = 1";
        Ok(connection.query_row(sql, [], |row| row.get::<_, i64>(0))?)
    });
    let last = store.write(create("d", 10));
    go.send(()).unwrap();
    wait(held).unwrap();
    let sequence = |verdict| match verdict {
        WriteVerdict::Done { id, .. } => Some(id.place.sequence),
        WriteVerdict::DuplicateKey => None,
        other => panic!("{other:?}"),
    };
    let sequences = answers.map(|answer| sequence(wait(answer).unwrap()));
    assert_eq!(sequences, [Some(1), Some(2), None, Some(3)]);
    assert_eq!(wait(counted).unwrap(), 3, "who asks sees what was before");
    assert_eq!(sequence(wait(last).unwrap()), Some(4));
    assert!(store.transactions() <= 2, "they shared one");
    let counts = Counts {
        records: 4,
        errored: 0,
    };
    assert_eq!(wait(store.counts(1)).unwrap(), counts);
    assert_eq!(wait(store.log_head()).unwrap(), 4);
    assert!(wait(store.check()).unwrap().is_empty());
}
