//! Management: tenants, areas, schemas, datasets, domains, roles, and whoever may call. Every method
//! takes the [`Caller`](super::Caller) that asks, or the operator's; every change is decided inside the store's writer
//! against the newest catalog (names, rights and the last administrator included) and leaves an entry
//! in the audit trail. It never shows a secret twice and speaks no HTTP.

mod api_keys;
mod apps;
mod areas;
mod attempts;
mod audit;
mod browsers;
mod datasets;
mod denied;
mod domains;
mod draft;
mod holders;
mod lists;
mod names;
mod operator;
mod passwords;
mod removed;
mod rights;
mod roles;
mod schema_change;
mod schemas;
mod sessions;
mod tenants;
mod users;
mod views;

pub use denied::Denied;
pub use operator::Operator;
pub use schemas::{NewSchema, SchemaContent};
pub use sessions::{SignInOrigin, SignedIn, csrf_token};
pub use tenants::{ADMINISTRATOR, MEMBER};
pub use views::{View, counted};
pub use wire::manage::{
    ApiKeyContent, ApiKeyView, AppContent, AppView, AreaContent, AreaView, AuditItem,
    DatasetContent, DatasetView, DeletedRecord, DomainContent, DomainView, NewApiKey, NewApp,
    NewUser, Password, Problem, RecordChange, RoleContent, RoleView, SchemaView, StampView,
    TenantContent, TenantView, UserContent, UserView,
};

pub(super) use attempts::Attempts;
pub(super) use browsers::Browsers;

use std::sync::Arc;

/// What may be said of a noun.
pub trait Content {
    /// Refuses what is wrong with it at this moment, whatever the store holds.
    ///
    /// # Errors
    /// All that is wrong.
    fn judge(&self, now: wire::Timestamp) -> Result<(), Denied>;
}

/// Something new together with its secret, which is shown this once.
#[derive(Clone)]
pub struct NewSecret<N> {
    /// What was made.
    pub noun: Arc<N>,
    /// Its secret.
    pub secret: String,
}

impl<N: std::fmt::Debug> std::fmt::Debug for NewSecret<N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewSecret").finish_non_exhaustive()
    }
}
