//! The rows of deliveries: how far each webhook has come, and what it gave up.

use super::SqliteStore;
use crate::error::Failure;
use rusqlite::{Connection, OptionalExtension, Row, params};
use store::deliveries::{DeadLetter, Deliveries, Delivery, ReadDeadLetter, ReadDelivery};
use store::{StoreError, StoreFuture};
use tracing::{debug_span, trace_span};
use wire::Timestamp;

const READ: &str = "SELECT document FROM deliveries WHERE webhook = ?1";
const READ_SOME: &str = "SELECT webhook, document FROM deliveries
   WHERE webhook IN (SELECT value FROM json_each(?1))";
const PUT: &str = "INSERT INTO deliveries (webhook, document) VALUES (?1, ?2)
   ON CONFLICT (webhook) DO UPDATE SET document = excluded.document";
const GIVE_UP: &str = "INSERT INTO dead_letters (webhook, document) VALUES (?1, ?2)";
const DEAD: &str = "SELECT number, document FROM dead_letters
   WHERE webhook = ?1 AND number > ?2 ORDER BY number LIMIT ?3";
const REMOVE: &str = "DELETE FROM dead_letters WHERE webhook = ?1 AND number = ?2";
const FORGET: [&str; 2] = [
    "DELETE FROM deliveries WHERE webhook = ?1",
    "DELETE FROM dead_letters WHERE webhook = ?1",
];

fn unreadable(source: serde_json::Error) -> StoreError {
    StoreError::Document {
        what: "a delivery".to_owned(),
        source,
    }
}

/// The document of a row, which is its second column, as bytes: those of a damaged one may be no text, and whoever reads them says
/// so of that one alone.
fn document<'r>(row: &'r Row<'_>) -> Result<&'r [u8], rusqlite::Error> {
    let value = row.get_ref(1)?;
    Ok(value.as_bytes().unwrap_or_default())
}

fn read(connection: &Connection, webhook: &str) -> Result<Option<Delivery>, Failure> {
    let mut statement = connection.prepare_cached(READ)?;
    let document: Option<String> = statement
        .query_row([webhook], |row| row.get(0))
        .optional()?;
    let parsed = |document: String| serde_json::from_str(&document);
    Ok(document.map(parsed).transpose().map_err(unreadable)?)
}

/// Whether a webhook that was seen somewhere may come to what is next, by what is kept of it; where that is nothing, it may.
fn may_become(
    connection: &Connection,
    webhook: &str,
    seen: &Delivery,
    next: &Delivery,
) -> Result<bool, Failure> {
    let mut statement = connection.prepare_cached(READ)?;
    let mut rows = statement.query([webhook])?;
    let Some(row) = rows.next()? else {
        return Ok(true);
    };
    let kept = row.get_ref(0)?;
    Ok(seen.may_become(next, kept.as_bytes().unwrap_or_default()))
}

fn put(connection: &Connection, webhook: &str, delivery: &Delivery) -> Result<(), Failure> {
    let document = serde_json::to_string(delivery).map_err(unreadable)?;
    let mut statement = connection.prepare_cached(PUT)?;
    statement.execute(params![webhook, document])?;
    Ok(())
}

/// Removes what is kept of a webhook's deliveries.
pub(super) fn forget(connection: &Connection, webhook: &str) -> Result<(), Failure> {
    for statement in FORGET {
        connection.prepare_cached(statement)?.execute([webhook])?;
    }
    Ok(())
}

impl Deliveries for SqliteStore {
    fn delivery(&self, webhook: &str) -> StoreFuture<'_, Option<Delivery>> {
        let _span = trace_span!("store.delivery", webhook).entered();
        let found = self.readers.with(|connection| read(connection, webhook));
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn deliveries_of(&self, webhooks: Vec<String>) -> StoreFuture<'_, Vec<ReadDelivery>> {
        let _span = trace_span!("store.deliveries_of", webhooks = webhooks.len()).entered();
        let found = self.readers.with(|connection| {
            let asked = serde_json::to_string(&webhooks).map_err(unreadable)?;
            let mut statement = connection.prepare_cached(READ_SOME)?;
            let mut rows = statement.query([asked])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let delivery = serde_json::from_slice(document(row)?).map_err(unreadable);
                let webhook: String = row.get(0)?;
                found.push((webhook, delivery));
            }
            Ok(found)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn note_delivery(
        &self,
        webhook: &str,
        seen: Delivery,
        next: Delivery,
        dead: Option<DeadLetter>,
    ) -> StoreFuture<'_, bool> {
        let span = debug_span!("store.note_delivery", webhook);
        let webhook = webhook.to_owned();
        self.writer.run(span, move |connection, _| {
            if !may_become(connection, &webhook, &seen, &next)? {
                return Ok(false);
            }
            put(connection, &webhook, &next)?;
            if let Some(dead) = &dead {
                let document = serde_json::to_string(dead).map_err(unreadable)?;
                let mut statement = connection.prepare_cached(GIVE_UP)?;
                statement.execute(params![webhook, document])?;
            }
            Ok(true)
        })
    }

    fn note_arrival(&self, webhook: &str, at: Timestamp) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.note_arrival", webhook);
        let webhook = webhook.to_owned();
        self.writer.run(span, move |connection, _| {
            match read(connection, &webhook)? {
                Some(known) => put(connection, &webhook, &known.arrived(at)),
                None => Ok(()),
            }
        })
    }

    fn dead_letters(
        &self,
        webhook: &str,
        after: u64,
        max: usize,
    ) -> StoreFuture<'_, Vec<ReadDeadLetter>> {
        let _span = trace_span!("store.dead_letters", webhook).entered();
        let [after, max] = [after, max as u64].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
        let found = self.readers.with(|connection| {
            let mut statement = connection.prepare_cached(DEAD)?;
            let mut rows = statement.query(params![webhook, after, max])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let letter = serde_json::from_slice(document(row)?).map_err(unreadable);
                let number: i64 = row.get(0)?;
                found.push((number.cast_unsigned(), letter));
            }
            Ok(found)
        });
        Box::pin(std::future::ready(found.map_err(StoreError::from)))
    }

    fn remove_dead_letter(&self, webhook: &str, number: u64) -> StoreFuture<'_, bool> {
        let span = debug_span!("store.remove_dead_letter", webhook, number);
        let webhook = webhook.to_owned();
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        self.writer.run(span, move |connection, _| {
            let mut statement = connection.prepare_cached(REMOVE)?;
            Ok(statement.execute(params![webhook, number])? > 0)
        })
    }

    fn forget_delivery(&self, webhook: &str) -> StoreFuture<'_, ()> {
        let span = debug_span!("store.forget_delivery", webhook);
        let webhook = webhook.to_owned();
        self.writer
            .run(span, move |connection, _| forget(connection, &webhook))
    }
}
