//! A server over a store that plays tricks.

use crate::test_server::TestServer;
use std::sync::Arc;
use tests::trick_store::TrickStore;

/// A server over such a store.
pub(crate) fn tricky() -> (TestServer, Arc<TrickStore>) {
    let mut tricky = None;
    let server = TestServer::with_wrapped(|store| tricky.insert(TrickStore::new(store)).clone());
    (server, tricky.expect("it was wrapped"))
}
