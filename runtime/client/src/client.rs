//! The client itself: a cheap handle on a [`Transport`]. What it can be asked stands with each noun: lists
//! in `catalog.rs`, records in `raw.rs` and `dataset.rs`, files in `files.rs`, searches in `search.rs`.

use crate::ClientError;
use crate::transport::{Operation, Transport};
use std::sync::Arc;

/// A way into a service's data, for one credential. Cheap to clone; clones share their connections.
#[derive(Clone)]
pub struct Client {
    transport: Arc<dyn Transport>,
}

/// Tells nothing: what is behind it holds a credential.
impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// A client that goes through a transport.
    pub fn through(transport: Arc<dyn Transport>) -> Self {
        Client { transport }
    }

    /// What carries its operations.
    pub(crate) fn transport(&self) -> Arc<dyn Transport> {
        self.transport.clone()
    }

    /// Carries out an operation whose answer is no list.
    pub(crate) async fn run(&self, operation: Operation) -> Result<Option<String>, ClientError> {
        self.transport().run(operation, None).await
    }
}
