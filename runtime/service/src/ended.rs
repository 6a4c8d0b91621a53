//! Tokens and sessions that were found to have run out: over for good, also when the clock goes back afterwards. They
//! are remembered here until they are removed from the store, a few seconds later; what runs out unseen goes when room
//! is made.

use crate::Service;
use parking_lot::RwLock;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use store::StoreError;
use store::catalog::{CatalogWrite, Kind, NounKey};

/// Those that are still in the store.
#[derive(Default)]
pub(super) struct Ended {
    // what nearly every request asks costs no lock
    is_any: AtomicBool,
    hashes: RwLock<FxHashSet<(Kind, Box<str>)>>,
}

impl Ended {
    /// Whether it has ended before.
    pub(super) fn has(&self, kind: Kind, hash: &str) -> bool {
        self.is_any.load(Ordering::Acquire) && self.hashes.read().contains(&(kind, hash.into()))
    }

    /// Notes that it has. Only what is in the store is to be noted, so there are no more than that.
    pub(super) fn note(&self, kind: Kind, hash: &str) {
        let mut hashes = self.hashes.write();
        hashes.insert((kind, hash.into()));
        self.is_any.store(true, Ordering::Release);
    }

    fn all(&self) -> Vec<NounKey> {
        let hashes = self.hashes.read();
        let key = |(kind, hash): &(Kind, Box<str>)| NounKey {
            kind: *kind,
            id: hash.to_string(),
        };
        hashes.iter().map(key).collect()
    }

    fn forget(&self, removed: Vec<NounKey>) {
        let mut hashes = self.hashes.write();
        for NounKey { kind, id } in removed {
            hashes.remove(&(kind, id.into()));
        }
        self.is_any.store(!hashes.is_empty(), Ordering::Release);
    }
}

impl Service {
    /// Removes tokens and sessions that were found to have run out. [`open`](Self::open) sees to it that it is done
    /// every few seconds, [`close`](Self::close) does it at the end.
    ///
    /// # Errors
    /// When the store fails; they stay ended here, and the next time removes them.
    pub async fn remove_ended(&self) -> Result<(), StoreError> {
        let ended = self.ended.all();
        if ended.is_empty() {
            return Ok(());
        }
        let remove = ended.clone();
        let decided = self.store.decide(Box::new(move |_| {
            Ok(CatalogWrite {
                remove: remove.clone(),
                ..CatalogWrite::default()
            })
        }));
        // it refuses nothing, so there is nothing to hear
        let _ = decided.await?;
        self.ended.forget(ended);
        Ok(())
    }
}
