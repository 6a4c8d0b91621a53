//! Contents of files, held for who copies the store: meanwhile no server removes a file, so that all that the copy refers to
//! is there. It is a lease by the database's own clock, so the hold of one who was killed ends by itself; who removes a file
//! shares its row, so that no removal is under way when a hold has begun.

use crate::connections::{Connections, Transaction};
use crate::error::Failure;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// How long contents are held by one who says nothing any more, and how often it is said.
const HELD_MILLIS: i64 = 120_000;
const SAID_EVERY: Duration = Duration::from_secs(30);

// of several who copy at once, the last one ends it
const HOLD: &str = "INSERT INTO leases (name, holder, held_until)
   VALUES ('contents', '', (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $1::bigint)
   ON CONFLICT (name) DO UPDATE SET held_until = greatest(leases.held_until, excluded.held_until)";
const BEGIN: &str = "INSERT INTO leases (name, holder, held_until) VALUES ('contents', '', 0)
   ON CONFLICT DO NOTHING";
const IS_HELD: &str = "SELECT held_until > (extract(epoch FROM clock_timestamp()) * 1000)::bigint
   FROM leases WHERE name = 'contents' FOR SHARE";

/// Contents that stay until this is dropped, and two minutes more.
#[derive(Debug)]
pub struct ContentsHold {
    _until_dropped: oneshot::Sender<Infallible>,
}

/// Holds contents from now on. To be called in a runtime, where it is said again and again.
pub(crate) async fn begin(connections: Connections) -> Result<ContentsHold, Failure> {
    hold(&connections).await?;
    let (until_dropped, mut dropped) = oneshot::channel::<Infallible>();
    tokio::spawn(async move {
        while timeout(SAID_EVERY, &mut dropped).await.is_err() {
            if let Err(failure) = hold(&connections).await {
                tracing::warn!(
                    ?failure,
                    "contents of files can't be held on, so some may go that the copy refers to"
                );
            }
        }
    });
    Ok(ContentsHold {
        _until_dropped: until_dropped,
    })
}

async fn hold(connections: &Connections) -> Result<(), Failure> {
    connections.change(HOLD, &[&HELD_MILLIS]).await?;
    Ok(())
}

/// Whether somebody holds contents; nobody begins to before the transaction ends.
pub(crate) async fn is_held(tx: &Transaction) -> Result<bool, Failure> {
    tx.execute(BEGIN, &[]).await?;
    let row = tx.row(IS_HELD, &[]).await?;
    Ok(row.is_some_and(|row| row.get(0)))
}
