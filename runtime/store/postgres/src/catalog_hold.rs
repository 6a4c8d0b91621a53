//! The catalog held as it is, by a lock that writes share and decisions don't.

use crate::Inner;
use crate::connections::transact;
use crate::error::Failure;
use crate::write::CATALOG_VERSION;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use store::StoreError;
use store::catalog::CatalogHold;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// How long it is held at most: less than the database lets a transaction idle.
const HOLD_MAX: Duration = Duration::from_secs(5);

/// Holds the catalog, which is then known here as it is. One of a server at a time: each takes a connection.
pub(crate) async fn hold(inner: Arc<Inner>) -> Result<CatalogHold, StoreError> {
    let turn = inner.hold_turn.clone().lock_owned().await;
    let (until, dropped) = oneshot::channel::<Infallible>();
    let (tell, told) = oneshot::channel();
    let runtime = inner.runtime.clone();
    runtime.spawn(async move {
        let _turn = turn;
        let (mut tell, mut dropped) = (Some(tell), dropped);
        let held: Result<(), Failure> = transact!(&inner.connections, tx => {
            let version = tx.row(CATALOG_VERSION, &[]).await?;
            let version = version.map_or(0, |row| row.get::<_, i64>(0).cast_unsigned());
            inner.cache.as_of(tx, version).await?;
            tx.keeps_nothing();
            if let Some(tell) = tell.take() {
                // who no longer waits has dropped the other end too
                let _ = tell.send(Ok(()));
            }
            let _ = timeout(HOLD_MAX, &mut dropped).await;
            Ok(())
        });
        if let Some((tell, failure)) = tell.zip(held.err()) {
            let _ = tell.send(Err(StoreError::from(failure)));
        }
    });
    told.await.map_err(|_| StoreError::Panicked)??;
    Ok(CatalogHold::until_dropped(until))
}
