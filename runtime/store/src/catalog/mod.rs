//! The catalog: everything but records and files. It is small, so it is held in memory as one immutable
//! [`Catalog`] and stored as one JSON document a row. A change is decided against the newest catalog
//! and written in one transaction, so that two changes never cross; readers see it from then on.
//! Decisions and writes of records stand in one order: what a decision requires of datasets is true when
//! it comes into force.

mod areas;
mod counted_once;
mod credentials;
mod datasets;
mod domains;
mod has;
mod issued;
mod last_used;
mod look_ups;
mod noun_key;
mod roles;
mod saved_views;
mod schemas;
mod settings;
mod snapshot;
mod stamp;
mod user_names;
mod webhooks;

pub use areas::{Area, Tenant};
pub use counted_once::CountedOnce;
pub use credentials::{ApiKey, App, Invitation, ReplacedKey, SecondFactor, Session, Token, User};
pub use datasets::Dataset;
pub use domains::Domain;
pub use issued::{ENDED_AT_ONCE, Ending, Holder, Issued, IssuedCounts};
pub use last_used::LastUsedAt;
pub use noun_key::NounKey;
pub use roles::Role;
pub use saved_views::SavedView;
pub use schemas::{KeyFacts, SchemaEntry, SchemaVersion};
pub use settings::Setting;
pub use snapshot::{Catalog, Noun, Row};
pub use stamp::Stamp;
pub use user_names::folded;
pub use webhooks::Webhook;
pub use wire::manage::{
    Actor, ActorKind, AuditAction, AuditEntry, DomainCode, Grant, Kind, Permission, Resource, Verb,
    Verbs, Via,
};

use super::StoreFuture;
use super::records::PageLimit;
use std::sync::Arc;
use wire::Timestamp;

/// What a decision writes.
#[derive(Clone, Debug, Default)]
pub struct CatalogWrite {
    /// Tokens and sessions that end, as of what was there before: first of all.
    pub end: Vec<Ending>,
    /// Nouns that are new or changed, whole.
    pub put: Vec<Noun>,
    /// Nouns that go for good.
    pub remove: Vec<NounKey>,
    /// What is to be remembered of it.
    pub audit: Vec<AuditEntry>,
    /// The numbers of datasets that must hold no live record, as of all that was committed before; else
    /// nothing is written and the decision ends with [`DecisionError::Occupied`]. A number that never had a
    /// record holds none.
    pub require_empty: Vec<u32>,
    /// Datasets whose records are to be judged anew: a job each, in the same transaction; none for a dataset without live
    /// records, nor for one that has such a job which waits.
    pub revalidate: Vec<Revalidation>,
}

/// The judgement of a dataset's records by what changed, to be done as a job.
#[derive(Clone, Debug)]
pub struct Revalidation {
    /// The id that its job gets.
    pub id: String,
    /// The id of the dataset.
    pub dataset: String,
    /// By whose rights it is done.
    pub maker: Actor,
    /// When it was asked for.
    pub at: Timestamp,
}

/// Why a decision wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DecisionError {
    /// The decision's own words.
    Refused(String),
    /// A dataset that it requires to be empty holds live records.
    Occupied {
        /// The dataset's number.
        dataset: u32,
    },
}

/// A decision: looks at the newest catalog and says what to write, or why nothing is written. It may
/// run more than once.
pub type Decision<E> = Box<dyn FnMut(&Catalog) -> Result<CatalogWrite, E> + Send>;

/// While this is there, nobody changes the catalog.
pub struct CatalogHold {
    _until_dropped: Box<dyn Send + Sync>,
}

impl CatalogHold {
    /// A hold that ends when something is dropped.
    pub fn until_dropped(guard: impl Send + Sync + 'static) -> Self {
        CatalogHold {
            _until_dropped: Box::new(guard),
        }
    }
}

/// Entries about what was refused ([`AuditAction::is_incident`]) that the trail of a tenant keeps: with one more, the
/// oldest goes.
pub const INCIDENTS_MAX: u32 = 10_000;

/// The contract of a catalog's store.
pub trait Catalogs: Send + Sync {
    /// The catalog as of the last committed change.
    fn catalog(&self) -> Arc<Catalog>;

    /// Waits until the catalog, and what is issued, are as new here as what any server had committed when this was asked;
    /// `None` where no other server can write to the store.
    fn be_current(&self) -> Option<StoreFuture<'_, ()>> {
        None
    }

    /// The catalog once it is as new as what any server had committed when this was asked. Who read the log, or a queue, asks for
    /// this one behind that: it knows every dataset and schema version that what was read speaks of, which what is in memory may
    /// not, where another server made them just now.
    fn current_catalog(&self) -> StoreFuture<'_, Arc<Catalog>> {
        Box::pin(async move {
            if let Some(current) = self.be_current() {
                current.await?;
            }
            Ok(self.catalog())
        })
    }

    /// Keeps the catalog as it is until the answer is dropped, or a few seconds have passed; decisions wait meanwhile, also
    /// those of other servers. It is for a write that was overtaken by one decision after the other, and whoever has it must
    /// not ask for a decision. `None` where writes and decisions stand in one queue: there no write is overtaken for long.
    fn hold_catalog(&self) -> Option<StoreFuture<'_, CatalogHold>> {
        None
    }

    /// Runs a decision and writes it. The inner result is the decision's own: `Err` wrote nothing.
    fn decide(
        &self,
        decision: Decision<String>,
    ) -> StoreFuture<'_, Result<Arc<Catalog>, DecisionError>>;

    /// The newest entries of the audit trail of a tenant, newest first, before `before`: so many, or fewer,
    /// with the one that brings their documents to as many bytes. Their numbers are the
    /// tenant's own, from 1, and rise; those of incidents that made room are missing.
    fn audit(
        &self,
        tenant: &str,
        before: Option<i64>,
        limit: PageLimit,
    ) -> StoreFuture<'_, Vec<(i64, AuditEntry)>>;
}
