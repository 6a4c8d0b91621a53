//! The rows of deliveries: how far each webhook has come, and what it gave up.

use crate::PostgresStore;
use crate::connections::transact;
use crate::error::malformed;
use std::time::Duration;
use store::StoreFuture;
use store::deliveries::{DeadLetter, Deliveries, Delivery, ReadDeadLetter, ReadDelivery};
use store::leases::{Lease, Leases as _};
use wire::Timestamp;

const READ: &str = "SELECT document FROM deliveries WHERE webhook = $1";
const READ_SOME: &str = "SELECT webhook, document FROM deliveries WHERE webhook = ANY($1::text[])";
const HOLD: &str = "SELECT document FROM deliveries WHERE webhook = $1 FOR UPDATE";
const BEGIN: &str =
    "INSERT INTO deliveries (webhook, document) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const PUT: &str = "INSERT INTO deliveries (webhook, document) VALUES ($1, $2)
   ON CONFLICT (webhook) DO UPDATE SET document = excluded.document";
const NEXT_NUMBER: &str =
    "UPDATE counters SET value = value + 1 WHERE name = 'dead_letters' RETURNING value";
const GIVE_UP: &str = "INSERT INTO dead_letters (webhook, number, document) VALUES ($1, $2, $3)";
const DEAD: &str = "SELECT number, document FROM dead_letters
   WHERE webhook = $1 AND number > $2 ORDER BY number LIMIT $3";
const REMOVE: &str = "DELETE FROM dead_letters WHERE webhook = $1 AND number = $2";
const FORGET: [&str; 2] = [
    "DELETE FROM deliveries WHERE webhook = $1",
    "DELETE FROM dead_letters WHERE webhook = $1",
];

impl Deliveries for PostgresStore {
    fn delivery(&self, webhook: &str) -> StoreFuture<'_, Option<Delivery>> {
        let webhook = webhook.to_owned();
        self.read(|inner| async move {
            let row = inner.connections.read_one(READ, &[&webhook]).await?;
            let read = row.map(|row| serde_json::from_str(row.get(0)));
            Ok(read.transpose().map_err(malformed("a delivery"))?)
        })
    }

    fn deliveries_of(&self, webhooks: Vec<String>) -> StoreFuture<'_, Vec<ReadDelivery>> {
        self.read(move |inner| async move {
            let rows = inner.connections.read(READ_SOME, &[&webhooks]).await?;
            let read = rows.iter().map(|row| {
                let delivery = serde_json::from_str(row.get(1));
                (row.get(0), delivery.map_err(malformed("a delivery")))
            });
            Ok(read.collect())
        })
    }

    fn hold_delivery(&self, webhook: &str, holder: &str, time: Duration) -> StoreFuture<'_, bool> {
        self.hold_lease(Lease {
            name: format!("webhook {webhook}"),
            holder: holder.to_owned(),
            time,
            longest: time,
        })
    }

    fn note_delivery(
        &self,
        webhook: &str,
        seen: Delivery,
        next: Delivery,
        dead: Option<DeadLetter>,
    ) -> StoreFuture<'_, bool> {
        let (inner, webhook) = (self.inner.clone(), webhook.to_owned());
        self.see_through(async move {
            let document = serde_json::to_string(&next).map_err(malformed("a delivery"))?;
            let dead = dead.as_ref().map(serde_json::to_string);
            let dead = dead.transpose().map_err(malformed("a delivery"))?;
            transact!(&inner.connections, tx => {
                let written = match tx.row(HOLD, &[&webhook]).await? {
                    Some(row) if !seen.may_become(&next, row.get::<_, &str>(0).as_bytes()) => 0,
                    Some(_) => tx.execute(PUT, &[&webhook, &document]).await?,
                    // where another server's first note comes before, this one was seen otherwise, too
                    None => tx.execute(BEGIN, &[&webhook, &document]).await?,
                };
                if written == 0 {
                    tx.keeps_nothing();
                    return Ok(false);
                }
                if let Some(dead) = &dead {
                    let row = tx.row(NEXT_NUMBER, &[]).await?;
                    let number: i64 = row.map_or(1, |row| row.get(0));
                    tx.execute(GIVE_UP, &[&webhook, &number, dead]).await?;
                }
                Ok(true)
            })
        })
    }

    fn note_arrival(&self, webhook: &str, at: Timestamp) -> StoreFuture<'_, ()> {
        let (inner, webhook) = (self.inner.clone(), webhook.to_owned());
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                let Some(row) = tx.row(HOLD, &[&webhook]).await? else {
                    return Ok(());
                };
                let known = serde_json::from_str::<Delivery>(row.get(0));
                let known = known.map_err(malformed("a delivery"))?;
                let document = serde_json::to_string(&known.arrived(at));
                let document = document.map_err(malformed("a delivery"))?;
                tx.execute(PUT, &[&webhook, &document]).await?;
                Ok(())
            })
        })
    }

    fn dead_letters(
        &self,
        webhook: &str,
        after: u64,
        max: usize,
    ) -> StoreFuture<'_, Vec<ReadDeadLetter>> {
        let webhook = webhook.to_owned();
        self.read(move |inner| async move {
            let [after, max] = [after, max as u64].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
            let rows = inner
                .connections
                .read(DEAD, &[&webhook, &after, &max])
                .await?;
            let read = rows.iter().map(|row| {
                let letter = serde_json::from_str(row.get(1));
                let letter = letter.map_err(malformed("a delivery"));
                (row.get::<_, i64>(0).cast_unsigned(), letter)
            });
            Ok(read.collect())
        })
    }

    fn remove_dead_letter(&self, webhook: &str, number: u64) -> StoreFuture<'_, bool> {
        let (inner, webhook) = (self.inner.clone(), webhook.to_owned());
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        self.see_through(async move {
            Ok(inner
                .connections
                .change(REMOVE, &[&webhook, &number])
                .await?
                > 0)
        })
    }

    fn forget_delivery(&self, webhook: &str) -> StoreFuture<'_, ()> {
        let (inner, webhook) = (self.inner.clone(), webhook.to_owned());
        self.see_through(async move {
            transact!(&inner.connections, tx => {
                for sql in FORGET {
                    tx.execute(sql, &[&webhook]).await?;
                }
                Ok(())
            })
        })
    }
}
