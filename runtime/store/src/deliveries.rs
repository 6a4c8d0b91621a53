//! The contract of how far each webhook has come: which changes it delivered, what it tries again, and what it gave up. What
//! a webhook is, the catalog knows; what is sent, the service.

use super::catalog::Webhook;
use super::{StoreError, StoreFuture};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use wire::Timestamp;

/// How far a webhook has come.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Delivery {
    /// The entry of the change log up to which all is delivered, or given up.
    pub position: u64,
    /// The last entry of what is under way or tried again: the same is sent each time. `None` where nothing is.
    pub batch_end: Option<u64>,
    /// How often that was tried.
    pub tries: u32,
    /// When it is tried again, by a webhook that was not changed since: [`next_try`](Self::next_try).
    pub next_try_at: Option<Timestamp>,
    /// When the webhook that this was tried by had been changed last.
    pub webhook_changed_at: Option<Timestamp>,
    /// Since when nothing can be delivered.
    pub failing_since: Option<Timestamp>,
    /// When something was delivered last.
    pub delivered_at: Option<Timestamp>,
    /// Why the last try failed.
    pub error: Option<String>,
}

impl Delivery {
    /// When it is tried again. What failed at another address, or before the webhook was switched on, puts nothing off: one
    /// that was changed since is tried at once.
    pub fn next_try(&self, webhook: &Webhook) -> Option<Timestamp> {
        let is_same = self.webhook_changed_at == Some(webhook.stamp.updated_at);
        self.next_try_at.filter(|_| is_same)
    }

    /// Whether it may become the next one where a document is kept of it: that tells of the same place, with the same under way,
    /// and where something arrived out of its turn since, only what arrived, too, comes next. One that can't be read tells of
    /// nothing, and is written anew.
    pub fn may_become(&self, next: &Delivery, document: &[u8]) -> bool {
        let Ok(kept) = serde_json::from_slice::<Delivery>(document) else {
            return true;
        };
        let is_there = (kept.position, kept.batch_end) == (self.position, self.batch_end);
        let has_arrived = kept.delivered_at != self.delivered_at;
        is_there && (!has_arrived || next.delivered_at != self.delivered_at)
    }

    /// The same when something arrived out of its turn: what waits is not put off any more.
    #[must_use]
    pub fn arrived(self, at: Timestamp) -> Self {
        Delivery {
            next_try_at: None,
            failing_since: None,
            delivered_at: Some(at),
            error: None,
            ..self
        }
    }
}

/// What is known of a webhook's deliveries, by its id, or why that can't be read.
pub type ReadDelivery = (String, Result<Delivery, StoreError>);

/// Changes that a webhook gave up to deliver: entries of the log, which has them still.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DeadLetter {
    /// The number of the dataset.
    pub dataset: u32,
    /// The entry before the first of them.
    pub after: u64,
    /// The last of them.
    pub last: u64,
    /// How many there are.
    pub changes: u64,
    /// When it was given up.
    pub at: Timestamp,
    /// Why the last try failed.
    pub error: String,
}

/// What a webhook gave up, by its number, or why that can't be read.
pub type ReadDeadLetter = (u64, Result<DeadLetter, StoreError>);

/// The contract of a store of deliveries.
pub trait Deliveries: Send + Sync {
    /// How far a webhook has come; `None` of one that never tried.
    fn delivery(&self, webhook: &str) -> StoreFuture<'_, Option<Delivery>>;

    /// The same of several webhooks; nothing of those that never tried. Where what is known of one can't be read, that is what is
    /// told of it, and hides no other.
    fn deliveries_of(&self, webhooks: Vec<String>) -> StoreFuture<'_, Vec<ReadDelivery>>;

    /// Takes the deliveries of a webhook for a server, for so long by the store's own clock; whether it has them: while one
    /// server has them, no other does. No time at all lets go of them. Of a store that servers don't share, always.
    fn hold_delivery(
        &self,
        _webhook: &str,
        _holder: &str,
        _time: Duration,
    ) -> StoreFuture<'_, bool> {
        Box::pin(std::future::ready(Ok(true)))
    }

    /// Notes how far it has come next, and what it gave up by that, in one; whether it did: nothing of one that stands elsewhere than
    /// where it was seen, since another server went on with it meanwhile, and nothing of what failed while something arrived
    /// ([`Delivery::may_become`]).
    fn note_delivery(
        &self,
        webhook: &str,
        seen: Delivery,
        next: Delivery,
        dead: Option<DeadLetter>,
    ) -> StoreFuture<'_, bool>;

    /// Notes that something arrived out of its turn ([`Delivery::arrived`]); nothing of one that never tried.
    fn note_arrival(&self, webhook: &str, at: Timestamp) -> StoreFuture<'_, ()>;

    /// What it gave up, oldest first, behind a number; so many at most. Where one can't be read, that is what is told of it, and
    /// hides no other.
    fn dead_letters(
        &self,
        webhook: &str,
        after: u64,
        max: usize,
    ) -> StoreFuture<'_, Vec<ReadDeadLetter>>;

    /// Removes one that was delivered after all; whether it was there.
    fn remove_dead_letter(&self, webhook: &str, number: u64) -> StoreFuture<'_, bool>;

    /// Removes all that is kept of a webhook that is gone.
    fn forget_delivery(&self, webhook: &str) -> StoreFuture<'_, ()>;
}
