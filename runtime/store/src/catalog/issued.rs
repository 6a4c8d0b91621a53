//! The contract for what is issued: access tokens and sessions. There are many, they come and go with every
//! sign-in, and each is only ever looked up by its hash; so they are no part of the [`Catalog`](super::Catalog),
//! which is copied with each change of it. A [`CatalogWrite`](super::CatalogWrite) puts, removes and ends
//! them in the same transaction as all else: a client that is deleted takes its tokens along.

use super::{NounKey, Session, Token};
use crate::StoreFuture;
use std::sync::Arc;
use wire::Timestamp;

/// Whose a token or a session is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The application client with this id: it holds tokens.
    App(String),
    /// The user with this id: it holds sessions.
    User(String),
}

/// Which tokens or sessions end with a change: those that were there before it, so none that it puts. The
/// engine finds them, so that no decision needs to see them all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every one of a holder.
    All(Holder),
    /// Every one of a holder but the one with this hash.
    Others {
        /// Whose they are.
        holder: Holder,
        /// The hash of the one that stays.
        but: String,
    },
    /// What makes room for one more of a holder: of its own that live on after `at`, those that end first,
    /// so that with the next there are `max` at most; and up to [`ENDED_AT_ONCE`] of the same kind and of
    /// anyone that have run out by then.
    Surplus {
        /// Whose the next one is.
        holder: Holder,
        /// When it comes.
        at: Timestamp,
        /// How many its holder may have.
        max: usize,
    },
}

/// How many that have run out make room at once.
pub const ENDED_AT_ONCE: usize = 64;

/// How many are kept, those that have run out and were not removed yet included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IssuedCounts {
    /// Access tokens.
    pub tokens: usize,
    /// Sessions.
    pub sessions: usize,
}

/// The contract of a store of tokens and sessions. Look-ups are answered from memory: each request makes
/// one. They see every change whose answer went out, which is what an engine that shares its database with
/// other servers has to see to.
pub trait Issued: Send + Sync {
    /// The token with this hash.
    fn token(&self, hash: &str) -> Option<Arc<Token>>;

    /// The session with this hash.
    fn session(&self, hash: &str) -> Option<Arc<Session>>;

    /// The sessions of a user that were not removed yet, in no order.
    fn sessions_of(&self, user: &str) -> Vec<Arc<Session>>;

    /// Tokens that have run out by a moment and were not removed yet, those that ended first; so many at most.
    fn tokens_run_out(&self, at: Timestamp, max: usize) -> Vec<Arc<Token>>;

    /// Sessions that have run out by a moment and were not removed yet, and those that nobody used behind another,
    /// as far as uses were written; so many of both at most.
    fn sessions_run_out(
        &self,
        at: Timestamp,
        unused_since: Timestamp,
        max: usize,
    ) -> Vec<Arc<Session>>;

    /// Notes that a session's user showed its password; tells whether the session is still there. One that
    /// ended stays ended.
    fn note_proof(&self, hash: &str, at: Timestamp) -> StoreFuture<'_, bool>;

    /// How many there are.
    fn issued_counts(&self) -> IssuedCounts;

    /// Notes when API keys, clients, users and sessions were last used; what is gone by now stays gone.
    /// Best effort, off the path of any request, and no change of the catalog.
    fn note_last_used(&self, used: Vec<(NounKey, Timestamp)>) -> StoreFuture<'_, ()>;
}
