//! Stories that look inside the store: at the writer's own connection, at the readers' rest, at the work of a
//! statement. What every engine must do is told outside.

mod changes;
mod checkpoints;
mod failed_lock;
mod full_disk;
mod gaps;
mod long_reads;
mod migrations;
mod past_states;
mod plans;
mod resting;
mod retention;
mod tally;

use super::open;
use super::write::{self as writing, Tally};
use rusqlite::Connection;
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use store::catalog::{Actor, ActorKind, Catalog};
use store::records::{Change, NewContent, Write, WriteVerdict};
use store::{StoreError, StoreFuture};
use wire::Timestamp;

fn wait<T>(mut answer: StoreFuture<'_, T>) -> Result<T, StoreError> {
    loop {
        match answer
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(answer) => return answer,
            Poll::Pending => std::thread::sleep(Duration::from_micros(200)),
        }
    }
}

/// A store that has nothing yet.
fn empty() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    open::migrate_by(&connection, open::MIGRATIONS).unwrap();
    connection
}

fn write(change: Change) -> Write {
    Write {
        dataset: 1,
        actor: Actor {
            kind: ActorKind::Operator,
            id: "o".to_owned(),
            name: "o".to_owned(),
            email: None,
            full_name: None,
            via: None,
            job: None,
        },
        at: Timestamp::from_millis(0),
        judged_under: None,
        audit: None,
        change,
    }
}

/// Does a write in a transaction of its own, or in the one that is open.
fn applied(connection: &Connection, write: &Write) -> WriteVerdict {
    let (catalog, mut tally) = (Catalog::default(), Tally::default());
    let verdict = writing::apply(connection, &catalog, &mut tally, write, &|_, _| ()).unwrap();
    tally.write(connection).unwrap();
    verdict
}

/// A new record of about so many bytes.
fn create(key: &str, size: usize) -> Write {
    write(Change::Create {
        nonce: 7,
        content: NewContent {
            body: format!(r#"{{"k":"{}"}}"#, "x".repeat(size)),
            primary_key: Some(key.to_owned()),
            schema_version: 1,
            errors: None,
            hidden: None,
        },
    })
}
