//! Tokens, sessions and keys that have run out: over for good, also when the clock goes back afterwards. What a request
//! finds is remembered here until it is removed from the store, a few seconds later; so is what runs out unseen, which
//! is looked for then. A key stays, and says that it has ended. What was begun while the clock was ahead ends when that is put right.

use crate::Service;
use parking_lot::RwLock;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use store::StoreError;
use store::catalog::{ApiKey, Catalog, CatalogWrite, Kind, Noun, NounKey};
use wire::Timestamp;

/// So far ahead something may seem to have begun: a clock that is set back by an hour ends nobody's session.
const AHEAD_SECONDS_MAX: i64 = 3600;

/// Whether something that lasts for so many seconds ends so late that it was begun by a clock that was ahead. It would last
/// until that clock's date, so it is taken for ended.
pub(crate) fn is_too_late(ends_at: Timestamp, seconds_max: i64, now: Timestamp) -> bool {
    ends_at > now.plus_seconds(seconds_max + AHEAD_SECONDS_MAX)
}

/// Of each kind, how many that ran out unseen are looked at in one go.
const AT_ONCE: usize = 10_000;

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
    /// Removes tokens and sessions that have run out, and ends keys that have. [`open`](Self::open) sees to it that it
    /// is done every few seconds, [`close`](Self::close) does it at the end.
    ///
    /// # Errors
    /// When the store fails; they stay ended here, and the next time removes them.
    pub async fn remove_ended(&self) -> Result<(), StoreError> {
        self.note_run_out();
        if self.store.is_read_only() {
            return Ok(());
        }
        self.end_keys().await?;
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

    /// Looks at what has run out while nobody asked for it, so that it is noted.
    fn note_run_out(&self) {
        let now = self.now();
        for token in self.store.tokens_run_out(now, AT_ONCE) {
            self.is_running(&token, now);
        }
        let unused_since = Timestamp::from_millis(now.millis() - self.idle_max());
        for session in self.store.sessions_run_out(now, unused_since, AT_ONCE) {
            self.is_alive(&session, now);
        }
    }

    /// Ends keys whose time has passed, and secrets that they had before.
    async fn end_keys(&self) -> Result<(), StoreError> {
        let now = self.now();
        let ended = move |catalog: &Catalog| -> Vec<Noun> {
            let keys = catalog.api_keys.values();
            keys.filter_map(|key| ended_key(key, now))
                .map(Noun::from)
                .collect()
        };
        if ended(&self.store.catalog()).is_empty() {
            return Ok(());
        }
        let decided = self.store.decide(Box::new(move |catalog| {
            Ok(CatalogWrite {
                put: ended(catalog),
                ..CatalogWrite::default()
            })
        }));
        // it refuses nothing, so there is nothing to hear
        let _ = decided.await?;
        Ok(())
    }
}

/// The key as it is once its time, or that of a secret it had before, has passed; `None` where none has.
fn ended_key(key: &ApiKey, now: Timestamp) -> Option<ApiKey> {
    let has_ended = key.has_ended_by(now);
    let is_other = has_ended != key.has_ended || key.replaced.iter().any(|old| old.until <= now);
    is_other.then(|| {
        let mut key = ApiKey {
            has_ended,
            ..key.clone()
        };
        key.replaced.retain(|old| now < old.until);
        key
    })
}
