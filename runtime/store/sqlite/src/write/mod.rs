//! One write inside the writer's transaction: record, counters, gaps and change log together, after a look at
//! the catalog as of this transaction.

mod change;
mod create;
mod current;
mod entry;
mod tally;

pub(crate) use tally::Tally;

use crate::error::Failure;
use crate::noun_rows;
use change::{delete, purge, restore, restore_as, update};
use create::create;
use current::{CurrentRow, current, deleted, read};
use rusqlite::Connection;
use store::catalog::Catalog;
use store::records::{Change, RecordPlace, Write, WriteVerdict};

/// Does what a write asks for, and tells `changing` of a live record's place and key before it changes.
pub(crate) fn apply(
    connection: &Connection,
    catalog: &Catalog,
    tally: &mut Tally,
    write: &Write,
    changing: &dyn Fn(RecordPlace, Option<&str>),
) -> Result<WriteVerdict, Failure> {
    if !write.is_in_force(catalog) {
        return Ok(WriteVerdict::SchemaChanged);
    }
    let verdict = attempt(connection, tally, write, changing)?;
    if let (WriteVerdict::Done { .. }, Some(entry)) = (verdict, &write.audit) {
        noun_rows::remember(connection, entry)?;
    }
    Ok(verdict)
}

fn attempt(
    connection: &Connection,
    tally: &mut Tally,
    write: &Write,
    changing: &dyn Fn(RecordPlace, Option<&str>),
) -> Result<WriteVerdict, Failure> {
    match &write.change {
        Change::Create { nonce, content } => create(connection, tally, write, *nonce, content),
        Change::Update {
            id,
            version,
            content,
        }
        | Change::Revert {
            id,
            version,
            content,
        } => match current(connection, write, *id, *version)? {
            Ok(row) => {
                changing(id.place, row.primary_key.as_deref());
                update(connection, tally, write, &row, content)
            }
            Err(verdict) => Ok(verdict),
        },
        Change::Delete { id, version } => match current(connection, write, *id, *version)? {
            Ok(row) => {
                changing(id.place, row.primary_key.as_deref());
                delete(connection, tally, write, &row)
            }
            Err(verdict) => Ok(verdict),
        },
        Change::Restore { id } => match read(connection, write, *id)? {
            Some(row) if row.deleted => restore(connection, tally, write, &row),
            _ => Ok(WriteVerdict::NotFound),
        },
        Change::RestoreAs {
            id,
            version,
            content,
        } => match read(connection, write, *id)? {
            Some(row) if row.deleted && row.version == *version => {
                restore_as(connection, tally, write, &row, content)
            }
            Some(CurrentRow {
                version,
                deleted: true,
                ..
            }) => Ok(WriteVerdict::Stale { version }),
            _ => Ok(WriteVerdict::NotFound),
        },
        Change::Purge { id } => match deleted(connection, write, *id)? {
            Some(row) => purge(connection, tally, write, &row),
            None => Ok(WriteVerdict::NotFound),
        },
    }
}
